package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ClosestName;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TableRules;
import io.flinkfluss.storage.server.replication.Peer;
import io.flinkfluss.storage.server.runtime.CheckpointPolicy;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Reads the command line into a {@link ServerConfig}. */
final class ServerArguments {
    static final String USAGE =
            "--data-dir FOLDER --port PORT [--host HOST] [--shards N] [--node-id ID]"
                    + " [--peers id@host:port:raftport,...] [-D key=value]...";

    private static final String LAKE = "datalake.";
    private static final String REMOTE_FS = "remote.fs.";
    private static final int LARGEST_PORT = 65_535;

    /** The anchor's metrics are on 9249 and its clients come to 9123. */
    private static final int METRICS_PORT_DISTANCE = 126;

    private static final List<String> FLAGS =
            List.of("--data-dir", "--port", "--host", "--shards", "--node-id", "--peers");

    private final Map<String, String> flags = new TreeMap<>();
    private final Map<String, String> settings = new TreeMap<>();

    private ServerArguments() {}

    /**
     * @throws StorageException INVALID_REQUEST, UNKNOWN_OPTION or INVALID_OPTION, saying what is
     *     allowed
     */
    static ServerConfig parse(String... arguments) {
        ServerArguments parsed = new ServerArguments();
        List<String> left = new ArrayList<>(List.of(arguments));
        while (!left.isEmpty()) {
            parsed.take(left);
        }
        return parsed.config();
    }

    private void take(List<String> left) {
        String argument = left.remove(0);
        if (argument.startsWith("-D")) {
            String setting = argument.length() > 2 ? argument.substring(2) : value("-D", left);
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw invalid("-D takes key=value, not " + setting);
            }
            addSetting(setting.substring(0, equals), setting.substring(equals + 1));
            return;
        }
        int equals = argument.indexOf('=');
        String flag = equals < 0 ? argument : argument.substring(0, equals);
        if (!FLAGS.contains(flag)) {
            throw new StorageException(
                    ErrorCode.UNKNOWN_OPTION,
                    flag + " is unknown" + didYouMean(flag, FLAGS) + "; usage: " + USAGE);
        }
        flags.put(flag, equals < 0 ? value(flag, left) : argument.substring(equals + 1));
    }

    private void addSetting(String key, String value) {
        List<String> known = Arrays.stream(ServerOption.values()).map(ServerOption::key).toList();
        if (!known.contains(key) && !key.startsWith(LAKE) && !key.startsWith(REMOTE_FS)) {
            throw new StorageException(
                    ErrorCode.UNKNOWN_OPTION,
                    "option "
                            + key
                            + " is unknown"
                            + didYouMean(key, known)
                            + "; known are "
                            + known
                            + ", "
                            + LAKE
                            + "* and "
                            + REMOTE_FS
                            + "*");
        }
        settings.put(key, value);
    }

    private ServerConfig config() {
        Path dataDir = Path.of(required("--data-dir")).toAbsolutePath().normalize();
        String host = flags.getOrDefault("--host", "127.0.0.1");
        int port = number("--port", required("--port"), 0, 65_535);
        String id = flags.getOrDefault("--node-id", "n1");
        List<Peer> peers = peers(id, host, port);
        int entryBytes = (int) number(ServerOption.REPLICATION_ENTRY_BYTES, 1024, 64 << 20);
        int largestBatch = (int) number(ServerOption.BATCH_BYTES_MAX, 1024, 64 << 20);
        return new ServerConfig(
                dataDir,
                new ServerConfig.Endpoint(host, port, advertisedHost(host)),
                shards(),
                peers.stream().filter(peer -> peer.id().equals(id)).findFirst().orElseThrow(),
                peers,
                Duration.ofMillis(
                        number(ServerOption.REPLICATION_ELECTION_TIMEOUT_MILLIS, 100, 600_000)),
                new ServerConfig.Writes(
                        flag(ServerOption.REPLICATION_FSYNC),
                        entryBytes,
                        (int) number(ServerOption.REPLICATION_ENTRIES_IN_FLIGHT, 1, 64),
                        largestBatch,
                        Duration.ofSeconds(number(ServerOption.REQUEST_TIMEOUT_SECONDS, 1, 3_600))),
                new CheckpointPolicy(
                        number(ServerOption.CHECKPOINT_BYTES, 1, Long.MAX_VALUE),
                        duration(ServerOption.CHECKPOINT_REPLAY_TIME),
                        Duration.ofSeconds(number(ServerOption.CHECKPOINT_AGE_SECONDS, 1, 86_400))),
                new ServerConfig.Disk(
                        ratio(), number(ServerOption.DISK_LEAST_FREE_BYTES, 0, Long.MAX_VALUE)),
                transport(),
                logs(),
                monitoring(host, port),
                lake());
    }

    private ServerConfig.Transport transport() {
        long node = number(ServerOption.NODE_IN_FLIGHT_BYTES, 0, Long.MAX_VALUE);
        return new ServerConfig.Transport(
                node == 0 ? Runtime.getRuntime().maxMemory() / 8 : node,
                number(ServerOption.STREAM_IN_FLIGHT_BYTES, 1024, Long.MAX_VALUE),
                number(ServerOption.CHECKPOINT_FETCH_BYTES_PER_SECOND, 64 * 1024, Long.MAX_VALUE));
    }

    private ServerConfig.Logs logs() {
        long bytesPerSecond = number(ServerOption.REMOTE_BYTES_PER_SECOND, 0, Long.MAX_VALUE);
        long cache = number(ServerOption.REMOTE_CACHE_BYTES, 0, Long.MAX_VALUE);
        Map<String, String> fileSystem = new TreeMap<>();
        settings.forEach(
                (key, value) -> {
                    if (key.startsWith(REMOTE_FS)) {
                        fileSystem.put(key.substring(REMOTE_FS.length()), value);
                    }
                });
        return new ServerConfig.Logs(
                number(ServerOption.LOG_SEGMENT_BYTES, 1024, 1L << 40),
                duration(ServerOption.LOG_READER_PATIENCE),
                duration(ServerOption.REMOTE_INTERVAL),
                new ServerConfig.Remote(
                        text(ServerOption.REMOTE_FOLDER),
                        fileSystem,
                        (int) number(ServerOption.REMOTE_SEGMENTS, 1, 1_000),
                        (int) number(ServerOption.REMOTE_THREADS, 1, 64),
                        bytesPerSecond == 0 ? Long.MAX_VALUE : bytesPerSecond,
                        cache == 0 ? Runtime.getRuntime().maxMemory() / 16 : cache,
                        duration(ServerOption.REMOTE_DELETE_GRACE)));
    }

    private Duration duration(ServerOption option) {
        try {
            Duration duration = TableRules.duration(text(option));
            if (duration.toMillis() > 0) {
                return duration;
            }
        } catch (IllegalArgumentException notADuration) {
            // told below
        }
        throw new StorageException(
                ErrorCode.INVALID_OPTION,
                option.key() + " is a length of time above 0, such as 10 min, not " + text(option));
    }

    private ServerConfig.Monitoring monitoring(String host, int port) {
        String wanted = text(ServerOption.METRICS_PORT);
        String metricsHost = text(ServerOption.METRICS_HOST);
        boolean auto = wanted.equals("auto");
        OptionalInt metricsPort;
        if (auto) {
            int near = port + METRICS_PORT_DISTANCE;
            metricsPort = OptionalInt.of(port == 0 || near > LARGEST_PORT ? 0 : near);
        } else if (wanted.equals("off")) {
            metricsPort = OptionalInt.empty();
        } else {
            metricsPort = OptionalInt.of((int) number(ServerOption.METRICS_PORT, 1, LARGEST_PORT));
        }
        return new ServerConfig.Monitoring(
                metricsHost.isEmpty() ? host : metricsHost,
                metricsPort,
                auto,
                (int) number(ServerOption.METRICS_TABLES_MAX, 0, 100_000));
    }

    private List<Peer> peers(String id, String host, int port) {
        if (!flags.containsKey("--peers")) {
            return List.of(new Peer(id, host, port, 0));
        }
        List<Peer> peers = new ArrayList<>();
        try {
            for (String peer : flags.get("--peers").split(",", -1)) {
                peers.add(Peer.parse(peer));
            }
        } catch (IllegalArgumentException wrong) {
            throw invalid("--peers: " + wrong.getMessage());
        }
        if (peers.stream().noneMatch(peer -> peer.id().equals(id))) {
            throw invalid("--node-id " + id + " is not among --peers " + flags.get("--peers"));
        }
        return peers;
    }

    private OptionalInt shards() {
        return flags.containsKey("--shards")
                ? OptionalInt.of(number("--shards", flags.get("--shards"), 1, 256))
                : OptionalInt.empty();
    }

    private String advertisedHost(String host) {
        String set = text(ServerOption.ADVERTISED_HOST);
        if (!set.isEmpty()) {
            return set;
        }
        if (!host.equals("0.0.0.0") && !host.equals("::")) {
            return host;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw invalid("this machine's name is unknown; set " + ServerOption.ADVERTISED_HOST);
        }
    }

    private Map<String, String> lake() {
        Map<String, String> lake = new TreeMap<>();
        settings.forEach(
                (key, value) -> {
                    if (key.startsWith(LAKE) && !SecretSettings.isSecret(key, value)) {
                        lake.put(lakeKey(key.substring(LAKE.length())), value);
                    }
                });
        return lake;
    }

    /** {@code datalake.iceberg.type} is {@code type} when the format is iceberg. */
    private String lakeKey(String key) {
        String prefix = settings.getOrDefault(LAKE + "format", "iceberg") + ".";
        return key.startsWith(prefix) ? key.substring(prefix.length()) : key;
    }

    private String required(String flag) {
        String value = flags.get(flag);
        if (value == null) {
            throw invalid(flag + " is missing; usage: " + USAGE);
        }
        return value;
    }

    private String text(ServerOption option) {
        return settings.getOrDefault(option.key(), option.defaultValue());
    }

    private boolean flag(ServerOption option) {
        String value = text(option);
        if (!value.equals("true") && !value.equals("false")) {
            throw new StorageException(
                    ErrorCode.INVALID_OPTION, option.key() + " is true or false, not " + value);
        }
        return value.equals("true");
    }

    private double ratio() {
        String value = text(ServerOption.DISK_WRITE_LIMIT_RATIO);
        try {
            double ratio = Double.parseDouble(value);
            if (ratio > 0 && ratio <= 1) {
                return ratio;
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw new StorageException(
                ErrorCode.INVALID_OPTION,
                ServerOption.DISK_WRITE_LIMIT_RATIO.key()
                        + " is a number above 0 and up to 1, not "
                        + value);
    }

    private long number(ServerOption option, long lowest, long highest) {
        return number(option.key(), text(option), lowest, highest);
    }

    private static int number(String name, String value, int lowest, int highest) {
        return (int) number(name, value, (long) lowest, (long) highest);
    }

    private static long number(String name, String value, long lowest, long highest) {
        try {
            long number = Long.parseLong(value);
            if (number >= lowest && number <= highest) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw new StorageException(
                ErrorCode.INVALID_OPTION,
                name + " is a number from " + lowest + " to " + highest + ", not " + value);
    }

    private static String value(String flag, List<String> left) {
        if (left.isEmpty()) {
            throw invalid(flag + " needs a value; usage: " + USAGE);
        }
        return left.remove(0);
    }

    private static StorageException invalid(String message) {
        return new StorageException(ErrorCode.INVALID_REQUEST, message);
    }

    private static String didYouMean(String word, Collection<String> known) {
        return ClosestName.of(word, known)
                .map(closest -> " (did you mean " + closest + "?)")
                .orElse("");
    }
}
