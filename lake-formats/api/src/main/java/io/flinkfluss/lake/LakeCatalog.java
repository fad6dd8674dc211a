package io.flinkfluss.lake;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.util.Optional;

/**
 * One lake, opened. May be used by any thread; the writers, committers and readers it hands out
 * belong to one thread each. A lake table has the name of its table: database and table.
 */
public interface LakeCatalog extends AutoCloseable {
    /**
     * Whether this table could be made here; looks, and changes nothing. Call it before the table
     * is made in the storage service.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException UNSUPPORTED naming the column that
     *     the lake cannot hold exactly, TABLE_ALREADY_EXISTS when a lake table of this name exists
     *     with another schema or holds rows already, INVALID_NAME when the name clashes with
     *     another one in all but upper and lower case
     */
    void validate(TablePath path, TableDescriptor descriptor);

    /**
     * Makes the lake table. Idempotent: a lake table of this very table, or one with an equal
     * schema that never held rows, is adopted.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException as {@link #validate}
     */
    void createTable(TableInfo table);

    /** Drops the lake table with its files; a missing one is ignored. */
    void dropTable(TableInfo table);

    /**
     * The newest snapshot that tiering made of this table (by its id and the time when it was
     * created: another cluster may have given out the same id), whatever others committed after it;
     * empty when there is none or no lake table. Always asks the lake.
     */
    Optional<LakeSnapshot> latestSnapshot(TableInfo table);

    /** Writes files of one bucket; nothing is visible before they are committed. */
    LakeWriter newWriter(TableInfo table, BucketId bucket);

    LakeCommitter committer(TableInfo table);

    LakeReader reader(TableInfo table);

    /** Keeps the lake table small and quick to read. */
    LakeMaintenance maintenance(TableInfo table);

    /** Where the lake table is, as the lake's own tools name it. */
    String location(TableInfo table);

    @Override
    void close();
}
