package io.flinkfluss.storage.api.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Compresses bytes into one frame of the LZ4 frame format: independent blocks of 64 KiB, no
 * checksums (what is stored or sent has its own). The compressor that Arrow brings searches so long
 * that one batch takes seconds. Pure Java, so that it can be relocated. Used by one thread.
 */
final class Lz4Frame {
    private final LZ4Compressor compressor = LZ4Factory.fastestJavaInstance().fastCompressor();
    private final XXHash32 hash = XXHashFactory.fastestJavaInstance().hash32();
    private final ByteArrayOutputStream frame = new ByteArrayOutputStream();

    /** The frame of the source's first bytes. */
    byte[] compress(byte[] source, int length) {
        frame.reset();
        try (LZ4FrameOutputStream blocks =
                new LZ4FrameOutputStream(
                        frame,
                        LZ4FrameOutputStream.BLOCKSIZE.SIZE_64KB,
                        -1L,
                        compressor,
                        hash,
                        LZ4FrameOutputStream.FLG.Bits.BLOCK_INDEPENDENCE)) {
            blocks.write(source, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written", e);
        }
        return frame.toByteArray();
    }
}
