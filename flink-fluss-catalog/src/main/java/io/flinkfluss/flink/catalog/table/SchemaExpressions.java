package io.flinkfluss.flink.catalog.table;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.WatermarkSpec;

/**
 * Computed columns and watermarks: what the storage service does not know, kept as SQL text in the
 * table's custom properties. {@code flink.computed.<position>.*} holds a computed column at its
 * position among all columns, {@code flink.watermark.*} the watermark.
 */
final class SchemaExpressions {
    static final String PREFIX = "flink.";
    private static final String COMPUTED = "flink.computed.";
    private static final String NAME = ".name";
    private static final String EXPRESSION = ".expression";
    private static final String COMMENT = ".comment";
    private static final String WATERMARK_COLUMN = "flink.watermark.column";
    private static final String WATERMARK_EXPRESSION = "flink.watermark.expression";

    private SchemaExpressions() {}

    static Map<String, String> toProperties(ResolvedSchema schema) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (int i = 0; i < schema.getColumnCount(); i++) {
            Column column = schema.getColumns().get(i);
            if (column instanceof Column.ComputedColumn computed) {
                String key = COMPUTED + i;
                properties.put(key + NAME, computed.getName());
                properties.put(key + EXPRESSION, computed.getExpression().asSerializableString());
                computed.getComment().ifPresent(text -> properties.put(key + COMMENT, text));
            }
        }
        for (WatermarkSpec watermark : schema.getWatermarkSpecs()) {
            properties.put(WATERMARK_COLUMN, watermark.getRowtimeAttribute());
            properties.put(
                    WATERMARK_EXPRESSION,
                    watermark.getWatermarkExpression().asSerializableString());
        }
        return properties;
    }

    /** Adds the computed column that belongs at this position, if there is one. */
    static boolean addComputed(
            Schema.Builder builder, int position, Map<String, String> properties) {
        String key = COMPUTED + position;
        if (!properties.containsKey(key + NAME)) {
            return false;
        }
        builder.columnByExpression(properties.get(key + NAME), properties.get(key + EXPRESSION));
        if (properties.containsKey(key + COMMENT)) {
            builder.withComment(properties.get(key + COMMENT));
        }
        return true;
    }

    static void addWatermark(Schema.Builder builder, Map<String, String> properties) {
        if (properties.containsKey(WATERMARK_COLUMN)) {
            builder.watermark(
                    properties.get(WATERMARK_COLUMN), properties.get(WATERMARK_EXPRESSION));
        }
    }
}
