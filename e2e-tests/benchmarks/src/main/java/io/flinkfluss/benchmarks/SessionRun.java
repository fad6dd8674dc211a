package io.flinkfluss.benchmarks;

import io.flinkfluss.benchmarks.cluster.DriverProcess;
import io.flinkfluss.benchmarks.cluster.Libraries;
import io.flinkfluss.benchmarks.cluster.Processes;
import io.flinkfluss.benchmarks.cluster.SystemServers;
import io.flinkfluss.benchmarks.driver.DriverProgram;
import io.flinkfluss.benchmarks.driver.Message;
import io.flinkfluss.benchmarks.driver.SampleForm;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.plan.Contender;
import io.flinkfluss.benchmarks.plan.Session;
import io.flinkfluss.benchmarks.plan.Sizes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One session: driver first, so that its start is not counted, then servers, then the stage. */
final class SessionRun {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(90);
    private static final Duration FIRST_WRITE_PATIENCE = Duration.ofSeconds(90);
    private static final Duration STAGE_PATIENCE = Duration.ofMinutes(10);

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
        DriverProcess driver = DriverProcess.start(contender.system(), libraries, processes);
        SystemServers servers = SystemServers.of(contender.system(), libraries, processes);
        servers.prepare();
        long start = System.nanoTime();
        servers.start();
        driver.ask(connect(servers.address()), CONNECT_PATIENCE, answer -> {});
        Message firstWrite = Message.of("first-write").with("buckets", sizes.buckets());
        driver.ask(firstWrite, FIRST_WRITE_PATIENCE, answer -> {});
        double untilFirstWrite = (System.nanoTime() - start) / 1e9;
        switch (session.stage()) {
            case START -> idle(servers, untilFirstWrite);
            case LOG -> stage(driver, log(), servers);
            case KEYS -> stage(driver, keys(), servers);
            case LATENCY -> stage(driver, latency(), servers);
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
                answer -> samples.add(SampleForm.sample(answer)));
    }

    /** Both figures have the CPU and memory of the idle time after the first write. */
    private void idle(SystemServers servers, double untilFirstWrite) throws InterruptedException {
        Meter meter = Meter.start(new Meter.Surroundings(servers.pids(), servers.folders()));
        Thread.sleep(sizes.idle().toMillis());
        Usage usage = meter.stop(0);
        samples.add(new Sample(Measure.FIRST_WRITE, untilFirstWrite, usage));
        samples.add(new Sample(Measure.IDLE_MEMORY, usage.serverMemoryBytes() / 1e6, usage));
    }

    private Message connect(String address) {
        Message request =
                Message.of("connect")
                        .with("address", address)
                        .with("patience", CONNECT_PATIENCE.toSeconds());
        for (var option : session.contender().options(session.stage()).entrySet()) {
            request =
                    request.with(DriverProgram.OPTION_PREFIX + option.getKey(), option.getValue());
        }
        return request;
    }

    private Message log() {
        return Message.of("log")
                .with("rows", sizes.log().rows())
                .with("warm-up", sizes.log().warmUpRows());
    }

    private Message keys() {
        return Message.of("keys")
                .with("keys", sizes.keys().count())
                .with("warm-up", sizes.keys().warmUpCount())
                .with("in-flight", sizes.keys().inFlight())
                .with("singles", sizes.keys().singles())
                .with("single-seconds", sizes.keys().singleTime().toSeconds());
    }

    private Message latency() {
        return Message.of("latency")
                .with("rows-per-second", sizes.latency().rowsPerSecond())
                .with("seconds", sizes.latency().seconds())
                .with("warm-up-seconds", sizes.latency().warmUpSeconds());
    }
}
