package io.flinkfluss.storage.server.membership;

import io.flinkfluss.storage.api.testkit.FormatSample;
import io.flinkfluss.storage.api.testkit.FormatSamples;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What nodes tell each other about themselves. */
final class MembershipSamplesTest extends FormatSamples {
    @Override
    protected Stream<FormatSample> samples() {
        return Stream.of(
                FormatSample.of(
                        Introduction.FORMAT,
                        new Introduction(
                                "n1",
                                "d-1",
                                DirectoryState.IN_USE,
                                4,
                                2,
                                List.of("n1", "n2"),
                                Map.of("n1", "d-1"),
                                List.of("n1", "n2"),
                                true),
                        Introduction::encode,
                        Introduction::decode));
    }
}
