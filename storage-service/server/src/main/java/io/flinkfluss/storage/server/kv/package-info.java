/** Key-value state of primary-key tables; the only user of RocksDB. */
package io.flinkfluss.storage.server.kv;
