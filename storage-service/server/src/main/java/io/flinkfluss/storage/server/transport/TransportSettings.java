package io.flinkfluss.storage.server.transport;

/**
 * Where the transport listens and how much it takes in.
 *
 * @param port 0 for any free one
 * @param largestMessage bytes of one request
 * @param nodeInFlightBytes unanswered bytes of all streams
 * @param streamInFlightBytes unanswered bytes of one stream
 */
public record TransportSettings(
        String host,
        int port,
        int largestMessage,
        long nodeInFlightBytes,
        long streamInFlightBytes) {}
