package io.flinkfluss.storage.api.wire;

/** How the buffers of a batch are compressed, each on its own; values of the table option. */
public enum ArrowCompression {
    NONE((byte) -1),
    LZ4_FRAME(org.apache.arrow.flatbuf.CompressionType.LZ4_FRAME),
    ZSTD(org.apache.arrow.flatbuf.CompressionType.ZSTD);

    private final byte codec;

    ArrowCompression(byte codec) {
        this.codec = codec;
    }

    /** Number in the Arrow IPC format, -1 for none. */
    byte codec() {
        return codec;
    }

    static ArrowCompression of(byte codec) {
        for (ArrowCompression compression : values()) {
            if (compression.codec == codec) {
                return compression;
            }
        }
        throw RecordBatchMessage.damaged("it names the unknown compression " + codec);
    }
}
