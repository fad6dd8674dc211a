/** Options of the union read. */
package io.flinkfluss.flink.unionread.options;
