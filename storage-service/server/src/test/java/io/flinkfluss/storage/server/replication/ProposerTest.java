package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ProposerTest {
    private final List<String> entries = new ArrayList<>();
    private final List<CompletableFuture<byte[]>> answers = new ArrayList<>();

    @Test
    void gathersWhatWaitsUpToTheSizeOfAnEntry() throws Exception {
        Proposer<String, String> proposer = proposer(10, 2, 100);
        List<CompletableFuture<String>> futures = new ArrayList<>();
        for (String command : List.of("a", "b", "c", "d")) {
            futures.add(proposer.propose(command, 4));
        }

        proposer.submitNext();
        proposer.submitNext();

        assertThat(entries).containsExactly("a,b", "c,d");
        answers.get(0).complete(bytes("1,2"));
        assertThat(futures.get(1)).isCompletedWithValue("2");
        assertThat(futures.get(2)).isNotDone();
    }

    @Test
    void aCommandLargerThanAnEntryTravelsAlone() throws Exception {
        Proposer<String, String> proposer = proposer(10, 2, 100);
        proposer.propose("big", 50).thenAccept(answer -> {}).isDone();
        proposer.propose("b", 4).isDone();

        proposer.submitNext();

        assertThat(entries).containsExactly("big");
    }

    @Test
    void refusesCommandsBeyondTheQueue() {
        Proposer<String, String> proposer = proposer(10, 1, 8);
        proposer.propose("a", 8).isDone();

        assertThatThrownBy(() -> proposer.propose("b", 1).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        StorageException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.BUSY));
    }

    @Test
    void closingAnswersWhatWaits() throws Exception {
        Proposer<String, String> proposer = proposer(10, 1, 8);
        CompletableFuture<String> waiting = proposer.propose("a", 8);

        proposer.close();

        assertThat(waiting).isCompletedExceptionally();
        assertThat(proposer.submitNext()).isFalse();
    }

    private Proposer<String, String> proposer(int entryBytes, int inFlight, long queueBytes) {
        return new Proposer<>(
                "test",
                (millis, command) -> {
                    entries.add(StandardCharsets.UTF_8.decode(command).toString());
                    CompletableFuture<byte[]> answer = new CompletableFuture<>();
                    answers.add(answer);
                    return answer;
                },
                new CommaCodec(),
                new ProposerLimits(entryBytes, inFlight, queueBytes, Duration.ofSeconds(10)),
                ServerClock.system());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static final class CommaCodec implements CommandCodec<String, String> {
        @Override
        public ByteBuffer encode(List<String> commands) {
            return ByteBuffer.wrap(bytes(String.join(",", commands)));
        }

        @Override
        public List<String> decode(byte[] bytes) {
            return List.of(new String(bytes, StandardCharsets.UTF_8).split(","));
        }
    }
}
