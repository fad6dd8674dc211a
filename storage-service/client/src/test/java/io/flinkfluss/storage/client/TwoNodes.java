package io.flinkfluss.storage.client;

import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.api.wire.ClusterView.Leadership;
import io.flinkfluss.storage.client.transport.FakeNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Two nodes over one service, which stands for the state that both replicate, and a client. Each
 * node has its own idea of who leads.
 */
public final class TwoNodes implements AutoCloseable {
    /** How long a request may be unanswered before the client looks around. */
    public static final Duration SILENCE = Duration.ofMillis(100);

    private static final int SHARDS = 2;

    public final InMemoryStorageService service = new InMemoryStorageService();
    public final FakeNode first;
    public final FakeNode second;
    public final FlussClient client;
    private final Map<FakeNode, Leadership> ideas = new ConcurrentHashMap<>();

    /** The first node leads everything, in term 1, and both know. */
    public static TwoNodes start() throws IOException {
        return new TwoNodes(config -> config);
    }

    public static TwoNodes start(UnaryOperator<ClientConfig> settings) throws IOException {
        return new TwoNodes(settings);
    }

    private TwoNodes(UnaryOperator<ClientConfig> settings) throws IOException {
        first = new FakeNode(service);
        second = new FakeNode(service);
        first.views(() -> view(first));
        second.views(() -> view(second));
        firstLeads(first, 1);
        firstLeads(second, 1);
        second.leads(false);
        ClientConfig config = ClientConfig.of(first.address() + "," + second.address());
        client =
                FlussClient.connect(
                        settings.apply(
                                config.withSilence(SILENCE)
                                        .withRequestTimeout(TestNode.PATIENCE)
                                        .withDeliveryTimeout(TestNode.PATIENCE)));
    }

    /** What a node says from now on. */
    public void firstLeads(FakeNode teller, long term) {
        ideas.put(teller, new Leadership("first", term));
    }

    public void secondLeads(FakeNode teller, long term) {
        ideas.put(teller, new Leadership("second", term));
    }

    /** Nobody knows a leader. */
    public void noLeader() {
        ideas.replaceAll((teller, before) -> Leadership.UNKNOWN);
    }

    /** The second node wins an election; the first one does not hear of it. */
    public void electSecond() {
        second.leads(true);
        secondLeads(second, 2);
    }

    private ClusterView view(FakeNode teller) {
        Leadership idea = ideas.get(teller);
        return new ClusterView(
                List.of(
                        new ClusterView.Node("first", "localhost", first.port()),
                        new ClusterView.Node("second", "localhost", second.port())),
                0,
                idea,
                Collections.nCopies(SHARDS, idea));
    }

    public TableInfo table(String... primaryKey) {
        return TestNode.table(service, primaryKey);
    }

    @Override
    public void close() {
        client.close();
        first.close();
        second.close();
    }
}
