import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Every record becomes one row, with any Kafka broker: offsets live in a table beside the rows.
 *
 *   OwnOffsets BOOTSTRAP GROUP TOPIC DATABASE
 *
 *   CREATE TABLE consumer_offset (consumer_group text, topic text, partition int, next_offset bigint NOT NULL,
 *       PRIMARY KEY (consumer_group, topic, partition));
 */
public class OwnOffsets implements ConsumerRebalanceListener {
    static volatile boolean stopping;

    final String group;
    final String database;
    final KafkaConsumer<byte[], String> consumer;
    /** The offsets in the table, as far as this consumer knows. */
    final Map<TopicPartition, Long> position = new HashMap<>();
    boolean inDoubt;
    Connection db;

    OwnOffsets(KafkaConsumer<byte[], String> consumer, String group, String database) {
        this.consumer = consumer;
        this.group = group;
        this.database = database;
    }

    void connect() throws SQLException {
        if (db != null)
            return;
        db = DriverManager.getConnection(database);
        try (Statement s = db.createStatement()) {
            // Stopped in a transaction, this process must not keep others waiting for its locks.
            s.execute("SET idle_in_transaction_session_timeout = '10s'");
        }
        db.setAutoCommit(false);
    }

    /** One transaction: what the records change, and where the group is now. */
    void write(ConsumerRecords<byte[], String> records) throws SQLException {
        // Sorted, so that nobody deadlocks.
        Map<TopicPartition, Long> moved = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        try (PreparedStatement row = db.prepareStatement(
                 "INSERT INTO received (topic, partition, log_offset, value) VALUES (?, ?, ?, ?)");
             PreparedStatement move = db.prepareStatement("UPDATE consumer_offset SET next_offset = ? "
                 + "WHERE consumer_group = ? AND topic = ? AND partition = ? AND next_offset = ?")) {
            for (ConsumerRecord<byte[], String> r : records) {
                row.setString(1, r.topic());
                row.setInt(2, r.partition());
                row.setLong(3, r.offset());
                row.setString(4, r.value());
                row.addBatch();
                moved.put(new TopicPartition(r.topic(), r.partition()), r.offset() + 1);
            }
            row.executeBatch();
            for (Map.Entry<TopicPartition, Long> m : moved.entrySet()) {
                // Only from where this consumer began: that fences one that was paused and believes the partition is its own.
                move.setLong(1, m.getValue());
                move.setString(2, group);
                move.setString(3, m.getKey().topic());
                move.setInt(4, m.getKey().partition());
                move.setLong(5, position.get(m.getKey()));
                if (move.executeUpdate() != 1)
                    throw new SQLException(m.getKey() + " was moved by another consumer");
            }
        }
        db.commit();
        position.putAll(moved);
    }

    /** Go where the table says: after an assignment, and after a COMMIT that failed or of which nobody knows. */
    void seekToStored() throws SQLException {
        connect();
        try (PreparedStatement make = db.prepareStatement(
                 "INSERT INTO consumer_offset VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING");
             PreparedStatement look = db.prepareStatement("SELECT next_offset FROM consumer_offset "
                 + "WHERE consumer_group = ? AND topic = ? AND partition = ?")) {
            for (TopicPartition p : consumer.assignment()) {
                for (PreparedStatement s : List.of(make, look)) {
                    s.setString(1, group);
                    s.setString(2, p.topic());
                    s.setInt(3, p.partition());
                }
                make.execute();
                db.commit();
                try (ResultSet found = look.executeQuery()) {
                    found.next();
                    position.put(p, found.getLong(1));
                }
                db.commit();
                consumer.seek(p, position.get(p));
            }
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

    /** The broker's own offsets of the group are not used. */
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        inDoubt = true;
    }

    void run() throws InterruptedException {
        while (!stopping) {
            try {
                if (inDoubt)
                    seekToStored();
                inDoubt = false;
                ConsumerRecords<byte[], String> records = consumer.poll(Duration.ofMillis(500));
                // After an assignment what was read before the seek doesn't count.
                if (records.isEmpty() || inDoubt)
                    continue;
                inDoubt = true;
                connect();
                write(records);
                inDoubt = false;
            } catch (SQLException e) {
                System.err.println("not committed, or unknown: " + e.getMessage());
                inDoubt = true;
                try {
                    if (db != null)
                        db.close();
                } catch (SQLException ignored) {
                    // it was broken
                }
                db = null;
                Thread.sleep(100);
            } catch (KafkaException e) {
                System.err.println("kafka: " + e);
                inDoubt = true;
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
                "enable.auto.commit", false,
                "auto.offset.reset", "earliest",
                "isolation.level", "read_committed",
                "session.timeout.ms", 6000,
                "max.poll.records", 500),
                new ByteArrayDeserializer(), new StringDeserializer())) {
            OwnOffsets program = new OwnOffsets(consumer, args[1], args[3]);
            consumer.subscribe(List.of(args[2].split(",")), program);
            program.run();
        }
    }
}
