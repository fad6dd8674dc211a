package io.flinkfluss.flink.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.KvSplit;
import io.flinkfluss.flink.source.split.LogSplit;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitTrackerTest {
    private static final TableId TABLE = new TableId(3);

    private static LogSplit log(int bucket) {
        return new LogSplit(BucketId.of(TABLE, bucket), bucket, ScanRequest.UNBOUNDED);
    }

    private static KvSplit kv(int bucket) {
        return new KvSplit(BucketId.of(TABLE, bucket), 9, new byte[0], 0, 5, ScanRequest.UNBOUNDED);
    }

    @Test
    void everySplitGoesToExactlyOneSubtaskAndTheLoadIsEven() {
        List<LogSplit> splits = IntStream.range(0, 10).mapToObj(SplitTrackerTest::log).toList();
        SplitTracker tracker = new SplitTracker(TABLE, splits);
        List<FlussSplit> taken = new ArrayList<>();
        for (int subtask = 0; subtask < 4; subtask++) {
            List<FlussSplit> share = tracker.takeFor(subtask, 4);
            assertThat(share).hasSizeBetween(2, 3);
            assertThat(tracker.takeFor(subtask, 4)).isEmpty();
            taken.addAll(share);
        }
        assertThat(taken).containsExactlyInAnyOrderElementsOf(splits);
        assertThat(tracker.checkpoint(1).waiting()).isEmpty();
    }

    @Test
    void theSplitsOfAFailedReaderWaitAgain() {
        SplitTracker tracker = new SplitTracker(TABLE, List.of(log(0), log(1)));
        List<FlussSplit> taken = tracker.takeFor(0, 2);
        tracker.giveBack(taken);
        assertThat(tracker.checkpoint(1).waiting()).containsExactly(log(0), log(1));
        assertThat(tracker.takeFor(0, 2)).isEqualTo(taken);
    }

    @Test
    void aRestoredTrackerGoesOnAndPlansNothingAnew() {
        SplitTracker tracker = new SplitTracker(TABLE, List.of(kv(0), kv(1)));
        tracker.takeFor(0, 2);
        tracker.stateRead(BucketId.of(TABLE, 0));
        SplitTracker restored = new SplitTracker(tracker.checkpoint(1));
        assertThat(restored.checkpoint(2)).isEqualTo(tracker.checkpoint(1));
        assertThat(restored.takeFor(1, 2)).containsExactly(kv(1));
    }

    @Test
    void theSnapshotIsReleasedByTheFirstCheckpointThatNoLongerNeedsIt() {
        SplitTracker tracker = new SplitTracker(TABLE, List.of(kv(0), kv(1)));
        tracker.checkpoint(1);
        tracker.stateRead(BucketId.of(TABLE, 0));
        tracker.checkpoint(2);
        tracker.stateRead(BucketId.of(TABLE, 1));
        // a job that is restored from checkpoint 2 reads the state of bucket 1 again
        assertThat(tracker.releasableAfter(2)).isEmpty();
        assertThat(tracker.checkpoint(3).snapshotId()).isEqualTo(9);
        assertThat(tracker.releasableAfter(2)).isEmpty();
        assertThat(tracker.releasableAfter(3)).hasValue(9);
        assertThat(tracker.releasableAfter(4)).isEmpty();
        assertThat(tracker.releasableAtEnd()).isEmpty();
        assertThat(tracker.checkpoint(5).snapshotId()).isEqualTo(EnumeratorState.NO_SNAPSHOT);
    }

    @Test
    void withoutCheckpointsTheSnapshotIsReleasedAtTheEndIfItWasReadThrough() {
        SplitTracker done = new SplitTracker(TABLE, List.of(kv(0)));
        done.stateRead(BucketId.of(TABLE, 0));
        assertThat(done.releasableAtEnd()).hasValue(9);
        assertThat(new SplitTracker(TABLE, List.of(kv(0))).releasableAtEnd()).isEmpty();
        assertThat(new SplitTracker(TABLE, List.of(log(0))).releasableAtEnd()).isEmpty();
    }
}
