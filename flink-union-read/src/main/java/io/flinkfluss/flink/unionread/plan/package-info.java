/**
 * From one pinned lake snapshot and the ends of the logs to splits that together hold every row
 * once. Pure: {@link io.flinkfluss.flink.unionread.plan.PinnedTable} says what was found, {@link
 * io.flinkfluss.flink.unionread.plan.UnionPlan} decides.
 */
package io.flinkfluss.flink.unionread.plan;
