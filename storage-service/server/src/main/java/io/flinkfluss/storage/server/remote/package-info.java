/**
 * Copies of sealed segments in remote storage: copying, reading ranges through a bounded cache, and
 * deleting what nobody knows any more. The only package that touches the file abstraction of Apache
 * Iceberg (docs/adr/0007-remote-storage-behind-icebergs-fileio.md).
 */
package io.flinkfluss.storage.server.remote;
