package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.OrderRow;
import io.flinkfluss.benchmarks.rows.OrderView;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Appends rows to a log and reads them all, then two columns of them, then those that a filter
 * wants. What a system gives beside these costs what reading the order id costs.
 */
final class LogWorkload {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Work work;
    private final int buckets;

    /** What is asked of a log. */
    private enum Question {
        EVERYTHING(Columns.ALL, Measure.SCAN),
        TWO_COLUMNS(Columns.CUSTOMER_AND_QUANTITY, Measure.SCAN_PROJECTED),
        /** All columns of the hundredth of the rows that was written just after the first half. */
        ONE_PERCENT(Columns.ALL, Measure.SCAN_FILTERED);

        private static final long PART = 100;

        private final Columns columns;
        private final Measure measure;

        Question(Columns columns, Measure measure) {
            this.columns = columns;
            this.measure = measure;
        }

        Answer answer(long rows) {
            return new Answer(this, rows / 2, rows / 2 + rows / PART);
        }
    }

    LogWorkload(Work work, int buckets) {
        this.work = work;
        this.buckets = buckets;
    }

    void run(String table, long count) throws Exception {
        work.client().createLog(table, buckets);
        append(table, count);
        WrongAnswerException.check("the number of rows", count, work.client().countRows(table));
        for (Answer expected : expected(count)) {
            scan(table, count, expected);
        }
        work.client().drop(table);
    }

    /**
     * Appends so many rows, and reads as many of them as will be read: a reader is warm sooner than
     * a writer, and some systems read slowly.
     */
    void warmUp(String table, long count, long read) throws Exception {
        if (count > read) {
            String unread = table + "_unread";
            work.client().createLog(unread, buckets);
            append(unread, count - read);
            work.client().drop(unread);
        }
        run(table, Math.min(count, read));
    }

    private void append(String table, long count) throws Exception {
        try (RowWriter writer = work.client().appender(table)) {
            Meter meter = work.begin();
            for (long i = 0; i < count; i++) {
                writer.write(work.rows().row(i));
            }
            writer.flush();
            work.rate(Measure.APPEND, meter.stop(count));
        }
    }

    /** Ends when all rows were given or passed over; that many are the figure. */
    private void scan(String table, long count, Answer expected) throws Exception {
        Question question = expected.question;
        Answer answer = question.answer(count);
        Meter meter = work.begin();
        Usage usage;
        long passed = 0;
        try (RowReader reader = answer.open(work.client(), table)) {
            Deadline deadline = Deadline.in(PATIENCE);
            while (answer.seen + passed < count) {
                reader.poll(POLL, answer);
                passed = reader.passedOver();
                deadline.check(
                        "only "
                                + answer.seen
                                + " of "
                                + count
                                + " rows were read and "
                                + passed
                                + " passed over");
            }
            usage = meter.stop(count);
        }
        WrongAnswerException.check(
                "the number of rows read or passed over", count, answer.seen + passed);
        WrongAnswerException.check(
                "the number of rows of " + question, expected.wanted, answer.wanted);
        WrongAnswerException.check("the checksum of " + question, expected.sum, answer.sum);
        work.rate(question.measure, usage);
    }

    private List<Answer> expected(long count) {
        List<Answer> answers =
                Arrays.stream(Question.values()).map(question -> question.answer(count)).toList();
        for (long i = 0; i < count; i++) {
            OrderRow row = work.rows().row(i);
            answers.forEach(answer -> answer.accept(row));
        }
        return answers;
    }

    /** Counts and adds up the rows that are wanted. */
    private static final class Answer implements RowReader.Sink {
        private final Question question;
        private final long firstOrder;
        private final long endOrder;
        private long seen;
        private long wanted;
        private long sum;

        Answer(Question question, long firstOrder, long endOrder) {
            this.question = question;
            this.firstOrder = firstOrder;
            this.endOrder = endOrder;
        }

        RowReader open(SystemClient client, String table) throws Exception {
            return question == Question.ONE_PERCENT
                    ? client.reader(table, question.columns, firstOrder, endOrder)
                    : client.reader(table, question.columns);
        }

        @Override
        public void accept(OrderView row) {
            seen++;
            switch (question) {
                case EVERYTHING -> add(Checksum.of(row));
                case TWO_COLUMNS -> add(Checksum.ofProjection(row));
                case ONE_PERCENT -> {
                    long order = row.orderId();
                    if (order >= firstOrder && order < endOrder) {
                        add(Checksum.of(row));
                    }
                }
            }
        }

        private void add(long checksum) {
            wanted++;
            sum += checksum;
        }
    }
}
