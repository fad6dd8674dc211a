package io.flinkfluss.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class FlussCommandTest {
    @TempDir Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "quickstart",
                "start",
                "stop",
                "status",
                "nodes",
                "nodes add",
                "nodes remove",
                "nodes replace",
                "drain",
                "rebalance",
                "flink start",
                "flink stop",
                "flink status",
                "sql",
                "tiering start",
                "tiering stop",
                "tiering status"
            })
    void everyVerbExplainsItself(String verb) {
        assertThat(run((verb + " --help").split(" "))).isZero();
        assertThat(out.toString()).contains("Usage: fluss " + verb).contains("--state-dir");
    }

    @Test
    void anUnknownVerbIsAnsweredWithTheVerbs() {
        assertThat(run("strat")).isEqualTo(2);
        assertThat(err.toString())
                .contains("'strat' is not a verb")
                .contains("quickstart, start, stop");
    }

    @Test
    void withNothingStartedTheStatusSaysSo() {
        assertThat(run("status", "--state-dir", folder.toString())).isEqualTo(3);
        assertThat(out.toString()).contains("storage").contains("stopped");
    }

    @Test
    void sqlWithoutServiceSaysWhatToStart() {
        assertThat(run("sql", "--state-dir", folder.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("no storage service runs").contains("bin/fluss start");
    }

    @Test
    void tieringWithoutServiceSaysWhatToStart() {
        assertThat(run("tiering", "start", "--state-dir", folder.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("bin/fluss start");
    }

    @Test
    void aWrongAddressOfANodeSaysHowItIsWritten() {
        assertThat(run("nodes", "add", "n4@10.0.0.4:9123")).isEqualTo(2);
        assertThat(err.toString()).contains("n4@10.0.0.4:9123:9124");
    }

    @Test
    void nodesWithoutServiceSaysWhatToStart() {
        assertThat(run("drain", "n1", "--state-dir", folder.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("--bootstrap-servers").contains("bin/fluss start");
    }

    @Test
    void aWrongOptionIsAnError() {
        assertThat(run("start", "--prot", "1")).isEqualTo(2);
        assertThat(err.toString()).contains("--prot").contains("--port");
    }

    private int run(String... arguments) {
        CommandLine commandLine = FlussCommand.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
