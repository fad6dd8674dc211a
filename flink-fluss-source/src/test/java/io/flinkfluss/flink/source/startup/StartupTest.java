package io.flinkfluss.flink.source.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.Test;

class StartupTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static Startup parse(Map<String, String> options) {
        return Startup.of(Configuration.fromMap(options), BERLIN);
    }

    @Test
    void everyModeIsParsedInAnyCase() {
        assertThat(parse(Map.of())).isEqualTo(new Startup.Full());
        assertThat(parse(Map.of("scan.startup.mode", "full"))).isEqualTo(new Startup.Full());
        assertThat(parse(Map.of("scan.startup.mode", "earliest")))
                .isEqualTo(new Startup.Earliest());
        assertThat(parse(Map.of("scan.startup.mode", "LATEST"))).isEqualTo(new Startup.Latest());
    }

    @Test
    void aTimestampIsMillisecondsOrATimeOfTheSession() {
        assertThat(at("1678883047356")).isEqualTo(new Startup.Timestamp(1_678_883_047_356L));
        assertThat(at("2023-03-15 13:24:07")).isEqualTo(new Startup.Timestamp(1_678_883_047_000L));
    }

    private static Startup at(String time) {
        return parse(Map.of("scan.startup.mode", "timestamp", "scan.startup.timestamp", time));
    }

    @Test
    void aMissingSuperfluousOrUnreadableTimestampIsRefused() {
        assertThatThrownBy(() -> parse(Map.of("scan.startup.mode", "timestamp")))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'scan.startup.timestamp' must be set");
        assertThatThrownBy(() -> parse(Map.of("scan.startup.timestamp", "1")))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'scan.startup.mode' is full");
        assertThatThrownBy(() -> at("yesterday"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'yesterday'")
                .hasMessageContaining("yyyy-MM-dd HH:mm:ss");
    }
}
