package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.table.BucketId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where to send a request: the nodes and who leads which shard, as the asked node sees it now.
 *
 * @param nodes every node, reachable or not
 * @param leaders per shard the id of the leading node; empty text while there is none
 */
public record ClusterView(List<Node> nodes, List<String> leaders) {
    private static final int VERSION = 1;

    /** A node and the address that clients reach it at. */
    public record Node(String id, String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    public ClusterView {
        nodes = List.copyOf(nodes);
        leaders = List.copyOf(leaders);
    }

    public int shardCount() {
        return leaders.size();
    }

    /** The node that leads the bucket's shard; empty while there is none. */
    public Optional<Node> leader(BucketId bucket) {
        return node(leaders.get(bucket.shard(shardCount())));
    }

    public Optional<Node> node(String id) {
        return nodes.stream().filter(node -> node.id().equals(id)).findFirst();
    }

    void write(WireOutput output) {
        output.writeByte(VERSION).writeVarint(nodes.size());
        for (Node node : nodes) {
            output.writeString(node.id()).writeString(node.host()).writeVarint(node.port());
        }
        output.writeStrings(leaders);
    }

    static ClusterView read(WireInput input) {
        input.readVersion("a cluster view", VERSION);
        int count = input.readCount();
        List<Node> nodes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            nodes.add(new Node(input.readString(), input.readString(), input.readVarintAsInt()));
        }
        return new ClusterView(nodes, input.readStrings());
    }
}
