package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.LogAppender;
import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.wire.ArrowSchemas;
import io.flinkfluss.storage.api.wire.FlightDescriptor;
import io.flinkfluss.storage.api.wire.FlightFrame;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A put by a Flight client that knows nothing of us: the descriptor's path is database, table and
 * bucket, every record batch is appended. Not idempotent: such a client cannot safely retry.
 */
record PlainPut(TableInfo table, BucketId bucket) {
    static PlainPut begin(TableAdmin admin, FlightFrame first) {
        List<String> path = FlightDescriptor.parse(first.descriptor()).path();
        if (path.size() < 2 || path.size() > 3) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "a put names its target by the path [database, table, bucket], not " + path);
        }
        TableInfo table = admin.table(new TablePath(path.get(0), path.get(1)));
        BucketId bucket = BucketId.of(table.id(), bucket(path));
        if (first.header().hasRemaining()) {
            checkSchema(table, schema(first));
        }
        return new PlainPut(table, bucket);
    }

    static StorageException noDescriptor() {
        return new StorageException(
                ErrorCode.INVALID_REQUEST,
                "a put begins with a descriptor whose path is [database, table, bucket]");
    }

    boolean isEmpty(FlightFrame frame) {
        return rows(frame) == 0;
    }

    CompletableFuture<AppendResult> append(LogAppender appender, FlightFrame frame) {
        ArrowBatch batch =
                new ArrowBatch(
                        table.schema().id(), rows(frame), frame.header(), frame.body(), List.of());
        return appender.append(bucket, WriterStamp.NONE, batch);
    }

    private static int bucket(List<String> path) {
        if (path.size() == 2) {
            return 0;
        }
        try {
            return Math.max(0, Integer.parseInt(path.get(2)));
        } catch (NumberFormatException notANumber) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "the third part of a put's path is the number of a bucket, not " + path.get(2),
                    notANumber);
        }
    }

    private static Schema schema(FlightFrame frame) {
        try {
            return MessageSerializer.deserializeSchema(message(frame));
        } catch (RuntimeException damaged) {
            throw notArrow(damaged);
        }
    }

    private static void checkSchema(TableInfo table, Schema sent) {
        Schema wanted = ArrowSchemas.toArrow(table.schema(), null);
        boolean fits = sent.getFields().size() == wanted.getFields().size();
        for (int i = 0; fits && i < wanted.getFields().size(); i++) {
            Field expected = wanted.getFields().get(i);
            Field found = sent.getFields().get(i);
            fits =
                    expected.getName().equals(found.getName())
                            && expected.getType().equals(found.getType())
                            && found.getDictionary() == null;
        }
        if (!fits) {
            throw new StorageException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "batches of "
                            + sent.getFields()
                            + " do not fit table "
                            + table.path()
                            + ", which takes "
                            + wanted.getFields());
        }
    }

    private static int rows(FlightFrame frame) {
        try {
            Message message = message(frame);
            if (message.headerType() != MessageHeader.RecordBatch) {
                throw new StorageException(
                        ErrorCode.UNSUPPORTED,
                        "only record batches can be put, not Arrow messages of type "
                                + MessageHeader.name(message.headerType()));
            }
            RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
            return Math.toIntExact(batch.length());
        } catch (IndexOutOfBoundsException | ArithmeticException damaged) {
            throw notArrow(damaged);
        }
    }

    private static Message message(FlightFrame frame) {
        return Message.getRootAsMessage(frame.header().slice());
    }

    private static StorageException notArrow(RuntimeException damaged) {
        return new StorageException(
                ErrorCode.INVALID_REQUEST, "a frame holds no Arrow message: " + damaged, damaged);
    }
}
