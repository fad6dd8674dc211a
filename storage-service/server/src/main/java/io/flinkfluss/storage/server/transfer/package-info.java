/**
 * Checkpoints on their way from one node to another: leases that keep files while they are read,
 * and the fetching, which goes on where it stopped and checks what it got.
 */
package io.flinkfluss.storage.server.transfer;
