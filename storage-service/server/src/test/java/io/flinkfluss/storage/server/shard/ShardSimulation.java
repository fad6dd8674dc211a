package io.flinkfluss.storage.server.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.server.replication.CommandCodec;
import io.flinkfluss.storage.server.replication.Proposer;
import io.flinkfluss.storage.server.replication.ProposerLimits;
import io.flinkfluss.storage.server.replication.ProposerSteps;
import io.flinkfluss.storage.server.runtime.SettableClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;

/**
 * Three replicas of a shard, a proposer and some writers, in one thread and driven by a seed:
 * retries, leader changes, power cuts, checkpoints, and checkpoints fetched from one another.
 */
final class ShardSimulation implements AutoCloseable {
    private static final int WRITERS = 4;
    private static final int IN_FLIGHT = 2;
    private static final List<BucketId> BUCKETS =
            List.of(ShardFixture.EVENTS_0, ShardFixture.ROWS_0, ShardFixture.ROWS_1);

    private final Random random;
    private final SettableClock clock = new SettableClock();
    private final SimulatedLog log;
    private final List<SimulatedReplica> replicas = new ArrayList<>();
    private final List<Writer> writers = new ArrayList<>();
    private Proposer<ShardCommand, ShardAnswer> proposer;
    private int waiting;
    private int leader;

    /** Offsets that were acknowledged, by bucket, writer and sequence. */
    private final Map<String, Long> acknowledged = new HashMap<>();

    /** Writes to one bucket, one batch at a time, again and again until it is acknowledged. */
    private static final class Writer {
        private final long id;
        private final BucketId bucket;
        private int sequence;
        private ShardCommand command;
        private CompletableFuture<ShardAnswer> answer;

        Writer(long id, BucketId bucket) {
            this.id = id;
            this.bucket = bucket;
        }
    }

    /**
     * @param disks of the replicas, by their number
     */
    ShardSimulation(long seed, IntFunction<ReplicaDisk> disks) {
        random = new Random(seed);
        log = new SimulatedLog(random);
        clock.advance(Duration.ofDays(1));
        for (int i = 0; i < 3; i++) {
            replicas.add(new SimulatedReplica(disks.apply(i), random));
        }
        for (int i = 0; i < WRITERS; i++) {
            writers.add(new Writer(i, BUCKETS.get(i % BUCKETS.size())));
        }
        lead(0);
        var unusedEvents = propose(new ShardCommand.OpenTable(ShardFixture.EVENTS));
        var unusedRows = propose(new ShardCommand.OpenTable(ShardFixture.ROWS));
        submit();
        log.commit(leader());
    }

    private SimulatedReplica leader() {
        return replicas.get(leader);
    }

    private SimulatedReplica any() {
        return replicas.get(random.nextInt(replicas.size()));
    }

    private void lead(int replica) {
        leader = replica;
        while (leader().applied() + 1 < log.size()) {
            applyNext(leader());
        }
        waiting = 0;
        proposer =
                new Proposer<>(
                        "shard-0",
                        log,
                        new CommandCodec<>() {
                            @Override
                            public ByteBuffer encode(List<ShardCommand> commands) {
                                return ShardCommands.encode(commands);
                            }

                            @Override
                            public List<ShardAnswer> decode(byte[] answers) {
                                return ShardAnswers.decode(ByteBuffer.wrap(answers));
                            }
                        },
                        new ProposerLimits(64 * 1024, IN_FLIGHT, 1 << 20, Duration.ofHours(1)),
                        clock);
    }

    private CompletableFuture<ShardAnswer> propose(ShardCommand command) {
        waiting++;
        return proposer.propose(command, ShardCommands.sizeInBytes(command));
    }

    private void submit() {
        if (waiting > 0 && log.pending() < IN_FLIGHT) {
            ProposerSteps.submitNext(proposer);
            // Everything that waits is far smaller than an entry may be.
            waiting = 0;
        }
    }

    void run(int steps) throws IOException {
        for (int i = 0; i < steps; i++) {
            step(random.nextInt(100));
        }
        writers.forEach(this::finish);
        replicas.forEach(this::catchUp);
        check();
    }

    private void step(int dice) throws IOException {
        clock.advance(Duration.ofMillis(random.nextInt(50)));
        if (dice < 40) {
            write(writers.get(random.nextInt(WRITERS)));
        } else if (dice < 55) {
            submit();
        } else if (dice < 75) {
            if (log.pending() > 0) {
                log.commit(leader());
            }
        } else if (dice < 85) {
            SimulatedReplica follower = any();
            for (int left = random.nextInt(6); left > 0; left--) {
                if (follower.applied() + 1 < log.size()) {
                    applyNext(follower);
                }
            }
        } else if (dice < 90) {
            any().checkpoint();
        } else if (dice < 94) {
            changeLeader();
        } else if (dice < 97) {
            losePower(random.nextInt(replicas.size()));
        } else {
            SimulatedReplica behind = any();
            SimulatedReplica other = any();
            if (behind != other && behind != leader()) {
                behind.catchUpFrom(other);
            }
        }
    }

    private void applyNext(SimulatedReplica replica) {
        replica.apply(log.get(replica.applied() + 1));
    }

    private void catchUp(SimulatedReplica replica) {
        while (replica.applied() + 1 < log.size()) {
            applyNext(replica);
        }
    }

    private void changeLeader() {
        log.changeLeader();
        proposer.close();
        // Clocks differ: the new leader's may be behind.
        clock.set(clock.millis() + random.nextInt(2_000) - 1_000);
        lead(random.nextInt(replicas.size()));
    }

    private void losePower(int replica) throws IOException {
        boolean leads = replica == leader;
        if (leads) {
            log.changeLeader();
            proposer.close();
        }
        SimulatedReplica lost = replicas.get(replica);
        SimulatedReplica other = replicas.get((replica + 1) % replicas.size());
        switch (random.nextInt(4)) {
            case 0 -> lost.losePowerDuring(lost::checkpoint);
            case 1 -> lost.losePowerDuring(() -> lost.catchUpFrom(other));
            case 2 -> lost.losePowerDuring(() -> catchUp(lost));
            default -> lost.losePower();
        }
        if (leads) {
            lead((replica + 1 + random.nextInt(2)) % 3);
        }
    }

    private void write(Writer writer) {
        if (writer.answer != null) {
            if (!writer.answer.isDone()) {
                return;
            }
            settle(writer);
        }
        if (writer.command == null) {
            writer.command = command(writer);
        }
        writer.answer = propose(writer.command);
        if (random.nextInt(4) == 0) {
            // Sent again although nobody asked for it.
            var unused = propose(writer.command);
        }
    }

    private ShardCommand command(Writer writer) {
        WriterStamp stamp = new WriterStamp(writer.id, writer.sequence);
        if (writer.bucket.equals(ShardFixture.EVENTS_0)) {
            int rows = 1 + random.nextInt(5);
            return new ShardCommand.Append(
                    writer.bucket, stamp, replicas.get(0).shard().events(writer.sequence, rows));
        }
        List<Object> rows = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            rows.add(random.nextInt(8));
            rows.add(random.nextInt(3) == 0 ? null : "v" + random.nextInt(100));
        }
        return new ShardCommand.Put(writer.bucket, stamp, ShardFixture.rows(rows.toArray()));
    }

    /** Learns what became of a batch. */
    private void settle(Writer writer) {
        ShardAnswer answer;
        try {
            answer = writer.answer.join();
        } catch (CompletionException failed) {
            StorageException known = (StorageException) failed.getCause();
            assertThat(known.code())
                    .isIn(ErrorCode.TIMEOUT, ErrorCode.CLOSED, ErrorCode.BUSY, ErrorCode.NOT_READY);
            writer.answer = null;
            return;
        }
        assertThat(answer).isInstanceOf(ShardAnswer.Stored.class);
        long offset = ((ShardAnswer.Stored) answer).result().baseOffset();
        String batch = writer.bucket + " " + writer.id + " " + writer.sequence;
        assertThat(acknowledged.put(batch, offset)).isNull();
        writer.answer = null;
        writer.command = null;
        writer.sequence++;
    }

    /** Until the writer's last batch is acknowledged. */
    private void finish(Writer writer) {
        while (writer.command != null) {
            if (writer.answer == null) {
                writer.answer = propose(writer.command);
            }
            submit();
            while (log.pending() > 0) {
                log.commit(leader());
            }
            if (writer.answer.isDone()) {
                settle(writer);
            }
        }
    }

    private void check() throws IOException {
        SimulatedReplica first = replicas.get(0);
        Map<String, ByteBuffer> segments = first.segments();
        for (SimulatedReplica replica : replicas) {
            assertThat(replica.segments().keySet()).isEqualTo(segments.keySet());
            assertThat(replica.segments()).as("segments").isEqualTo(segments);
            replica.answers()
                    .forEach(
                            (index, answer) ->
                                    assertThat(answer)
                                            .as("answer %s", index)
                                            .isEqualTo(
                                                    first.answers().getOrDefault(index, answer)));
            for (BucketId bucket : List.of(ShardFixture.ROWS_0, ShardFixture.ROWS_1)) {
                assertThat(replica.shard().current(bucket))
                        .as("rows of %s are the fold of its changelog", bucket)
                        .isEqualTo(replica.shard().fold(bucket));
                assertThat(replica.shard().current(bucket))
                        .isEqualTo(first.shard().current(bucket));
            }
        }
        checkStoredOnce(first);
    }

    /** Offsets are dense, and each batch that is in the log is stored once, where it was said. */
    private void checkStoredOnce(SimulatedReplica replica) {
        Set<String> seen = new HashSet<>();
        long rows = 0;
        for (int i = 0; i < log.size(); i++) {
            for (ShardCommand command : ShardCommands.decode(log.get(i).command().duplicate())) {
                if (command instanceof ShardCommand.Append append) {
                    WriterStamp stamp = append.stamp();
                    String batch =
                            append.bucket() + " " + stamp.writerId() + " " + stamp.sequence();
                    if (seen.add(batch)) {
                        Long offset = acknowledged.get(batch);
                        if (offset != null) {
                            assertThat(offset).as("offset of %s", batch).isEqualTo(rows);
                        }
                        rows += append.batch().rowCount();
                    }
                }
            }
        }
        assertThat(replica.shard().reads().logEnd(ShardFixture.EVENTS_0)).isEqualTo(rows);
        for (BucketId bucket : BUCKETS) {
            long next = 0;
            for (LogBatch batch : replica.shard().read(bucket, 0)) {
                assertThat(batch.baseOffset()).as("offsets are dense").isEqualTo(next);
                next += batch.rowCount();
            }
            assertThat(replica.shard().reads().logEnd(bucket)).isEqualTo(next);
        }
        for (String batch : acknowledged.keySet()) {
            if (batch.startsWith(ShardFixture.EVENTS_0 + " ")) {
                assertThat(seen).as("acknowledged batches").contains(batch);
            }
        }
    }

    @Override
    public void close() {
        proposer.close();
        replicas.forEach(SimulatedReplica::close);
    }
}
