package io.flinkfluss.benchmarks.peers.kafka;

import io.flinkfluss.benchmarks.driver.RowReader;
import io.flinkfluss.benchmarks.rows.CompactForm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads all partitions from their beginning. Values have no columns, so all of a row comes always.
 */
final class OrderConsumer implements RowReader {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final CompactForm view = new CompactForm();

    OrderConsumer(Map<String, Object> configuration, List<TopicPartition> partitions) {
        consumer =
                new KafkaConsumer<>(
                        configuration, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    @Override
    public void poll(Duration patience, Sink sink) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
            sink.accept(view.of(record.value()));
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
