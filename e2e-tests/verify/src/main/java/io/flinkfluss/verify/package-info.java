/**
 * {@code bin/fluss verify}: starts a cluster of real storage processes, lets clients write, read
 * and look up, breaks things from a seed, and checks that nothing acknowledged is lost, doubled,
 * reordered or answered from the past. {@code .cluster} and {@code .network} are the machine,
 * {@code .load} the clients, {@code .fault} what goes wrong, {@code .check} what is allowed, {@code
 * .report} what is told.
 *
 * <pre>{@code
 * bin/fluss verify --scenario storage --nodes 3 --seconds 300 --seed 7
 * }</pre>
 */
package io.flinkfluss.verify;
