package io.flinkfluss.verify.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.record.ChangeKind;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Planted histories: each broken promise is found, and nothing else. */
final class BucketHistoryTest {
    private final Findings findings = new Findings();
    private final Writers writers = new Writers();
    private final WriterHistory one = writers.register("one");
    private final WriterHistory two = writers.register("two");
    private final BucketHistory log = BucketHistory.ofLog("log/0", writers, findings);
    private final BucketHistory changelog = BucketHistory.ofChangelog("kv/0", writers, findings);

    @Test
    void aSoundLogHasNoFindings() {
        send(one, 3);
        send(two, 2);
        one.acknowledgeAll();
        see(0, one, 0);
        see(1, two, 0);
        see(2, one, 1);
        see(3, one, 2);
        see(3, one, 2);
        log.finalEnd(4, "n1");
        writers.reportLost(findings);

        assertThat(findings.total()).isZero();
        assertThat(log.checkedEnd()).isEqualTo(4);
    }

    @Test
    void anAcknowledgedRowThatIsNowhereIsLost() {
        send(one, 3);
        one.acknowledge(0);
        one.acknowledge(2);
        see(0, one, 0);
        writers.reportLost(findings);

        assertOnly(Violation.LOST, 1);
    }

    @Test
    void aRowWithoutAcknowledgementMayBeMissing() {
        send(one, 3);
        see(0, one, 0);
        writers.reportLost(findings);

        assertThat(findings.total()).isZero();
    }

    @Test
    void aRowAtTwoOffsetsIsDuplicated() {
        send(one, 2);
        see(0, one, 0);
        see(1, one, 1);
        see(2, one, 0);

        assertOnly(Violation.DUPLICATED, 1);
    }

    @Test
    void aRowInTwoBucketsIsDuplicated() {
        BucketHistory other = BucketHistory.ofLog("log/1", writers, findings);
        send(one, 1);
        see(0, one, 0);
        other.seen(0, row(one, 0), "reader");

        assertOnly(Violation.DUPLICATED, 1);
    }

    @Test
    void aWritersRowsOutOfOrderAreReordered() {
        send(one, 3);
        see(0, one, 0);
        see(1, one, 2);
        see(2, one, 1);

        assertOnly(Violation.REORDERED, 1);
    }

    @Test
    void rowsAreCheckedInOrderWhateverTheOrderOfReading() {
        send(one, 3);
        see(2, one, 2);
        see(1, one, 1);
        assertThat(log.checkedEnd()).isZero();
        see(0, one, 0);

        assertThat(log.checkedEnd()).isEqualTo(3);
        assertThat(findings.total()).isZero();
    }

    @Test
    void aRowThatNobodySentIsInvented() {
        send(one, 1);
        see(0, one, 0);
        see(1, one, 1);
        log.seen(2, new Row(ChangeKind.INSERT, 0, 99, 0).packed(), "reader");

        assertOnly(Violation.INVENTED, 2);
    }

    @Test
    void twoReadersWhoDisagreeAreFound() {
        send(one, 2);
        see(0, one, 0);
        log.seen(0, row(one, 1), "another reader");

        assertOnly(Violation.DIVERGED, 1);
    }

    @Test
    void anAcknowledgementThatNamedAnotherOffsetIsFound() {
        send(one, 2);
        log.promised(0, row(one, 1));
        see(0, one, 0);

        assertOnly(Violation.DIVERGED, 1);
    }

    @Test
    void aSeenRowThatAReplicaDoesNotHaveIsLost() {
        send(one, 2);
        see(0, one, 0);
        see(1, one, 1);
        log.finalEnd(1, "n2");

        assertOnly(Violation.LOST, 1);
    }

    @Test
    void aSoundChangelogHasNoFindingsAndFolds() {
        send(one, 4);
        one.acknowledgeAll();
        change(0, ChangeKind.INSERT, 7, 0);
        change(1, ChangeKind.UPDATE_BEFORE, 7, 0);
        change(2, ChangeKind.UPDATE_AFTER, 7, 1);
        change(3, ChangeKind.DELETE, 7, 1);
        change(4, ChangeKind.INSERT, 7, 2);
        change(5, ChangeKind.INSERT, 8, 3);
        writers.reportLost(findings);

        assertThat(findings.total()).isZero();
        assertThat(changelog.stateAt(3)).isEqualTo(Map.of(7, Row.value(1, 1)));
        assertThat(changelog.stateAt(4)).isEmpty();
        assertThat(changelog.stateAt(6)).isEqualTo(Map.of(7, Row.value(1, 2), 8, Row.value(1, 3)));
    }

    @Test
    void anUpsertAppliedTwiceIsDuplicated() {
        send(one, 1);
        change(0, ChangeKind.INSERT, 7, 0);
        change(1, ChangeKind.UPDATE_BEFORE, 7, 0);
        change(2, ChangeKind.UPDATE_AFTER, 7, 0);

        assertOnly(Violation.DUPLICATED, 1);
    }

    @Test
    void aChangeOfARowThatIsNotThereIsFound() {
        send(one, 3);
        change(0, ChangeKind.INSERT, 7, 0);
        change(1, ChangeKind.UPDATE_BEFORE, 7, 1);
        change(2, ChangeKind.UPDATE_AFTER, 7, 2);
        change(3, ChangeKind.DELETE, 8, 0);

        assertOnly(Violation.CHANGELOG, 2);
    }

    @Test
    void aSecondInsertOfAKeyIsFound() {
        send(one, 2);
        change(0, ChangeKind.INSERT, 7, 0);
        change(1, ChangeKind.INSERT, 7, 1);

        assertOnly(Violation.CHANGELOG, 1);
    }

    @Test
    void aHalfUpdateIsFound() {
        send(one, 2);
        change(0, ChangeKind.INSERT, 7, 0);
        change(1, ChangeKind.UPDATE_AFTER, 7, 1);

        assertOnly(Violation.CHANGELOG, 1);
    }

    @Test
    void theLastAcknowledgedWriteOfAKeyStays() {
        OwnedKeys keys = new OwnedKeys();
        keys.sent(1, 10);
        keys.acknowledged(1, 10);
        keys.sent(1, 11);
        keys.sent(2, 20);
        keys.acknowledged(2, 20);
        keys.sent(3, 30);

        keys.check(Map.of(1, 11L, 2, 20L, 3, 30L), key -> true, findings);
        keys.check(Map.of(1, 10L, 2, 20L), key -> true, findings);
        assertThat(findings.total()).isZero();

        keys.check(Map.of(1, 9L), key -> key == 1, findings);
        keys.check(Map.of(), key -> key == 2, findings);
        assertOnly(Violation.LOST, 2);
    }

    @Test
    void aRowSurvivesPacking() {
        Row row = new Row(ChangeKind.DELETE, (1 << 22) - 1, (1 << 14) - 1, (1 << 26) - 1);

        assertThat(Row.unpack(row.packed())).isEqualTo(row);
        assertThat(Row.unpack(new Row(ChangeKind.INSERT, 0, 1, 0).packed()))
                .isEqualTo(new Row(ChangeKind.INSERT, 0, 1, 0));
    }

    private static void send(WriterHistory writer, int rows) {
        for (int i = 0; i < rows; i++) {
            assertThat(writer.send()).isEqualTo(i);
        }
    }

    private void see(long offset, WriterHistory writer, int sequence) {
        log.seen(offset, row(writer, sequence), "reader");
    }

    private void change(long offset, ChangeKind kind, int key, int sequence) {
        changelog.seen(offset, new Row(kind, key, one.id(), sequence).packed(), "reader");
    }

    private static long row(WriterHistory writer, int sequence) {
        return new Row(ChangeKind.INSERT, 0, writer.id(), sequence).packed();
    }

    private void assertOnly(Violation kind, long count) {
        assertThat(findings.count(kind)).as("%s", findings.examples()).isEqualTo(count);
        assertThat(findings.total()).as("%s", findings.examples()).isEqualTo(count);
    }
}
