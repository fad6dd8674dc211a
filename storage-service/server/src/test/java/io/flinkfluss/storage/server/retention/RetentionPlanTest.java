package io.flinkfluss.storage.server.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.log.LogFacts;
import io.flinkfluss.storage.server.log.SegmentFacts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetentionPlanTest {
    private static final long NOBODY = Long.MAX_VALUE;
    private static final RetentionPolicy HUNDRED_MILLIS = new RetentionPolicy(100, 0, 100, 2);
    private static final RetentionPlan.Bounds FREE =
            new RetentionPlan.Bounds(Long.MAX_VALUE, false);

    /** Segments of 10 rows and 1000 bytes, committed at 0 to 9, 10 to 19, …; the last is open. */
    private static LogFacts log(int segments, long localStart, long remoteEnd, long pinned) {
        List<SegmentFacts> facts = new ArrayList<>();
        for (int i = 0; i < segments; i++) {
            boolean last = i == segments - 1;
            facts.add(
                    new SegmentFacts(
                            i * 10L,
                            i * 10L + (last ? 5 : 10),
                            1000,
                            i * 10L,
                            last ? Long.MAX_VALUE : i * 10L + 9));
        }
        return new LogFacts(
                BucketId.of(new TableId(1), 0),
                0,
                localStart,
                remoteEnd,
                segments * 10L - 5,
                facts,
                pinned);
    }

    private static LogFacts log(int segments) {
        return log(segments, 0, 0, NOBODY);
    }

    private static RetentionPlan plan(LogFacts log, RetentionPolicy policy, long now) {
        return RetentionPlan.of(log, policy, FREE, now);
    }

    @Test
    void aSegmentGoesWhenItsLastRowIsTooOld() {
        assertThat(plan(log(5), HUNDRED_MILLIS, 108).startOffset()).isZero();
        assertThat(plan(log(5), HUNDRED_MILLIS, 109).startOffset()).isEqualTo(10);
        assertThat(plan(log(5), HUNDRED_MILLIS, 129).startOffset()).isEqualTo(30);
    }

    @Test
    void theSegmentBeingWrittenStays() {
        assertThat(plan(log(3), HUNDRED_MILLIS, 10_000).startOffset()).isEqualTo(20);
    }

    @Test
    void aTimeToLiveOfZeroKeepsRowsForEver() {
        RetentionPlan plan = plan(log(3), new RetentionPolicy(0, 0, 0, 2), Long.MAX_VALUE);

        assertThat(plan.startOffset()).isZero();
        assertThat(plan.ends()).isFalse();
    }

    @Test
    void theOldestGoWhenTheLogIsTooLarge() {
        RetentionPolicy small = new RetentionPolicy(0, 3_000, 0, 2);

        assertThat(plan(log(3), small, 50).startOffset()).isZero();
        assertThat(plan(log(5), small, 50).startOffset()).isEqualTo(20);
    }

    @Test
    void whatIsPromisedStaysHoweverOldItIs() {
        RetentionPlan.Bounds promised = new RetentionPlan.Bounds(15, true);

        assertThat(RetentionPlan.of(log(5), HUNDRED_MILLIS, promised, 10_000).startOffset())
                .isEqualTo(10);
    }

    @Test
    void whatAReaderNeedsStaysUntilItHasHeldItForLong() {
        LogFacts read = log(5, 0, 0, 12);

        RetentionPlan held = plan(read, HUNDRED_MILLIS, 10_000);
        RetentionPlan overridden =
                RetentionPlan.of(
                        read,
                        HUNDRED_MILLIS,
                        new RetentionPlan.Bounds(Long.MAX_VALUE, true),
                        10_000);

        assertThat(held.startOffset()).isEqualTo(10);
        assertThat(held.heldByReaders()).isTrue();
        assertThat(overridden.startOffset()).isEqualTo(40);
        assertThat(overridden.heldByReaders()).isFalse();
    }

    @Test
    void aReaderAheadOfWhatIsDueHoldsNothing() {
        assertThat(plan(log(5, 0, 0, 40), HUNDRED_MILLIS, 119).heldByReaders()).isFalse();
    }

    @Test
    void onlyWhatWasCopiedLeavesTheLocalDisk() {
        RetentionPolicy keepTwo = new RetentionPolicy(0, 0, 0, 2);

        assertThat(plan(log(5), keepTwo, 50).localStart()).isZero();
        assertThat(plan(log(5, 0, 20, NOBODY), keepTwo, 50).localStart()).isEqualTo(20);
        assertThat(plan(log(5, 0, 40, NOBODY), keepTwo, 50).localStart()).isEqualTo(30);
    }

    @Test
    void aCopiedSegmentLeavesTheLocalDiskWhenItIsOldToo() {
        RetentionPolicy oldOnes = new RetentionPolicy(1_000, 0, 100, 100);

        assertThat(plan(log(5, 0, 40, NOBODY), oldOnes, 119).localStart()).isEqualTo(20);
    }

    @Test
    void theLocalStartIsNeverBeforeTheStart() {
        assertThat(plan(log(5), HUNDRED_MILLIS, 10_000).localStart()).isEqualTo(40);
    }

    @Test
    void aSegmentIsEndedAfterAPartOfItsTimeToLive() {
        RetentionPolicy eighty = new RetentionPolicy(80, 0, 80, 2);

        assertThat(plan(log(3), eighty, 29).ends()).isFalse();
        assertThat(plan(log(3), eighty, 30).ends()).isTrue();
    }
}
