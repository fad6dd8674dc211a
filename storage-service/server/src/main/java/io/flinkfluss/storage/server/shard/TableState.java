package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.CompressionSettings;

/** A table that a shard knows, with what is derived from it. */
record TableState(TableInfo info, RowCodec rowCodec, CompressionSettings compression) {
    static TableState of(TableInfo info) {
        return new TableState(
                info, new RowCodec(info.schema()), CompressionSettings.of(info.descriptor()));
    }

    Schema schema() {
        return info.schema();
    }
}
