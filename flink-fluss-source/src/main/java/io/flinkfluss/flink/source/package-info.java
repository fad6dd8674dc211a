/**
 * The Flink source of tables. A first program:
 *
 * <pre>{@code
 * FlussSource source =
 *         FlussSource.builder()
 *                 .bootstrapServers("localhost:9123")
 *                 .table("fluss", "orders")
 *                 .projectedFields("id", "amount")
 *                 .startup(new Startup.Latest())
 *                 .build();
 * env.fromSource(source, WatermarkStrategy.noWatermarks(), "orders").print();
 * }</pre>
 *
 * <p>Rows are {@link org.apache.flink.table.data.RowData} and are reused from one row to the next:
 * keep a copy, not the row.
 */
package io.flinkfluss.flink.source;
