/** The only place that knows gRPC: channels, streams of messages, and what their failures mean. */
package io.flinkfluss.storage.client.transport;
