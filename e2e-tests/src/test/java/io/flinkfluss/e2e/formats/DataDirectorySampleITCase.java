package io.flinkfluss.e2e.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server of this release on the data directory of a release before, which was killed while it had
 * entries that were in no checkpoint.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class DataDirectorySampleITCase {
    /** So many batches of a writer the service remembers with their offsets. */
    private static final int REMEMBERED = 8;

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1})
    void everyRowOfAnOlderReleaseIsServedAndRetriesAreRecognised(int version) throws Exception {
        Path sample = folder.resolve("sample");
        try (InputStream archive =
                DataDirectorySampleITCase.class.getResourceAsStream(
                        "/formats/data-directory-v" + version + ".zip")) {
            Archive.unpack(archive, sample);
        }
        List<String> expected = Files.readAllLines(sample.resolve("expected.txt"));
        Properties ids = ids(sample);
        long writer = Long.parseLong(ids.getProperty("writer"));
        List<Long> snapshots =
                Stream.of(ids.getProperty("snapshots").split(",")).map(Long::valueOf).toList();

        try (StorageProcess server = StorageProcess.start(sample.resolve("data"))) {
            try (FlussClient client = FlussClient.connect(ClientConfig.of(server.address()))) {
                assertThat(new ServiceText(client, snapshots).lines()).isEqualTo(expected);
                retriesAreDuplicates(client, writer, acknowledged(sample));
                droppedTablesStayDropped(client);
                assertThat(client.logAppender().newWriterId()).isGreaterThan(writer);
            }
            server.kill();
            server.start();
            try (FlussClient client = FlussClient.connect(ClientConfig.of(server.address()))) {
                assertThat(new ServiceText(client, snapshots).lines())
                        .as("nothing was added by retries, and the next start serves the same")
                        .isEqualTo(expected);
                theNextBatchIsStored(client, writer, acknowledged(sample));
            }
        }
    }

    /** Per bucket, what the release before answered for each sequence. */
    private static Map<BucketId, List<Long>> acknowledged(Path sample) throws IOException {
        Map<BucketId, List<Long>> offsets = new TreeMap<>();
        for (String line : Files.readAllLines(sample.resolve("acknowledged.txt"))) {
            String[] parts = line.split(" ");
            BucketId bucket =
                    BucketId.of(new TableId(Long.parseLong(parts[0])), Integer.parseInt(parts[1]));
            List<Long> ofBucket = offsets.computeIfAbsent(bucket, none -> new ArrayList<>());
            assertThat(ofBucket).hasSize(Integer.parseInt(parts[2]));
            ofBucket.add(Long.parseLong(parts[3]));
        }
        assertThat(offsets).isNotEmpty();
        return offsets;
    }

    private static void retriesAreDuplicates(
            FlussClient client, long writer, Map<BucketId, List<Long>> acknowledged) {
        acknowledged.forEach(
                (bucket, offsets) -> {
                    for (int i = 0; i < offsets.size(); i++) {
                        long offset = i < offsets.size() - REMEMBERED ? -1 : offsets.get(i);
                        assertThat(send(client, bucket, new WriterStamp(writer, i)))
                                .as("batch %d to bucket %s", i, bucket)
                                .isEqualTo(new AppendResult(offset, true));
                    }
                });
    }

    private static void theNextBatchIsStored(
            FlussClient client, long writer, Map<BucketId, List<Long>> acknowledged) {
        acknowledged.forEach(
                (bucket, offsets) -> {
                    long end =
                            client.logReader()
                                    .offsets(List.of(bucket), new OffsetSpec.Latest())
                                    .get(bucket);
                    assertThat(send(client, bucket, new WriterStamp(writer, offsets.size())))
                            .isEqualTo(new AppendResult(end, false));
                });
    }

    private static AppendResult send(FlussClient client, BucketId bucket, WriterStamp stamp) {
        TableInfo keyed = client.admin().table(SampleStory.KEYED);
        if (bucket.table().equals(keyed.id())) {
            return SampleStory.put(client, keyed, bucket, stamp);
        }
        TableInfo table =
                SampleStory.COMPRESSIONS.stream()
                        .map(compression -> client.admin().table(SampleStory.logTable(compression)))
                        .filter(each -> each.id().equals(bucket.table()))
                        .findFirst()
                        .orElseThrow();
        return SampleStory.append(client, table, bucket, stamp);
    }

    /** Its name is free, and its number is not given out again. */
    private static void droppedTablesStayDropped(FlussClient client) {
        assertThatThrownBy(() -> client.admin().table(SampleStory.DROPPED))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.TABLE_NOT_FOUND));
        TableInfo like = client.admin().table(SampleStory.logTable("NONE"));
        TablePath again = SampleStory.DROPPED;
        TableInfo made = client.admin().createTable(again, like.descriptor());
        long ofOthers = client.admin().table(SampleStory.KEYED).id().value();
        assertThat(made.id().value()).isGreaterThan(ofOthers + SampleStory.CHAPTERS);
        client.admin().dropTable(again);
    }

    private static Properties ids(Path sample) throws IOException {
        Properties ids = new Properties();
        try (InputStream file = Files.newInputStream(sample.resolve("ids.properties"))) {
            ids.load(file);
        }
        return ids;
    }
}
