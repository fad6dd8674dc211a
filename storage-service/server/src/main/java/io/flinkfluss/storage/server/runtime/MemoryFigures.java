package io.flinkfluss.storage.server.runtime;

/** Memory that one part of the process holds outside of the heap, and what it may hold. */
public record MemoryFigures(long usedBytes, long limitBytes) {}
