/** What a row of a read looks like: the table's own rows, or those of its virtual tables. */
package io.flinkfluss.flink.source.shape;
