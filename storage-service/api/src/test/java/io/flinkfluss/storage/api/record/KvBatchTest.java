package io.flinkfluss.storage.api.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.StorageException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class KvBatchTest {
    @Test
    void entriesSurviveInOrder() {
        KvBatchBuilder builder = new KvBatchBuilder(3);
        byte[] longRow = new byte[5000];
        longRow[4999] = 1;
        builder.upsert(new byte[] {1}, longRow);
        builder.delete(new byte[200]);
        builder.upsert(new byte[0], new byte[0]);
        assertThat(builder.count()).isEqualTo(3);
        KvBatch batch = builder.build();

        KvBatchCursor cursor = new KvBatchCursor(batch);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).containsExactly(1);
        assertThat(cursor.row()).isEqualTo(longRow);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).hasSize(200);
        assertThat(cursor.row()).isNull();
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.row()).isEmpty();
        assertThat(cursor.next()).isFalse();
        assertThat(builder.count()).isZero();
        assertThat(builder.sizeInBytes()).isZero();
    }

    @Test
    void damagedEntriesAreRefused() {
        KvBatchBuilder builder = new KvBatchBuilder(1);
        builder.upsert(new byte[] {1, 2}, new byte[] {3});
        ByteBuffer entries = builder.build().entries();
        KvBatchCursor cut = new KvBatchCursor(new KvBatch(1, 1, entries.slice(0, 3)));
        assertThatThrownBy(cut::next).isInstanceOf(StorageException.class);
        KvBatchCursor tooMany = new KvBatchCursor(new KvBatch(1, 2, entries));
        tooMany.next();
        assertThatThrownBy(tooMany::next).hasMessageContaining("entry 2");
        ByteBuffer huge = ByteBuffer.wrap(new byte[] {-1, -1, -1, -1, 127});
        assertThatThrownBy(() -> new KvBatchCursor(new KvBatch(1, 1, huge)).next())
                .isInstanceOf(StorageException.class);
    }
}
