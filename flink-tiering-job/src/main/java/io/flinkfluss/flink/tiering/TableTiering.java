package io.flinkfluss.flink.tiering;

import io.flinkfluss.flink.tiering.maintenance.Upkeep;
import io.flinkfluss.flink.tiering.plan.Round;
import io.flinkfluss.flink.tiering.plan.Schedule;
import io.flinkfluss.flink.tiering.write.WrittenBucket;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the enumerator knows of one table. Used by the enumerator's thread. */
final class TableTiering {
    private TableInfo table;
    private final Schedule schedule;
    private final Upkeep upkeep = new Upkeep();
    private int tidyingReader = -1;
    private boolean busy;
    private Attempt attempt;
    private Map<BucketId, Long> lastEnds = Map.of();
    private volatile long rowsBehind;
    private volatile long tieredUpTo;

    TableTiering(TableInfo table, long freshnessMillis) {
        this.table = table;
        this.schedule = new Schedule(freshnessMillis);
    }

    TableInfo table() {
        return table;
    }

    Schedule schedule() {
        return schedule;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    /** The reader that tidies the lake table now, or -1. */
    int tidyingReader() {
        return tidyingReader;
    }

    void tidyingReader(int reader) {
        tidyingReader = reader;
    }

    void update(TableInfo found, long freshnessMillis) {
        table = found;
        schedule.freshness(freshnessMillis);
    }

    /** Rows that the newest plan found in the logs and not in the lake; for metrics, any thread. */
    long rowsBehind() {
        return rowsBehind;
    }

    void rowsBehind(long rows) {
        rowsBehind = rows;
    }

    /** Commit time of the newest row in the lake; 0 before the first round of this job. */
    long tieredUpTo() {
        return tieredUpTo;
    }

    void tieredUpTo(long millis) {
        tieredUpTo = millis;
    }

    boolean isDue(long now) {
        return !busy && schedule.isDue(now);
    }

    void begin(long now) {
        busy = true;
        schedule.begin(now);
    }

    boolean isBusy() {
        return busy;
    }

    /** End offsets after the newest round that this job committed; empty when unknown. */
    Map<BucketId, Long> lastEnds() {
        return lastEnds;
    }

    void lastEnds(Map<BucketId, Long> ends) {
        lastEnds = ends;
    }

    Attempt begin(long number, Round round, Map<BucketId, Integer> readers) {
        attempt = new Attempt(number, round, readers);
        return attempt;
    }

    /** The try that is running, or null. */
    Attempt attempt() {
        return attempt;
    }

    void end() {
        attempt = null;
        busy = false;
    }

    /** One try of a round: what is still being written, and where. */
    static final class Attempt {
        private final long number;
        private final Round round;
        private final Map<BucketId, Integer> waitingFor;
        private final Set<Integer> readers;
        private final List<WrittenBucket> written = new ArrayList<>();

        private Attempt(long number, Round round, Map<BucketId, Integer> readers) {
            this.number = number;
            this.round = round;
            this.waitingFor = new HashMap<>(readers);
            this.readers = new HashSet<>(readers.values());
        }

        long number() {
            return number;
        }

        Round round() {
            return round;
        }

        Set<Integer> readers() {
            return readers;
        }

        boolean waitsFor(int reader) {
            return waitingFor.containsValue(reader);
        }

        List<Integer> waiting() {
            return List.copyOf(waitingFor.values());
        }

        void add(WrittenBucket bucket) {
            if (waitingFor.remove(bucket.bucket()) != null) {
                written.add(bucket);
            }
        }

        boolean isComplete() {
            return waitingFor.isEmpty();
        }

        List<WrittenBucket> written() {
            return List.copyOf(written);
        }
    }
}
