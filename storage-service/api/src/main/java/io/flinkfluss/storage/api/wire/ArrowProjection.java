package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.table.Schema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Takes columns out of a record batch by moving bytes only: nothing is decompressed. */
public final class ArrowProjection {
    private ArrowProjection() {}

    /**
     * A batch of some columns of another.
     *
     * @param metadata its FlatBuffer
     * @param bodySlices parts of the original body that make its body, each padded with zeros to a
     *     multiple of 8 bytes
     * @param bodyLength length of its body, padding included
     */
    public record Projected(ByteBuffer metadata, List<Slice> bodySlices, int bodyLength) {
        public Projected {
            bodySlices = List.copyOf(bodySlices);
        }

        /** Its body, copied out of the whole original body. */
        public ByteBuffer body(ByteBuffer originalBody) {
            byte[] target = new byte[bodyLength];
            int end = 0;
            for (Slice slice : bodySlices) {
                originalBody.get(
                        originalBody.position() + slice.offset(), target, end, slice.length());
                end += RecordBatchMessage.padded(slice.length());
            }
            return ByteBuffer.wrap(target);
        }
    }

    /** A part of a body. */
    public record Slice(int offset, int length) {}

    /**
     * @param metadata FlatBuffer of a batch with all columns of the schema; not moved
     * @param columnIndexes positions of the wanted columns in the schema, in the wanted order; null
     *     for all
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA when the metadata is
     *     not that of such a batch
     */
    public static Projected project(ByteBuffer metadata, Schema schema, int[] columnIndexes) {
        RecordBatchMessage all = RecordBatchMessage.parse(metadata);
        int columns = schema.columns().size();
        int[] firstBuffers = new int[columns + 1];
        for (int i = 0; i < columns; i++) {
            firstBuffers[i + 1] =
                    firstBuffers[i] + RecordBatchMessage.buffersOf(schema.columns().get(i).type());
        }
        ArrowBatchCheck.checkShape(all, columns, firstBuffers[columns]);
        int[] wanted = ArrowSchemas.orAll(schema, columnIndexes);
        int count = 0;
        for (int column : wanted) {
            count += firstBuffers[column + 1] - firstBuffers[column];
        }
        int[] nullCounts = new int[wanted.length];
        int[] offsets = new int[count];
        int[] lengths = new int[count];
        SliceList slices = new SliceList();
        int next = 0;
        for (int i = 0; i < wanted.length; i++) {
            nullCounts[i] = all.nullCounts()[wanted[i]];
            for (int b = firstBuffers[wanted[i]]; b < firstBuffers[wanted[i] + 1]; b++) {
                offsets[next] = slices.add(all.offsets()[b], all.lengths()[b]);
                lengths[next++] = all.lengths()[b];
            }
        }
        RecordBatchMessage projected =
                new RecordBatchMessage(
                        all.rowCount(),
                        all.compression(),
                        nullCounts,
                        offsets,
                        lengths,
                        slices.length);
        return new Projected(projected.serialize(), slices.done(), slices.length);
    }

    /** Lays buffers one after another and joins those that already stand so. */
    private static final class SliceList {
        private final List<Slice> slices = new ArrayList<>();
        private int offset;
        private int sliceLength;
        private int length;

        /** Where the buffer will stand. */
        int add(int bufferOffset, int bufferLength) {
            if (bufferLength == 0) {
                return length;
            }
            int distance = bufferOffset - offset;
            if (sliceLength == 0
                    || distance != RecordBatchMessage.padded(sliceLength)
                    || (offset & 7) != 0) {
                flush();
                offset = bufferOffset;
                distance = 0;
            }
            int position = length;
            sliceLength = distance + bufferLength;
            length = Math.addExact(length, RecordBatchMessage.padded(bufferLength));
            return position;
        }

        List<Slice> done() {
            flush();
            return slices;
        }

        private void flush() {
            if (sliceLength > 0) {
                slices.add(new Slice(offset, sliceLength));
                sliceLength = 0;
            }
        }
    }
}
