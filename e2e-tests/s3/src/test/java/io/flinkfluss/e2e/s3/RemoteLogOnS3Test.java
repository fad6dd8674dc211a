package io.flinkfluss.e2e.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.write.TableWriter;
import io.flinkfluss.storage.server.StorageServer;
import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;
import org.jclouds.blobstore.TransientApiMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments go to an S3 store and are read from there. */
class RemoteLogOnS3Test {
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "id", DataType.of(TypeRoot.BIGINT)),
                            Column.of(2, "text", DataType.of(TypeRoot.STRING))),
                    List.of());
    private static final int ROWS = 20_000;

    /** The proxy does not know the checksums that the AWS SDK adds by itself. */
    private static final List<String> CHECKSUMS =
            List.of("aws.requestChecksumCalculation", "aws.responseChecksumValidation");

    @TempDir Path folder;
    private BlobStoreContext context;
    private BlobStore blobs;
    private S3Proxy proxy;

    @BeforeEach
    void startStore() throws Exception {
        CHECKSUMS.forEach(name -> System.setProperty(name, "when_required"));
        context =
                ContextBuilder.newBuilder(new TransientApiMetadata())
                        .credentials("key", "secret")
                        .overrides(new Properties())
                        .build(BlobStoreContext.class);
        blobs = context.getBlobStore();
        blobs.createContainerInLocation(null, "bucket");
        proxy =
                S3Proxy.builder()
                        .blobStore(blobs)
                        .endpoint(URI.create("http://127.0.0.1:0"))
                        .awsAuthentication(
                                org.gaul.s3proxy.AuthenticationType.AWS_V2_OR_V4, "key", "secret")
                        .ignoreUnknownHeaders(true)
                        .build();
        proxy.start();
    }

    @AfterEach
    void stopStore() throws Exception {
        proxy.stop();
        context.close();
        CHECKSUMS.forEach(System::clearProperty);
    }

    private StorageServer startServer() throws InterruptedException {
        return StorageServer.start(
                "--data-dir",
                folder.resolve("data").toString(),
                "--port",
                "0",
                "--shards",
                "1",
                "-Ddisk.write-limit-ratio=1.0",
                "-Dlog.segment.file-size=65536",
                "-Dcheckpoint.bytes=65536",
                "-Dcheckpoint.age-seconds=1",
                "-Dremote.data.dir=s3://bucket/fluss",
                "-Dremote.log.task-interval-duration=50 ms",
                "-Dremote.fs.s3.endpoint=http://127.0.0.1:" + proxy.getPort(),
                "-Dremote.fs.s3.path-style-access=true",
                "-Dremote.fs.s3.access-key-id=key",
                "-Dremote.fs.s3.secret-access-key=secret",
                "-Dremote.fs.client.region=us-east-1");
    }

    private static FlussClient connect(StorageServer server) {
        return FlussClient.connect(ClientConfig.of("127.0.0.1:" + server.port()));
    }

    @Test
    void rowsThatAreOnlyOnS3AreReadWithTheOthers() throws Exception {
        TableInfo table;
        try (StorageServer server = startServer();
                FlussClient client = connect(server)) {
            table =
                    client.admin()
                            .createTable(
                                    new TablePath("fluss", "events"),
                                    new TableDescriptor(
                                            SCHEMA,
                                            List.of(),
                                            List.of(),
                                            1,
                                            Map.of("table.log.tiered.local-segments", "1"),
                                            Map.of(),
                                            ""));
            try (TableWriter writer = client.writer(table)) {
                for (long id = 0; id < ROWS; id++) {
                    writer.append(row(id));
                    if (id % 500 == 499) {
                        writer.flush();
                    }
                }
                writer.flush();
                // Checkpoints come with entries, and files go with checkpoints.
                long id = ROWS;
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
                while (localSegments() > 2 || blobs.countBlobs("bucket") < 4) {
                    assertThat(System.nanoTime()).isLessThan(deadline);
                    writer.append(row(id++));
                    writer.flush();
                    TimeUnit.MILLISECONDS.timedJoin(Thread.currentThread(), 100);
                }
            }
            assertEverythingIsRead(client, table);
        }
        try (StorageServer again = startServer();
                FlussClient client = connect(again)) {
            assertEverythingIsRead(client, table);
        }
    }

    private static GenericRow row(long id) {
        return GenericRow.of(id, "text " + Long.toHexString(id * 0x9E3779B97F4A7C15L));
    }

    private static void assertEverythingIsRead(FlussClient client, TableInfo table)
            throws InterruptedException {
        BucketId bucket = BucketId.of(table.id(), 0);
        long next = 0;
        try (Batches<LogBatch> batches =
                client.logReader().scan(new ScanRequest(bucket, 0, ROWS, new int[] {0}))) {
            while (next < ROWS) {
                Optional<LogBatch> batch = batches.poll(Duration.ofSeconds(30));
                assertThat(batch).as("rows after " + next).isPresent();
                assertThat(batch.get().baseOffset()).isEqualTo(next);
                next = batch.get().nextOffset();
            }
        }
    }

    private long localSegments() throws IOException {
        return Folders.filesBelow(folder.resolve("data/shards/0/log")).stream()
                .filter(file -> file.toString().endsWith(".log"))
                .count();
    }
}
