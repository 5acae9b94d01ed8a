import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** What all cases use: a broker's address, an admin client, a producer, consumers, and waiting for conditions. */
final class Kit {
	static final Duration POLL = Duration.ofMillis(50);
	private static final long INTERVAL_MS = 5;
	static String bootstrap;
	static Admin admin;
	static KafkaProducer<String, String> producer;

	private Kit() { }

	static void connect(String address) {
		bootstrap = address;
		admin = Admin.create(Map.of("bootstrap.servers", address));
		producer = new KafkaProducer<>(Map.of("bootstrap.servers", address, "linger.ms", "5"), new StringSerializer(),
			new StringSerializer());
	}

	static KafkaConsumer<String, String> consumer(String group, String protocol, String... settings) {
		Map<String, Object> config = new HashMap<>();
		config.put("bootstrap.servers", bootstrap);
		config.put("group.protocol", protocol);
		config.put("enable.auto.commit", "false");
		config.put("auto.offset.reset", "earliest");
		config.put("metadata.max.age.ms", "500");
		config.put("reconnect.backoff.max.ms", "200");
		if (group != null)
			config.put("group.id", group);
		if (protocol.equals("classic"))
			config.put("heartbeat.interval.ms", "200");
		for (int i = 0; i < settings.length; i += 2)
			config.put(settings[i], settings[i + 1]);
		return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
	}

	static void topic(String name, int partitions) throws Exception {
		admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
	}

	/** `count` records in each partition; values are "partition-number", counted from `first` on. */
	static void produce(String topic, int partitions, int first, int count) throws Exception {
		for (int i = first; i < first + count; i++)
			for (int p = 0; p < partitions; p++)
				producer.send(new ProducerRecord<>(topic, p, 1_700_000_000_000L + i, null, p + "-" + i));
		producer.flush();
	}

	/** Polls until `count` records have come; more than that is a failure. */
	static List<ConsumerRecord<String, String>> read(Consumer<String, String> c, int count) {
		List<ConsumerRecord<String, String>> got = new ArrayList<>();
		await(count + " records", () -> {
			ConsumerRecords<String, String> records = c.poll(POLL);
			records.forEach(got::add);
			return got.size() >= count;
		});
		eq(got.size(), count);
		return got;
	}

	/** The offsets that the group has committed, by partition number of the topic. */
	static Map<Integer, Long> committed(String group, String topic) {
		try {
			Map<Integer, Long> found = new TreeMap<>();
			admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().forEach((tp, offset) -> {
				if (tp.topic().equals(topic) && offset != null)
					found.put(tp.partition(), offset.offset());
			});
			return found;
		} catch (Exception e) {
			throw new AssertionError(e);
		}
	}

	static Map<Integer, Long> each(int partitions, long offset) {
		Map<Integer, Long> all = new TreeMap<>();
		for (int p = 0; p < partitions; p++)
			all.put(p, offset);
		return all;
	}

	static Set<Integer> numbers(Iterable<TopicPartition> partitions) {
		Set<Integer> found = new TreeSet<>();
		partitions.forEach(tp -> found.add(tp.partition()));
		return found;
	}

	static void await(String what, BooleanSupplier condition) {
		long deadline = System.nanoTime() + 60_000_000_000L;
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() > deadline)
				throw new AssertionError("waited 60 s in vain for: " + what);
			try {
				Thread.sleep(INTERVAL_MS);
			} catch (InterruptedException e) {
				throw new AssertionError(e);
			}
		}
	}

	static void eq(Object got, Object want) {
		if (!Objects.equals(got, want))
			throw new AssertionError("got " + got + ", want " + want);
	}

	static void ok(boolean condition, String what) {
		if (!condition)
			throw new AssertionError("not true: " + what);
	}
}
