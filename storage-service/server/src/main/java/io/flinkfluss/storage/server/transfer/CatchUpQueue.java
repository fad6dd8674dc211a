package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.replication.CatchUp;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches checkpoints one after another, so that a node that comes back after long does not claim
 * all disks and networks at once. {@link #run} is called by one thread; requests come from any.
 */
public final class CatchUpQueue implements CatchUp {
    private static final Logger LOG = LoggerFactory.getLogger(CatchUpQueue.class);

    private final PeerCheckpoints.Connector connector;
    private final Pace pace;
    private final ServerClock clock;

    /** At most one per group: a group asks again only after the answer. */
    private final BlockingQueue<Request> waiting = new LinkedBlockingQueue<>();

    private record Request(
            String group,
            CheckpointTransfer transfer,
            String address,
            long leastIndex,
            CompletableFuture<Position> answer) {}

    /**
     * @param pace of all that is received
     */
    public CatchUpQueue(PeerCheckpoints.Connector connector, Pace pace, ServerClock clock) {
        this.connector = connector;
        this.pace = pace;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<Position> fetch(
            String group, CheckpointTransfer transfer, String address, long leastIndex) {
        CompletableFuture<Position> answer = new CompletableFuture<>();
        waiting.add(new Request(group, transfer, address, leastIndex, answer));
        return answer;
    }

    /** Fetches what is asked for until the thread is interrupted. */
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                serve(waiting.take());
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        List<Request> left = new ArrayList<>();
        waiting.drainTo(left);
        for (Request request : left) {
            request.answer()
                    .completeExceptionally(
                            new StorageException(ErrorCode.CLOSED, "the server is stopping"));
        }
    }

    private void serve(Request request) {
        LOG.info(
                "{} lacks entries that {} has deleted; fetching its checkpoint with entry {}",
                request.group(),
                request.address(),
                request.leastIndex());
        Position position;
        try (PeerCheckpoints peer = connector.connect(request.address())) {
            position =
                    new CheckpointFetcher(peer, pace, clock)
                            .fetch(request.group(), request.transfer(), request.leastIndex());
        } catch (RuntimeException failure) {
            LOG.warn(
                    "the checkpoint of {} could not be fetched from {}; it will be tried again: {}",
                    request.group(),
                    request.address(),
                    failure.getMessage());
            request.answer().completeExceptionally(failure);
            return;
        }
        request.answer().complete(position);
    }
}
