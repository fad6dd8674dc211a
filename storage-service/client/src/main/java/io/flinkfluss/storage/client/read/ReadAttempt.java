package io.flinkfluss.storage.client.read;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.Ticket;
import io.flinkfluss.storage.client.routing.Cluster;
import io.flinkfluss.storage.client.transport.CallFailure;
import io.flinkfluss.storage.client.transport.MessageStream;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.storage.client.transport.StreamListener;
import java.nio.ByteBuffer;
import java.util.Optional;

/** One opened stream of a read, to one node. Any thread may use it; its owner orders the calls. */
final class ReadAttempt implements StreamListener<FlightFrame> {
    /** The read that it belongs to. */
    interface Owner {
        /** Where to begin. */
        byte[] ticket();

        /** The stream takes requests from now on. */
        void opened(ReadAttempt from);

        void received(ReadAttempt from, FlightFrame frame);

        void broke(ReadAttempt from, Optional<StorageException> error);
    }

    /**
     * @param chosen where it reads
     * @param allowed where its read may go on
     */
    record Target(ReadFrom chosen, ReadFrom allowed) {}

    private final Cluster cluster;
    private final BucketId bucket;
    private final Target target;
    private final Owner owner;
    private volatile String address = "";
    private volatile MessageStream<Ticket> stream;

    ReadAttempt(Cluster cluster, BucketId bucket, Target target, Owner owner) {
        this.cluster = cluster;
        this.bucket = bucket;
        this.target = target;
        this.owner = owner;
    }

    /** Where the node is; empty before {@link #open}. */
    String address() {
        return address;
    }

    /** Whether the node need not be the leader: then its errors are not the last word. */
    boolean isFromAnyReplica() {
        return target.chosen == ReadFrom.ANY;
    }

    /** Whether, if the node is silent, the read should go on at another one. */
    boolean isLeftBehind() {
        if (target.allowed == ReadFrom.ANY && cluster.isSilent(address)) {
            return true;
        }
        return !isFromAnyReplica() && cluster.isLedElsewhere(bucket, address);
    }

    /** Without locks held; {@link Owner#opened} or {@link Owner#broke} follows. */
    void open() {
        Optional<NodeChannel> node =
                isFromAnyReplica() ? cluster.replica(bucket) : cluster.leader(bucket);
        if (node.isEmpty()) {
            owner.broke(
                    this,
                    Optional.of(
                            new StorageException(
                                    ErrorCode.NOT_READY,
                                    "no node leads the bucket of this read at the moment")));
            return;
        }
        address = node.get().address();
        node.get().reconnectNow();
        stream = node.get().get(new Ticket(ByteBuffer.wrap(owner.ticket())), this);
        owner.opened(this);
    }

    void request(int messages) {
        stream.request(messages);
    }

    void cancel() {
        MessageStream<Ticket> open = stream;
        if (open != null) {
            open.cancel("the reader has enough");
        }
    }

    @Override
    public void onMessage(FlightFrame frame) {
        try {
            owner.received(this, frame);
        } catch (StorageException e) {
            owner.broke(this, Optional.of(e));
            cancel();
        }
    }

    @Override
    public void onClosed(Optional<CallFailure> failure) {
        owner.broke(this, failure.map(CallFailure::error));
    }
}
