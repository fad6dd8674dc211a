package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.KvBatchBuilder;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;

/** Gathers rows into one batch after another. Not for several threads at once. */
sealed interface BatchEncoder extends AutoCloseable {
    void upsert(RowView row);

    void delete(RowView row);

    /** Takes the newest row out again; once after each that was added. */
    void removeLast();

    int count();

    /** About how much memory the rows since the last {@link #finish} take. */
    long sizeInBytes();

    /** The batch of at least one row; the costly part, may run on another thread. */
    Payload finish();

    @Override
    void close();

    /** Rows of a log table. */
    record Log(ArrowBatchWriter writer) implements BatchEncoder {
        @Override
        public void upsert(RowView row) {
            writer.write(row);
        }

        @Override
        public void delete(RowView row) {
            throw new IllegalStateException("a log table has no deletes");
        }

        @Override
        public void removeLast() {
            writer.removeLast();
        }

        @Override
        public int count() {
            return writer.rowCount();
        }

        @Override
        public long sizeInBytes() {
            return writer.sizeInBytes();
        }

        @Override
        public Payload finish() {
            return new Payload.Log(writer.finish());
        }

        @Override
        public void close() {
            writer.close();
        }
    }

    /** Changes of a primary-key table. */
    record Kv(KeyCodec keys, RowCodec rows, KvBatchBuilder builder) implements BatchEncoder {
        static Kv of(Schema schema) {
            return new Kv(
                    new KeyCodec(schema, schema.keyIndexes()),
                    new RowCodec(schema),
                    new KvBatchBuilder(schema.id()));
        }

        @Override
        public void upsert(RowView row) {
            builder.upsert(keys.encode(row), rows.encode(row));
        }

        @Override
        public void delete(RowView row) {
            builder.delete(keys.encode(row));
        }

        @Override
        public void removeLast() {
            builder.removeLast();
        }

        @Override
        public int count() {
            return builder.count();
        }

        @Override
        public long sizeInBytes() {
            return builder.sizeInBytes();
        }

        @Override
        public Payload finish() {
            return new Payload.Kv(builder.build());
        }

        @Override
        public void close() {}
    }
}
