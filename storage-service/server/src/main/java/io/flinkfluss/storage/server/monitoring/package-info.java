/**
 * The node seen from outside: the metrics that Prometheus reads, whether the process is healthy and
 * ready, and what the node says about itself to {@code bin/fluss status}. It looks at the other
 * packages; they do not know it.
 */
package io.flinkfluss.storage.server.monitoring;
