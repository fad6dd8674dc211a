package io.flinkfluss.storage.server.membership;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.wire.Action;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a node tells another one about itself and its cluster, at any time after its start.
 *
 * @param directory a name that its data directory got when it was made; no other has it
 * @param shards of its cluster, or that it would found one with
 * @param newestLevel the newest format level that it reads
 * @param peers ids of its {@code --peers}
 * @param founders directories by node id, as they were when it founded the cluster; empty when it
 *     did not
 * @param members ids of the nodes of the cluster as it knows them
 * @param isCurrent whether a majority confirmed the members for this answer
 */
public record Introduction(
        String node,
        String directory,
        DirectoryState state,
        int shards,
        int newestLevel,
        List<String> peers,
        Map<String, String> founders,
        List<String> members,
        boolean isCurrent) {
    /** The DoAction type; the request is a version byte. */
    public static final String ACTION = "fluss.peer.introduce";

    static final Format FORMAT = Format.first("introduction", "wire.md");

    public Introduction {
        peers = List.copyOf(peers);
        members = List.copyOf(members);
        founders = java.util.Collections.unmodifiableMap(new TreeMap<>(founders));
    }

    /** Whether it is part of a cluster that exists. */
    boolean hasCluster() {
        return state == DirectoryState.FOUNDING || state == DirectoryState.IN_USE;
    }

    public static Action request() {
        WireOutput output = new WireOutput();
        output.writeVersion(FORMAT);
        return new Action(ACTION, output.toByteBuffer());
    }

    public byte[] encode() {
        WireOutput output = new WireOutput();
        output.writeVersion(FORMAT).writeString(node).writeString(directory);
        output.writeByte(state.ordinal()).writeVarint(shards).writeVarint(newestLevel);
        output.writeStrings(peers).writeStrings(founders).writeStrings(members);
        output.writeBoolean(isCurrent);
        return output.toByteArray();
    }

    public static Introduction decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(FORMAT);
        String node = input.readString();
        String directory = input.readString();
        int state = input.readByte();
        if (state < 0 || state >= DirectoryState.values().length) {
            throw input.corrupt("the state " + state + " of a data directory");
        }
        return new Introduction(
                node,
                directory,
                DirectoryState.values()[state],
                input.readVarintAsInt(),
                input.readVarintAsInt(),
                input.readStrings(),
                input.readStringMap(),
                input.readStrings(),
                input.readBoolean());
    }
}
