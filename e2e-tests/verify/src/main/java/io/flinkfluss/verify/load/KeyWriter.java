package io.flinkfluss.verify.load;

import io.flinkfluss.storage.client.write.TableWriter;
import io.flinkfluss.verify.check.OwnedKeys;
import io.flinkfluss.verify.check.Row;
import io.flinkfluss.verify.check.WriterHistory;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Upserts and deletes keys that only it writes, as a Flink sink does. */
final class KeyWriter implements Loop {
    private static final int KEYS = 500;
    private static final int MOST_CHANGES = 40;
    private static final int MOST_PAUSE = 300;
    private static final int DELETE_PERCENT = 20;
    private static final long AFTER_FAILURE = 500;

    private final TestTable table;
    private final OwnedKeys owned;
    private final LoadContext context;
    private final int firstKey;
    private final Random random;
    private final String name;
    private TableWriter writer;
    private WriterHistory history;

    KeyWriter(TestTable table, OwnedKeys owned, LoadContext context, int number, long seed) {
        this.table = table;
        this.owned = owned;
        this.context = context;
        firstKey = number * KEYS;
        name = "changes of keys from " + firstKey;
        random = new Random(seed);
    }

    @Override
    public long step() throws InterruptedException {
        try {
            if (writer == null) {
                writer = context.client().writer(table.info());
                history = context.writers().register(name);
            }
            Map<Integer, Long> last = new HashMap<>();
            int changes = 1 + random.nextInt(MOST_CHANGES);
            for (int i = 0; i < changes; i++) {
                int key = firstKey + random.nextInt(KEYS);
                if (random.nextInt(100) < DELETE_PERCENT) {
                    owned.sent(key, 0);
                    writer.delete(RowForm.keyOnly(key));
                    last.put(key, 0L);
                } else {
                    int sequence = history.send();
                    long value = Row.value(history.id(), sequence);
                    owned.sent(key, value);
                    writer.upsert(RowForm.keyed(key, history.id(), sequence));
                    last.put(key, value);
                }
            }
            writer.flush();
            history.acknowledgeAll();
            last.forEach(owned::acknowledged);
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
