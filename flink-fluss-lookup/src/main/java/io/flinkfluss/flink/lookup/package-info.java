/**
 * Lookup joins: rows of a primary-key table by its key or a prefix of it. {@link
 * io.flinkfluss.flink.lookup.LookupPlan} decides at planning how the join's columns find rows;
 * {@link io.flinkfluss.flink.lookup.LookupProviders} makes what Flink runs.
 *
 * <pre>{@code
 * SELECT o.id, a.name FROM orders AS o
 * LEFT JOIN airports FOR SYSTEM_TIME AS OF o.proctime AS a ON o.origin = a.iata;
 * }</pre>
 */
package io.flinkfluss.flink.lookup;
