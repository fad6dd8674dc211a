package io.flinkfluss.lake.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** What an operator is told when the lake's catalog cannot be opened. */
final class IcebergFormatTest {
    @Test
    void aCatalogServerThatIsAwayIsWorthAnotherTry() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Map<String, String> settings =
                Map.of("format", "iceberg", "type", "rest", "uri", "http://127.0.0.1:" + port);
        refused(ErrorCode.UNREACHABLE, settings)
                .hasMessageContaining("type rest")
                .satisfies(e -> assertThat(((StorageException) e).isWorthRepeating()).isTrue());
    }

    @Test
    void aWrongSettingIsRefusedForGood() {
        refused(ErrorCode.INVALID_OPTION, Map.of("format", "iceberg", "type", "nothing"))
                .hasMessageContaining("nothing")
                .hasMessageContaining("[format, type]");
        refused(ErrorCode.INVALID_OPTION, Map.of("format", "iceberg"))
                .hasMessageContaining("datalake.iceberg.warehouse");
    }

    private static AbstractThrowableAssert<?, ?> refused(
            ErrorCode code, Map<String, String> settings) {
        return assertThatThrownBy(() -> new IcebergFormat().open(settings).close())
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }
}
