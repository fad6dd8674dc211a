package io.flinkfluss.flink.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.record.ReadFrom;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.Test;

class KnownOptionsTest {
    @Test
    void anUnknownOptionIsRefusedWithTheClosestKnownOne() {
        assertThatThrownBy(
                        () ->
                                KnownOptions.check(
                                        "table fluss.t", Set.of("scan.startup.mod", "x.y")))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("table fluss.t")
                .hasMessageContaining("'scan.startup.mod' (closest: scan.startup.mode)")
                .hasMessageNotContaining("x.y");
    }

    @Test
    void optionsOfOthersAndTuningOfTheAnchorAreAccepted() {
        assertThatCode(
                        () ->
                                KnownOptions.check(
                                        "a table",
                                        Set.of(
                                                "table.log.ttl",
                                                "my.note",
                                                "scan.parallelism",
                                                "lookup.cache",
                                                "client.writer.batch-timeout")))
                .doesNotThrowAnyException();
    }

    @Test
    void everyOptionHasAKeyOfItsOwnAndADescription() {
        Set<String> keys = new HashSet<>();
        for (ConfigOption<?> option : KnownOptions.all()) {
            assertThat(keys.add(option.key())).as(option.key()).isTrue();
            assertThat(option.description().toString()).as(option.key()).isNotBlank();
        }
    }

    @Test
    void connectionOptionsAreParsedOnceAndChecked() {
        Configuration config =
                Configuration.fromMap(
                        Map.of(
                                "bootstrap.servers", "a:1,b:2",
                                "client.request-timeout", "7 s",
                                "client.scanner.read-from", "any",
                                "client.writer.buffer.memory-size", "8 mb"));
        ConnectionOptions options = ConnectionOptions.of(config);
        assertThat(options.bootstrapServers()).isEqualTo("a:1,b:2");
        assertThat(options.requestTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(options.writerMemoryBytes()).isEqualTo(8L << 20);
        assertThat(options.readFrom()).isEqualTo(ReadFrom.ANY);
        assertThat(ConnectionOptions.of("a:1").readFrom()).isEqualTo(ReadFrom.LEADER);
        assertThatThrownBy(() -> ConnectionOptions.of(new Configuration()))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("bootstrap.servers");
        config.setString("client.scanner.read-from", "nearest");
        assertThatThrownBy(() -> ConnectionOptions.of(config))
                .hasMessageContaining("client.scanner.read-from");
        config.setString("client.scanner.read-from", "any");
        config.setString("client.request-timeout", "0 s");
        assertThatThrownBy(() -> ConnectionOptions.of(config))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("client.request-timeout")
                .hasMessageContaining("0");
    }
}
