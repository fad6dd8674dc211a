package io.flinkfluss.storage.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.replication.Position;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointListingTest {
    @Test
    void isReadAsItWasWritten() {
        CheckpointListing listing =
                new CheckpointListing(
                        -5,
                        new Position(3, 70),
                        List.of(
                                new CheckpointListing.Entry("checkpoint/kv/000012.sst", 12, -1),
                                new CheckpointListing.Entry("snapshots/9/000012.sst", 12, 0)));

        assertThat(CheckpointListing.decode(ByteBuffer.wrap(listing.encode()))).isEqualTo(listing);
        assertThat(listing.totalBytes()).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../x",
                "a/../../x",
                "/etc/passwd",
                "a//b",
                "",
                ".",
                "..",
                "a/",
                "a\\..\\b",
                "a/./b",
                "~/x y"
            })
    void aNameThatLeadsElsewhereIsRefused(String name) {
        CheckpointListing listing =
                new CheckpointListing(
                        1, Position.NONE, List.of(new CheckpointListing.Entry(name, 12, -1)));

        assertThatThrownBy(() -> CheckpointListing.decode(ByteBuffer.wrap(listing.encode())))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA));
    }
}
