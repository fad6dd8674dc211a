package io.flinkfluss.lake.iceberg;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.FileNotFoundException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ServiceFailureException;

/** Translates what Iceberg throws. */
final class IcebergErrors {
    /** The class of SQL states that are about the connection (ISO/IEC 9075-2). */
    private static final String CONNECTION_STATES = "08";

    private IcebergErrors() {}

    /**
     * @param asked what was being done, for example "read lake table a.b"
     */
    static StorageException of(String asked, RuntimeException cause) {
        if (cause instanceof StorageException already) {
            return already;
        }
        return new StorageException(
                code(cause), "could not " + asked + ": " + cause.getMessage() + hint(cause), cause);
    }

    /**
     * As {@link #of} for reading files of a pinned snapshot: a file that is gone was expired with
     * its snapshot.
     */
    static StorageException ofRead(String asked, RuntimeException cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof NotFoundException || at instanceof FileNotFoundException) {
                return new StorageException(
                        ErrorCode.SNAPSHOT_NOT_FOUND,
                        "could not "
                                + asked
                                + ": a file of the pinned snapshot is gone ("
                                + at.getMessage()
                                + "), most likely because the snapshot was expired while it was"
                                + " read. Run the query again; for longer reads keep snapshots"
                                + " longer with the lake table's property"
                                + " history.expire.max-snapshot-age-ms",
                        cause);
            }
        }
        return of(asked, cause);
    }

    /**
     * Opening a catalog mostly fails because a setting is wrong; only when its server does not
     * answer, or says that it cannot now, trying again makes sense.
     */
    static ErrorCode ofOpening(RuntimeException cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (isAway(at)) {
                return ErrorCode.UNREACHABLE;
            }
        }
        return ErrorCode.INVALID_OPTION;
    }

    private static boolean isAway(Throwable cause) {
        return cause instanceof SocketException
                || cause instanceof SocketTimeoutException
                || cause instanceof UnknownHostException
                || cause instanceof ServiceFailureException
                || (cause instanceof SQLException sql
                        && sql.getSQLState() != null
                        && sql.getSQLState().startsWith(CONNECTION_STATES));
    }

    private static ErrorCode code(RuntimeException cause) {
        if (cause instanceof NoSuchTableException) {
            return ErrorCode.TABLE_NOT_FOUND;
        }
        if (cause instanceof NotAuthorizedException
                || cause instanceof ForbiddenException
                || cause instanceof BadRequestException) {
            return ErrorCode.INVALID_OPTION;
        }
        return ErrorCode.UNREACHABLE;
    }

    private static String hint(RuntimeException cause) {
        return code(cause) == ErrorCode.UNREACHABLE
                ? ". Check that the lake's warehouse and catalog (datalake.iceberg.*) can be reached"
                        + " and written from this machine"
                : "";
    }
}
