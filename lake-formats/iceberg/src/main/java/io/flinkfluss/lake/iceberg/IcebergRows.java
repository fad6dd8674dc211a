package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeRows;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.data.DeleteFilter;
import org.apache.iceberg.data.DeleteLoader;
import org.apache.iceberg.data.parquet.InternalReader;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.PartitionUtil;

/**
 * Reads files one after another with their deletes applied. Delete files are read once per split.
 */
final class IcebergRows implements LakeRows {
    private final Table table;
    private final TableInfo info;
    private final Iterator<FileScanTask> tasks;
    private final Schema projection;
    private final RecordView view;
    private final Map<String, Object> loadedDeletes = new HashMap<>();
    private CloseableIterator<StructLike> current = CloseableIterator.empty();

    IcebergRows(Table table, TableInfo info, List<FileScanTask> tasks, int[] columns) {
        this.table = table;
        this.info = info;
        this.tasks = tasks.iterator();
        List<Types.NestedField> fields = new ArrayList<>();
        List<io.flinkfluss.storage.api.table.DataType> types = new ArrayList<>();
        for (int index : columns) {
            Column column = info.schema().columns().get(index);
            fields.add(table.schema().findField(column.name()));
            types.add(column.type());
        }
        this.projection = new Schema(fields);
        this.view = new RecordView(types);
    }

    @Override
    public boolean hasNext() {
        try {
            while (!current.hasNext()) {
                if (!tasks.hasNext()) {
                    return false;
                }
                current.close();
                current = open(tasks.next()).iterator();
            }
            return true;
        } catch (IOException e) {
            throw IcebergErrors.ofRead(asked(), new UncheckedIOException(e));
        } catch (RuntimeException e) {
            throw IcebergErrors.ofRead(asked(), e);
        }
    }

    @Override
    public RowView next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return view.replace(current.next());
    }

    private CloseableIterable<StructLike> open(FileScanTask task) {
        Deletes deletes = new Deletes(task);
        Schema wanted = deletes.requiredSchema();
        Map<Integer, ?> constants = PartitionUtil.constantsMap(task);
        return deletes.filter(
                Parquet.read(table.io().newInputFile(task.file()))
                        .project(wanted)
                        .split(task.start(), task.length())
                        .reuseContainers()
                        .createReaderFunc(
                                message -> InternalReader.create(wanted, message, constants))
                        .build());
    }

    private String asked() {
        return "read lake table " + info.path();
    }

    @Override
    public void close() {
        try {
            current.close();
        } catch (IOException e) {
            throw IcebergErrors.of(asked(), new UncheckedIOException(e));
        }
    }

    /** Rows are in internal form already, so they are compared as they are. */
    private final class Deletes extends DeleteFilter<StructLike> {
        private Deletes(FileScanTask task) {
            super(task.file().location(), task.deletes(), table.schema(), projection);
        }

        @Override
        protected StructLike asStructLike(StructLike record) {
            return record;
        }

        @Override
        protected InputFile getInputFile(String location) {
            return table.io().newInputFile(location);
        }

        @Override
        protected DeleteLoader newDeleteLoader() {
            return new BaseDeleteLoader(this::loadInputFile) {
                @Override
                protected boolean canCache(long size) {
                    return true;
                }

                @Override
                @SuppressWarnings("unchecked")
                protected <V> V getOrLoad(String key, Supplier<V> supplier, long size) {
                    Object loaded = loadedDeletes.get(key);
                    if (loaded == null) {
                        loaded = supplier.get();
                        loadedDeletes.put(key, loaded);
                    }
                    return (V) loaded;
                }
            };
        }
    }
}
