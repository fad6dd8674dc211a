package io.flinkfluss.verify;

import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.verify.check.Findings;
import io.flinkfluss.verify.check.Violation;
import io.flinkfluss.verify.check.Writers;
import io.flinkfluss.verify.cluster.Cluster;
import io.flinkfluss.verify.cluster.Node;
import io.flinkfluss.verify.cluster.NodeAddress;
import io.flinkfluss.verify.fault.Environment;
import io.flinkfluss.verify.fault.FaultInjector;
import io.flinkfluss.verify.fault.FaultPlan;
import io.flinkfluss.verify.fault.FaultRecord;
import io.flinkfluss.verify.fault.Leaders;
import io.flinkfluss.verify.fault.PlannedFault;
import io.flinkfluss.verify.load.Acknowledgements;
import io.flinkfluss.verify.load.ClientErrors;
import io.flinkfluss.verify.load.Load;
import io.flinkfluss.verify.load.TestTables;
import io.flinkfluss.verify.network.Network;
import io.flinkfluss.verify.network.SocketOwners;
import io.flinkfluss.verify.report.Console;
import io.flinkfluss.verify.report.Failovers;
import io.flinkfluss.verify.report.Result;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One run from the first process to the result. */
final class Verification {
    private static final Duration START = Duration.ofSeconds(120);
    private static final Duration HASTY_REQUEST = Duration.ofSeconds(3);
    private static final Duration HASTY_DELIVERY = Duration.ofSeconds(6);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(150);
    private static final Duration GIVEN_UP = Duration.ofSeconds(20);

    private final VerifySettings settings;
    private final Console console;
    private final Findings findings = new Findings();
    private final Writers writers = new Writers();
    private final List<FaultRecord> records = new ArrayList<>();
    private final List<Result.Fact> facts = new ArrayList<>();
    private FaultPlan plan = new FaultPlan(List.of(), Set.of());

    Verification(VerifySettings settings, Console console) {
        this.settings = settings;
        this.console = console;
    }

    /** Runs; everything that was started has ended when it returns or the process ends. */
    Result run() throws InterruptedException {
        try (Cluster cluster =
                Cluster.create(settings.nodes(), settings.folder(), settings.program())) {
            Thread cleanUp = new Thread(cluster::close, "verify-clean-up");
            Runtime.getRuntime().addShutdownHook(cleanUp);
            try (Network network = network(cluster);
                    Leaders leaders = new Leaders(cluster)) {
                run(cluster, network, leaders);
            } catch (RuntimeException e) {
                findings.add(Violation.UNCHECKED, "this tool failed: " + describe(e));
            }
            Runtime.getRuntime().removeShutdownHook(cleanUp);
        }
        return result();
    }

    private void run(Cluster cluster, Network network, Leaders leaders)
            throws InterruptedException {
        long begin = System.nanoTime();
        plan =
                FaultPlan.of(
                        settings.seed(),
                        settings.time(),
                        new FaultPlan.Means(
                                settings.nodes(),
                                cluster.hasPublicAddresses() && SocketOwners.work(),
                                cluster.withoutOwnDisks().isEmpty()),
                        settings.kinds());
        tellPlan(cluster);
        cluster.nodes().forEach(Node::start);
        for (Node node : cluster.nodes()) {
            if (!node.awaitReady(START)) {
                throw new IllegalStateException(
                        node + " did not start; the end of " + node.log() + ":\n" + node.logTail());
            }
        }
        console.line(
                String.format(
                        "%d nodes serve after %.1f s; logs in %s",
                        settings.nodes(), (System.nanoTime() - begin) / 1e9, settings.folder()));
        ClientConfig config = ClientConfig.of(cluster.bootstrapServers());
        try (FlussClient patient = FlussClient.connect(config);
                FlussClient hasty =
                        FlussClient.connect(
                                config.withRequestTimeout(HASTY_REQUEST)
                                        .withDeliveryTimeout(HASTY_DELIVERY))) {
            run(cluster, network, leaders, patient, hasty);
        }
    }

    private void run(
            Cluster cluster,
            Network network,
            Leaders leaders,
            FlussClient patient,
            FlussClient hasty)
            throws InterruptedException {
        TestTables tables = TestTables.create(patient.admin(), writers, findings);
        Acknowledgements acknowledgements =
                new Acknowledgements(leaders.view().shardCount(), System::nanoTime);
        ClientErrors errors = new ClientErrors(findings);
        Replicas replicas = new Replicas(tables, patient, leaders, findings);
        Load load =
                new Load(
                        tables,
                        patient,
                        hasty,
                        writers,
                        acknowledgements,
                        errors,
                        findings,
                        settings.seed());
        FaultInjector injector =
                new FaultInjector(
                        new Environment(
                                cluster,
                                network,
                                leaders,
                                acknowledgements,
                                errors,
                                findings,
                                replicas::readDamaged,
                                System::nanoTime));
        long begin = System.nanoTime();
        load.start();
        boolean well = injector.awaitHealthy("the start");
        try {
            well = well && injectAll(injector, acknowledgements, begin);
        } catch (RuntimeException e) {
            // What clients would be told after this run's end is no finding.
            load.stopWriting(GIVEN_UP);
            load.stopReading(GIVEN_UP);
            throw e;
        }
        well = well && injector.awaitHealthy("the last fault");
        console.line("Writing ends; every replica is compared");
        load.stopWriting(well ? LAST_ANSWERS : GIVEN_UP);
        if (well) {
            replicas.awaitReaders();
            load.stopReading(LAST_ANSWERS);
            replicas.compareAll(cluster.nodes(), load.owned());
            writers.reportLost(findings);
        } else {
            load.stopReading(GIVEN_UP);
            findings.add(
                    Violation.UNCHECKED, "replicas were not compared: the cluster is not well");
        }
        facts.add(new Result.Fact("lookups_and_writes_checked", load.checkedOperations()));
        facts.add(new Result.Fact("snapshots_compared", load.comparedSnapshots()));
        facts.add(new Result.Fact("replica_buckets_compared", replicas.compared()));
        facts.add(
                new Result.Fact(
                        "client_errors",
                        errors.counts().values().stream().mapToInt(Integer::intValue).sum()));
        facts.add(new Result.Fact("restarts", injector.restarts()));
        if (!errors.counts().isEmpty()) {
            console.line("What clients were told meanwhile: " + errors.counts());
        }
    }

    /** Whether each fault healed; the first that does not ends the run. */
    private boolean injectAll(FaultInjector injector, Acknowledgements acknowledgements, long begin)
            throws InterruptedException {
        console.line(
                String.format("%5s  %-17s %-5s %10s  %s", "s", "fault", "node", "silence ms", ""));
        for (PlannedFault fault : plan.faults()) {
            Duration wait = fault.at().minusNanos(System.nanoTime() - begin);
            if (!wait.isNegative()) {
                injector.hold(wait);
            }
            double at = (System.nanoTime() - begin) / 1e9;
            console.progress(
                    String.format(
                            "%5.1f  %s …  acknowledged %,d, findings %d",
                            at, fault.kind(), acknowledgements.rows(), findings.total()));
            FaultRecord record = injector.inject(fault, at);
            records.add(record);
            console.line(
                    String.format(
                            "%5.1f  %-17s %-5s %10d  %s",
                            record.atSeconds(),
                            fault.kind(),
                            record.target(),
                            record.silenceMillis(),
                            record.note()));
            if (!record.healed()) {
                return false;
            }
        }
        Duration left = settings.time().minusNanos(System.nanoTime() - begin);
        if (!left.isNegative()) {
            injector.hold(left);
        }
        return true;
    }

    private Result result() {
        return new Result(
                writers.acknowledgedRows(),
                findings,
                records.size(),
                (int) records.stream().map(record -> record.planned().kind()).distinct().count(),
                new Failovers(
                        records.stream()
                                .filter(FaultRecord::majority)
                                .map(FaultRecord::silenceMillis)
                                .toList()),
                plan.leftOut().stream().map(Enum::name).toList(),
                settings.seed(),
                facts);
    }

    private void tellPlan(Cluster cluster) {
        console.line(
                "Scenario storage: "
                        + settings.nodes()
                        + " nodes, "
                        + settings.time().toSeconds()
                        + " s, seed "
                        + settings.seed());
        if (!cluster.withoutOwnDisks().isEmpty()) {
            console.line(
                    "WARNING: nodes have no file systems of their own, so disks are not filled and do"
                            + " not lose power: "
                            + cluster.withoutOwnDisks());
        }
        plan.faults().forEach(fault -> console.line(fault.toString()));
    }

    private static Network network(Cluster cluster) {
        Network network =
                new Network(
                        new SocketOwners(
                                () ->
                                        cluster.nodes().stream()
                                                .filter(Node::isAlive)
                                                .collect(Collectors.toMap(Node::id, Node::pid))));
        if (cluster.hasPublicAddresses()) {
            for (Node node : cluster.nodes()) {
                NodeAddress address = node.address();
                for (int port : List.of(address.port(), address.raftPort())) {
                    network.open(
                            node.id(),
                            new InetSocketAddress(address.publicHost(), port),
                            new InetSocketAddress(address.listenHost(), port),
                            node::isAlive);
                }
            }
        }
        return network;
    }

    private static String describe(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        for (StackTraceElement element : failure.getStackTrace()) {
            if (element.getClassName().startsWith("io.flinkfluss")) {
                text.append("\n      at ").append(element);
            }
        }
        return text.toString();
    }
}
