/**
 * The storage service's process: {@code StorageServer} wires configuration, threads, replicated
 * groups, shards and the transport together; {@code LocalStorageService} is the service as its own
 * process sees it.
 */
package io.flinkfluss.storage.server;
