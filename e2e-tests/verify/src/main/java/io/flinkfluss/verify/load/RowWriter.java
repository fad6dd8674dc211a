package io.flinkfluss.verify.load;

import io.flinkfluss.storage.client.write.TableWriter;
import io.flinkfluss.verify.check.WriterHistory;
import java.util.Random;

/** Appends rows to a log table as a Flink sink does: some rows, then a flush. */
final class RowWriter implements Loop {
    private static final int MOST_ROWS = 60;
    private static final int MOST_PAUSE = 250;
    private static final long AFTER_FAILURE = 500;

    private final TestTable table;
    private final LoadContext context;
    private final Random random;
    private final String name;
    private TableWriter writer;
    private WriterHistory history;

    RowWriter(TestTable table, LoadContext context, String name, long seed) {
        this.table = table;
        this.context = context;
        this.name = name;
        random = new Random(seed);
    }

    @Override
    public long step() throws InterruptedException {
        try {
            if (writer == null) {
                writer = context.client().writer(table.info());
                history = context.writers().register(name);
            }
            int rows = 1 + random.nextInt(MOST_ROWS);
            for (int i = 0; i < rows; i++) {
                writer.append(RowForm.log(history.id(), history.send()));
            }
            writer.flush();
            history.acknowledgeAll();
            return random.nextInt(MOST_PAUSE);
        } catch (RuntimeException e) {
            context.errors().add(name, e);
            close();
            return AFTER_FAILURE;
        }
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
            writer = null;
        }
    }
}
