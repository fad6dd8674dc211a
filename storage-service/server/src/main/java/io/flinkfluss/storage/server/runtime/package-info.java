/** Clock, threads and the fault handler: the only place that creates a thread or reads the time. */
package io.flinkfluss.storage.server.runtime;
