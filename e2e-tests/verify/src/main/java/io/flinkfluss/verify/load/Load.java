package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.verify.check.Findings;
import io.flinkfluss.verify.check.OwnedKeys;
import io.flinkfluss.verify.check.Violation;
import io.flinkfluss.verify.check.Writers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * All clients, each on a thread of its own. Half of those that can fail have the client's default
 * patience, half give up after seconds, so that writes of unknown outcome occur. They rest between
 * requests: the proof is about faults, and a machine of two cores has to start nodes beside them.
 */
public final class Load {
    private static final int ROW_WRITERS = 2;
    private static final int KEY_WRITERS = 2;
    private static final int REGISTER_CLIENTS = 4;
    private static final int RANGE_READERS = 2;
    private static final long CHECK_PAUSE = 200;

    private final Findings findings;
    private final OwnedKeys owned = new OwnedKeys();
    private final Registers registers;
    private final SnapshotReader snapshots;
    private final List<Loop> writers = new ArrayList<>();
    private final List<Loop> readers = new ArrayList<>();
    private final List<Runner> running = new ArrayList<>();
    private final List<Runner> reading = new ArrayList<>();

    /**
     * @param patient a client with default timeouts
     * @param hasty one that gives up after seconds
     */
    public Load(
            TestTables tables,
            FlussClient patient,
            FlussClient hasty,
            Writers writerHistories,
            Acknowledgements acknowledgements,
            ClientErrors errors,
            Findings findings,
            long seed) {
        this.findings = findings;
        Random seeds = new Random(seed);
        LoadContext calm =
                new LoadContext(patient, writerHistories, acknowledgements, errors, findings);
        LoadContext rash =
                new LoadContext(hasty, writerHistories, acknowledgements, errors, findings);
        registers = new Registers(tables.registers().toString(), findings);
        for (int i = 0; i < ROW_WRITERS; i++) {
            writers.add(
                    new RowWriter(
                            tables.rows(),
                            i % 2 == 0 ? calm : rash,
                            "rows " + i,
                            seeds.nextLong()));
        }
        for (BucketId bucket : tables.batches().buckets()) {
            writers.add(
                    new BatchWriter(
                            tables.batches(),
                            bucket,
                            bucket.bucket() % 4 < 3 ? calm : rash,
                            seeds.nextLong()));
        }
        for (int i = 0; i < KEY_WRITERS; i++) {
            writers.add(
                    new KeyWriter(
                            tables.keys(), owned, i % 2 == 0 ? calm : rash, i, seeds.nextLong()));
        }
        for (int i = 0; i < REGISTER_CLIENTS; i++) {
            writers.add(
                    new RegisterClient(
                            tables.registers(),
                            registers,
                            i % 2 == 0 ? calm : rash,
                            "register client " + i,
                            seeds.nextLong()));
        }
        snapshots =
                new SnapshotReader(
                        List.of(tables.keys(), tables.registers()), calm, seeds.nextLong());
        writers.add(snapshots);
        for (int i = 0; i < RANGE_READERS; i++) {
            writers.add(
                    new RangeReader(
                            tables.all(),
                            i % 2 == 0 ? calm : rash,
                            "range reader " + i,
                            seeds.nextLong()));
        }
        for (TestTable table : tables.all()) {
            for (BucketId bucket : table.buckets()) {
                readers.add(new TailReader(table, bucket, ReadFrom.LEADER, calm));
            }
        }
        BucketId some = tables.batches().buckets().get(0);
        readers.add(new TailReader(tables.batches(), some, ReadFrom.ANY, calm));
        readers.add(
                new TailReader(
                        tables.registers(),
                        tables.registers().buckets().get(1),
                        ReadFrom.ANY,
                        calm));
    }

    public OwnedKeys owned() {
        return owned;
    }

    /** Register operations whose histories were checked. */
    public long checkedOperations() {
        return registers.checkedOperations();
    }

    /** Buckets of snapshots that were compared with the changelog. */
    public int comparedSnapshots() {
        return snapshots.compared();
    }

    public void start() {
        writers.forEach(loop -> running.add(new Runner(loop)));
        running.add(new Runner(new Checking()));
        readers.forEach(loop -> reading.add(new Runner(loop)));
        running.forEach(Runner::start);
        reading.forEach(Runner::start);
    }

    /** Ends writers and lookups, with their last answers. */
    public void stopWriting(Duration patience) {
        stop(running, patience);
        registers.checkAll();
    }

    /** Ends the readers. */
    public void stopReading(Duration patience) {
        stop(reading, patience);
    }

    private void stop(List<Runner> runners, Duration patience) {
        runners.forEach(Runner::stop);
        long deadline = System.nanoTime() + patience.toNanos();
        for (Runner runner : runners) {
            if (!runner.awaitEnd(deadline)) {
                findings.add(
                        Violation.STALLED,
                        runner.loop.getClass().getSimpleName()
                                + " did not end within "
                                + patience.toSeconds()
                                + " s");
            }
        }
    }

    /** Checks histories of keys that are complete. */
    private final class Checking implements Loop {
        @Override
        public long step() {
            registers.checkComplete();
            return CHECK_PAUSE;
        }

        @Override
        public void close() {}
    }

    /** A thread that steps a loop until it is stopped. */
    private final class Runner {
        private final Loop loop;
        private final CountDownLatch stopping = new CountDownLatch(1);
        private final Thread thread;

        Runner(Loop loop) {
            this.loop = loop;
            thread = new Thread(this::run, "verify-" + loop.getClass().getSimpleName());
            thread.setDaemon(true);
        }

        void start() {
            thread.start();
        }

        void stop() {
            stopping.countDown();
        }

        boolean awaitEnd(long deadline) {
            try {
                thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return !thread.isAlive();
        }

        private void run() {
            try (loop) {
                while (stopping.getCount() > 0) {
                    long pause = loop.step();
                    if (pause > 0) {
                        boolean unused = stopping.await(pause, TimeUnit.MILLISECONDS);
                    }
                }
            } catch (Exception | Error e) {
                // A loop that ended early would leave promises unchecked.
                findings.add(
                        Violation.UNCHECKED, loop.getClass().getSimpleName() + " ended with " + e);
            }
        }
    }
}
