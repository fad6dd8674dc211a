package io.flinkfluss.flink.source.reader;

import java.util.Optional;

/** One running scan; polled by one thread. */
interface BucketScan extends AutoCloseable {
    String splitId();

    /** The next rows, or the end (once); empty when nothing is here yet. Never blocks. */
    Optional<ScannedBatch> poll();

    /** Called, on any thread, when a poll may have something new. */
    void onAvailable(Runnable listener);

    @Override
    void close();
}
