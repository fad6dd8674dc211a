package io.flinkfluss.storage.server.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsPrefixOperations;

/** A local folder under the scheme {@code faulty} that can be cut off; named in io-impl. */
public final class FaultyFolderIO implements SupportsPrefixOperations {
    private static final long serialVersionUID = 1L;
    private static final String SCHEME = "faulty://";

    /** Of all instances. */
    private static volatile boolean reachable = true;

    private static volatile long requests;

    private final LocalFolderIO folder = new LocalFolderIO();

    public static void setReachable(boolean now) {
        reachable = now;
    }

    /** Reads that were begun. */
    public static long requests() {
        return requests;
    }

    private static String path(String location) {
        if (!reachable) {
            throw new UncheckedIOException(new IOException("connection refused"));
        }
        return location.substring(SCHEME.length());
    }

    @Override
    public InputFile newInputFile(String location) {
        requests++;
        return folder.newInputFile(path(location));
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return folder.newOutputFile(path(location));
    }

    @Override
    public void deleteFile(String location) {
        folder.deleteFile(path(location));
    }

    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        List<FileInfo> files = new ArrayList<>();
        for (FileInfo file : folder.listPrefix(path(prefix))) {
            files.add(new FileInfo(SCHEME + file.location(), file.size(), 0));
        }
        return files;
    }

    @Override
    public void deletePrefix(String prefix) {
        folder.deletePrefix(path(prefix));
    }
}
