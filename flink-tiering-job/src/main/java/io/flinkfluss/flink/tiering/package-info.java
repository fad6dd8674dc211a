/**
 * The tiering job: a Flink job that copies every table with {@code table.datalake.enabled} to the
 * lake, within its {@code table.datalake.freshness}.
 *
 * <p>One source, no state. Its enumerator on the JobManager looks which table is due, plans a round
 * ({@code .plan}), hands each bucket's range to a reader, collects the files that the readers wrote
 * ({@code .write}), and commits the round ({@code .commit}). Every round begins where the newest
 * lake snapshot ends, so nothing has to be remembered: whatever is killed when, the next round is
 * planned from the lake, and a committer that should be dead is refused by it.
 *
 * <p>Rejected: writers that emit to a committer operator. The operator would have to tell the
 * enumerator when a round is over, which Flink offers no public way for; here the one component
 * that plans is the one that commits.
 *
 * <pre>{@code
 * flink run fluss-tiering.jar --fluss.bootstrap.servers localhost:9123
 * }</pre>
 */
package io.flinkfluss.flink.tiering;
