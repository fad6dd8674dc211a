/**
 * Decodes a request from the wire, calls the service, encodes the answer. Speaks Arrow Flight's
 * gRPC service with hand-made messages; knows nothing of shards.
 */
package io.flinkfluss.storage.server.transport;
