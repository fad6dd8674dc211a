/** Rows: Arrow vectors as Flink's columnar rows, Flink rows as ours, and ours as Flink rows. */
package io.flinkfluss.flink.row;
