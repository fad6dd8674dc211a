/**
 * Merges the lake's rows of a primary-key table with its folded log tail by key, in bounded memory.
 * {@link io.flinkfluss.flink.unionread.merge.FoldedTail} takes the changes, then gives the merged
 * rows; nothing here knows Flink, a lake library or the network.
 */
package io.flinkfluss.flink.unionread.merge;
