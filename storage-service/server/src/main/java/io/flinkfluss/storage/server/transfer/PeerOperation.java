package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.wire.Action;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What one node asks of another about checkpoints, each a DoAction. */
public sealed interface PeerOperation {
    Format REQUEST = Format.first("peer request", "checkpoint.md");
    Format ANSWER = Format.first("peer answer", "checkpoint.md");

    /** Leases the newest checkpoint of a group, which contains at least this entry. */
    record Lease(String group, long leastIndex) implements PeerOperation {
        static final String ACTION = "fluss.peer.lease-checkpoint";

        @Override
        public Action toAction() {
            WireOutput output = new WireOutput();
            output.writeVersion(REQUEST).writeString(group).writeZigzag(leastIndex);
            return new Action(ACTION, output.toByteBuffer());
        }

        @Override
        public byte[] execute(CheckpointLeases leases) {
            return leases.lease(group, leastIndex).encode();
        }
    }

    /** The checksums of files as they are on the other node. */
    record Checksums(long lease, List<Integer> files) implements PeerOperation {
        static final String ACTION = "fluss.peer.checkpoint-checksums";

        public Checksums {
            files = List.copyOf(files);
        }

        @Override
        public Action toAction() {
            WireOutput output = new WireOutput(16 + 4 * files.size());
            output.writeVersion(REQUEST).writeLong(lease).writeVarint(files.size());
            files.forEach(output::writeVarint);
            return new Action(ACTION, output.toByteBuffer());
        }

        @Override
        public byte[] execute(CheckpointLeases leases) {
            List<Long> sums = leases.checksums(lease, files);
            WireOutput output = new WireOutput(16 + 8 * sums.size());
            output.writeVersion(ANSWER).writeVarint(sums.size());
            sums.forEach(output::writeZigzag);
            return output.toByteArray();
        }

        public static List<Long> answer(ByteBuffer bytes) {
            WireInput input = new WireInput(bytes);
            input.readVersion(ANSWER);
            List<Long> sums = new ArrayList<>();
            for (int left = input.readCount(); left > 0; left--) {
                sums.add(input.readZigzag());
            }
            return sums;
        }
    }

    /** Ends a lease; one that is unknown has ended. */
    record Release(long lease) implements PeerOperation {
        static final String ACTION = "fluss.peer.release-checkpoint";

        @Override
        public Action toAction() {
            WireOutput output = new WireOutput();
            output.writeVersion(REQUEST).writeLong(lease);
            return new Action(ACTION, output.toByteBuffer());
        }

        @Override
        public byte[] execute(CheckpointLeases leases) {
            leases.release(lease);
            return new byte[] {(byte) ANSWER.newest()};
        }
    }

    Action toAction();

    /** Runs on the other node and gives the bytes of the answer; may read disks. */
    byte[] execute(CheckpointLeases leases);

    /**
     * The operation of an action, empty for any other action.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA, INCOMPATIBLE_VERSION
     */
    static Optional<PeerOperation> of(Action action) {
        return switch (action.type()) {
            case Lease.ACTION -> {
                WireInput input = input(action);
                yield Optional.of(new Lease(input.readString(), input.readZigzag()));
            }
            case Checksums.ACTION -> {
                WireInput input = input(action);
                long lease = input.readLong();
                List<Integer> files = new ArrayList<>();
                for (int left = input.readCount(); left > 0; left--) {
                    files.add(input.readVarintAsInt());
                }
                yield Optional.of(new Checksums(lease, files));
            }
            case Release.ACTION -> Optional.of(new Release(input(action).readLong()));
            default -> Optional.empty();
        };
    }

    private static WireInput input(Action action) {
        WireInput input = new WireInput(action.body());
        input.readVersion(REQUEST);
        return input;
    }
}
