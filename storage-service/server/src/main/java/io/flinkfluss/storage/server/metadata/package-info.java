/** Databases, tables, writer ids and lake progress as replicated state. */
package io.flinkfluss.storage.server.metadata;
