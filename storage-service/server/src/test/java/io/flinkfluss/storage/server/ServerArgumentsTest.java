package io.flinkfluss.storage.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerArgumentsTest {
    @Test
    void readsFlagsAndSettings() {
        ServerConfig config =
                ServerArguments.parse(
                        "--data-dir",
                        "/data",
                        "--port=9123",
                        "--shards",
                        "3",
                        "-D",
                        "replication.fsync=false",
                        "-Ddatalake.format=iceberg",
                        "-Ddatalake.iceberg.warehouse=/lake",
                        "-Ddatalake.iceberg.s3.secret-access-key=hidden");

        assertThat(config.endpoint())
                .isEqualTo(new ServerConfig.Endpoint("127.0.0.1", 9123, "127.0.0.1"));
        assertThat(config.shards()).hasValue(3);
        assertThat(config.writes().fsync()).isFalse();
        assertThat(config.peers()).containsExactly(config.self());
        assertThat(config.lake())
                .containsOnly(
                        org.assertj.core.api.Assertions.entry("format", "iceberg"),
                        org.assertj.core.api.Assertions.entry("warehouse", "/lake"));
    }

    @Test
    void namesTheClosestOfWhatItKnows() {
        refused(ErrorCode.UNKNOWN_OPTION, "did you mean --data-dir?", "--datadir", "/data");
        refused(ErrorCode.UNKNOWN_OPTION, "did you mean checkpoint.bytes?", "-Dcheckpoint.byte=1");
    }

    /** O-82, O-83: a server that was told to ask for logins must not run without. */
    @Test
    void optionsOfLoginsAndPermissionsAreRefused() {
        for (String option :
                List.of(
                        "authorizer.enabled=true",
                        "super.users=User:root",
                        "security.protocol.map=CLIENT:SASL",
                        "security.sasl.enabled.mechanisms=PLAIN")) {
            refused(
                    ErrorCode.UNKNOWN_OPTION,
                    "option " + option.substring(0, option.indexOf('=')) + " is unknown",
                    "-D" + option);
        }
    }

    @Test
    void saysWhatIsMissingOrNotAllowed() {
        refused(ErrorCode.INVALID_REQUEST, "--data-dir is missing", "--port", "1");
        refused(
                ErrorCode.INVALID_OPTION,
                "from 0 to 65535, not 70000",
                "--data-dir",
                "/data",
                "--port",
                "70000");
        refused(
                ErrorCode.INVALID_OPTION,
                "true or false, not maybe",
                "--data-dir",
                "/data",
                "--port",
                "1",
                "-Dreplication.fsync=maybe");
        refused(
                ErrorCode.INVALID_REQUEST,
                "id@host:port:raftport",
                "--data-dir",
                "/data",
                "--port",
                "1",
                "--peers",
                "n1");
    }

    @Test
    void aNodeIsOneOfItsPeers() {
        String peers = "a@h1:1:2,b@h2:3:4";

        ServerConfig config =
                ServerArguments.parse(
                        "--data-dir", "/data", "--port", "3", "--node-id", "b", "--peers", peers);

        assertThat(config.self().raftPort()).isEqualTo(4);
        refused(
                ErrorCode.INVALID_REQUEST,
                "--node-id c is not among --peers",
                "--data-dir",
                "/data",
                "--port",
                "3",
                "--node-id",
                "c",
                "--peers",
                peers);
    }

    private static void refused(ErrorCode code, String message, String... arguments) {
        assertThatThrownBy(() -> ServerArguments.parse(arguments))
                .isInstanceOfSatisfying(
                        StorageException.class, error -> assertThat(error.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }
}
