package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.kv.KvSnapshots;
import io.flinkfluss.storage.server.kv.KvStore;
import io.flinkfluss.storage.server.kv.KvStores;
import io.flinkfluss.storage.server.log.LogStore;
import io.flinkfluss.storage.server.replication.Position;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a shard keeps on disk, opened at one checkpoint. */
record Storage(LogStore logs, KvStore kv, KvSnapshots snapshots, Manifest manifest)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Storage.class);
    private static final Manifest EMPTY =
            new Manifest(Position.NONE, 0, 0, List.of(), Map.of(), List.of(), List.of());

    /**
     * Opens the newest checkpoint that can be opened. Whatever is on disk beside it was written
     * later, is not seen, and comes again from the replicated log.
     */
    static Storage open(
            ShardFolder folder,
            ShardConfig config,
            ShardResources resources,
            Checkpoints checkpoints) {
        for (StorageException damage : checkpoints.damages()) {
            LOG.error("A checkpoint cannot be used: {}", damage.getMessage());
        }
        List<Checkpoints.Checkpoint> candidates = checkpoints.newestFirst();
        if (candidates.isEmpty()) {
            return open(folder, config, resources, EMPTY, null);
        }
        StorageException newestFailure = null;
        for (Checkpoints.Checkpoint candidate : candidates) {
            try {
                return open(folder, config, resources, candidate.manifest(), candidate.kv());
            } catch (StorageException e) {
                if (e.code() != ErrorCode.CORRUPT_DATA) {
                    throw e;
                }
                newestFailure = newestFailure == null ? e : newestFailure;
                LOG.error("Checkpoint {} cannot be used: {}", candidate.folder(), e.getMessage());
            }
        }
        throw newestFailure;
    }

    private static Storage open(
            ShardFolder folder,
            ShardConfig config,
            ShardResources resources,
            Manifest manifest,
            Path kvCopy) {
        Path live = folder.kv();
        KvStores.restore(Optional.ofNullable(kvCopy), live);
        KvStore kv = resources.kvStores().open(live);
        try {
            if (folder.isMarkedDamaged()) {
                kv.verify();
            }
            byte[] expected = manifest == EMPTY ? new byte[0] : mark(manifest.position());
            if (!Arrays.equals(kv.mark(), expected)) {
                throw new StorageException(
                        ErrorCode.CORRUPT_DATA,
                        "the key-value state in "
                                + kvCopy
                                + " is not that of its manifest at "
                                + manifest.position());
            }
            LogStore logs =
                    LogStore.open(
                            folder.logs(),
                            config.log(),
                            manifest.logEnds(),
                            resources.remoteReads(),
                            resources.background());
            KvSnapshots snapshots =
                    KvSnapshots.open(
                            folder.snapshots(),
                            resources.kvMemory(),
                            manifest.snapshots(),
                            manifest.lastMillis());
            return new Storage(logs, kv, snapshots, manifest);
        } catch (StorageException e) {
            kv.close();
            throw e;
        }
    }

    static byte[] mark(Position position) {
        return ByteBuffer.allocate(16).putLong(position.term()).putLong(position.index()).array();
    }

    /** From now on reads fail with NOT_READY: what is here is about to be replaced. */
    void retire() {
        logs.retire();
        kv.retire();
        snapshots.retire();
    }

    @Override
    public void close() {
        snapshots.close();
        kv.close();
        logs.close();
    }
}
