package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionException;

/** Counts and times requests by kind. Any thread. */
final class RequestMeters {
    private static final double NANOS_PER_MILLI = 1e6;

    private final ServerClock clock;
    private final Counter errors;
    private final Map<RequestKind, CounterDataPoint> requests = new EnumMap<>(RequestKind.class);
    private final Map<RequestKind, DistributionDataPoint> times = new EnumMap<>(RequestKind.class);

    RequestMeters(ServerMetrics metrics, ServerClock clock) {
        this.clock = clock;
        Counter all = metrics.counter(ServerMetric.REQUESTS);
        Histogram durations = metrics.histogram(ServerMetric.REQUEST_TIME);
        errors = metrics.counter(ServerMetric.REQUEST_ERRORS);
        for (RequestKind kind : RequestKind.values()) {
            requests.put(kind, all.labelValues(kind.label()));
            times.put(kind, durations.labelValues(kind.label()));
        }
    }

    /** Counts a request. @return when it began, for {@link #ended} */
    long begun(RequestKind kind) {
        requests.get(kind).inc();
        return clock.nanos();
    }

    void ended(RequestKind kind, long begun) {
        times.get(kind).observe((clock.nanos() - begun) / NANOS_PER_MILLI);
    }

    void failed(RequestKind kind, Throwable failure) {
        errors.labelValues(kind.label(), code(failure).name()).inc();
    }

    private static ErrorCode code(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof StorageException known ? known.code() : ErrorCode.INTERNAL;
    }

    /** Values of the label {@code request}. */
    enum RequestKind {
        PRODUCE_LOG("produceLog"),
        PUT_KV("putKv"),
        FETCH_LOG("fetchLog"),
        LOOKUP("lookup"),
        PREFIX_LOOKUP("prefixLookup"),
        SCAN_KV("scanKv"),
        OFFSETS("listOffsets"),
        SNAPSHOT("kvSnapshot"),
        METADATA("metadata");

        private final String label;

        RequestKind(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }
}
