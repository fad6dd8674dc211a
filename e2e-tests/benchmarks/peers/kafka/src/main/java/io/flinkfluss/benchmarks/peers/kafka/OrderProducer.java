package io.flinkfluss.benchmarks.peers.kafka;

import io.flinkfluss.benchmarks.driver.RowWriter;
import io.flinkfluss.benchmarks.rows.CompactForm;
import io.flinkfluss.benchmarks.rows.OrderRow;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes rows as values without keys; a row that was refused is told by the next flush. */
final class OrderProducer implements RowWriter {
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Callback callback = this::completed;

    OrderProducer(Map<String, Object> configuration, String topic) {
        producer =
                new KafkaProducer<>(
                        configuration, new ByteArraySerializer(), new ByteArraySerializer());
        this.topic = topic;
    }

    @Override
    public void write(OrderRow row) throws Exception {
        Future<RecordMetadata> sent =
                producer.send(new ProducerRecord<>(topic, CompactForm.encode(row)), callback);
        if (sent.isCancelled()) {
            throw new IllegalStateException("the producer cancelled a row");
        }
    }

    private void completed(RecordMetadata metadata, Exception error) {
        if (error != null) {
            failure.compareAndSet(null, error);
        }
    }

    @Override
    public void flush() {
        producer.flush();
        Exception error = failure.get();
        if (error != null) {
            throw new IllegalStateException("a row was not stored: " + error, error);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
