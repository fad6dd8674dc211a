package io.flinkfluss.cli.data;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Decompresses ZSTD pages without Hadoop's codec machinery; reading only. */
final class ZstdCodecs implements CompressionCodecFactory {
    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        throw new UnsupportedOperationException("flights files are only read");
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        return switch (codec) {
            case ZSTD -> new Decompressor(true);
            case UNCOMPRESSED -> new Decompressor(false);
            default ->
                    throw new IllegalArgumentException(
                            "the flights file is compressed with "
                                    + codec
                                    + "; only ZSTD and UNCOMPRESSED are read");
        };
    }

    @Override
    public void release() {}

    private record Decompressor(boolean compressed) implements BytesInputDecompressor {
        @Override
        public BytesInput decompress(BytesInput bytes, int decompressedSize) throws IOException {
            return compressed
                    ? BytesInput.from(Zstd.decompress(bytes.toByteArray(), decompressedSize))
                    : bytes;
        }

        @Override
        public void decompress(
                ByteBuffer input, int compressedSize, ByteBuffer output, int decompressedSize) {
            byte[] source = new byte[compressedSize];
            input.get(source);
            output.put(compressed ? Zstd.decompress(source, decompressedSize) : source);
        }

        @Override
        public void release() {}
    }
}
