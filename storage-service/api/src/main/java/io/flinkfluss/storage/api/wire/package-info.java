/**
 * Bytes of each operation, versioned, and Arrow batches; no transport library. See docs/formats.
 */
package io.flinkfluss.storage.api.wire;
