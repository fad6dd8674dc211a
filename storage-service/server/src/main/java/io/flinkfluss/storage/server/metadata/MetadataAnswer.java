package io.flinkfluss.storage.server.metadata;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.List;

/** What became of one {@link MetadataCommand}. */
public sealed interface MetadataAnswer {

    /** Done, with nothing to tell. */
    record Done() implements MetadataAnswer {}

    /** The table exists. */
    record Created(TableInfo table) implements MetadataAnswer {}

    /** These tables exist no more; shards may still hold their rows. */
    record Dropped(List<TableId> tables) implements MetadataAnswer {
        public Dropped {
            tables = List.copyOf(tables);
        }
    }

    /** The first of the taken numbers. */
    record Numbers(long first) implements MetadataAnswer {}

    /** Nothing was changed. */
    record Refused(ErrorCode code, String message) implements MetadataAnswer {
        public StorageException toException() {
            return new StorageException(code, message);
        }
    }
}
