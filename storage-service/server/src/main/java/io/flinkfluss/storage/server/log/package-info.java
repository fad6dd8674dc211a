/** Bucket logs: segment files, their index, and reading with projection. */
package io.flinkfluss.storage.server.log;
