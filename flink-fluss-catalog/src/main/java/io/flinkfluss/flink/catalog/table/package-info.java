/**
 * Tables as Flink's catalog API and as the storage service see them, and the way between: {@link
 * io.flinkfluss.flink.catalog.table.TableDefinitions} for tables, {@link
 * io.flinkfluss.flink.catalog.table.VirtualTable} for {@code t$changelog}, {@code t$binlog} and
 * {@code t$lake}.
 */
package io.flinkfluss.flink.catalog.table;
