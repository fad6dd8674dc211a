package io.flinkfluss.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnitsTest {
    @Test
    void bytesHaveAUnitThatFits() {
        assertThat(Units.bytes(0)).isEqualTo("0 B");
        assertThat(Units.bytes(1023)).isEqualTo("1023 B");
        assertThat(Units.bytes(1536)).isEqualTo("1.5 kB");
        assertThat(Units.bytes(10L << 30)).isEqualTo("10 GB");
        assertThat(Units.bytes(Long.MAX_VALUE)).isEqualTo("8192 PB");
    }

    @Test
    void timesHaveTheTwoLargestUnits() {
        assertThat(Units.time(Duration.ofMillis(-5))).isEqualTo("0 ms");
        assertThat(Units.time(Duration.ofMillis(250))).isEqualTo("250 ms");
        assertThat(Units.time(Duration.ofSeconds(61))).isEqualTo("1 min 1 s");
        assertThat(Units.time(Duration.ofHours(50))).isEqualTo("2 d 2 h");
    }

    @Test
    void jsonEscapesWhatItMust() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("a\"b", List.of(1, true, "x\n\\"));
        values.put("none", null);

        assertThat(Json.write(values))
                .isEqualTo("{\"a\\\"b\":[1,true,\"x\\u000a\\\\\"],\"none\":null}");
        assertThat(Json.write(Arrays.asList(1.5, Map.of()))).isEqualTo("[1.5,{}]");
    }
}
