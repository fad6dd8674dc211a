package io.flinkfluss.storage.server.replication;

import java.nio.ByteBuffer;
import java.util.List;

/** Bytes of the commands of one entry, and of their answers. */
public interface CommandCodec<C, A> {
    ByteBuffer encode(List<C> commands);

    /** One answer per command, in order. */
    List<A> decode(byte[] answers);
}
