package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.server.kv.KvFigures;
import io.flinkfluss.storage.server.log.LogFigures;

/** What a replica of a shard takes. */
public record ShardFigures(LogFigures log, KvFigures kv) {}
