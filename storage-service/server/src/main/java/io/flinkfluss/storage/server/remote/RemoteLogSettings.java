package io.flinkfluss.storage.server.remote;

import java.time.Duration;

/**
 * How segments are copied.
 *
 * @param node names this node in the names of objects
 * @param segmentsAtOnce that one shard copies in one step
 * @param deleteGrace how long an object must be unknown before it is deleted
 */
public record RemoteLogSettings(String node, int segmentsAtOnce, Duration deleteGrace) {}
