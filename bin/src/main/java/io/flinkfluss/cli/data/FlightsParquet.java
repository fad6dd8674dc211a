package io.flinkfluss.cli.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;

/**
 * The original flights file ({@code flights-3m.parquet} of vega-datasets): columns date, delay,
 * distance, origin, destination. One row group is in memory at a time.
 */
final class FlightsParquet {
    private static final List<String> COLUMNS =
            List.of("date", "delay", "distance", "origin", "destination");

    private FlightsParquet() {}

    /**
     * Hands over every flight in the file's order.
     *
     * @throws IOException when the file cannot be read or is no flights file
     */
    static void read(Path file, Consumer<Flight> consumer) throws IOException {
        ParquetReadOptions options =
                ParquetReadOptions.builder(new PlainParquetConfiguration())
                        .withCodecFactory(new ZstdCodecs())
                        .build();
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
            MessageType schema = reader.getFileMetaData().getSchema();
            for (String column : COLUMNS) {
                if (!schema.containsField(column)) {
                    throw new IOException(
                            file
                                    + " has no column '"
                                    + column
                                    + "'; a flights file has "
                                    + COLUMNS
                                    + " (this one: "
                                    + schema.getFields().stream().map(f -> f.getName()).toList()
                                    + ")");
                }
            }
            String createdBy = reader.getFileMetaData().getCreatedBy();
            for (PageReadStore group = reader.readNextRowGroup();
                    group != null;
                    group = reader.readNextRowGroup()) {
                ColumnReadStoreImpl store =
                        new ColumnReadStoreImpl(
                                group,
                                new GroupRecordConverter(schema).getRootConverter(),
                                schema,
                                createdBy);
                readGroup(store, schema, group.getRowCount(), consumer);
            }
        }
    }

    private static void readGroup(
            ColumnReadStoreImpl store, MessageType schema, long rows, Consumer<Flight> consumer) {
        List<ColumnReader> columns = new ArrayList<>();
        for (String column : COLUMNS) {
            columns.add(store.getColumnReader(schema.getColumnDescription(new String[] {column})));
        }
        for (long row = 0; row < rows; row++) {
            consumer.accept(
                    new Flight(
                            nextLong(columns.get(0)),
                            nextLong(columns.get(1)),
                            nextLong(columns.get(2)),
                            nextText(columns.get(3)),
                            nextText(columns.get(4))));
        }
    }

    private static long nextLong(ColumnReader column) {
        long value = column.getLong();
        column.consume();
        return value;
    }

    private static String nextText(ColumnReader column) {
        String value = column.getBinary().toStringUsingUTF8();
        column.consume();
        return value;
    }
}
