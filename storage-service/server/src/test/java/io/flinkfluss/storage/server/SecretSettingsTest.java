package io.flinkfluss.storage.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.wire.CatalogOperation;
import io.flinkfluss.storage.api.wire.NodeStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flight.Action;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Secrets among the settings go nowhere; the log can be read by programs. */
final class SecretSettingsTest {
    private static final String SECRET = "hunter2-do-not-tell";

    @ParameterizedTest
    @CsvSource({
        "s3.secret-access-key,x,true",
        "s3.access-key-id,x,true",
        "fs.s3a.access.key,x,true",
        "fs.s3a.secret.key,x,true",
        "rest.token,x,true",
        "oauth2.Credential,x,true",
        "jdbc.password,x,true",
        "adls.account-key,x,true",
        "gcs.encryption-key,x,true",
        "uri,jdbc:postgresql://user:pw@host/db,true",
        "uri,jdbc:mysql://host/db?user=a&password=b,true",
        "uri,thrift://host:9083,false",
        "warehouse,s3://bucket/key,false",
        "s3.endpoint,http://localhost:9000,false",
        "s3.path-style-access,true,false",
        "type,hadoop,false",
        "io-impl,org.apache.iceberg.aws.s3.S3FileIO,false"
    })
    void knowsSecretsByNameAndByForm(String key, String value, boolean secret) {
        assertThat(SecretSettings.isSecret(key, value)).isEqualTo(secret);
    }

    @Test
    void noClientLogOrStatusEverShowsOne(@TempDir Path folder) throws Exception {
        Path errors = folder.resolve("errors");
        Path log = folder.resolve("log.json");
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("--data-dir", folder.resolve("data").toString()));
        arguments.addAll(List.of("--port", "0", "-Ddatalake.format=iceberg"));
        arguments.add("-Ddatalake.iceberg.warehouse=/lake");
        for (String key :
                List.of(
                        "iceberg.s3.secret-access-key",
                        "iceberg.s3.access-key-id",
                        "iceberg.jdbc.password",
                        "iceberg.token")) {
            arguments.add("-Ddatalake." + key + "=" + SECRET);
        }
        arguments.add("-Ddatalake.iceberg.uri=jdbc:postgresql://u:" + SECRET + "@host/db");
        try (ServerProcess server =
                        ServerProcess.start(
                                errors,
                                List.of("-Dfluss.log.format=json", "-Dfluss.log.file=" + log),
                                arguments.toArray(String[]::new));
                StockFlight client = new StockFlight(server.port())) {
            assertThat(answer(client, new CatalogOperation.LakeSettings().toAction()))
                    .contains("/lake")
                    .doesNotContain(SECRET);
            assertThat(answer(client, NodeStatus.request())).doesNotContain(SECRET);
            server.terminate();
            assertThat(server.exitCode()).isZero();
        }

        List<String> lines = Files.readAllLines(log);
        assertThat(lines)
                .isNotEmpty()
                .allSatisfy(
                        line ->
                                assertThat(line)
                                        .startsWith("{\"@timestamp\":")
                                        .contains("\"log.level\":", "\"message\":")
                                        .endsWith("}"));
        assertThat(String.join("\n", lines)).contains("serving").doesNotContain(SECRET);
        assertThat(Files.readString(errors)).doesNotContain(SECRET);
    }

    private static String answer(StockFlight client, io.flinkfluss.storage.api.wire.Action action) {
        ByteBuffer body = action.body().duplicate();
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        byte[] answer = client.client.doAction(new Action(action.type(), bytes)).next().getBody();
        return new String(answer, StandardCharsets.ISO_8859_1);
    }
}
