package io.flinkfluss.storage.client;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.KvWriter;
import io.flinkfluss.storage.api.LakeProgress;
import io.flinkfluss.storage.api.LogAppender;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.client.admin.RemoteClusterAdmin;
import io.flinkfluss.storage.client.admin.RemoteLakeProgress;
import io.flinkfluss.storage.client.admin.RemoteTableAdmin;
import io.flinkfluss.storage.client.lookup.LookupDispatcher;
import io.flinkfluss.storage.client.lookup.RemoteKvReader;
import io.flinkfluss.storage.client.read.ReadSettings;
import io.flinkfluss.storage.client.read.RemoteReader;
import io.flinkfluss.storage.client.routing.Cluster;
import io.flinkfluss.storage.client.transport.ClientThreads;
import io.flinkfluss.storage.client.transport.NodeChannels;
import io.flinkfluss.storage.client.write.MemoryBudget;
import io.flinkfluss.storage.client.write.PutDispatcher;
import io.flinkfluss.storage.client.write.RemoteWriter;
import io.flinkfluss.storage.client.write.TableWriter;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a storage service; share it, it is safe for use by many threads. Broken
 * connections, restarts and changes of leader are repaired inside: writes with a stamp are sent
 * again in order, reads go on where they stopped, lookups are repeated, each until its timeout.
 *
 * <p>{@link #close} fails what is outstanding with CLOSED.
 */
public final class FlussClient implements StorageService {
    private static final Logger LOG = LoggerFactory.getLogger(FlussClient.class);

    private final BufferAllocator allocator;
    private final ClientThreads threads = new ClientThreads();
    private final NodeChannels channels;
    private final Cluster cluster;
    private final MemoryBudget budget;
    private final PutDispatcher puts;
    private final LookupDispatcher lookups;
    private final RemoteReader reader;
    private final RemoteWriter writer;
    private final RemoteTableAdmin admin;
    private final RemoteLakeProgress lakeProgress;
    private final RemoteClusterAdmin clusterAdmin;
    private final RemoteKvReader kvReader;
    private final TableWriter.Environment writing;

    private FlussClient(ClientConfig config) {
        allocator = new RootAllocator(config.memory().directBytes());
        channels = new NodeChannels(config.timeouts().connect(), threads.callbacks());
        cluster =
                new Cluster(
                        channels,
                        config.bootstrapServers(),
                        config.timeouts().request(),
                        config.timeouts().silence());
        budget = new MemoryBudget(config.memory().writerBytes());
        puts = new PutDispatcher(cluster, threads.timer(), config.timeouts().delivery());
        lookups =
                new LookupDispatcher(
                        cluster, threads.timer(), threads.callbacks(), config.timeouts().request());
        reader =
                new RemoteReader(
                        cluster,
                        threads.timer(),
                        new ReadSettings(
                                config.memory().readBufferBytes(),
                                config.memory().readBytes(),
                                config.timeouts().delivery(),
                                config.readFrom()));
        writer =
                new RemoteWriter(
                        cluster, puts, budget, config.timeouts().delivery(), threads.callbacks());
        admin = new RemoteTableAdmin(cluster);
        lakeProgress = new RemoteLakeProgress(cluster);
        clusterAdmin = new RemoteClusterAdmin(cluster);
        kvReader = new RemoteKvReader(cluster, lookups, reader);
        writing =
                new TableWriter.Environment(
                        writer::newWriterId,
                        writer::largestBatch,
                        puts,
                        budget,
                        allocator,
                        threads.senders(),
                        config.writer(),
                        config.timeouts().delivery());
    }

    /**
     * Connects to the first bootstrap server that answers.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException UNREACHABLE, naming the addresses,
     *     within the connect timeout; INVALID_REQUEST for what is not an address
     */
    public static FlussClient connect(ClientConfig config) {
        FlussClient client = new FlussClient(config);
        try {
            client.cluster.connect(config.timeouts().connect());
            return client;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /** A writer of rows; close it before this client. */
    public TableWriter writer(TableInfo table) {
        return new TableWriter(table, writing);
    }

    /** The bounded direct memory of this client, for decoding what it read. */
    public BufferAllocator allocator() {
        return allocator;
    }

    @Override
    public TableAdmin admin() {
        return admin;
    }

    @Override
    public LogAppender logAppender() {
        return writer;
    }

    @Override
    public LogReader logReader() {
        return reader;
    }

    @Override
    public KvWriter kvWriter() {
        return writer;
    }

    @Override
    public KvReader kvReader() {
        return kvReader;
    }

    @Override
    public LakeProgress lakeProgress() {
        return lakeProgress;
    }

    @Override
    public ClusterAdmin clusterAdmin() {
        return clusterAdmin;
    }

    @Override
    public void close() {
        cluster.close();
        budget.close();
        reader.close();
        puts.close();
        lookups.close();
        channels.close();
        threads.close();
        try {
            allocator.close();
        } catch (IllegalStateException e) {
            LOG.warn("The client was closed before its writers or readers: {}", e.getMessage());
        }
    }
}
