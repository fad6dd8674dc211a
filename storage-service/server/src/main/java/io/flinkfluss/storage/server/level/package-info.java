/**
 * What every node of the cluster can read, so that nodes are upgraded one by one: {@link
 * io.flinkfluss.storage.server.level.FormatLevel} has the rules.
 */
package io.flinkfluss.storage.server.level;
