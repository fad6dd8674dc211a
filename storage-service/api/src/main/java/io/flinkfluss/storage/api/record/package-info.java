/** What is written and read: batches, rows, keys, offsets, and the codecs of rows and keys. */
package io.flinkfluss.storage.api.record;
