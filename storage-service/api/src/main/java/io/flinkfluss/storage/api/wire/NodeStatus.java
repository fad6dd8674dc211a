package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What one node says about itself; the answer of the action {@link #ACTION}, which any node answers
 * at any time, leader or not.
 *
 * @param nodeId its id among the peers
 * @param release of the software
 * @param obstacles why it is not ready, empty when it is
 * @param groups of which it holds a replica
 */
public record NodeStatus(
        String nodeId,
        String release,
        Times times,
        List<String> obstacles,
        Content content,
        Resources resources,
        List<Group> groups) {
    /** The DoAction type; the request is a version byte. */
    public static final String ACTION = "fluss.node-status";

    static final Format REQUEST = Format.first("node status request", "wire.md");
    static final Format FORMAT = Format.first("node status", "wire.md");

    public NodeStatus {
        obstacles = List.copyOf(obstacles);
        groups = List.copyOf(groups);
    }

    /** When the process began and when it answered, by its own clock: since 1970-01-01 UTC. */
    public record Times(long startedAtMillis, long nowMillis) {}

    /**
     * What the node stores.
     *
     * @param tables of the cluster, as this node knows
     * @param buckets of these tables
     * @param logBytes segments of bucket logs
     * @param kvBytes files of key-value state
     * @param pendingRows of tables with a lake copy: rows that the lake does not hold yet
     * @param tierLagMillis the largest of these tables; -1 when there are none
     */
    public record Content(
            long tables,
            long buckets,
            long logBytes,
            long kvBytes,
            long pendingRows,
            long tierLagMillis) {}

    /**
     * What the node uses, in bytes.
     *
     * @param disk the disk of the data directory, used by whomever
     * @param direct outside of the heap, without key-value state
     * @param kv cache and memtables of key-value state
     * @param refusesWrites because the disk is nearly full
     */
    public record Resources(
            Usage disk,
            Usage heap,
            Usage direct,
            Usage kv,
            Usage inFlight,
            boolean refusesWrites) {}

    /** Bytes that are used and bytes that may be. */
    public record Usage(long used, long limit) {}

    /**
     * This node's member of one group.
     *
     * @param leader id of the leading node, empty when none is known
     * @param committed the last entry known here to be on a majority
     * @param applied the last entry in this replica's state
     * @param logBytes files of the replicated log
     */
    public record Group(
            String name,
            boolean leading,
            String leader,
            long term,
            long committed,
            long applied,
            long logBytes,
            long bytesSinceCheckpoint) {}

    public static Action request() {
        WireOutput output = new WireOutput();
        output.writeByte(REQUEST.newest());
        return new Action(ACTION, output.toByteBuffer());
    }

    /**
     * @throws io.flinkfluss.storage.api.error.StorageException INCOMPATIBLE_VERSION
     */
    public static void checkRequest(Action action) {
        new WireInput(action.body()).readVersion(REQUEST);
    }

    public byte[] encode() {
        WireOutput output = new WireOutput();
        output.writeByte(FORMAT.newest()).writeString(nodeId).writeString(release);
        output.writeVarint(times.startedAtMillis).writeVarint(times.nowMillis);
        output.writeStrings(obstacles);
        output.writeVarint(content.tables).writeVarint(content.buckets);
        output.writeVarint(content.logBytes).writeVarint(content.kvBytes);
        output.writeVarint(content.pendingRows).writeZigzag(content.tierLagMillis);
        write(output, resources.disk);
        write(output, resources.heap);
        write(output, resources.direct);
        write(output, resources.kv);
        write(output, resources.inFlight);
        output.writeBoolean(resources.refusesWrites).writeVarint(groups.size());
        for (Group group : groups) {
            output.writeString(group.name).writeBoolean(group.leading).writeString(group.leader);
            output.writeZigzag(group.term).writeZigzag(group.committed).writeZigzag(group.applied);
            output.writeVarint(group.logBytes).writeVarint(group.bytesSinceCheckpoint);
        }
        return output.toByteArray();
    }

    public static NodeStatus decode(ByteBuffer body) {
        WireInput input = new WireInput(body);
        input.readVersion(FORMAT);
        return new NodeStatus(
                input.readString(),
                input.readString(),
                new Times(input.readVarint(), input.readVarint()),
                input.readStrings(),
                new Content(
                        input.readVarint(),
                        input.readVarint(),
                        input.readVarint(),
                        input.readVarint(),
                        input.readVarint(),
                        input.readZigzag()),
                new Resources(
                        usage(input),
                        usage(input),
                        usage(input),
                        usage(input),
                        usage(input),
                        input.readBoolean()),
                groups(input));
    }

    private static void write(WireOutput output, Usage usage) {
        output.writeVarint(usage.used).writeVarint(usage.limit);
    }

    private static Usage usage(WireInput input) {
        return new Usage(input.readVarint(), input.readVarint());
    }

    private static List<Group> groups(WireInput input) {
        int count = input.readCount();
        List<Group> groups = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            groups.add(
                    new Group(
                            input.readString(),
                            input.readBoolean(),
                            input.readString(),
                            input.readZigzag(),
                            input.readZigzag(),
                            input.readZigzag(),
                            input.readVarint(),
                            input.readVarint()));
        }
        return groups;
    }
}
