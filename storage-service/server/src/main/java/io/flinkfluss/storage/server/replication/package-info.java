/**
 * Consensus: groups of replicas that apply the same entries in the same order, and the proposer
 * that gathers waiting commands into entries. The only user of Ratis; the state machines see {@link
 * io.flinkfluss.storage.server.replication.ReplicatedState}.
 */
package io.flinkfluss.storage.server.replication;
