package io.flinkfluss.storage.api.wire;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** How the answer of an {@link AdminOperation} is written and read. */
public record AnswerCodec<A>(BiConsumer<WireOutput, A> writer, Function<WireInput, A> reader) {
    /** Only success matters. */
    public static final AnswerCodec<Void> NOTHING =
            new AnswerCodec<>((output, answer) -> {}, input -> null);

    public static final AnswerCodec<List<String>> STRINGS =
            new AnswerCodec<>(WireOutput::writeStrings, WireInput::readStrings);

    public static final AnswerCodec<Map<String, String>> STRING_MAP =
            new AnswerCodec<>(WireOutput::writeStrings, WireInput::readStringMap);
}
