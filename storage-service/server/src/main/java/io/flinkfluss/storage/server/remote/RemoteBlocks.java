package io.flinkfluss.storage.server.remote;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.log.RemoteReads;
import io.flinkfluss.storage.server.log.RemoteSegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Blocks of remote segments in memory, the least recently used given up first. A block is fetched
 * once for all who want it, and the next one ahead of its reader. Thread-safe; nobody waits.
 */
public final class RemoteBlocks implements RemoteReads {
    /** A request for less costs as much. */
    static final int BLOCK = 2 << 20;

    private static final int FAILURES = 64;

    private final RemoteStorage storage;
    private final Executor fetching;
    private final long mostBytes;

    private final Object lock = new Object();

    /** In order of use; guarded by the lock, like all below. */
    private final Map<Place, byte[]> blocks = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<Place, List<Runnable>> underWay = new HashMap<>();

    /** Told to whoever asks next, who may ask again after that. */
    private final Map<Place, StorageException> failures =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Place, StorageException> eldest) {
                    return size() > FAILURES;
                }
            };

    private long bytes;

    private record Place(String object, long block) {}

    /**
     * @param fetching runs the reads of remote storage
     * @param mostBytes kept in memory; at least one block is
     */
    public RemoteBlocks(RemoteStorage storage, Executor fetching, long mostBytes) {
        this.storage = storage;
        this.fetching = fetching;
        this.mostBytes = mostBytes;
    }

    @Override
    public boolean read(RemoteSegment segment, long position, ByteBuffer target, Runnable ready) {
        long at = position;
        while (target.hasRemaining()) {
            Place place = new Place(segment.name(), at / BLOCK);
            byte[] block = find(segment, place, ready);
            if (block == null) {
                return false;
            }
            int from = (int) (at - place.block() * BLOCK);
            int count = Math.min(target.remaining(), block.length - from);
            target.put(block, from, count);
            at += count;
            fetchAhead(segment, new Place(segment.name(), place.block() + 1));
        }
        return true;
    }

    /** The block, or null when it is being fetched. */
    private byte[] find(RemoteSegment segment, Place place, Runnable ready) {
        synchronized (lock) {
            byte[] block = blocks.get(place);
            if (block != null) {
                return block;
            }
            StorageException failure = failures.remove(place);
            if (failure != null) {
                throw failure;
            }
            List<Runnable> waiting = underWay.get(place);
            if (waiting != null) {
                waiting.add(ready);
                return null;
            }
            underWay.put(place, new ArrayList<>(List.of(ready)));
        }
        fetch(segment, place);
        return null;
    }

    private void fetchAhead(RemoteSegment segment, Place place) {
        if (place.block() * BLOCK >= segment.objectLength()) {
            return;
        }
        synchronized (lock) {
            if (blocks.containsKey(place)
                    || underWay.containsKey(place)
                    || failures.containsKey(place)) {
                return;
            }
            underWay.put(place, new ArrayList<>());
        }
        try {
            fetch(segment, place);
        } catch (StorageException busy) {
            // It will be fetched when it is needed.
        }
    }

    private void fetch(RemoteSegment segment, Place place) {
        try {
            fetching.execute(() -> fetchNow(segment, place));
        } catch (StorageException busy) {
            synchronized (lock) {
                underWay.remove(place);
            }
            throw busy;
        }
    }

    private void fetchNow(RemoteSegment segment, Place place) {
        long start = place.block() * BLOCK;
        byte[] block = new byte[(int) Math.min(BLOCK, segment.objectLength() - start)];
        StorageException failure = null;
        try {
            storage.read(segment.name(), start, block);
        } catch (StorageException e) {
            failure = e;
        } catch (RuntimeException e) {
            failure =
                    new StorageException(
                            ErrorCode.INTERNAL, "reading " + segment.name() + " failed: " + e, e);
        }
        List<Runnable> waiting;
        synchronized (lock) {
            waiting = underWay.remove(place);
            if (failure == null) {
                blocks.put(place, block);
                bytes += block.length;
                giveUpOldest();
            } else if (!waiting.isEmpty()) {
                failures.put(place, failure);
            }
        }
        waiting.forEach(Runnable::run);
    }

    private void giveUpOldest() {
        Iterator<byte[]> oldest = blocks.values().iterator();
        while (bytes > mostBytes && blocks.size() > 1) {
            bytes -= oldest.next().length;
            oldest.remove();
        }
    }

    /** Bytes of blocks in memory. */
    public long bytes() {
        synchronized (lock) {
            return bytes;
        }
    }
}
