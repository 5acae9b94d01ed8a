import static java.util.stream.Collectors.toList;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.WakeupException;

/** Commit styles and positions.  Each case has a topic and a group of its own, named after it and the group protocol. */
final class Commits {
	private static final int N = 3;

	private Commits() { }

	/** A topic with 10 records in each of its partitions */
	private static String filled(String name) throws Exception {
		Kit.topic(name, N);
		Kit.produce(name, N, 0, 10);
		return name;
	}

	/** The group's next member gets nothing but what is produced now. */
	private static void goesOn(String name, String protocol, int next) throws Exception {
		Kit.produce(name, N, next, 2);
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			c.subscribe(List.of(name));
			for (ConsumerRecord<String, String> r : Kit.read(c, 2 * N))
				Kit.ok(r.offset() >= next, r.partition() + "-" + r.offset() + " had been committed");
		}
	}

	static void autoCommit(String protocol) throws Exception {
		String name = filled("auto-" + protocol);
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol, "enable.auto.commit", "true",
			"auto.commit.interval.ms", "100")) {
			c.subscribe(List.of(name));
			Kit.read(c, 10 * N);
			Kit.await("a commit in passing", () -> {
				c.poll(Kit.POLL);
				return Kit.committed(name, name).equals(Kit.each(N, 10));
			});
		}
		Kit.produce(name, N, 10, 5);
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol, "enable.auto.commit", "true",
			"auto.commit.interval.ms", "3600000")) {
			c.subscribe(List.of(name));
			Kit.read(c, 5 * N);
		}
		Kit.eq(Kit.committed(name, name), Kit.each(N, 15));
		goesOn(name, protocol, 15);
	}

	static void commitSync(String protocol) throws Exception {
		String name = filled("sync-" + protocol);
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			c.subscribe(List.of(name));
			Kit.read(c, 10 * N);
			Kit.eq(Kit.committed(name, name), Map.of());
			c.commitSync();
			Kit.eq(Kit.committed(name, name), Kit.each(N, 10));
			Kit.eq(c.committed(Set.of(new TopicPartition(name, 1))).get(new TopicPartition(name, 1)).offset(), 10L);
			c.commitSync();
		}
		goesOn(name, protocol, 10);
	}

	static void commitAsync(String protocol) throws Exception {
		String name = filled("async-" + protocol);
		AtomicReference<Map<TopicPartition, OffsetAndMetadata>> answered = new AtomicReference<>();
		AtomicReference<Exception> error = new AtomicReference<>();
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			c.subscribe(List.of(name));
			Kit.read(c, 10 * N);
			c.commitAsync((offsets, e) -> {
				error.set(e);
				answered.set(offsets);
			});
			Kit.await("the callback", () -> {
				c.poll(Kit.POLL);
				return answered.get() != null;
			});
		}
		Kit.eq(error.get(), null);
		Kit.eq(answered.get().size(), N);
		Kit.eq(Kit.committed(name, name), Kit.each(N, 10));
		goesOn(name, protocol, 10);
	}

	/** The usual loop: asynchronously on the way, synchronously at the end, which a wakeup from another thread brings. */
	static void both(String protocol) throws Exception {
		String name = filled("both-" + protocol);
		KafkaConsumer<String, String> c = Kit.consumer(name, protocol, "max.poll.records", "4");
		Thread other = new Thread(() -> {
			Kit.await("commits", () -> Kit.committed(name, name).values().stream().anyMatch(offset -> offset == 10));
			c.wakeup();
		});
		c.subscribe(List.of(name));
		try {
			other.start();
			while (true) {
				c.poll(Duration.ofSeconds(60));
				c.commitAsync();
			}
		} catch (WakeupException e) {
			c.commitSync();
		} finally {
			c.close();
		}
		other.join();
		try (KafkaConsumer<String, String> next = Kit.consumer(name, protocol)) {
			next.subscribe(List.of(name));
			Kit.await("the assignment", () -> next.poll(Kit.POLL) != null && next.assignment().size() == N);
			Map<Integer, Long> at = Kit.committed(name, name);
			for (TopicPartition tp : next.assignment())
				Kit.ok(next.position(tp) >= at.getOrDefault(tp.partition(), 0L), tp + " goes on where it was committed");
		}
	}

	static void middle(String protocol) throws Exception {
		String name = filled("middle-" + protocol);
		TopicPartition one = new TopicPartition(name, 1);
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			c.subscribe(List.of(name));
			List<ConsumerRecord<String, String>> got = Kit.read(c, 10 * N);
			ConsumerRecord<String, String> third = got.stream().filter(r -> r.partition() == 1).collect(toList()).get(2);
			c.commitSync(Map.of(one, new OffsetAndMetadata(third.offset() + 1, third.leaderEpoch(), "third, \u00fc")));
			Kit.eq(Kit.committed(name, name), Map.of(1, 3L));
		}
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			Kit.eq(c.committed(Set.of(one)).get(one).metadata(), "third, \u00fc");
			c.subscribe(List.of(name));
			for (ConsumerRecord<String, String> r : Kit.read(c, 27))
				Kit.ok(r.partition() != 1 || r.offset() >= 3, "the rest of partition 1 and all of the others");
			// Going back is the client's right.
			c.commitSync(Map.of(one, new OffsetAndMetadata(2)));
			Kit.eq(Kit.committed(name, name), Map.of(1, 2L));
		}
	}

	/** What is processed is committed when partitions are taken away: their next owner goes on just there. */
	static void listener(String protocol) throws Exception {
		String name = filled("listener-" + protocol);
		Map<Integer, Long> given = new ConcurrentHashMap<>();
		KafkaConsumer<String, String> a = Kit.consumer(name, protocol, "max.poll.records", "2");
		a.subscribe(List.of(name), new ConsumerRebalanceListener() {
			@Override
			public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
				Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
				for (TopicPartition tp : partitions) {
					positions.put(tp, new OffsetAndMetadata(a.position(tp)));
					given.put(tp.partition(), a.position(tp));
				}
				a.commitSync(positions);
			}

			@Override
			public void onPartitionsAssigned(Collection<TopicPartition> partitions) { }
		});
		int[] count = {0};
		Kit.await("some records", () -> {
			count[0] += a.poll(Kit.POLL).count();
			return count[0] >= 5;
		});
		a.pause(a.assignment());

		Map<Integer, Long> begin = new ConcurrentHashMap<>();
		AtomicReference<Throwable> failure = new AtomicReference<>();
		AtomicReference<Set<Integer>> owned = new AtomicReference<>(Set.of());
		Thread other = new Thread(() -> {
			try (KafkaConsumer<String, String> b = Kit.consumer(name, protocol)) {
				b.subscribe(List.of(name));
				Kit.await("records of each partition", () -> {
					owned.set(Kit.numbers(b.assignment()));
					b.poll(Kit.POLL).forEach(r -> begin.putIfAbsent(r.partition(), r.offset()));
					return !b.assignment().isEmpty() && begin.keySet().containsAll(Kit.numbers(b.assignment()));
				});
			} catch (Throwable e) {
				failure.set(e);
			}
		});
		other.start();
		while (other.isAlive())
			a.poll(Kit.POLL);
		Kit.ok(failure.get() == null, failure + ", given " + given + ", begun " + begin + ", owned " + owned);
		Kit.ok(!begin.isEmpty(), "the other got partitions");
		begin.forEach((partition, offset) -> Kit.eq(offset, given.get(partition)));
		a.close();
	}

	static void seeks(String protocol) throws Exception {
		String name = filled("seeks-" + protocol);
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			c.subscribe(List.of(name));
			Kit.read(c, 10 * N);
			c.seekToBeginning(c.assignment());
			Kit.eq(Kit.read(c, 10 * N).stream().filter(r -> r.offset() == 0).count(), (long) N);
			c.seekToEnd(c.assignment());
			for (TopicPartition tp : c.assignment())
				Kit.eq(c.position(tp), 10L);
			Kit.produce(name, N, 10, 1);
			Kit.ok(Kit.read(c, N).stream().allMatch(r -> r.offset() == 10), "only the new ones");

			Map<TopicPartition, Long> times = new HashMap<>();
			c.assignment().forEach(tp -> times.put(tp, 1_700_000_000_000L + 4 + tp.partition()));
			c.offsetsForTimes(times).forEach((tp, at) -> {
				Kit.eq(at.offset(), 4L + tp.partition());
				c.seek(tp, at.offset());
			});
			Kit.eq(Kit.read(c, 7 + 6 + 5).stream().mapToLong(ConsumerRecord::offset).min().getAsLong(), 4L);
		}
		// Offsets of a store of one's own: sought when partitions are assigned
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			c.subscribe(List.of(name), new ConsumerRebalanceListener() {
				@Override
				public void onPartitionsRevoked(Collection<TopicPartition> partitions) { }

				@Override
				public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
					partitions.forEach(tp -> c.seek(tp, new OffsetAndMetadata(8 + tp.partition(), "stored")));
				}
			});
			for (ConsumerRecord<String, String> r : Kit.read(c, 3 + 2 + 1))
				Kit.ok(r.offset() >= 8 + r.partition(), "from where it was stored");
		}
	}

	static void wakeup(String protocol) throws Exception {
		String name = filled("wakeup-" + protocol);
		KafkaConsumer<String, String> c = Kit.consumer(name, protocol);
		c.subscribe(List.of(name));
		Kit.read(c, 10 * N);
		AtomicReference<Throwable> ended = new AtomicReference<>();
		Thread reader = new Thread(() -> {
			try {
				while (true)
					c.poll(Duration.ofHours(1));
			} catch (Throwable e) {
				ended.set(e);
			}
		});
		reader.start();
		Kit.await("the reader to sleep", () -> reader.getState() == Thread.State.TIMED_WAITING
			|| reader.getState() == Thread.State.RUNNABLE);
		c.wakeup();
		reader.join(30_000);
		Kit.ok(ended.get() instanceof WakeupException, "woken: " + ended.get());
		c.commitSync();
		c.close();
		Kit.eq(Kit.committed(name, name), Kit.each(N, 10));
		// It left: the next one needn't wait for its session's end.
		long started = System.nanoTime();
		goesOn(name, protocol, 10);
		Kit.ok(System.nanoTime() - started < 5_000_000_000L, "took the partitions over at once");
	}

	private static void matches(KafkaConsumer<String, String> c, String name) throws Exception {
		Kit.read(c, 20 * N);
		c.commitSync();
		Kit.eq(c.subscription(), Set.of(name + ".a", name + ".b"));
		filled(name + ".c");
		Kit.read(c, 10 * N);
		Kit.eq(c.assignment().size(), 3 * N);
	}

	static void pattern(String protocol) throws Exception {
		String name = "pattern-" + protocol;
		for (String topic : List.of(".a", ".b", "-b"))
			filled(name + topic);
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			c.subscribe(Pattern.compile(name + "\\.[a-z]+"));
			matches(c, name);
		}
	}

	/** Evaluated by the broker */
	static void brokersPattern(String protocol) throws Exception {
		String name = "regex-" + protocol;
		for (String topic : List.of(".a", ".b", "-b"))
			filled(name + topic);
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			c.subscribe(new SubscriptionPattern(name + "\\.[a-z]+"));
			Kit.read(c, 20 * N);
			c.commitSync();
			filled(name + ".c");
			Kit.read(c, 10 * N);
			Kit.eq(c.assignment().size(), 3 * N);
		}
	}

	static void standalone(String protocol) throws Exception {
		String name = filled("standalone-" + protocol);
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			c.assign(c.partitionsFor(name).stream().map(p -> new TopicPartition(name, p.partition())).collect(toList()));
			Kit.read(c, 10 * N);
			c.commitSync();
			Kit.eq(Kit.committed(name, name), Kit.each(N, 10));
			Kit.eq(Kit.admin.describeConsumerGroups(List.of(name)).all().get().get(name).members().size(), 0);
		}
		Kit.produce(name, N, 10, 1);
		try (KafkaConsumer<String, String> c = Kit.consumer(name, protocol)) {
			c.assign(List.of(new TopicPartition(name, 2)));
			Kit.eq(Kit.read(c, 1).get(0).value(), "2-10");
		}
		try (KafkaConsumer<String, String> c = Kit.consumer(null, protocol)) {
			c.assign(List.of(new TopicPartition(name, 0)));
			Kit.read(c, 11);
			try {
				c.commitSync();
				throw new AssertionError("committed without a group");
			} catch (InvalidGroupIdException e) {
				Kit.ok(e.getMessage() != null, "says why");
			}
		}
	}
}
