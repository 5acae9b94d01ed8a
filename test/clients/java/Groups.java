import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.errors.FencedInstanceIdException;

/** Members that come and go: who gets which partitions, under each assignor. */
final class Groups {
	private Groups() { }

	private static String assignor(String name) {
		return "org.apache.kafka.clients.consumer." + name + "Assignor";
	}

	private static Set<String> names(String topic, int... partitions) {
		Set<String> all = new TreeSet<>();
		for (int p : partitions)
			all.add(topic + "-" + p);
		return all;
	}

	private static ConsumerGroupDescription described(String group) throws Exception {
		return Kit.admin.describeConsumerGroups(List.of(group)).all().get().get(group);
	}

	/** Every partition has one owner, and no member is without. */
	private static boolean shared(List<Worker> workers, int total) {
		Set<String> all = new TreeSet<>();
		int sum = 0;
		for (Worker w : workers) {
			if (w.failure != null)
				throw new AssertionError(w.failure);
			all.addAll(w.owned());
			sum += w.owned().size();
		}
		return sum == total && all.size() == total && workers.stream().noneMatch(w -> w.owned().isEmpty());
	}

	private static List<Worker> workers(int n, List<String> topics, int total, String group, String protocol, String... settings) {
		List<Worker> workers = new ArrayList<>();
		for (int i = 0; i < n; i++)
			workers.add(new Worker(topics, group, protocol, settings));
		Kit.await("the assignments of " + group, () -> shared(workers, total));
		return workers;
	}

	private static void end(List<Worker> workers) throws Exception {
		for (Worker w : workers) {
			w.end();
			Kit.eq(w.failure, null);
		}
	}

	private static Set<String> sets(List<Worker> workers) {
		return workers.stream().map(w -> w.owned().toString()).collect(Collectors.toCollection(TreeSet::new));
	}

	static void range(String protocol) throws Exception {
		String group = "range-" + protocol;
		Kit.topic(group + "a", 4);
		Kit.topic(group + "b", 4);
		List<Worker> workers = workers(2, List.of(group + "a", group + "b"), 8, group, protocol,
			protocol.equals("classic") ? "partition.assignment.strategy" : "group.remote.assignor",
			protocol.equals("classic") ? assignor("Range") : "range");
		Set<String> low = names(group + "a", 0, 1);
		low.addAll(names(group + "b", 0, 1));
		Set<String> high = names(group + "a", 2, 3);
		high.addAll(names(group + "b", 2, 3));
		Kit.eq(sets(workers), Set.of(low.toString(), high.toString()));
		Kit.eq(described(group).partitionAssignor(), "range");
		Kit.eq(described(group).groupState(), GroupState.STABLE);
		end(workers);
	}

	static void roundRobin(String protocol) throws Exception {
		String group = "roundrobin-" + protocol;
		Kit.topic(group, 6);
		List<Worker> workers = workers(2, List.of(group), 6, group, protocol, "partition.assignment.strategy",
			assignor("RoundRobin"));
		Kit.eq(sets(workers), Set.of(names(group, 0, 2, 4).toString(), names(group, 1, 3, 5).toString()));
		Kit.eq(described(group).partitionAssignor(), "roundrobin");
		end(workers);
	}

	/** Who stays keeps what he has when another leaves or comes. */
	private static void keeps(String group, String protocol, boolean cooperative, String... settings) throws Exception {
		Kit.topic(group, 6);
		List<Worker> workers = workers(3, List.of(group), 6, group, protocol, settings);
		for (Worker w : workers)
			Kit.eq(w.owned().size(), 2);
		Set<String> first = workers.get(0).owned();
		Set<String> second = workers.get(1).owned();
		int revocations = workers.get(0).revocations.get() + workers.get(1).revocations.get();
		workers.remove(2).end();
		Kit.await("two members to share", () -> shared(workers, 6));
		Kit.ok(workers.get(0).owned().containsAll(first), "the first keeps " + first + ": " + workers.get(0).owned());
		Kit.ok(workers.get(1).owned().containsAll(second), "the second keeps " + second + ": " + workers.get(1).owned());
		if (cooperative)
			Kit.eq(workers.get(0).revocations.get() + workers.get(1).revocations.get(), revocations);
		end(workers);
	}

	static void sticky(String protocol) throws Exception {
		keeps("sticky-" + protocol, protocol, false, "partition.assignment.strategy", assignor("Sticky"));
	}

	static void cooperativeSticky(String protocol) throws Exception {
		keeps("cooperative-" + protocol, protocol, true, "partition.assignment.strategy", assignor("CooperativeSticky"));
	}

	static void uniform(String protocol) throws Exception {
		keeps("uniform-" + protocol, protocol, true, "group.remote.assignor", "uniform");
	}

	/** A rolling change of the assignor, as Kafka's documentation tells to do it: eager, both, cooperative only. */
	static void upgrade(String protocol) throws Exception {
		String group = "upgrade-" + protocol;
		Kit.topic(group, 4);
		String[][] steps = {{assignor("Range")}, {assignor("CooperativeSticky"), assignor("Range")}, {assignor("CooperativeSticky")}};
		List<Worker> workers = workers(2, List.of(group), 4, group, protocol, "partition.assignment.strategy", steps[0][0]);
		for (int step = 1; step < 3; step++)
			for (int i = 0; i < 2; i++) {
				workers.remove(0).end();
				workers.add(new Worker(List.of(group), group, protocol, "partition.assignment.strategy",
					String.join(",", Arrays.asList(steps[step]))));
				Kit.await("both", () -> shared(workers, 4));
			}
		Kit.eq(described(group).partitionAssignor(), "cooperative-sticky");
		end(workers);
	}

	/** A static member that restarts gets its partitions back, and the others don't notice. */
	static void staticMembers(String protocol) throws Exception {
		String group = "static-" + protocol;
		Kit.topic(group, 4);
		List<Worker> workers = new ArrayList<>();
		for (String id : List.of("one", "two"))
			workers.add(new Worker(List.of(group), group, protocol, "group.instance.id", id));
		Kit.await("both", () -> shared(workers, 4));
		Worker two = workers.get(1);
		Set<String> before = workers.get(0).owned();
		Set<String> twos = two.owned();
		int assigned = workers.get(0).assignments.get();
		two.end();
		Worker again = new Worker(List.of(group), group, protocol, "group.instance.id", "two");
		workers.set(1, again);
		Kit.await("the second again", () -> again.owned().equals(twos));
		Kit.produce(group, 4, 0, 1);
		Kit.await("records", () -> again.values().size() + workers.get(0).values().size() == 4);
		Kit.eq(workers.get(0).owned(), before);
		Kit.eq(workers.get(0).assignments.get(), assigned);
		Kit.eq(described(group).members().stream().map(m -> m.groupInstanceId().orElse("")).sorted()
			.collect(Collectors.toList()), List.of("one", "two"));

		// A second one with the id of a member that is there: the classic protocol puts the first out, the other keeps the second out.
		Worker thief = new Worker(List.of(group), group, protocol, "group.instance.id", "two");
		Worker loser = protocol.equals("classic") ? again : thief;
		Kit.await("the fencing", () -> loser.failure != null);
		if (protocol.equals("classic")) {
			Kit.ok(loser.failure instanceof FencedInstanceIdException, "fenced: " + loser.failure);
			workers.set(1, thief);
		} else {
			Kit.ok(loser.failure.toString().contains("UnreleasedInstanceId"), "kept out: " + loser.failure);
		}
		Kit.await("the partitions", () -> shared(workers, 4));
		end(workers);

		// Static members leave when an administrator removes them.
		if (protocol.equals("classic")) {
			Kit.admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions(
				Set.of(new MemberToRemove("one"), new MemberToRemove("two")))).all().get();
			Kit.eq(described(group).members().size(), 0);
		}
	}

	/** A group changes its protocol member by member, there and back, and every record is read. */
	static void migration(String first) throws Exception {
		String group = "migration-" + first;
		String second = first.equals("classic") ? "consumer" : "classic";
		Kit.topic(group, 4);
		Set<String> seen = new TreeSet<>();
		List<Worker> workers = workers(2, List.of(group), 4, group, first);
		List<Worker> gone = new ArrayList<>();
		int produced = 0;
		for (String next : List.of(second, second, first, first)) {
			Kit.produce(group, 4, produced, 5);
			produced += 5;
			workers.add(new Worker(List.of(group), group, next));
			Kit.await("three members", () -> shared(workers, 4));
			Worker leaving = workers.remove(0);
			leaving.end();
			gone.add(leaving);
			Kit.await("two members", () -> shared(workers, 4));
			Kit.produce(group, 4, produced, 5);
			produced += 5;
		}
		int total = produced * 4;
		List<Worker> all = new ArrayList<>(gone);
		all.addAll(workers);
		Kit.await("all records", () -> {
			all.forEach(w -> seen.addAll(w.values()));
			return seen.size() == total;
		});
		Kit.eq(described(group).type(), first.equals("classic") ? GroupType.CLASSIC : GroupType.CONSUMER);
		end(workers);
		Kit.await("the commits", () -> Kit.committed(group, group).values().stream().allMatch(offset -> offset == total / 4));
		Kit.eq(described(group).groupState(), GroupState.EMPTY);
	}

	/** The number of partitions grows and a second topic comes: the group takes them in. */
	static void grows(String protocol) throws Exception {
		String group = "grows-" + protocol;
		Kit.topic(group, 2);
		List<Worker> workers = workers(2, List.of(group, group + "-later"), 2, group, protocol, "allow.auto.create.topics", "false");
		Kit.admin.createPartitions(Map.of(group, NewPartitions.increaseTo(4))).all().get();
		Kit.await("four partitions", () -> shared(workers, 4));
		Kit.topic(group + "-later", 2);
		Kit.await("the new topic", () -> shared(workers, 6));
		end(workers);
	}
}
