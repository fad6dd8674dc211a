/**
 * The state machine of one shard: applies commands in order to bucket logs and key-value state. It
 * has no clock and no threads.
 */
package io.flinkfluss.storage.server.shard;
