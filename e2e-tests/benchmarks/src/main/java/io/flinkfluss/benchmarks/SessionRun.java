package io.flinkfluss.benchmarks;

import io.flinkfluss.benchmarks.cluster.DriverProcess;
import io.flinkfluss.benchmarks.cluster.Libraries;
import io.flinkfluss.benchmarks.cluster.Processes;
import io.flinkfluss.benchmarks.cluster.SystemServers;
import io.flinkfluss.benchmarks.driver.DriverLoop;
import io.flinkfluss.benchmarks.driver.DriverProgram;
import io.flinkfluss.benchmarks.driver.Message;
import io.flinkfluss.benchmarks.driver.SampleForm;
import io.flinkfluss.benchmarks.measure.Curve;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.plan.Contender;
import io.flinkfluss.benchmarks.plan.Session;
import io.flinkfluss.benchmarks.plan.Sizes;
import io.flinkfluss.benchmarks.plan.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One session: driver first, so that its start is not counted, then servers, then the stage. */
final class SessionRun {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(90);
    private static final Duration FIRST_WRITE_PATIENCE = Duration.ofSeconds(90);
    private static final Duration STAGE_PATIENCE = Duration.ofMinutes(10);

    private static final Duration BEFORE_KILL = Duration.ofSeconds(2);
    private static final Duration AFTER_RESUMPTION = Duration.ofSeconds(5);

    private final Session session;
    private final Sizes sizes;
    private final List<Sample> samples = new ArrayList<>();

    SessionRun(Session session, Sizes sizes) {
        this.session = session;
        this.sizes = sizes;
    }

    /**
     * Runs it in the folder of the processes, which the caller ends.
     *
     * @throws io.flinkfluss.benchmarks.cluster.RunFailedException when there are no figures
     */
    List<Sample> run(Libraries libraries, Processes processes) throws InterruptedException {
        Contender contender = session.contender();
        DriverProcess driver =
                DriverProcess.start(
                        libraries.driver(contender.system(), session.stage()), processes);
        SystemServers servers =
                SystemServers.of(
                        contender.system(),
                        libraries,
                        processes,
                        new SystemServers.Layout(
                                session.stage().nodes(),
                                contender.serverOptions(session.stage()),
                                session.stage() == Stage.SQL));
        servers.prepare();
        long start = System.nanoTime();
        servers.start();
        driver.ask(connect(servers), CONNECT_PATIENCE, answer -> {});
        Message firstWrite = Message.of("first-write").with("buckets", sizes.buckets());
        driver.ask(firstWrite, FIRST_WRITE_PATIENCE, answer -> {});
        double untilFirstWrite = (System.nanoTime() - start) / 1e9;
        switch (session.stage()) {
            case START -> idle(servers, untilFirstWrite);
            case LOG -> stage(driver, log("log", sizes.log()), servers);
            case CLUSTER -> cluster(driver, servers);
            case SQL -> sql(driver, servers);
            case KEYS -> {
                stage(driver, keys(), servers);
                stage(driver, customers(), servers);
            }
            case GROWTH -> {
                stage(driver, growth(Curve.Way.APPEND, sizes.growth().append()), servers);
                stage(driver, growth(Curve.Way.INSERT, sizes.growth().insert()), servers);
            }
            case LATENCY -> {
                stage(
                        driver,
                        latency(
                                sizes.fast(),
                                List.of(Measure.FAST_LATENCY_P50, Measure.FAST_LATENCY_P99)),
                        servers);
                stage(
                        driver,
                        latency(sizes.latency(), List.of(Measure.LATENCY_P50, Measure.LATENCY_P99)),
                        servers);
            }
        }
        return samples;
    }

    private void stage(DriverProcess driver, Message request, SystemServers servers)
            throws InterruptedException {
        driver.ask(
                request.with("buckets", sizes.buckets())
                        .withAll("servers", servers.pids())
                        .withAll("folders", servers.folders()),
                STAGE_PATIENCE,
                answer -> take(answer, servers));
    }

    private void take(Message answer, SystemServers servers) {
        if (answer.name().equals(DriverProgram.KILL)) {
            servers.kill((int) answer.number("node"));
        } else {
            samples.add(SampleForm.sample(answer));
        }
    }

    private void cluster(DriverProcess driver, SystemServers servers) throws InterruptedException {
        Sizes.Cluster cluster = sizes.cluster();
        stage(driver, log("cluster-log", cluster.log()), servers);
        stage(
                driver,
                latency(
                        cluster.latency(),
                        List.of(Measure.CLUSTER_LATENCY_P50, Measure.CLUSTER_LATENCY_P99)),
                servers);
        stage(
                driver,
                Message.of("cluster")
                        .with("singles", cluster.singles())
                        .with("single-seconds", cluster.singleTime().toSeconds())
                        .with("before-kill-millis", BEFORE_KILL.toMillis())
                        .with("after-resumption-millis", AFTER_RESUMPTION.toMillis()),
                servers);
    }

    private void sql(DriverProcess driver, SystemServers servers) throws InterruptedException {
        Sizes.Sql sql = sizes.sql();
        stage(driver, log("sql-log", sql.log()), servers);
        stage(
                driver,
                Message.of("sql-keys")
                        .with("keys", sql.keys().rows())
                        .with("warm-up", sql.keys().warmUpRows())
                        .with("join-seconds", sql.joinTime().toSeconds()),
                servers);
        stage(
                driver,
                Message.of("sql-lake")
                        .with("warehouse", servers.warehouse())
                        .with("rows", sql.log().rows())
                        .with("tail", sql.tail())
                        .with("keys", sql.keys().rows()),
                servers);
    }

    /** Both figures have the CPU and memory of the idle time after the first write. */
    private void idle(SystemServers servers, double untilFirstWrite) throws InterruptedException {
        Meter meter = Meter.start(new Meter.Surroundings(servers.pids(), servers.folders()));
        Thread.sleep(sizes.idle().toMillis());
        Usage usage = meter.stop(0);
        samples.add(new Sample(Measure.FIRST_WRITE, untilFirstWrite, usage));
        samples.add(new Sample(Measure.IDLE_MEMORY, usage.serverMemoryBytes() / 1e6, usage));
    }

    private Message connect(SystemServers servers) {
        Message request =
                Message.of("connect")
                        .with("addresses", servers.addresses())
                        .with("nodes", session.stage().nodes())
                        .withAll("servers", servers.pids())
                        .with("patience", CONNECT_PATIENCE.toSeconds());
        for (var option : session.contender().options(session.stage()).entrySet()) {
            request = request.with(DriverLoop.OPTION_PREFIX + option.getKey(), option.getValue());
        }
        return request;
    }

    private static Message log(String name, Sizes.Log log) {
        return Message.of(name).with("rows", log.rows()).with("warm-up", log.warmUpRows());
    }

    private Message keys() {
        return Message.of("keys")
                .with("keys", sizes.keys().count())
                .with("warm-up", sizes.keys().warmUpCount())
                .with("in-flight", sizes.keys().inFlight())
                .with("singles", sizes.keys().singles())
                .with("single-seconds", sizes.keys().singleTime().toSeconds());
    }

    private Message customers() {
        return Message.of("customers")
                .with("customers", sizes.customers().count())
                .with("warm-up", sizes.customers().warmUpCount())
                .with("in-flight", sizes.keys().inFlight());
    }

    private static Message growth(Curve.Way way, Sizes.Step step) {
        return Message.of("growth")
                .with("way", way)
                .with("rows", step.rows())
                .with("counted", step.counted())
                .with("warm-up", step.warmUpRows());
    }

    private static Message latency(Sizes.Latency pace, List<Measure> measures) {
        return Message.of("latency")
                .with("rows-per-second", pace.rowsPerSecond())
                .with("seconds", pace.seconds())
                .with("warm-up-seconds", pace.warmUpSeconds())
                .withAll("measures", measures);
    }
}
