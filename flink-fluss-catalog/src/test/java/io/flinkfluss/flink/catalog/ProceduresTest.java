package io.flinkfluss.flink.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code CALL sys.…} through Flink's planner. */
class ProceduresTest {
    private final InMemoryStorageService service = new InMemoryStorageService();
    private final CatalogSession session =
            new CatalogSession(
                    NodesForTest.with(service, "n1@10.0.0.1:9123:9124", "n2@10.0.0.2:9123:9124"));

    @AfterEach
    void close() {
        session.close();
        service.close();
    }

    @Test
    void proceduresAreListed() throws Exception {
        assertThat(session.query("SHOW PROCEDURES FROM c.sys"))
                .contains("+I[add_node]", "+I[rebalance]", "+I[add_server_tag]");
    }

    @Test
    void aNodeIsAddedAndItsProgressShown() throws Exception {
        assertThat(session.query("CALL sys.add_node('n3@10.0.0.3:9123:9124')"))
                .containsExactly(
                        "+I[1 of 2: adding n3 is under way]", "+I[done: adding n3 is done]");
        assertThat(session.query("CALL sys.list_nodes()"))
                .contains("+I[n3, 10.0.0.3:9123, 3, 1, 10, false]");
    }

    @Test
    void argumentsHaveNames() throws Exception {
        assertThat(session.query("CALL sys.remove_node(node => 'n2')"))
                .endsWith("+I[done: removing n2 is done]");
        assertThat(session.query("CALL sys.list_nodes()")).hasSize(1);
    }

    @Test
    void aTagForATimeDrains() throws Exception {
        session.query("CALL sys.add_server_tag('n1,n2', 'TEMPORARY_OFFLINE')");
        assertThat(session.query("CALL sys.list_nodes()")).allMatch(row -> row.contains("true"));
        session.query("CALL sys.remove_server_tag('n1', 'TEMPORARY_OFFLINE')");
        assertThat(session.query("CALL sys.list_nodes()"))
                .anyMatch(row -> row.contains("n1") && row.contains("false"));
        assertThatThrownBy(
                        () -> session.query("CALL sys.add_server_tag('n1', 'PERMANENT_OFFLINE')"))
                .hasStackTraceContaining("sys.remove_node");
    }

    @Test
    void leadersAreRebalanced() throws Exception {
        assertThat(session.query("CALL sys.rebalance()")).endsWith("+I[done: rebalancing is done]");
        assertThat(session.query("CALL sys.rebalance('LEADER_DISTRIBUTION')")).isNotEmpty();
        assertThatThrownBy(() -> session.query("CALL sys.rebalance('RACK_AWARE')"))
                .hasStackTraceContaining("allowed are [LEADER_DISTRIBUTION");
    }

    @Test
    void refusalsSayWhatThereIs() {
        assertThatThrownBy(() -> session.query("CALL sys.drain_node('n9')"))
                .hasStackTraceContaining("the nodes are [n1, n2]");
        assertThatThrownBy(() -> session.query("CALL sys.add_node('n3')"))
                .hasStackTraceContaining("ID@HOST:PORT:RAFTPORT");
    }
}
