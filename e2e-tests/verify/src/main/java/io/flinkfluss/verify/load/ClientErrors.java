package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.verify.check.Findings;
import io.flinkfluss.verify.check.Violation;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Counts what clients were refused. Some errors are what a fault may lead to, such as a timeout of
 * a client with little patience; every other is a finding. Any thread may use it.
 */
public final class ClientErrors {
    /** What a client may get while nodes are down or out of reach for longer than its patience. */
    private static final Set<ErrorCode> EXPLAINED =
            EnumSet.of(
                    ErrorCode.TIMEOUT,
                    ErrorCode.UNREACHABLE,
                    ErrorCode.NOT_READY,
                    ErrorCode.NOT_LEADER,
                    ErrorCode.BUSY,
                    ErrorCode.DISK_FULL);

    private final Findings findings;
    private final Map<ErrorCode, Integer> counts = new EnumMap<>(ErrorCode.class);
    private boolean damageExpected;

    public ClientErrors(Findings findings) {
        this.findings = findings;
    }

    /** While a node has damaged files, naming the damage is what it should do. */
    public synchronized void expectDamage(Damage damage) {
        damageExpected = damage == Damage.PRESENT;
    }

    /** What is known of the nodes' files. */
    public enum Damage {
        NONE,
        PRESENT
    }

    /** Records an error; anything but a {@link StorageException} is a finding. */
    public void add(String who, Throwable error) {
        Throwable cause = error;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (!(cause instanceof StorageException known)) {
            findings.add(Violation.UNEXPECTED, who + ": " + cause);
            return;
        }
        boolean explained;
        synchronized (this) {
            counts.merge(known.code(), 1, Integer::sum);
            explained =
                    EXPLAINED.contains(known.code())
                            || (damageExpected && known.code() == ErrorCode.CORRUPT_DATA);
        }
        if (!explained) {
            findings.add(Violation.UNEXPECTED, who + ": " + known);
        }
    }

    public synchronized Map<ErrorCode, Integer> counts() {
        return new EnumMap<>(counts);
    }
}
