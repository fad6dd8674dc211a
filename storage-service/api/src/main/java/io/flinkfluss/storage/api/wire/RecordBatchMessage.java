package io.flinkfluss.storage.api.wire;

import com.google.flatbuffers.FlatBufferBuilder;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.DataType;
import java.nio.ByteBuffer;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;

/**
 * The FlatBuffer of an Arrow IPC record batch message as plain arrays; its own, so it may be kept.
 *
 * @param nullCounts one per column
 * @param offsets of each buffer in the body
 * @param lengths of each buffer, without padding
 */
record RecordBatchMessage(
        int rowCount,
        ArrowCompression compression,
        int[] nullCounts,
        int[] offsets,
        int[] lengths,
        int bodyLength) {
    /** Bytes of a field node or buffer in the FlatBuffer. */
    private static final int STRUCT_BYTES = 16;

    /** Buffers of a column: validity and values, and offsets when the width varies. */
    static int buffersOf(DataType type) {
        return switch (type.root()) {
            case CHAR, STRING, BINARY, BYTES -> 3;
            default -> 2;
        };
    }

    static int padded(int length) {
        return (length + 7) & ~7;
    }

    static StorageException damaged(String found) {
        return new StorageException(
                ErrorCode.CORRUPT_DATA,
                "a record batch is damaged or was written by an incompatible client: " + found);
    }

    /** Reads the message between position and limit; the buffer is not moved. */
    static RecordBatchMessage parse(ByteBuffer metadata) {
        try {
            Message message = Message.getRootAsMessage(metadata.slice());
            if (message.headerType() != MessageHeader.RecordBatch) {
                throw damaged(
                        "its message has the Arrow type "
                                + message.headerType()
                                + ", but "
                                + MessageHeader.RecordBatch
                                + " (record batch) is needed");
            }
            RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
            int largest = metadata.remaining() / STRUCT_BYTES;
            if (batch == null
                    || batch.nodesLength() < 0
                    || batch.nodesLength() > largest
                    || batch.buffersLength() < 0
                    || batch.buffersLength() > largest) {
                throw damaged(
                        "its columns and buffers do not fit metadata of "
                                + metadata.remaining()
                                + " bytes");
            }
            int[] nullCounts = new int[batch.nodesLength()];
            FieldNode node = new FieldNode();
            for (int i = 0; i < nullCounts.length; i++) {
                batch.nodes(node, i);
                nullCounts[i] = Math.toIntExact(node.nullCount());
                if (node.length() != batch.length()) {
                    throw damaged(
                            "column "
                                    + i
                                    + " has "
                                    + node.length()
                                    + " values in a batch of "
                                    + batch.length()
                                    + " rows");
                }
            }
            int bodyLength = Math.toIntExact(message.bodyLength());
            int[] offsets = new int[batch.buffersLength()];
            int[] lengths = new int[offsets.length];
            Buffer buffer = new Buffer();
            for (int i = 0; i < offsets.length; i++) {
                batch.buffers(buffer, i);
                offsets[i] = Math.toIntExact(buffer.offset());
                lengths[i] = Math.toIntExact(buffer.length());
                if (offsets[i] < 0 || lengths[i] < 0 || offsets[i] > bodyLength - lengths[i]) {
                    throw damaged(
                            "buffer "
                                    + i
                                    + " at "
                                    + offsets[i]
                                    + " with "
                                    + lengths[i]
                                    + " bytes is outside the body of "
                                    + bodyLength);
                }
            }
            BodyCompression compression = batch.compression();
            return new RecordBatchMessage(
                    Math.toIntExact(batch.length()),
                    compression == null
                            ? ArrowCompression.NONE
                            : ArrowCompression.of(compression.codec()),
                    nullCounts,
                    offsets,
                    lengths,
                    bodyLength);
        } catch (IndexOutOfBoundsException | ArithmeticException | AssertionError e) {
            throw damaged("its metadata does not parse (" + e + ")");
        }
    }

    ByteBuffer serialize() {
        FlatBufferBuilder builder =
                new FlatBufferBuilder(128 + 16 * (nullCounts.length + offsets.length));
        RecordBatch.startNodesVector(builder, nullCounts.length);
        for (int i = nullCounts.length - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, rowCount, nullCounts[i]);
        }
        int nodes = builder.endVector();
        RecordBatch.startBuffersVector(builder, offsets.length);
        for (int i = offsets.length - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, offsets[i], lengths[i]);
        }
        int buffers = builder.endVector();
        int compressed =
                compression == ArrowCompression.NONE
                        ? 0
                        : BodyCompression.createBodyCompression(
                                builder, compression.codec(), BodyCompressionMethod.BUFFER);
        RecordBatch.startRecordBatch(builder);
        RecordBatch.addLength(builder, rowCount);
        RecordBatch.addNodes(builder, nodes);
        RecordBatch.addBuffers(builder, buffers);
        if (compression != ArrowCompression.NONE) {
            RecordBatch.addCompression(builder, compressed);
        }
        int batch = RecordBatch.endRecordBatch(builder);
        Message.startMessage(builder);
        Message.addHeader(builder, batch);
        Message.addHeaderType(builder, MessageHeader.RecordBatch);
        Message.addVersion(builder, MetadataVersion.V5);
        Message.addBodyLength(builder, bodyLength);
        Message.finishMessageBuffer(builder, Message.endMessage(builder));
        return ByteBuffer.wrap(builder.sizedByteArray());
    }
}
