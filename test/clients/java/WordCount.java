import java.time.Duration;
import java.util.Arrays;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;

/**
 * Counts words with Kafka Streams, at least once.
 *
 * WordCount BOOTSTRAP INPUT OUTPUT DIRECTORY prints its state when that changes, and ends in order when it is told to by SIGTERM.
 */
public final class WordCount {
	public static void main(String[] args) throws Exception {
		Properties config = new Properties();
		config.put("application.id", "wordcount");
		config.put("bootstrap.servers", args[0]);
		config.put("state.dir", args[3]);
		config.put("processing.guarantee", "at_least_once");
		config.put("num.stream.threads", "2");
		config.put("commit.interval.ms", "200");
		config.put("repartition.purge.interval.ms", "200");
		config.put("consumer.session.timeout.ms", "3000");
		config.put("consumer.heartbeat.interval.ms", "300");
		config.put("default.key.serde", Serdes.StringSerde.class);
		config.put("default.value.serde", Serdes.StringSerde.class);
		config.put("consumer.auto.offset.reset", "earliest");

		StreamsBuilder builder = new StreamsBuilder();
		KStream<String, String> lines = builder.stream(args[1]);
		lines.flatMapValues(line -> Arrays.asList(line.split(" ")))
			.groupBy((key, word) -> word, Grouped.as("words"))
			.count(Materialized.as("totals"))
			.toStream()
			.to(args[2], Produced.with(Serdes.String(), Serdes.Long()));
		KafkaStreams streams = new KafkaStreams(builder.build(), config);
		streams.setStateListener((now, before) -> System.out.println("state " + now));
		Runtime.getRuntime().addShutdownHook(new Thread(() -> streams.close(Duration.ofSeconds(30))));
		streams.start();
	}
}
