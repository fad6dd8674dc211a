package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.KvWriter;
import io.flinkfluss.storage.api.LakeProgress;
import io.flinkfluss.storage.api.LogAppender;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.server.monitoring.RequestMeters.RequestKind;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Function;

/** A service that counts and times what it is asked, and otherwise is the one it wraps. */
public final class MeteredService implements StorageService {
    private final StorageService service;
    private final TableAdmin admin;
    private final LakeProgress lakeProgress;
    private final MeteredWriters writers;
    private final MeteredReaders readers;

    /**
     * @param paths name of a table that exists
     * @param mostTables that get metrics of their own
     */
    public MeteredService(
            StorageService service,
            ServerMetrics metrics,
            ServerClock clock,
            Function<TableId, Optional<TablePath>> paths,
            int mostTables) {
        this.service = service;
        RequestMeters requests = new RequestMeters(metrics, clock);
        TrafficMeters traffic = new TrafficMeters(metrics, paths, mostTables);
        admin = metered(TableAdmin.class, service.admin(), requests);
        lakeProgress = metered(LakeProgress.class, service.lakeProgress(), requests);
        writers = new MeteredWriters(service.logAppender(), service.kvWriter(), requests, traffic);
        readers = new MeteredReaders(service.logReader(), service.kvReader(), requests, traffic);
        metrics.gauge(ServerMetric.OPEN_READERS, values -> values.set(readers.openReaders()));
    }

    @Override
    public TableAdmin admin() {
        return admin;
    }

    @Override
    public LogAppender logAppender() {
        return writers;
    }

    @Override
    public LogReader logReader() {
        return readers;
    }

    @Override
    public KvWriter kvWriter() {
        return writers;
    }

    @Override
    public KvReader kvReader() {
        return readers;
    }

    @Override
    public LakeProgress lakeProgress() {
        return lakeProgress;
    }

    @Override
    public ClusterAdmin clusterAdmin() {
        return service.clusterAdmin();
    }

    @Override
    public void close() {
        service.close();
    }

    /** These roles have many methods, all of which block and none of which is frequent. */
    private static <R> R metered(Class<R> role, R target, RequestMeters requests) {
        InvocationHandler handler =
                (proxy, method, arguments) -> {
                    long begun = requests.begun(RequestKind.METADATA);
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException failure) {
                        requests.failed(RequestKind.METADATA, failure.getCause());
                        throw failure.getCause();
                    } finally {
                        requests.ended(RequestKind.METADATA, begun);
                    }
                };
        return role.cast(
                Proxy.newProxyInstance(role.getClassLoader(), new Class<?>[] {role}, handler));
    }
}
