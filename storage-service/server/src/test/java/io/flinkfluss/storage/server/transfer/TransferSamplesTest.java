package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.testkit.FormatSample;
import io.flinkfluss.storage.api.testkit.FormatSamples;
import io.flinkfluss.storage.api.wire.Action;
import io.flinkfluss.storage.api.wire.WireOutput;
import io.flinkfluss.storage.server.replication.Position;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;

/** What nodes say to each other to bring a replica along. */
final class TransferSamplesTest extends FormatSamples {
    private static final ByteBuffer BYTES = ByteBuffer.wrap(new byte[] {1, 2, 3});

    @Override
    protected Stream<FormatSample> samples() {
        return Stream.of(
                FormatSample.of(
                        CheckpointListing.FORMAT,
                        new CheckpointListing(
                                -5,
                                new Position(3, 1L << 40),
                                List.of(
                                        new CheckpointListing.Entry("manifest", 100, -1),
                                        new CheckpointListing.Entry("kv/CURRENT", 16, 0))),
                        CheckpointListing::encode,
                        CheckpointListing::decode),
                FormatSample.of(
                        FileChunk.FORMAT,
                        new FileChunk(7, 1L << 33, BYTES),
                        FileChunk::encodeHead,
                        head -> FileChunk.decode(head, BYTES)),
                FormatSample.of(
                                FileTicket.FORMAT,
                                new FileTicket(-5, List.of(new FileTicket.Range(7, 1L << 33, 900))),
                                FileTicket::encode,
                                FileTicket::decode)
                        .versionAt(1),
                request(new PeerOperation.Lease("shard-3", -1)).variant("lease-checkpoint"),
                request(new PeerOperation.Checksums(-5, List.of(0, 7)))
                        .variant("checkpoint-checksums"),
                request(new PeerOperation.Release(-5)).variant("release-checkpoint"),
                FormatSample.of(
                                PeerOperation.ANSWER,
                                List.of(-1L, 1L << 31),
                                sums -> {
                                    WireOutput output = new WireOutput();
                                    output.writeVersion(PeerOperation.ANSWER).writeVarint(2);
                                    sums.forEach(output::writeZigzag);
                                    return output.toByteArray();
                                },
                                PeerOperation.Checksums::answer)
                        .variant("checkpoint-checksums"));
    }

    private static FormatSample request(PeerOperation operation) {
        return FormatSample.of(
                PeerOperation.REQUEST,
                (Object) operation,
                each -> array(operation.toAction().body()),
                bytes ->
                        PeerOperation.of(new Action(operation.toAction().type(), bytes))
                                .orElseThrow());
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return array;
    }
}
