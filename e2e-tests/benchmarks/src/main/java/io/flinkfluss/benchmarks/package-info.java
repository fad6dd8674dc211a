/**
 * {@code bin/fluss bench}: this product and its peers side by side on one machine. Each system's
 * servers run as processes of their own, and so does a driver per system, with that system's client
 * and nothing else on its class path. {@code .plan} says who runs what in which order, {@code
 * .cluster} starts processes, {@code .driver} is what runs inside of a driver, with {@code
 * .product} as this product's side of it and the peers' in the modules below {@code peers}, {@code
 * .rows} the data that is equal for all, {@code .measure} the readings and {@code .report} the
 * comparison.
 *
 * <pre>{@code
 * bin/fluss bench --quick --workloads W1,W2
 * }</pre>
 */
package io.flinkfluss.benchmarks;
