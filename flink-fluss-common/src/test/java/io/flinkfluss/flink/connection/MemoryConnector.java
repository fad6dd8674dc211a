package io.flinkfluss.flink.connection;

import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.KvWriter;
import io.flinkfluss.storage.api.LakeProgress;
import io.flinkfluss.storage.api.LogAppender;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.TableAdmin;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connects to services of the same process: {@code 'bootstrap.servers' = 'memory://name'} for a
 * service that a test registered under that name. The test owns the service; closing a connection
 * does not close it.
 */
public final class MemoryConnector implements StorageConnector {
    private static final Map<String, StorageService> SERVICES = new ConcurrentHashMap<>();
    private static final String PREFIX = "memory://";

    /** Makes a service reachable; the answer is its bootstrap.servers. */
    public static String register(String name, StorageService service) {
        SERVICES.put(name, service);
        return PREFIX + name;
    }

    public static void unregister(String name) {
        SERVICES.remove(name);
    }

    @Override
    public String scheme() {
        return "memory";
    }

    @Override
    public StorageService connect(ConnectionOptions options) {
        String name = options.bootstrapServers().substring(PREFIX.length());
        StorageService service = SERVICES.get(name);
        if (service == null) {
            throw new IllegalArgumentException(
                    "no service is registered as " + name + ", only " + SERVICES.keySet());
        }
        return new Borrowed(service);
    }

    private record Borrowed(StorageService owner) implements StorageService {
        @Override
        public TableAdmin admin() {
            return owner.admin();
        }

        @Override
        public LogAppender logAppender() {
            return owner.logAppender();
        }

        @Override
        public LogReader logReader() {
            return owner.logReader();
        }

        @Override
        public KvWriter kvWriter() {
            return owner.kvWriter();
        }

        @Override
        public KvReader kvReader() {
            return owner.kvReader();
        }

        @Override
        public LakeProgress lakeProgress() {
            return owner.lakeProgress();
        }

        @Override
        public ClusterAdmin clusterAdmin() {
            return owner.clusterAdmin();
        }

        @Override
        public void close() {
            // the test closes it
        }
    }
}
