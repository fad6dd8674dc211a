/** Connections to the storage service, shared by everything that runs in one process. */
package io.flinkfluss.flink.connection;
