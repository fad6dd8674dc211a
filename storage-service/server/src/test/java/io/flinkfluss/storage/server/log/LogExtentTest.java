package io.flinkfluss.storage.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LogExtentTest {
    private static RemoteSegment copy(long base, long end) {
        return new RemoteSegment("o" + base + "-" + end, base, end, 100, 10, 0, 1, 2, 1);
    }

    private static final LogExtent COPIED =
            new LogExtent(0, 0, List.of(copy(0, 10), copy(10, 20), copy(20, 30)));

    @Test
    void trimmingForgetsCopiesOfWhatIsGivenUp() {
        LogExtent trimmed = COPIED.trim(15, 0);

        assertThat(trimmed.startOffset()).isEqualTo(15);
        assertThat(trimmed.localStart()).isEqualTo(15);
        assertThat(trimmed.remote()).containsExactly(copy(10, 20), copy(20, 30));
    }

    @Test
    void localRowsStayWhereThereIsNoCopy() {
        assertThat(COPIED.trim(0, 25).localStart()).isEqualTo(25);
        assertThat(COPIED.trim(0, 99).localStart()).isEqualTo(30);
        assertThat(LogExtent.EMPTY.trim(0, 99).localStart()).isZero();
    }

    @Test
    void nothingGoesBackAndARepetitionChangesNothing() {
        LogExtent trimmed = COPIED.trim(15, 20);

        assertThat(trimmed.trim(3, 5)).isEqualTo(trimmed);
        assertThat(trimmed.trim(15, 20)).isEqualTo(trimmed);
    }

    @Test
    void copiesFollowWithoutAGapAndAddSomething() {
        assertThat(COPIED.with(copy(30, 40))).isPresent();
        assertThat(COPIED.with(copy(25, 35))).isPresent();
        assertThat(COPIED.with(copy(31, 40))).isEmpty();
        assertThat(COPIED.with(copy(20, 30))).isEmpty();
        assertThat(COPIED.trim(30, 30).with(copy(10, 20))).isEmpty();
    }

    @Test
    void everyOffsetIsFoundInItsCopy() {
        LogExtent overlapping = new LogExtent(5, 5, List.of(copy(0, 10), copy(8, 20)));

        assertThat(overlapping.remote(9)).contains(copy(0, 10));
        assertThat(overlapping.remote(10)).contains(copy(8, 20));
        assertThat(overlapping.remote(20)).isEmpty();
    }
}
