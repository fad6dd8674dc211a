package io.flinkfluss.verify.cluster;

import java.nio.file.Path;

/** Where one node keeps its data. */
public interface Disk extends AutoCloseable {
    /** The node's data directory; it exists. */
    Path dataDirectory();

    /** Whether {@link #fill}, {@link #losePower} and {@link #powerOn} work. */
    boolean isOwnFileSystem();

    /** Takes free space away until only so many bytes are left. */
    void fill(long bytesLeft);

    /** Gives back what {@link #fill} took. */
    void empty();

    /** From now on nothing reaches the disk, and what was not synced is gone. */
    void losePower();

    /** The disk after a power loss, as a new start finds it; the node must not run. */
    void powerOn();

    /** Deletes everything, as when a disk is replaced; the node must not run. */
    void replace();

    /** Frees what the machine lent; the data stays. */
    @Override
    void close();
}
