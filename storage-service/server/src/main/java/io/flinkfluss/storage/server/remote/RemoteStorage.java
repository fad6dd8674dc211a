package io.flinkfluss.storage.server.remote;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * The objects below one folder of remote storage, by name. Thread-safe; every method waits for the
 * storage. Failures are StorageExceptions: UNREACHABLE when trying again makes sense, CORRUPT_DATA
 * when an object is missing or too short.
 */
public final class RemoteStorage implements AutoCloseable {
    private static final String S3 = "org.apache.iceberg.aws.s3.S3FileIO";
    private static final Map<String, String> IMPLEMENTATIONS =
            Map.of("s3", S3, "s3a", S3, "s3n", S3);
    private static final String IMPLEMENTATION = "io-impl";

    private final String folder;
    private final SupportsPrefixOperations files;

    RemoteStorage(String folder, SupportsPrefixOperations files) {
        this.folder = folder.endsWith("/") ? folder : folder + "/";
        this.files = files;
    }

    /**
     * @param location a folder of this machine (one that all nodes see), or an address such as
     *     {@code s3://bucket/folder}
     * @param settings of the file system, such as {@code s3.endpoint}
     * @throws StorageException INVALID_OPTION, naming the jars to add when they are missing
     */
    public static RemoteStorage open(String location, Map<String, String> settings) {
        String scheme = location.contains("://") ? URI.create(location).getScheme() : "file";
        if (scheme.equals("file")) {
            String path = location.startsWith("file:") ? URI.create(location).getPath() : location;
            return new RemoteStorage(
                    Path.of(path).toAbsolutePath().normalize().toString(), new LocalFolderIO());
        }
        String implementation =
                settings.getOrDefault(IMPLEMENTATION, IMPLEMENTATIONS.getOrDefault(scheme, ""));
        if (implementation.isEmpty()) {
            throw new StorageException(
                    ErrorCode.INVALID_OPTION,
                    "remote.data.dir "
                            + location
                            + " has the scheme "
                            + scheme
                            + "; known are a folder, file and "
                            + IMPLEMENTATIONS.keySet()
                            + ". For another one name the class in remote.fs."
                            + IMPLEMENTATION);
        }
        return new RemoteStorage(location, create(implementation, location, settings));
    }

    private static SupportsPrefixOperations create(
            String implementation, String location, Map<String, String> settings) {
        try {
            Object files = Class.forName(implementation).getDeclaredConstructor().newInstance();
            if (!(files instanceof SupportsPrefixOperations listing)) {
                throw new StorageException(
                        ErrorCode.INVALID_OPTION,
                        "the class "
                                + implementation
                                + " cannot list files, which remote storage needs; it must be an"
                                + " Iceberg FileIO with SupportsPrefixOperations");
            }
            listing.initialize(settings);
            return listing;
        } catch (ReflectiveOperationException | LinkageError missing) {
            throw new StorageException(
                    ErrorCode.INVALID_OPTION,
                    "remote.data.dir "
                            + location
                            + " needs the class "
                            + implementation
                            + ", which is not usable here: "
                            + missing
                            + ". For S3 add iceberg-aws, iceberg-core and iceberg-aws-bundle (or"
                            + " the AWS SDK's s3, sts, kms and url-connection-client jars) of the"
                            + " version in docs/options.md to the server's lib folder",
                    missing);
        }
    }

    /** Begins an object that does not exist yet; it exists when the stream was closed. */
    OutputStream create(String name) {
        try {
            return files.newOutputFile(folder + name).create();
        } catch (RuntimeException e) {
            throw failed("write", name, e);
        }
    }

    /** Fills the buffer from this position of an object. */
    void read(String name, long position, byte[] target) {
        try (SeekableInputStream stream = files.newInputFile(folder + name).newStream()) {
            if (stream instanceof RangeReadable ranges) {
                ranges.readFully(position, target);
            } else {
                stream.seek(position);
                if (stream.readNBytes(target, 0, target.length) < target.length) {
                    throw new EOFException("it ends too early");
                }
            }
        } catch (NotFoundException | EOFException e) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    "the object "
                            + folder
                            + name
                            + " is missing or ends before byte "
                            + (position + target.length)
                            + ": "
                            + e.getMessage()
                            + ". Its rows cannot be served; restore it from a backup",
                    e);
        } catch (IOException | RuntimeException e) {
            throw failed("read", name, e);
        }
    }

    /** Deletes an object; nothing when there is none. */
    void delete(String name) {
        try {
            files.deleteFile(folder + name);
        } catch (NotFoundException gone) {
            // As wanted.
        } catch (RuntimeException e) {
            throw failed("delete", name, e);
        }
    }

    /** Names of all objects whose name begins so. */
    List<String> list(String prefix) {
        try {
            List<String> names = new ArrayList<>();
            for (FileInfo file : files.listPrefix(folder + prefix)) {
                if (!file.location().startsWith(folder)) {
                    throw new IllegalStateException(
                            "the list has " + file.location() + ", which is not in that folder");
                }
                names.add(file.location().substring(folder.length()));
            }
            return names;
        } catch (RuntimeException e) {
            throw failed("list", prefix, e);
        }
    }

    private StorageException failed(String what, String name, Exception cause) {
        Throwable reason = cause instanceof UncheckedIOException io ? io.getCause() : cause;
        return new StorageException(
                ErrorCode.UNREACHABLE,
                "could not "
                        + what
                        + " "
                        + folder
                        + name
                        + " in remote storage: "
                        + reason
                        + ". It is tried again; check remote.data.dir and remote.fs.* if it lasts",
                cause);
    }

    @Override
    public void close() {
        files.close();
    }

    @Override
    public String toString() {
        return folder;
    }
}
