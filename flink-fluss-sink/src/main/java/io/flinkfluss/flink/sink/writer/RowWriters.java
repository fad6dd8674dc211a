package io.flinkfluss.flink.sink.writer;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.Serializable;

/** Opens a writer where the sink runs. */
@FunctionalInterface
public interface RowWriters extends Serializable {
    RowWriter open(StorageService service, TableInfo table);

    /** Writers of the client. */
    static RowWriters ofClient() {
        return ClientRowWriter::new;
    }
}
