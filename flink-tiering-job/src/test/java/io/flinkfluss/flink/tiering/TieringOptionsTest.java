package io.flinkfluss.flink.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TieringOptionsTest {
    @Test
    void allArgumentsAreUnderstood() {
        TieringOptions options =
                TieringOptions.parse(
                        "--fluss.bootstrap.servers",
                        "h:9123",
                        "--fluss.client.request-timeout=7s",
                        "--datalake.format",
                        "iceberg",
                        "--datalake.iceberg.type",
                        "hadoop",
                        "--datalake.iceberg.warehouse",
                        "/w",
                        "--tiering.poll.table.interval",
                        "2 s");

        assertThat(options.connection().bootstrapServers()).isEqualTo("h:9123");
        assertThat(options.connection().requestTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(options.pollInterval()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.lakeSettings(Map.of("format", "other", "extra", "kept")))
                .isEqualTo(
                        Map.of(
                                "format", "iceberg",
                                "type", "hadoop",
                                "warehouse", "/w",
                                "extra", "kept"));
    }

    @Test
    void theServiceNamesTheLakeWhenTheArgumentsDoNot() {
        assertThat(
                        TieringOptions.parse("--fluss.bootstrap.servers", "h:1")
                                .lakeSettings(Map.of("format", "iceberg")))
                .isEqualTo(Map.of("format", "iceberg"));
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThatThrownBy(() -> TieringOptions.parse())
                .hasMessageContaining("'bootstrap.servers' is missing");
        assertThatThrownBy(() -> TieringOptions.parse("--fluss.bootstrap.servers"))
                .hasMessageContaining("--fluss.bootstrap.servers has no value");
        assertThatThrownBy(() -> TieringOptions.parse("start"))
                .hasMessageContaining("'start' is not an option");
        assertThatThrownBy(() -> TieringOptions.parse("--tier", "1"))
                .hasMessageContaining("unknown argument --tier");
        assertThatThrownBy(
                        () ->
                                TieringOptions.parse(
                                        "--fluss.bootstrap.servers",
                                        "h:1",
                                        "--datalake.format",
                                        "iceberg",
                                        "--datalake.paimon.warehouse",
                                        "/w"))
                .hasMessageContaining("--datalake.paimon.warehouse does not fit");
    }
}
