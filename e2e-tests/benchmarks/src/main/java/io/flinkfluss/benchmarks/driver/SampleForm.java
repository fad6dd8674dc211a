package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.measure.Usage;

/** Samples as messages. */
public final class SampleForm {
    /** The name of such a message. */
    public static final String NAME = "sample";

    private SampleForm() {}

    public static Message message(Sample sample) {
        Usage usage = sample.usage();
        return Message.of(NAME)
                .with("measure", sample.measure().name())
                .with("value", sample.value())
                .with("rows", usage.rows())
                .with("seconds", usage.seconds())
                .with("client-cpu", usage.clientCpuSeconds())
                .with("server-cpu", usage.serverCpuSeconds())
                .with("other-cpus", usage.otherCpus())
                .with("loopback", usage.loopbackBytes())
                .with("disk", usage.diskBytes())
                .with("client-memory", usage.clientMemoryBytes())
                .with("server-memory", usage.serverMemoryBytes());
    }

    /**
     * @throws IllegalArgumentException when the message is no sample
     */
    public static Sample sample(Message message) {
        return new Sample(
                Measure.valueOf(message.text("measure")),
                message.decimal("value"),
                new Usage(
                        message.number("rows"),
                        message.decimal("seconds"),
                        message.decimal("client-cpu"),
                        message.decimal("server-cpu"),
                        message.decimal("other-cpus"),
                        message.decimal("loopback"),
                        message.decimal("disk"),
                        message.decimal("client-memory"),
                        message.decimal("server-memory")));
    }
}
