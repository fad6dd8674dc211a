package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.server.runtime.ServerClock;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says now and then how far a fetch is. One thread. */
final class FetchProgress {
    private static final Logger LOG = LoggerFactory.getLogger(FetchProgress.class);
    private static final long PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    private final String what;
    private final long totalBytes;
    private final ServerClock clock;
    private final long beganNanos;
    private long saidNanos;
    private long received;
    private long reused;

    FetchProgress(String what, long totalBytes, ServerClock clock) {
        this.what = what;
        this.totalBytes = totalBytes;
        this.clock = clock;
        beganNanos = clock.nanos();
        saidNanos = beganNanos;
    }

    void received(long bytes) {
        received += bytes;
        if (clock.nanos() - saidNanos >= PAUSE_NANOS) {
            saidNanos = clock.nanos();
            LOG.info("{}", this);
        }
    }

    void reused(long bytes) {
        reused += bytes;
    }

    long receivedBytes() {
        return received;
    }

    long reusedBytes() {
        return reused;
    }

    @Override
    public String toString() {
        long nanos = Math.max(1, clock.nanos() - beganNanos);
        double rate = received * 1e9 / nanos;
        long left = Math.max(0, totalBytes - reused - received);
        String rest = rate < 1 ? "" : ", " + time((long) (left / rate)) + " left";
        return what
                + ": "
                + size(received + reused)
                + " of "
                + size(totalBytes)
                + (reused > 0 ? " (" + size(reused) + " were here)" : "")
                + ", "
                + size((long) rate)
                + "/s"
                + (left > 0 ? rest : " in " + time(nanos / 1_000_000_000));
    }

    private static String time(long seconds) {
        return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
    }

    private static String size(long bytes) {
        if (bytes < 10_240) {
            return bytes + " B";
        }
        double kib = bytes / 1024.0;
        if (kib < 10_240) {
            return String.format(Locale.ROOT, "%.0f KiB", kib);
        }
        double mib = kib / 1024;
        return mib < 10_240
                ? String.format(Locale.ROOT, "%.0f MiB", mib)
                : String.format(Locale.ROOT, "%.1f GiB", mib / 1024);
    }
}
