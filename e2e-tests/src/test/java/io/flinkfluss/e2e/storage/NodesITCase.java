package io.flinkfluss.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.e2e.cluster.StorageCluster;
import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.cluster.NodeAddress;
import io.flinkfluss.storage.api.cluster.NodeChange;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.admin.NodeChangeLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes come and go while a client writes, reads and looks up; it sees no error, and every row
 * once.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class NodesITCase {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @TempDir Path folder;

    @Test
    void nodesAreAddedDrainedRemovedAndReplacedUnderLoad() throws Exception {
        try (StorageCluster cluster = StorageCluster.start(folder, 3, "--shards", "2");
                FlussClient client = FlussClient.connect(ClientConfig.of(cluster.addresses()));
                FailoverWorkload load = new FailoverWorkload(client)) {
            ClusterAdmin admin = client.clusterAdmin();
            load.start();
            load.awaitProgress();

            refuseWhatIsWrong(cluster, admin);
            for (String id : List.of("n4", "n5")) {
                cluster.launchNewcomer(id);
                add(cluster, admin, id);
                cluster.node(id).awaitReady();
                load.awaitProgress();
            }
            assertThat(ids(admin)).containsExactly("n1", "n2", "n3", "n4", "n5");
            report("adding two nodes", load);

            // Drained, a node can be killed without a gap beyond those of handing over.
            run("drain n1", () -> admin.drain("n1"));
            cluster.node("n1").kill();
            load.awaitProgress();
            report("draining n1, and killing it", load);

            // Its disk is lost: it must not vote under its old name with an empty directory.
            delete(cluster.node("n1").dataDirectory());
            assertThat(cluster.node("n1").runToItsEnd()).as("exit code").isEqualTo(2);
            assertThat(Files.readString(cluster.node("n1").log()))
                    .contains("node n1 is a member of the cluster but its data directory is empty");
            run("remove n1", () -> admin.remove("n1"));
            assertThat(ids(admin)).containsExactly("n2", "n3", "n4", "n5");
            cluster.node("n1").launch();
            add(cluster, admin, "n1");
            cluster.node("n1").awaitReady();
            load.awaitProgress();
            report("replacing n1", load);

            // A node that runs is removed; when it starts again it says what happened to it.
            run("remove n5", () -> admin.remove("n5"));
            assertThat(ids(admin)).containsExactly("n1", "n2", "n3", "n4");
            load.awaitProgress();
            report("removing n5", load);
            cluster.node("n5").close();
            assertThat(cluster.node("n5").runToItsEnd()).as("exit code").isEqualTo(2);
            assertThat(Files.readString(cluster.node("n5").log()))
                    .contains("this node was removed from the cluster");

            // The stale --peers of the others do not matter.
            StorageProcess second = cluster.node("n2");
            run("drain n2", () -> admin.drain("n2"));
            second.close();
            second.start();
            load.awaitProgress();
            run("rebalance", admin::rebalance);
            load.stopAndCheck();
        }
    }

    private static void refuseWhatIsWrong(StorageCluster cluster, ClusterAdmin admin) {
        refused(() -> admin.remove("n9"), ErrorCode.INVALID_REQUEST, "the nodes are [n1, n2, n3]");
        refused(() -> admin.drain("n9"), ErrorCode.INVALID_REQUEST, "there is no node n9");
        refused(
                () -> admin.add(new NodeAddress("n1", "127.0.0.1", 1, 2)),
                ErrorCode.INVALID_REQUEST,
                "there is a node n1@127.0.0.1:");
        NodeAddress first = NodeAddress.parse(cluster.peer("n1"));
        refused(
                () -> admin.add(new NodeAddress("n4", first.host(), first.port(), 2)),
                ErrorCode.INVALID_REQUEST,
                "has an address of n4");
        int free = StorageProcess.freePort();
        refused(
                () -> admin.add(new NodeAddress("n4", "127.0.0.1", free, free)),
                ErrorCode.INVALID_REQUEST,
                "node n4 does not answer at 127.0.0.1:" + free);
    }

    private static void refused(Supplier<NodeChange> call, ErrorCode code, String message) {
        assertThatThrownBy(call::get)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }

    private static List<String> ids(ClusterAdmin admin) {
        return admin.nodes().stream().map(node -> node.address().id()).toList();
    }

    /** Until it is done; the new node may still be starting. */
    private static void add(StorageCluster cluster, ClusterAdmin admin, String id) {
        NodeAddress address = NodeAddress.parse(cluster.peer(id));
        run(
                "add " + id,
                () -> {
                    try {
                        return admin.add(address);
                    } catch (StorageException starting) {
                        if (!starting.getMessage().contains("does not answer")
                                && !starting.getMessage().contains("has not found")) {
                            throw starting;
                        }
                        return NodeChange.running(0, 1, "node " + id + " starts");
                    }
                });
    }

    private static void run(String what, Supplier<NodeChange> call) {
        long begin = System.nanoTime();
        NodeChange done =
                new NodeChangeLoop(
                                PATIENCE,
                                change -> System.out.println("  " + what + ": " + change.detail()))
                        .run(what, call);
        assertThat(done.done()).isEqualTo(done.total());
        System.out.printf("%s took %d ms%n", what, (System.nanoTime() - begin) / 1_000_000);
    }

    private static void report(String what, FailoverWorkload load) {
        System.out.printf(
                "%s: longest pause between two acknowledgements %d ms%n",
                what, load.longestPause().toMillis());
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
