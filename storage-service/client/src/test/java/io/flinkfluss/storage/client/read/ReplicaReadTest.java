package io.flinkfluss.storage.client.read;

import static io.flinkfluss.storage.client.TestNode.batch;
import static io.flinkfluss.storage.client.TestNode.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.TestNode;
import io.flinkfluss.storage.client.TwoNodes;
import io.flinkfluss.storage.client.transport.FakeNode;
import io.flinkfluss.storage.client.transport.Fault;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code client.scanner.read-from}: reads that any replica may answer. */
final class ReplicaReadTest {
    private static final int ROWS = 40;

    private static BucketId fill(TwoNodes nodes, TableInfo table) throws InterruptedException {
        BucketId bucket = table.buckets().get(0);
        for (int id = 0; id < ROWS; id++) {
            get(nodes.service.append(bucket, WriterStamp.NONE, batch(table, id)));
        }
        return bucket;
    }

    @Test
    void readsAreAnsweredByTheLeaderUnlessAskedOtherwise() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table();
            BucketId bucket = fill(nodes, table);
            for (int i = 0; i < 8; i++) {
                try (FlussClient other =
                        FlussClient.connect(ClientConfig.of(nodes.first.address()))) {
                    TestNode.ids(
                            table, other.logReader().scan(new ScanRequest(bucket, 0, ROWS, null)));
                }
            }
            assertThat(nodes.first.readCount()).isEqualTo(8);
            assertThat(nodes.second.readCount()).isZero();
        }
    }

    @Test
    void clientsSpreadOverTheReplicas() throws Exception {
        int clients = 24;
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table();
            BucketId bucket = fill(nodes, table);
            for (int i = 0; i < clients; i++) {
                ClientConfig config =
                        ClientConfig.of(nodes.first.address()).withReadFrom(ReadFrom.ANY);
                try (FlussClient other = FlussClient.connect(config)) {
                    ScanRequest request = new ScanRequest(bucket, 0, ROWS, null);
                    assertThat(TestNode.ids(table, other.logReader().scan(request))).hasSize(ROWS);
                }
            }
            assertThat(nodes.first.readCount() + nodes.second.readCount()).isEqualTo(clients);
            // That all choose the same by chance happens once in eight million times.
            assertThat(nodes.first.readCount()).isBetween(1, clients - 1);
        }
    }

    @Test
    void aReadLeavesAReplicaThatSleeps() throws Exception {
        try (TwoNodes nodes = TwoNodes.start(config -> config.withReadFrom(ReadFrom.ANY))) {
            TableInfo table = nodes.table();
            BucketId bucket = fill(nodes, table);
            ScanRequest request = new ScanRequest(bucket, 0, ROWS + 1, null);
            try (Batches<LogBatch> read = nodes.client.logReader().scan(request)) {
                int seen = 0;
                while (seen < ROWS) {
                    seen += read.poll(Duration.ofSeconds(1)).map(LogBatch::rowCount).orElse(0);
                }
                FakeNode chosen = nodes.first.readCount() > 0 ? nodes.first : nodes.second;
                FakeNode other = chosen == nodes.first ? nodes.second : nodes.first;
                assertThat(other.readCount()).isZero();
                nodes.second.leads(true);
                chosen.sleep();
                other.awaitReads(1);
                get(nodes.service.append(bucket, WriterStamp.NONE, batch(table, ROWS)));
                assertThat(TestNode.ids(table, read)).containsExactly(ROWS);
            }
        }
    }

    @Test
    void aReplicaThatDoesNotKnowTheTableYetDoesNotFailTheRead() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table();
            BucketId bucket = fill(nodes, table);
            Fault late = new Fault.Refuse(TestNode.refusal(ErrorCode.TABLE_NOT_FOUND));
            nodes.second.onBatch(sent -> late);
            for (int i = 0; i < 16; i++) {
                ClientConfig config =
                        ClientConfig.of(nodes.first.address()).withReadFrom(ReadFrom.ANY);
                try (FlussClient other = FlussClient.connect(config)) {
                    ScanRequest request = new ScanRequest(bucket, 0, ROWS, null);
                    assertThat(TestNode.ids(table, other.logReader().scan(request)))
                            .isEqualTo(IntStream.range(0, ROWS).boxed().toList());
                }
            }
            assertThat(nodes.second.readCount()).isPositive();
        }
    }
}
