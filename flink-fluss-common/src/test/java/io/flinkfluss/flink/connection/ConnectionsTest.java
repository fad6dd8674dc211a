package io.flinkfluss.flink.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.FreePorts;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    @Test
    void usersOfEqualOptionsShareOneServiceUntilTheLastOneIsDone() {
        String servers = MemoryConnector.register("shared", new InMemoryStorageService());
        ConnectionOptions options = ConnectionOptions.of(servers);
        Connection first = Connections.acquire(options);
        Connection second = Connections.acquire(ConnectionOptions.of(servers));
        assertThat(second.service()).isSameAs(first.service());
        first.close();
        first.close();
        Connection third = Connections.acquire(options);
        assertThat(third.service()).isSameAs(second.service());
        second.close();
        third.close();
        MemoryConnector.register("shared", new InMemoryStorageService());
        try (Connection fresh = Connections.acquire(options)) {
            assertThat(fresh.service()).isNotEqualTo(third.service());
        }
        MemoryConnector.unregister("shared");
    }

    @Test
    void anAddressWhereNobodyAnswersFailsWithinTheTimeoutAndIsNamed() {
        int port = FreePorts.next();
        assertThatThrownBy(() -> Connections.acquire(ConnectionOptions.of("127.0.0.1:" + port)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.UNREACHABLE))
                .hasMessageContaining("127.0.0.1:" + port);
    }

    @Test
    void anUnknownSchemeIsRefused() {
        assertThatThrownBy(() -> Connections.acquire(ConnectionOptions.of("kafka://host:9092")))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("kafka://")
                .hasMessageContaining("host:port");
    }

    @Test
    void aTableTravelsWithAJob() throws Exception {
        TableInfo table =
                new TableInfo(
                        new TableId(4),
                        new TablePath("d", "t"),
                        new TableDescriptor(
                                new Schema(
                                        1,
                                        List.of(
                                                Column.of(0, "id", DataType.of(TypeRoot.INT)),
                                                new Column(
                                                        1,
                                                        "price",
                                                        DataType.decimal(10, 2),
                                                        "in euro")),
                                        List.of("id")),
                                List.of(),
                                List.of("id"),
                                3,
                                Map.of("table.log.ttl", "1 d"),
                                Map.of("mine", "x"),
                                "a table"),
                        5,
                        6);
        assertThat(InstantiationUtil.clone(new TableHandle(table)).table()).isEqualTo(table);
    }
}
