package io.flinkfluss.flink.sink.writer;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.write.TableWriter;

/** The client's writer. */
final class ClientRowWriter implements RowWriter {
    private final TableWriter writer;

    ClientRowWriter(StorageService service, TableInfo table) {
        writer = ((FlussClient) service).writer(table);
    }

    @Override
    public void append(RowView row) throws InterruptedException {
        writer.append(row);
    }

    @Override
    public void upsert(RowView row) throws InterruptedException {
        writer.upsert(row);
    }

    @Override
    public void delete(RowView row) throws InterruptedException {
        writer.delete(row);
    }

    @Override
    public void flush() throws InterruptedException {
        writer.flush();
    }

    @Override
    public long bytesWritten() {
        return writer.bytesWritten();
    }

    @Override
    public void close() {
        writer.close();
    }
}
