import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Every record becomes one row: offsets are committed by the transaction that writes the rows.
 *
 *   CommitOffsets BOOTSTRAP GROUP TOPIC DATABASE
 */
public class CommitOffsets {
    static volatile boolean stopping;

    /** One transaction: what the records change, and that they have been processed. */
    static void write(Connection db, KafkaConsumer<byte[], String> consumer, ConsumerRecords<byte[], String> records)
            throws SQLException {
        try (PreparedStatement row = db.prepareStatement(
                 "INSERT INTO received (topic, partition, log_offset, value) VALUES (?, ?, ?, ?)");
             PreparedStatement offsets = db.prepareStatement(
                 "SELECT broker.commit_offsets(?, ?, ?, ?, ?, member_id => ?, generation => ?)")) {
            for (TopicPartition p : records.partitions()) {
                List<ConsumerRecord<byte[], String>> batch = records.records(p);
                for (ConsumerRecord<byte[], String> r : batch) {
                    row.setString(1, r.topic());
                    row.setInt(2, r.partition());
                    row.setLong(3, r.offset());
                    row.setString(4, r.value());
                    row.addBatch();
                }
                row.executeBatch();
                offsets.setString(1, consumer.groupMetadata().groupId());
                offsets.setString(2, p.topic());
                offsets.setInt(3, p.partition());
                offsets.setLong(4, batch.get(0).offset());
                offsets.setLong(5, batch.get(batch.size() - 1).offset());
                offsets.setString(6, consumer.groupMetadata().memberId());
                offsets.setInt(7, consumer.groupMetadata().generationId());
                offsets.execute();
            }
        }
        db.commit();
    }

    /** After a COMMIT that failed, or of which nobody knows: go where the group is. The consumer itself has moved on. */
    static void seekToCommitted(KafkaConsumer<byte[], String> consumer) {
        consumer.committed(consumer.assignment()).forEach((p, committed) -> {
            if (committed != null)
                consumer.seek(p, committed.offset());
            else
                consumer.seekToBeginning(List.of(p));
        });
    }

    /**
     * No transaction is open here: each begins and ends between two polls. A program that collects records over several
     * polls, or hands them to threads, rolls back and forgets those of these partitions now.
     */
    static class Rebalance implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
    }

    static void run(KafkaConsumer<byte[], String> consumer, String database) throws InterruptedException {
        Connection db = null;
        boolean inDoubt = false;
        while (!stopping) {
            try {
                if (inDoubt)
                    seekToCommitted(consumer);
                inDoubt = false;
                ConsumerRecords<byte[], String> records = consumer.poll(Duration.ofMillis(500));
                if (records.isEmpty())
                    continue;
                inDoubt = true;
                if (db == null) {
                    db = DriverManager.getConnection(database);
                    db.setAutoCommit(false);
                }
                write(db, consumer, records);
                inDoubt = false;
            } catch (SQLException e) {
                System.err.println("not committed, or unknown: " + e.getMessage());
                try {
                    if (db != null)
                        db.close();
                } catch (SQLException ignored) {
                    // it was broken
                }
                db = null;
            } catch (KafkaException e) {
                System.err.println("kafka: " + e);
                Thread.sleep(100);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stopping = true;
            try {
                main.join();
            } catch (InterruptedException ignored) {
                // ends all the same
            }
        }));
        try (KafkaConsumer<byte[], String> consumer = new KafkaConsumer<>(Map.of(
                "bootstrap.servers", args[0],
                "group.id", args[1],
                "enable.auto.commit", false,            // offsets commit with the rows and nowhere else
                "auto.offset.reset", "earliest",        // where a group begins that has no offsets yet
                "isolation.level", "read_committed",    // also makes committed() wait for a COMMIT that is under way
                "session.timeout.ms", 6000,
                "max.poll.records", 500),
                new ByteArrayDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(args[2].split(",")), new Rebalance());
            run(consumer, args[3]);
        }
    }
}
