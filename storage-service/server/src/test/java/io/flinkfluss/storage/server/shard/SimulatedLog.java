package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.replication.EntryWriter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * The replicated log as the proposer and the states see it: entries become final in order, and
 * those that are not final when the leader changes are lost or not, without the proposer knowing.
 */
final class SimulatedLog implements EntryWriter {
    private final Random random;
    private final List<Entry> committed = new ArrayList<>();
    private final Deque<Pending> pending = new ArrayDeque<>();
    private long term = 1;

    record Entry(long term, long millis, ByteBuffer command) {}

    private record Pending(Entry entry, CompletableFuture<byte[]> answer) {}

    SimulatedLog(Random random) {
        this.random = random;
    }

    @Override
    public CompletableFuture<byte[]> submit(long leaderMillis, ByteBuffer command) {
        ByteBuffer copy = ByteBuffer.allocate(command.remaining()).put(command.duplicate()).flip();
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        pending.add(new Pending(new Entry(term, leaderMillis, copy.asReadOnlyBuffer()), answer));
        return answer;
    }

    int pending() {
        return pending.size();
    }

    int size() {
        return committed.size();
    }

    Entry get(int index) {
        return committed.get(index);
    }

    /**
     * The first pending entry becomes final and the leader, which has all before it, applies it.
     */
    void commit(SimulatedReplica leader) {
        Pending next = pending.remove();
        committed.add(next.entry());
        next.answer().complete(leader.apply(next.entry()));
    }

    void changeLeader() {
        int kept = pending.isEmpty() ? 0 : random.nextInt(pending.size() + 1);
        List<Pending> unknown = new ArrayList<>(pending);
        pending.clear();
        for (int i = 0; i < kept; i++) {
            committed.add(unknown.get(i).entry());
        }
        term++;
        unknown.forEach(
                each ->
                        each.answer()
                                .completeExceptionally(
                                        new StorageException(
                                                ErrorCode.TIMEOUT, "the leader changed")));
    }
}
