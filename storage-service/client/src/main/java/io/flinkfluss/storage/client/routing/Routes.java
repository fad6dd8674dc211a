package io.flinkfluss.storage.client.routing;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.ClusterView;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What is known of the nodes and of who leads what: the newest of everything that nodes said. Any
 * thread may use it; never blocks.
 */
final class Routes {
    /** What the answers said, and who gave the last one. */
    private record Known(ClusterView view, String answeredBy) {
        /** A single node is best reached at the address that worked, whatever it calls itself. */
        String address(ClusterView.Node node) {
            return view.nodes().size() == 1 ? answeredBy : node.toString();
        }

        Optional<String> leader(Optional<BucketId> bucket) {
            if (view.shardCount() == 0) {
                return Optional.empty();
            }
            String leader = bucket.map(view::leadership).orElseGet(view::metadata).leader();
            return view.node(leader).map(this::address);
        }
    }

    private final List<String> bootstrap;
    private final AtomicReference<Known> known =
            new AtomicReference<>(new Known(ClusterView.EMPTY, ""));

    Routes(List<String> bootstrap) {
        this.bootstrap = List.copyOf(bootstrap);
    }

    /** Takes what is news in a node's answer. */
    void learn(String address, ClusterView answer) {
        known.updateAndGet(before -> new Known(before.view.mergedWith(answer), address));
    }

    /** Forgets that a node leads, after it said that it does not. */
    void denied(Optional<BucketId> bucket, String address) {
        known.updateAndGet(
                before -> {
                    if (!before.leader(bucket).equals(Optional.of(address))) {
                        return before;
                    }
                    ClusterView view =
                            bucket.map(before.view::withoutLeader)
                                    .orElseGet(before.view::withoutMetadataLeader);
                    return new Known(view, before.answeredBy);
                });
    }

    /**
     * The address of the node that leads.
     *
     * @param bucket of the shard that is meant; empty for the metadata group
     */
    Optional<String> leader(Optional<BucketId> bucket) {
        return known.get().leader(bucket);
    }

    /** The addresses of the nodes as far as they are known. */
    List<String> nodes() {
        Known now = known.get();
        return now.view.nodes().stream().map(now::address).toList();
    }

    /** Every address that may answer a question, the likeliest first. */
    List<String> everywhere() {
        Set<String> addresses = new LinkedHashSet<>();
        String last = known.get().answeredBy;
        if (!last.isEmpty()) {
            addresses.add(last);
        }
        addresses.addAll(nodes());
        addresses.addAll(bootstrap);
        return List.copyOf(addresses);
    }
}
