package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Operations on data and on the cluster: offsets, snapshots, lake progress, writers, routing. */
public sealed interface ClusterOperation<A> extends AdminOperation<A> {
    AnswerCodec<Long> NUMBER = new AnswerCodec<>(WireOutput::writeVarint, WireInput::readVarint);
    AnswerCodec<Map<BucketId, Long>> OFFSETS =
            new AnswerCodec<>(MetadataCodec::writeOffsets, MetadataCodec::readOffsets);
    AnswerCodec<KvSnapshot> SNAPSHOT =
            new AnswerCodec<>(MetadataCodec::writeKvSnapshot, MetadataCodec::readKvSnapshot);
    AnswerCodec<Optional<LakeTiering>> TIERING =
            new AnswerCodec<>(ClusterOperation::putTiering, ClusterOperation::takeTiering);

    AnswerCodec<A> answer();

    @Override
    default void writeAnswer(WireOutput output, A answer) {
        answer().writer().accept(output, answer);
    }

    @Override
    default A readAnswer(WireInput input) {
        return answer().reader().apply(input);
    }

    /** Reads, or effects that are the same when done twice (or harmless: an unused id). */
    @Override
    default boolean isRepeatable() {
        return true;
    }

    /**
     * {@code fluss.describe-cluster}
     *
     * @param newestView the newest version of the answer that the asking side reads
     */
    record DescribeCluster(int newestView) implements ClusterOperation<ClusterView> {
        public DescribeCluster() {
            this(ClusterView.NEWEST_VERSION);
        }

        /** The first release asked without a word. */
        static DescribeCluster read(WireInput input) {
            return new DescribeCluster(input.remaining() == 0 ? 1 : input.readByte());
        }

        @Override
        public void write(WireOutput output) {
            output.writeByte(newestView);
        }

        @Override
        public AnswerCodec<ClusterView> answer() {
            return new AnswerCodec<>(
                    (output, view) -> view.write(output, newestView), ClusterView::read);
        }

        @Override
        public ClusterView execute(StorageService service, Supplier<ClusterView> cluster) {
            return cluster.get();
        }
    }

    /** {@code fluss.new-writer-id} */
    record NewWriterId() implements ClusterOperation<Long> {
        @Override
        public void write(WireOutput output) {}

        @Override
        public AnswerCodec<Long> answer() {
            return NUMBER;
        }

        @Override
        public Long execute(StorageService service, Supplier<ClusterView> cluster) {
            return service.logAppender().newWriterId();
        }
    }

    /** {@code fluss.largest-batch}: in bytes. */
    record LargestBatch() implements ClusterOperation<Long> {
        @Override
        public void write(WireOutput output) {}

        @Override
        public AnswerCodec<Long> answer() {
            return NUMBER;
        }

        @Override
        public Long execute(StorageService service, Supplier<ClusterView> cluster) {
            return (long) service.logAppender().largestBatch();
        }
    }

    /** {@code fluss.offsets}: any node may be asked. */
    record GetOffsets(List<BucketId> buckets, OffsetSpec spec)
            implements ClusterOperation<Map<BucketId, Long>> {
        public GetOffsets {
            buckets = List.copyOf(buckets);
        }

        static GetOffsets read(WireInput input) {
            int count = input.readCount();
            List<BucketId> buckets = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                buckets.add(MetadataCodec.readBucketId(input));
            }
            int kind = input.readByte();
            OffsetSpec spec =
                    switch (kind) {
                        case 1 -> new OffsetSpec.Earliest();
                        case 2 -> new OffsetSpec.Latest();
                        case 3 -> new OffsetSpec.AtTime(input.readZigzag());
                        default -> throw input.corrupt("the offset kind " + kind);
                    };
            return new GetOffsets(buckets, spec);
        }

        @Override
        public void write(WireOutput output) {
            output.writeVarint(buckets.size());
            buckets.forEach(bucket -> MetadataCodec.writeBucketId(output, bucket));
            if (spec instanceof OffsetSpec.AtTime time) {
                output.writeByte(3).writeZigzag(time.millis());
            } else {
                output.writeByte(spec instanceof OffsetSpec.Earliest ? 1 : 2);
            }
        }

        @Override
        public AnswerCodec<Map<BucketId, Long>> answer() {
            return OFFSETS;
        }

        @Override
        public Map<BucketId, Long> execute(StorageService service, Supplier<ClusterView> cluster) {
            return service.logReader().offsets(buckets, spec);
        }
    }

    /** {@code fluss.create-snapshot}: of all buckets of a primary-key table. */
    record CreateSnapshot(TableId table) implements ClusterOperation<KvSnapshot> {
        static CreateSnapshot read(WireInput input) {
            return new CreateSnapshot(new TableId(input.readVarint()));
        }

        @Override
        public void write(WireOutput output) {
            output.writeVarint(table.value());
        }

        @Override
        public AnswerCodec<KvSnapshot> answer() {
            return SNAPSHOT;
        }

        @Override
        public KvSnapshot execute(StorageService service, Supplier<ClusterView> cluster) {
            return service.kvReader().snapshot(table);
        }
    }

    /** {@code fluss.release-snapshot} */
    record ReleaseSnapshot(KvSnapshot snapshot) implements ClusterOperation<Void> {
        static ReleaseSnapshot read(WireInput input) {
            return new ReleaseSnapshot(MetadataCodec.readKvSnapshot(input));
        }

        @Override
        public void write(WireOutput output) {
            MetadataCodec.writeKvSnapshot(output, snapshot);
        }

        @Override
        public AnswerCodec<Void> answer() {
            return AnswerCodec.NOTHING;
        }

        @Override
        public Void execute(StorageService service, Supplier<ClusterView> cluster) {
            service.kvReader().release(snapshot);
            return null;
        }
    }

    /** {@code fluss.latest-tiering} */
    record LatestTiering(TableId table) implements ClusterOperation<Optional<LakeTiering>> {
        static LatestTiering read(WireInput input) {
            return new LatestTiering(new TableId(input.readVarint()));
        }

        @Override
        public void write(WireOutput output) {
            output.writeVarint(table.value());
        }

        @Override
        public AnswerCodec<Optional<LakeTiering>> answer() {
            return TIERING;
        }

        @Override
        public Optional<LakeTiering> execute(
                StorageService service, Supplier<ClusterView> cluster) {
            return service.lakeProgress().latest(table);
        }
    }

    /** {@code fluss.register-tiering}; registering the newest round again is a no-op. */
    record RegisterTiering(LakeTiering tiering) implements ClusterOperation<Void> {
        static RegisterTiering read(WireInput input) {
            return new RegisterTiering(MetadataCodec.readLakeTiering(input));
        }

        @Override
        public void write(WireOutput output) {
            MetadataCodec.writeLakeTiering(output, tiering);
        }

        @Override
        public AnswerCodec<Void> answer() {
            return AnswerCodec.NOTHING;
        }

        @Override
        public Void execute(StorageService service, Supplier<ClusterView> cluster) {
            service.lakeProgress().register(tiering);
            return null;
        }
    }

    private static void putTiering(WireOutput output, Optional<LakeTiering> tiering) {
        output.writeBoolean(tiering.isPresent());
        tiering.ifPresent(present -> MetadataCodec.writeLakeTiering(output, present));
    }

    private static Optional<LakeTiering> takeTiering(WireInput input) {
        return input.readBoolean()
                ? Optional.of(MetadataCodec.readLakeTiering(input))
                : Optional.empty();
    }
}
