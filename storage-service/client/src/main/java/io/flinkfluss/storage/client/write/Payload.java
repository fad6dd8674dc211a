package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.PutHeader;

/** The batch of a put; unchanged until it is acknowledged, since it may be sent again. */
sealed interface Payload {
    FlightFrame frame(long requestId, BucketId bucket, WriterStamp stamp);

    int sizeInBytes();

    record Log(ArrowBatch batch) implements Payload {
        @Override
        public FlightFrame frame(long requestId, BucketId bucket, WriterStamp stamp) {
            return PutHeader.frame(requestId, bucket, stamp, batch);
        }

        @Override
        public int sizeInBytes() {
            return batch.sizeInBytes();
        }
    }

    record Kv(KvBatch batch) implements Payload {
        @Override
        public FlightFrame frame(long requestId, BucketId bucket, WriterStamp stamp) {
            return PutHeader.frame(requestId, bucket, stamp, batch);
        }

        @Override
        public int sizeInBytes() {
            return batch.entries().remaining();
        }
    }
}
