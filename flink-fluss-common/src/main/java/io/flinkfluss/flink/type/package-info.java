/** Column types: Flink's and ours, both ways. */
package io.flinkfluss.flink.type;
