package io.flinkfluss.flink.options;

import io.flinkfluss.storage.api.error.ClosestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * The list of every option that a table, a hint or a catalog may carry, and the check against it.
 */
public final class KnownOptions {
    private static final List<String> OWN_PREFIXES =
            List.of("client.", "scan.", "sink.", "lookup.");

    /**
     * Options of the anchor that tune machinery which does not exist here (timers, fetch sizes,
     * retry counts) or ask for less than is always given (acknowledged by all, idempotent, checked
     * bytes). They cannot change an answer, so scripts that set them run unchanged.
     */
    private static final Set<String> WITHOUT_EFFECT =
            Set.of(
                    "client.id",
                    "client.writer.acks",
                    "client.writer.enable-idempotence",
                    "client.writer.bucket.no-key-assigner",
                    "client.writer.dynamic-create-partition.enabled",
                    "client.writer.kv-backpressure.max-throttle",
                    "client.scanner.log.check-crc",
                    "client.scanner.log.read-preference",
                    "client.scanner.remote-log.prefetch-num",
                    "client.remote-file.download-thread-num",
                    "client.scanner.kv.batch-strategy",
                    "client.scanner.io.tmpdir",
                    "scan.kv.snapshot.lease.id",
                    "scan.kv.snapshot.lease.duration",
                    "client.writer.batch-timeout",
                    "client.writer.buffer.page-size",
                    "client.writer.buffer.per-request-memory-size",
                    "client.writer.dynamic-batch-size.enabled",
                    "client.writer.request-max-size",
                    "client.writer.retries",
                    "client.scanner.log.max-poll-records",
                    "client.scanner.log.fetch.max-bytes",
                    "client.scanner.log.fetch.max-bytes-for-bucket",
                    "client.scanner.log.fetch.wait-max-time",
                    "client.scanner.log.fetch.min-bytes",
                    "client.lookup.queue-size",
                    "client.lookup.max-batch-size",
                    "client.lookup.max-inflight-requests",
                    "client.lookup.batch-timeout",
                    "client.lookup.max-retries",
                    "scan.split.assignment.batch-size");

    /** Options that ask for a login, which must never be passed over. */
    private static final String LOGIN = "client.security.";

    /** Every option with a meaning here, Flink's own ones on tables included. */
    public static List<ConfigOption<?>> all() {
        List<ConfigOption<?>> all = new ArrayList<>(FlussOptions.all());
        all.addAll(ScanOptions.all());
        all.addAll(SinkOptions.all());
        all.addAll(LookupJoinOptions.all());
        all.add(FactoryUtil.SOURCE_PARALLELISM);
        all.add(FactoryUtil.SINK_PARALLELISM);
        all.add(FactoryUtil.WATERMARK_EMIT_STRATEGY);
        all.add(FactoryUtil.WATERMARK_ALIGNMENT_GROUP);
        all.add(FactoryUtil.WATERMARK_ALIGNMENT_MAX_DRIFT);
        all.add(FactoryUtil.WATERMARK_ALIGNMENT_UPDATE_INTERVAL);
        all.add(FactoryUtil.SOURCE_IDLE_TIMEOUT);
        return all;
    }

    /**
     * Refuses names that begin with {@code client.}, {@code scan.}, {@code sink.} or {@code
     * lookup.} and are not known, those of logins among them; other names are somebody else's.
     *
     * @param where what carries the options, for the message
     * @throws ValidationException naming every unknown option and the closest known one
     */
    public static void check(String where, Set<String> names) {
        Set<String> known = new TreeSet<>(WITHOUT_EFFECT);
        all().forEach(option -> known.add(option.key()));
        refuseLogins(where, names);
        List<String> problems =
                new TreeSet<>(names)
                        .stream()
                                .filter(name -> OWN_PREFIXES.stream().anyMatch(name::startsWith))
                                .filter(name -> !known.contains(name))
                                .map(name -> "'" + name + "' (closest: " + closest(name) + ")")
                                .toList();
        if (!problems.isEmpty()) {
            throw new ValidationException(
                    where
                            + " has unknown options: "
                            + String.join(", ", problems)
                            + ". Known ones are listed in docs/options.md.");
        }
    }

    /**
     * @throws ValidationException when one of the names asks for a login
     */
    public static void refuseLogins(String where, Set<String> names) {
        List<String> logins = names.stream().filter(name -> name.startsWith(LOGIN)).toList();
        if (!logins.isEmpty()) {
            throw new ValidationException(
                    where
                            + " asks for a login with "
                            + new TreeSet<>(logins)
                            + ", but the storage service has no authentication: whoever reaches it"
                            + " may do everything. Leave the options out, and let only its users"
                            + " reach it.");
        }
    }

    private static String closest(String name) {
        return ClosestName.of(name, all().stream().map(ConfigOption::key).toList()).orElseThrow();
    }

    private KnownOptions() {}
}
