package io.flinkfluss.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.flink.catalog.options.FlussCatalogOptions;
import io.flinkfluss.flink.options.KnownOptions;
import io.flinkfluss.flink.unionread.options.UnionReadOptions;
import io.flinkfluss.storage.api.table.TableOption;
import io.flinkfluss.storage.server.ServerOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.junit.jupiter.api.Test;

/** docs/options.md is what the code says; {@code -Dwrite.docs=true} writes it anew. */
final class OptionsDocTest {
    private static final Path PAGE = Path.of("..", "docs", "options.md");

    @Test
    void everyOptionIsDescribed() {
        assertThat(flinkOptions())
                .allSatisfy(
                        option -> assertThat(description(option)).as(option.key()).isNotBlank());
        assertThat(ServerOption.values())
                .allSatisfy(
                        option -> assertThat(option.description()).as(option.key()).isNotBlank());
        assertThat(TableOption.values())
                .allSatisfy(
                        option -> assertThat(option.description()).as(option.key()).isNotBlank());
    }

    @Test
    void thePageIsWhatTheCodeSays() throws IOException {
        if (Boolean.getBoolean("write.docs")) {
            Files.writeString(PAGE, page());
        }
        assertThat(PAGE)
                .as("run this test with -Dwrite.docs=true to write the page anew")
                .hasContent(page());
    }

    private static List<ConfigOption<?>> flinkOptions() {
        List<ConfigOption<?>> options = new ArrayList<>(KnownOptions.all());
        options.addAll(UnionReadOptions.all());
        options.add(FlussCatalogOptions.DEFAULT_DATABASE);
        return options;
    }

    private static String page() {
        StringBuilder text = new StringBuilder();
        text.append("# Options\n\nGenerated from the code by `OptionsDocTest`; do not edit.\n\n");
        text.append(
                "## Table options\n\nStored with the table: `CREATE TABLE … WITH (…)`. Besides these, `bucket.num` (default 1) and `bucket.key` say how rows are\n");
        text.append(
                "spread. An unknown `table.*` option is an error; any other unknown option is kept as a property of the table.\n\n");
        text.append("| option | default | meaning |\n|---|---|---|\n");
        for (TableOption option : TableOption.values()) {
            row(text, option.key(), option.defaultValue(), option.description());
        }
        text.append("\n## Options of catalogs, reads, writes and lookups\n\n");
        text.append(
                "In `CREATE CATALOG … WITH (…)` (those that begin with `client.` or `bootstrap.`) or per query with `/*+ OPTIONS(…) */`.\n\n");
        text.append("| option | default | meaning |\n|---|---|---|\n");
        List<ConfigOption<?>> options =
                flinkOptions().stream().sorted(Comparator.comparing(ConfigOption::key)).toList();
        for (ConfigOption<?> option : options) {
            row(
                    text,
                    option.key(),
                    option.hasDefaultValue() ? text(option.defaultValue()) : "(none)",
                    description(option));
        }
        text.append(
                "\n## Options of the storage service\n\n`-D key=value` at the start, with `bin/fluss start` too. Keys that begin with `datalake.` describe the lake: `datalake.format`,\n");
        text.append(
                "`datalake.iceberg.type`, `datalake.iceberg.warehouse` and whatever that catalog takes.\n\n| option | default | meaning |\n|---|---|---|\n");
        for (ServerOption option : ServerOption.values()) {
            row(text, option.key(), option.defaultValue(), option.description());
        }
        return text.toString();
    }

    private static String text(Object value) {
        return value instanceof java.time.Duration duration
                ? org.apache.flink.util.TimeUtils.formatWithHighestUnit(duration)
                : String.valueOf(value);
    }

    private static String description(ConfigOption<?> option) {
        return new HtmlFormatter().format(option.description());
    }

    private static void row(StringBuilder text, String key, String value, String description) {
        text.append("| `")
                .append(key)
                .append("` | ")
                .append(value.isEmpty() ? "(empty)" : value)
                .append(" | ")
                .append(description.replace("|", "\\|").replace("\n", " "))
                .append(" |\n");
    }
}
