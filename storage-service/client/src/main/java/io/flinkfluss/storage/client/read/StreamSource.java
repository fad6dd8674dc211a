package io.flinkfluss.storage.client.read;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.StreamTicket;
import java.util.Optional;

/**
 * What a stream of batches reads and how far it got. Used by one thread at a time.
 *
 * @param <B> a batch
 */
interface StreamSource<B> {
    BucketId bucket();

    /** What to ask for now: begins after the last batch that was {@link #accept accepted}. */
    StreamTicket ticket();

    /** Which replicas may answer. */
    ReadFrom readFrom();

    /** The batch of a data frame; empty when it has nothing new. Moves the position past it. */
    Optional<B> accept(FlightFrame frame);

    int sizeInBytes(B batch);

    /**
     * Takes notice that a node refused the ticket. Whether the next one will be of an older version
     * that still gives all that is needed, so that it is worth asking again.
     */
    boolean askOlder(StorageException refused);

    /** Whether the asked end was reached, judging by the position alone. */
    boolean isComplete();

    /** Whether it means the end when the node ends the stream in good order. */
    boolean endsWithStream();
}
