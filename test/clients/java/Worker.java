import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** A member of a group in a thread of its own, which commits what it has polled before it polls again. */
final class Worker extends Thread implements ConsumerRebalanceListener {
	final KafkaConsumer<String, String> consumer;
	final AtomicInteger assignments = new AtomicInteger();
	final AtomicInteger revocations = new AtomicInteger();
	final List<String> values = new ArrayList<>();
	private volatile Set<String> owned = Set.of();
	private volatile boolean ending;
	volatile Throwable failure;

	Worker(List<String> topics, String group, String protocol, String... settings) {
		consumer = Kit.consumer(group, protocol, settings);
		consumer.subscribe(topics, this);
		start();
	}

	@Override
	public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
		if (!partitions.isEmpty())
			revocations.incrementAndGet();
	}

	@Override
	public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
		assignments.incrementAndGet();
	}

	@Override
	public void run() {
		try {
			while (!ending) {
				consumer.poll(Kit.POLL).forEach(r -> {
					synchronized (values) {
						values.add(r.value());
					}
				});
				Set<String> now = new TreeSet<>();
				consumer.assignment().forEach(tp -> now.add(tp.toString()));
				owned = now;
				// What isn't committed now is after the next poll: a rebalance may be in progress.
				consumer.commitAsync();
			}
		} catch (Throwable e) {
			failure = e;
		} finally {
			consumer.close();
		}
	}

	/** "topic-partition" of what it has */
	Set<String> owned() {
		return owned;
	}

	List<String> values() {
		synchronized (values) {
			return new ArrayList<>(values);
		}
	}

	void end() throws Exception {
		ending = true;
		join();
	}
}
