package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.table.BucketId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where to send a request: the nodes and who leads what, as the asked node sees it now. Two nodes
 * may differ for a while, and one that was deposed or slept does not know it: {@link #mergedWith}
 * keeps what is newer of each part.
 *
 * @param nodes every node, reachable or not
 * @param membership counts changes of the nodes: their position in the metadata group's log
 * @param metadata who leads the metadata group, where operations on tables and the cluster go
 * @param shards who leads each shard, by its number
 */
public record ClusterView(
        List<Node> nodes, long membership, Leadership metadata, List<Leadership> shards) {
    /** What nobody told anything yet. */
    public static final ClusterView EMPTY =
            new ClusterView(List.of(), -1, Leadership.UNKNOWN, List.of());

    static final Format FORMAT = new Format("cluster view", 1, 2, "wire.md");
    static final int NEWEST_VERSION = FORMAT.newest();
    private static final int NODES_AND_LEADERS = 1;

    /** A node and the address that clients reach it at. */
    public record Node(String id, String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /**
     * Who leads a group of replicas.
     *
     * @param leader id of the leading node; empty text while none is known
     * @param term the election that the node won; a larger one is newer. 0 when unknown
     */
    public record Leadership(String leader, long term) {
        public static final Leadership UNKNOWN = new Leadership("", 0);

        /**
         * The newer of both. Not to know a leader is no news, whatever the term: a node that was
         * cut off may count elections that nobody won.
         */
        Leadership mergedWith(Leadership later) {
            if (later.leader.isEmpty()) {
                return this;
            }
            return leader.isEmpty() || later.term >= term ? later : this;
        }
    }

    public ClusterView {
        nodes = List.copyOf(nodes);
        shards = List.copyOf(shards);
    }

    public int shardCount() {
        return shards.size();
    }

    /** Who leads the bucket's shard. */
    public Leadership leadership(BucketId bucket) {
        return shards.get(bucket.shard(shardCount()));
    }

    /** The node that leads the bucket's shard; empty while none is known. */
    public Optional<Node> leader(BucketId bucket) {
        return node(leadership(bucket).leader());
    }

    public Optional<Node> node(String id) {
        return nodes.stream().filter(node -> node.id().equals(id)).findFirst();
    }

    /**
     * What is newer of this and of what another node answered later, part by part. Among parts of
     * the same age the later answer wins.
     */
    public ClusterView mergedWith(ClusterView later) {
        if (shardCount() != later.shardCount()) {
            return later;
        }
        List<Leadership> merged = new ArrayList<>(shardCount());
        for (int i = 0; i < shardCount(); i++) {
            merged.add(shards.get(i).mergedWith(later.shards.get(i)));
        }
        ClusterView members = later.membership >= membership ? later : this;
        return new ClusterView(
                members.nodes, members.membership, metadata.mergedWith(later.metadata), merged);
    }

    /** The same without the leader of the bucket's shard, who denied to be one. */
    public ClusterView withoutLeader(BucketId bucket) {
        List<Leadership> others = new ArrayList<>(shards);
        others.set(bucket.shard(shardCount()), Leadership.UNKNOWN);
        return new ClusterView(nodes, membership, metadata, others);
    }

    /** The same without the metadata group's leader, who denied to be one. */
    public ClusterView withoutMetadataLeader() {
        return new ClusterView(nodes, membership, Leadership.UNKNOWN, shards);
    }

    /**
     * @param newestKnown the newest version that the reader knows
     */
    void write(WireOutput output, int newestKnown) {
        int version = Math.max(NODES_AND_LEADERS, Math.min(NEWEST_VERSION, newestKnown));
        output.writeByte(version).writeVarint(nodes.size());
        for (Node node : nodes) {
            output.writeString(node.id()).writeString(node.host()).writeVarint(node.port());
        }
        output.writeStrings(shards.stream().map(Leadership::leader).toList());
        if (version > NODES_AND_LEADERS) {
            shards.forEach(shard -> output.writeVarint(shard.term()));
            output.writeString(metadata.leader())
                    .writeVarint(metadata.term())
                    .writeZigzag(membership);
        }
    }

    static ClusterView read(WireInput input) {
        int version = input.readVersion(FORMAT);
        int count = input.readCount();
        List<Node> nodes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            nodes.add(new Node(input.readString(), input.readString(), input.readVarintAsInt()));
        }
        List<Leadership> shards = new ArrayList<>();
        for (String leader : input.readStrings()) {
            shards.add(new Leadership(leader, 0));
        }
        if (version == NODES_AND_LEADERS) {
            return new ClusterView(nodes, -1, Leadership.UNKNOWN, shards);
        }
        shards.replaceAll(shard -> new Leadership(shard.leader(), input.readVarint()));
        Leadership metadata = new Leadership(input.readString(), input.readVarint());
        return new ClusterView(nodes, input.readZigzag(), metadata, shards);
    }
}
