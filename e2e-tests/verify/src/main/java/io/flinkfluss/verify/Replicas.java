package io.flinkfluss.verify;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.verify.check.Findings;
import io.flinkfluss.verify.check.OwnedKeys;
import io.flinkfluss.verify.check.Violation;
import io.flinkfluss.verify.cluster.Node;
import io.flinkfluss.verify.fault.Leaders;
import io.flinkfluss.verify.load.ReplicaCheck;
import io.flinkfluss.verify.load.TestTable;
import io.flinkfluss.verify.load.TestTables;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Compares what each node holds with everything that was ever seen. */
final class Replicas {
    private static final Duration READERS = Duration.ofSeconds(60);
    private static final Duration CATCH_UP = Duration.ofSeconds(60);
    private static final Duration DAMAGED = Duration.ofSeconds(10);
    private static final long RETRY_MILLIS = 200;

    private final TestTables tables;
    private final FlussClient client;
    private final Leaders leaders;
    private final Findings findings;
    private int compared;

    Replicas(TestTables tables, FlussClient client, Leaders leaders, Findings findings) {
        this.tables = tables;
        this.client = client;
        this.leaders = leaders;
        this.findings = findings;
    }

    /** How many buckets of replicas were compared at the end. */
    int compared() {
        return compared;
    }

    /** Waits until the readers have seen everything; nobody writes any more. */
    void awaitReaders() throws InterruptedException {
        long deadline = System.nanoTime() + READERS.toNanos();
        for (TestTable table : tables.all()) {
            for (Map.Entry<BucketId, Long> end : ends(table).entrySet()) {
                var history = table.history(end.getKey());
                while (history.checkedEnd() < end.getValue()) {
                    if (System.nanoTime() - deadline > 0) {
                        findings.add(
                                Violation.STALLED,
                                history.name()
                                        + " ends at offset "
                                        + end.getValue()
                                        + ", but readers got to "
                                        + history.checkedEnd()
                                        + " only within "
                                        + READERS.toSeconds()
                                        + " s");
                        return;
                    }
                    TimeUnit.MILLISECONDS.sleep(20);
                }
            }
        }
    }

    /** Reads every bucket from every node; then compares the state that all agree on. */
    void compareAll(List<Node> nodes, OwnedKeys owned) throws InterruptedException {
        for (TestTable table : tables.all()) {
            Map<BucketId, Long> ends = ends(table);
            for (Node node : nodes) {
                compareLogs(table, ends, node);
            }
            if (table.info().hasPrimaryKey()) {
                compareStates(table, nodes);
            }
        }
        for (Map.Entry<BucketId, Long> end : ends(tables.keys()).entrySet()) {
            Map<Integer, Long> state = tables.keys().history(end.getKey()).stateAt(end.getValue());
            owned.check(state, key -> tables.keys().bucketOf(key).equals(end.getKey()), findings);
        }
    }

    private void compareLogs(TestTable table, Map<BucketId, Long> ends, Node node)
            throws InterruptedException {
        ReplicaCheck check = new ReplicaCheck(client.allocator(), CATCH_UP);
        for (Map.Entry<BucketId, Long> end : ends.entrySet()) {
            table.history(end.getKey()).finalEnd(end.getValue(), "replica " + node);
            BucketId bucket = end.getKey();
            onceCaughtUp(
                    "replica " + node + " of " + table.history(bucket).name(),
                    () ->
                            check.readLog(
                                    leaders.channel(node),
                                    node.id(),
                                    table,
                                    bucket,
                                    end.getValue()));
        }
    }

    private void compareStates(TestTable table, List<Node> nodes) throws InterruptedException {
        KvSnapshot snapshot = client.kvReader().snapshot(table.info().id());
        ReplicaCheck check = new ReplicaCheck(client.allocator(), CATCH_UP);
        for (Node node : nodes) {
            for (BucketId bucket : table.buckets()) {
                compareState(check, table, bucket, snapshot, node);
            }
        }
        client.kvReader().release(snapshot);
    }

    private void compareState(
            ReplicaCheck check, TestTable table, BucketId bucket, KvSnapshot snapshot, Node node)
            throws InterruptedException {
        onceCaughtUp(
                "state of replica " + node + " of " + table.history(bucket).name(),
                () ->
                        check.compareState(
                                        leaders.channel(node), node.id(), table, bucket, snapshot)
                                .ifPresent(text -> findings.add(Violation.STATE, text)));
    }

    /** A comparison with a replica. */
    private interface Comparison {
        void run() throws InterruptedException;
    }

    /**
     * Tries again while the replica is behind: it may be fetching a checkpoint, or not have applied
     * the snapshot yet. That it cannot be compared by the deadline is a finding.
     */
    private void onceCaughtUp(String what, Comparison comparison) throws InterruptedException {
        long deadline = System.nanoTime() + CATCH_UP.toNanos();
        while (true) {
            try {
                comparison.run();
                compared++;
                return;
            } catch (StorageException e) {
                boolean behind =
                        e.code() == ErrorCode.SNAPSHOT_NOT_FOUND
                                || e.code() == ErrorCode.NOT_READY
                                || e.code() == ErrorCode.TABLE_NOT_FOUND;
                if (!behind || System.nanoTime() - deadline > 0) {
                    findings.add(Violation.UNCHECKED, what + " cannot be read: " + e);
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
    }

    /**
     * Reads what a node with a damaged file serves: right rows, or an error that names the damage.
     */
    String readDamaged(Node node) throws InterruptedException {
        ReplicaCheck check = new ReplicaCheck(client.allocator(), DAMAGED);
        TreeSet<String> told = new TreeSet<>();
        for (TestTable table : tables.all()) {
            for (BucketId bucket : table.buckets()) {
                try {
                    check.readLog(
                            leaders.channel(node),
                            node.id(),
                            table,
                            bucket,
                            table.history(bucket).checkedEnd());
                } catch (StorageException e) {
                    told.add(tell(e));
                }
            }
            if (table.info().hasPrimaryKey()) {
                readDamagedState(check, table, node, told);
            }
        }
        return told.isEmpty()
                ? "everything it serves is right"
                : "served what is right and answered " + told;
    }

    private void readDamagedState(
            ReplicaCheck check, TestTable table, Node node, TreeSet<String> told)
            throws InterruptedException {
        try {
            KvSnapshot snapshot = client.kvReader().snapshot(table.info().id());
            for (BucketId bucket : table.buckets()) {
                long deadline = System.nanoTime() + DAMAGED.toNanos();
                while (table.history(bucket).checkedEnd() < snapshot.logOffsets().get(bucket)) {
                    if (System.nanoTime() - deadline > 0) {
                        return;
                    }
                    TimeUnit.MILLISECONDS.sleep(10);
                }
                check.compareState(leaders.channel(node), node.id(), table, bucket, snapshot)
                        .ifPresent(text -> findings.add(Violation.STATE, text));
            }
            client.kvReader().release(snapshot);
        } catch (StorageException e) {
            told.add(tell(e));
        }
    }

    private static String tell(StorageException e) {
        return e.code() == ErrorCode.CORRUPT_DATA ? "CORRUPT_DATA" : e.code().toString();
    }

    private Map<BucketId, Long> ends(TestTable table) {
        return client.logReader().offsets(table.buckets(), new OffsetSpec.Latest());
    }
}
