import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * A member of a consumer group.
 *
 * Member classic|consumer BOOTSTRAP GROUP TOPIC SESSION_MS prints what go-member does.
 */
public final class Member {
	private static volatile boolean ending;

	private static synchronized void say(String what, Object value) {
		System.out.println("{\"" + what + "\": " + value + "}");
	}

	public static void main(String[] args) throws Exception {
		Kit.bootstrap = args[1];
		boolean classic = args[0].equals("classic");
		KafkaConsumer<String, String> consumer = classic
			? Kit.consumer(args[2], "classic", "partition.assignment.strategy",
				"org.apache.kafka.clients.consumer.RoundRobinAssignor", "session.timeout.ms", args[4], "heartbeat.interval.ms",
				Integer.toString(Integer.parseInt(args[4]) / 10), "max.poll.interval.ms", "10000")
			: Kit.consumer(args[2], "consumer");
		consumer.subscribe(List.of(args[3]), new ConsumerRebalanceListener() {
			@Override
			public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
				List<Integer> left = new ArrayList<>(Kit.numbers(consumer.assignment()));
				left.removeAll(Kit.numbers(partitions));
				say("have", left);
			}

			@Override
			public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
				say("have", Kit.numbers(consumer.assignment()));
			}
		});
		Thread main = Thread.currentThread();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			ending = true;
			try {
				main.join();
			} catch (InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		}));
		while (!ending) {
			List<String> got = new ArrayList<>();
			consumer.poll(Kit.POLL).forEach(r -> got.add(r.partition() + ", " + r.offset() + ", \"" + r.value() + "\""));
			if (got.isEmpty())
				continue;
			say("got", got.stream().map(r -> "[" + r + "]").collect(Collectors.toList()));
			try {
				consumer.commitSync();
			} catch (KafkaException e) {
				System.err.println(e);
			}
		}
		consumer.close();
	}
}
