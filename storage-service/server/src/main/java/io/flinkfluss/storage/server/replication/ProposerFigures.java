package io.flinkfluss.storage.server.replication;

/** What waits in a proposer, and how many of its entries are on their way. */
public record ProposerFigures(int queuedCommands, long queuedBytes, int entriesInFlight) {}
