package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.KvBatchBuilder;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.verify.check.Register;
import io.flinkfluss.verify.check.Row;
import io.flinkfluss.verify.check.WriterHistory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Writes and looks up keys that other clients write and look up at the same time. */
final class RegisterClient implements Loop {
    private static final int LOOKUP_PERCENT = 55;
    private static final int DELETE_PERCENT = 10;
    private static final int MOST_PAUSE = 60;
    private static final long AFTER_FAILURE = 100;
    private static final long PATIENCE_SECONDS = 180;

    private final TestTable table;
    private final Registers registers;
    private final LoadContext context;
    private final String name;
    private final Random random;
    private final RowCodec codec;
    private final Map<BucketId, Integer> nextBatches = new HashMap<>();
    private WriterHistory history;
    private long writerId;

    RegisterClient(
            TestTable table, Registers registers, LoadContext context, String name, long seed) {
        this.table = table;
        this.registers = registers;
        this.context = context;
        this.name = name;
        random = new Random(seed);
        codec = new RowCodec(table.info().schema());
    }

    @Override
    public long step() throws InterruptedException {
        if (history == null) {
            try {
                writerId = context.client().logAppender().newWriterId();
                history = context.writers().register(name);
                nextBatches.clear();
            } catch (RuntimeException e) {
                context.errors().add(name, e);
                return AFTER_FAILURE;
            }
        }
        Register register = registers.choose(random);
        int dice = random.nextInt(100);
        boolean done =
                dice < LOOKUP_PERCENT
                        ? lookup(register)
                        : write(register, dice < LOOKUP_PERCENT + DELETE_PERCENT);
        return done ? random.nextInt(MOST_PAUSE) : AFTER_FAILURE;
    }

    private boolean lookup(Register register) throws InterruptedException {
        long invoked = register.invoke();
        try {
            List<Optional<EncodedRow>> rows =
                    context.client()
                            .kvReader()
                            .lookup(
                                    table.bucketOf(register.key()),
                                    List.of(table.encodeKey(register.key())))
                            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            Optional<Long> value =
                    rows.get(0).isEmpty()
                            ? Optional.of(0L)
                            : RowForm.read(
                                            codec.decode(rows.get(0).get().bytes()),
                                            true,
                                            ChangeKind.INSERT)
                                    .filter(row -> row.key() == register.key())
                                    .map(Row::value);
            if (value.isPresent()) {
                register.read(value.get(), invoked);
            } else {
                register.readNothing();
                table.history(table.bucketOf(register.key()))
                        .damaged(-1, "key " + register.key() + " with bytes nobody wrote", name);
            }
            return true;
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            register.readNothing();
            context.errors().add(name, e);
            return false;
        }
    }

    private boolean write(Register register, boolean delete) throws InterruptedException {
        BucketId bucket = table.bucketOf(register.key());
        int batch = nextBatches.merge(bucket, 1, Integer::sum) - 1;
        int sequence = delete ? -1 : history.send();
        long value = delete ? 0 : Row.value(history.id(), sequence);
        KvBatch change = change(register.key(), sequence);
        long invoked = register.invoke();
        try {
            context.client()
                    .kvWriter()
                    .put(bucket, new WriterStamp(writerId, batch), change)
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            register.wrote(value, invoked);
            context.acknowledgements().acknowledged(bucket, 1);
            if (!delete) {
                history.acknowledge(sequence);
            }
            return true;
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            register.mayHaveWritten(value, invoked);
            context.errors().add(name, e);
            history = null;
            return false;
        }
    }

    private KvBatch change(int key, int sequence) {
        KvBatchBuilder builder = new KvBatchBuilder(table.info().schema().id());
        if (sequence < 0) {
            builder.delete(table.encodeKey(key));
        } else {
            builder.upsert(
                    table.encodeKey(key), codec.encode(RowForm.keyed(key, history.id(), sequence)));
        }
        return builder.build();
    }

    @Override
    public void close() {}
}
