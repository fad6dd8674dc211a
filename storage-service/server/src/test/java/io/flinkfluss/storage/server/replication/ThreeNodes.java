package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.testkit.FreePorts;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Three nodes in this process that add numbers: real logs, real channels between them. */
final class ThreeNodes implements AutoCloseable {
    static final String SUMS = "sums";
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final List<Peer> peers = new ArrayList<>();
    private final Map<String, ReplicationNode> running = new TreeMap<>();
    private final Map<String, SumState> states = new TreeMap<>();

    ThreeNodes(Path folder) {
        this.folder = folder;
        for (int i = 1; i <= 3; i++) {
            peers.add(new Peer("n" + i, "127.0.0.1", FreePorts.next(), FreePorts.next()));
        }
    }

    /** Starts the node; it may not be ready. */
    void start(String id) {
        Peer self = peers.stream().filter(peer -> peer.id().equals(id)).findFirst().orElseThrow();
        SumState state = new SumState(folder.resolve(id + ".sum"));
        ReplicationNode node =
                ReplicationNode.open(
                        new ReplicationSettings(
                                folder.resolve(id).resolve("raft"),
                                ReplicationSettings.Beginning.FOUND,
                                self,
                                peers,
                                "127.0.0.1",
                                ReplicationSettings.Durability.DISK,
                                Duration.ofSeconds(1),
                                1 << 20),
                        Map.of(SUMS, state),
                        ServerClock.system(),
                        (what, cause) -> {
                            throw new AssertionError(what, cause);
                        });
        running.put(id, node);
        states.put(id, state);
    }

    ThreeNodes startAll() throws InterruptedException {
        peers.forEach(peer -> start(peer.id()));
        for (ReplicationNode node : running.values()) {
            node.awaitReady(PATIENCE);
        }
        return this;
    }

    /** Ends the node without a farewell. */
    void stop(String id) {
        states.remove(id);
        running.remove(id).close();
    }

    ReplicationNode node(String id) {
        return running.get(id);
    }

    ReplicatedGroup sums(String id) {
        return running.get(id).group(SUMS);
    }

    SumState state(String id) {
        return states.get(id);
    }

    /** Running nodes but this one. */
    List<String> others(String id) {
        return running.keySet().stream().filter(other -> !other.equals(id)).toList();
    }

    /** Waits for a running node that leads and is ready. */
    String leader() throws InterruptedException {
        return await(
                "a leader",
                () -> running.keySet().stream().filter(id -> sums(id).isLeader()).findFirst());
    }

    /** Adds the number on the node, which must lead. */
    long add(String id, long number) throws Exception {
        byte[] answer = submit(id, number).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        return ByteBuffer.wrap(answer).getLong();
    }

    CompletableFuture<byte[]> submit(String id, long number) {
        return sums(id).submit(1, ByteBuffer.allocate(8).putLong(number).flip());
    }

    /** Looks again and again, also after the peers' channels. */
    <T> T await(String what, Supplier<Optional<T>> look) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            Optional<T> found = look.get();
            if (found.isPresent()) {
                return found.get();
            }
            running.values().forEach(ReplicationNode::step);
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new AssertionError("no " + what + " within " + PATIENCE);
    }

    /** What the future fails with, by the deadline. */
    static Throwable failure(CompletableFuture<?> future) throws Exception {
        try {
            future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            return failed.getCause();
        }
        throw new AssertionError("it did not fail");
    }

    static StorageException refusal(CompletableFuture<?> future) throws Exception {
        return (StorageException) failure(future);
    }

    @Override
    public void close() {
        List.copyOf(running.keySet()).forEach(this::stop);
    }
}
