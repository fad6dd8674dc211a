package io.flinkfluss.flink.unionread.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoldedTailTest {
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "id", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(2, "text", DataType.of(TypeRoot.STRING))),
                    List.of("id"));

    private final RowCodec rows = new RowCodec(SCHEMA);
    private final KeyCodec keys = new KeyCodec(SCHEMA, new int[] {0});

    @TempDir Path folder;

    @Test
    void changesReplaceLakeRowsAndDeletesRemoveThem() throws IOException {
        try (FoldedTail tail = tail(1 << 20)) {
            put(tail, 2, "two, changed");
            put(tail, 4, "four");
            tail.put(key(3), null);
            put(tail, 5, "five, not for long");
            tail.put(key(5), null);

            assertThat(merge(tail, Map.of(1, "one", 2, "two", 3, "three")))
                    .isEqualTo(Map.of(1, "one", 2, "two, changed", 4, "four"));
            assertThat(tail.isSpilled()).isFalse();
        }
    }

    @Test
    void anEmptyTailGivesTheLakesRows() throws IOException {
        try (FoldedTail tail = tail(1 << 20)) {
            assertThat(merge(tail, Map.of(1, "one"))).isEqualTo(Map.of(1, "one"));
        }
    }

    @Test
    void aTailWithoutLakeRowsGivesItsLiveRows() throws IOException {
        try (FoldedTail tail = tail(1)) {
            put(tail, 1, "one");
            tail.put(key(2), null);

            assertThat(merge(tail, Map.of())).isEqualTo(Map.of(1, "one"));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void spillingDoesNotChangeTheAnswer(long seed) throws IOException {
        Random random = new Random(seed);
        Map<Integer, String> lake = new TreeMap<>();
        for (int i = 0; i < 2000; i++) {
            lake.put(random.nextInt(3000), "lake-" + i);
        }
        Map<Integer, String> expected = new TreeMap<>(lake);
        long memory = 1 + random.nextInt(100_000);
        try (FoldedTail tail = tail(memory)) {
            for (int i = 0; i < 5000; i++) {
                int id = random.nextInt(4000);
                if (random.nextInt(4) == 0) {
                    tail.put(key(id), null);
                    expected.remove(id);
                } else {
                    put(tail, id, "tail-" + i);
                    expected.put(id, "tail-" + i);
                }
            }

            assertThat(tail.isSpilled()).as("spilled with %d bytes", memory).isTrue();
            assertThat(merge(tail, lake)).isEqualTo(expected);
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).as("files left behind").isEmpty();
        }
    }

    @Test
    void aMergeThatIsGivenUpLeavesNoFiles() throws IOException {
        try (FoldedTail tail = tail(1)) {
            for (int id = 0; id < 500; id++) {
                put(tail, id, "text");
            }
            MergedRows merged = tail.merge(new ListedRows(Map.of(1, "one", 600, "six")));
            assertThat(merged.next()).isTrue();
            merged.close();
        }
        try (Stream<Path> left = Files.walk(folder)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    private FoldedTail tail(long memory) {
        return new FoldedTail(new MergeBudget(memory, folder), rows);
    }

    private void put(FoldedTail tail, int id, String text) throws IOException {
        tail.put(key(id), rows.encode(GenericRow.of(id, text)));
    }

    private byte[] key(int id) {
        return keys.encode(GenericRow.of(id, null));
    }

    private Map<Integer, String> merge(FoldedTail tail, Map<Integer, String> lake)
            throws IOException {
        Map<Integer, String> answer = new TreeMap<>();
        try (MergedRows merged = tail.merge(new ListedRows(lake))) {
            while (merged.next()) {
                RowView row = merged.view();
                String text = new String(row.bytesAt(1), StandardCharsets.UTF_8);
                assertThat(answer.put(row.intAt(0), text))
                        .as("a second row of key %d", row.intAt(0))
                        .isNull();
            }
        }
        return answer;
    }

    private final class ListedRows implements KeyedRows {
        private final Iterator<Map.Entry<Integer, String>> left;
        private GenericRow row;

        ListedRows(Map<Integer, String> lake) {
            this.left = lake.entrySet().iterator();
        }

        @Override
        public boolean next() {
            if (!left.hasNext()) {
                return false;
            }
            Map.Entry<Integer, String> entry = left.next();
            row = GenericRow.of(entry.getKey(), entry.getValue());
            return true;
        }

        @Override
        public byte[] key() {
            return keys.encode(row);
        }

        @Override
        public byte[] row() {
            return rows.encode(row);
        }

        @Override
        public RowView view() {
            return row;
        }

        @Override
        public void close() {}
    }
}
