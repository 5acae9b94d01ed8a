"""Consumer groups: Kafka's tools and consumers, restarts, what is in __consumer_offsets."""
import os
import signal
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import console_producer, deliver, java, producer, topics
from cluster import broker
from tap import case, eq, ok, run, wait_for

GROUPS = "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand"
CONSOLE = "org.apache.kafka.tools.consumer.ConsoleConsumer"


def groups(b, *args, **kw):
    return java(GROUPS, "--bootstrap-server", b.bootstrap, *args, **kw)


def console(b, topic, group, count, *args):
    return java(CONSOLE, "--bootstrap-server", b.bootstrap, "--topic", topic, "--group", group, "--max-messages", str(count),
                "--timeout-ms", "60000", *args).splitlines()


def described(b, group):
    """{(topic, partition): (committed, end, lag)}"""
    rows = [line.split() for line in groups(b, "--describe", "--group", group).splitlines()]
    return {(r[1], int(r[2])): tuple(r[3:6]) for r in rows if len(r) >= 6 and r[0] == group}


def committed(b, group, topic, partition):
    from confluent_kafka import Consumer, TopicPartition
    c = Consumer({"bootstrap.servers": b.bootstrap, "group.id": group, "log_level": 0})
    try:
        return c.committed([TopicPartition(topic, partition)], timeout=30)[0].offset
    finally:
        c.close()


class Member:
    """A consumer of librdkafka's that notes what happens to it."""

    def __init__(self, b, group, topic, **settings):
        from confluent_kafka import Consumer
        self.revoked = 0
        self.values = []
        self.consumer = Consumer({"bootstrap.servers": b.bootstrap, "group.id": group, "auto.offset.reset": "earliest",
                                  "enable.auto.commit": False, "session.timeout.ms": 10000, "heartbeat.interval.ms": 500,
                                  "log_level": 0, "reconnect.backoff.max.ms": 500,
                                  **{k.replace("_", "."): v for k, v in settings.items()}})
        self.consumer.subscribe([topic], on_revoke=self.on_revoke)

    def on_revoke(self, consumer, partitions):
        self.revoked += 1

    def poll(self, seconds=0.1):
        m = self.consumer.poll(seconds)
        if m is not None and not m.error():
            self.values.append(m.value().decode())
        return True

    def has(self):
        return sorted(p.partition for p in self.consumer.assignment())

    def committed(self, topic, partition):
        from confluent_kafka import TopicPartition
        return self.consumer.committed([TopicPartition(topic, partition)], timeout=30)[0].offset


def all_assigned(members, n):
    for m in members:
        m.poll()
    return sorted(sum((m.has() for m in members), [])) == list(range(n)) and all(m.has() for m in members)


@case(seconds=600)
def console_consumers(b):
    "Kafka's console consumer goes on where its group was, with both protocols"
    topics(b, "--create", "--topic", "console")
    for group, more in (("classic", []), ("consumer", ["--command-property", "group.protocol=consumer"])):
        console_producer(b, "console", ["%s%d" % (group, i) for i in range(10)])
        first = console(b, "console", group, 6, "--from-beginning", *more)
        eq(len(first), 6)
        wait_for("the offsets", lambda: described(b, group).get(("console", 0), ("",))[0] == "6")
        eq(console(b, "console", group, 4, *more)[0], "%s6" % group if group == "classic" else "classic6")
    ok("consumer" in groups(b, "--list", "--type").lower())


@case(seconds=600)
def tool(b):
    "kafka-consumer-groups lists, describes, resets and deletes groups and offsets"
    topics(b, "--create", "--topic", "tool", "--partitions", "2")
    p = producer(b)
    for partition in range(2):
        deliver(p, "tool", [(b"k", b"%d" % i) for i in range(10)], partition)
    console(b, "tool", "tooled", 20, "--from-beginning")
    wait_for("the offsets", lambda: described(b, "tooled") == {("tool", 0): ("10", "10", "0"), ("tool", 1): ("10", "10", "0")})
    ok("tooled" in groups(b, "--list").split())
    ok("Empty" in groups(b, "--describe", "--group", "tooled", "--state"))
    reset = ["--group", "tooled", "--reset-offsets", "--topic", "tool", "--execute"]
    for how, want in ((["--to-earliest"], 0), (["--to-offset", "7"], 7), (["--shift-by", "-2"], 5), (["--to-latest"], 10),
                      (["--to-datetime", "2020-01-01T00:00:00.000"], 0), (["--by-duration", "PT0S"], 10),
                      (["--to-current"], 10)):
        groups(b, *reset, *how)
        eq(committed(b, "tooled", "tool", 1), want, how)
    groups(b, "--group", "tooled", "--delete-offsets", "--topic", "tool:1")
    eq(list(described(b, "tooled")), [("tool", 0)])
    m = Member(b, "tooled", "tool")
    wait_for("the assignment", lambda: all_assigned([m], 2))
    p = groups(b, *reset, "--to-earliest", check=False)
    ok("inactive" in (p.stdout + p.stderr).decode() or p.returncode != 0, "a group in use can't be reset")
    ok("Stable" in groups(b, "--describe", "--group", "tooled", "--state"))
    ok("rdkafka" in groups(b, "--describe", "--group", "tooled", "--members"))
    m.consumer.close()
    ok("successful" in groups(b, "--delete", "--group", "tooled"))
    ok("tooled" not in groups(b, "--list").split())


@case
def members_come_and_go(b):
    "members share the partitions; when one dies the others get its, when one leaves at once"
    topics(b, "--create", "--topic", "shared", "--partitions", "6")
    for strategy in ("range", "roundrobin", "cooperative-sticky"):
        members = [Member(b, "share-" + strategy, "shared", partition_assignment_strategy=strategy) for _ in range(3)]
        wait_for("three members", lambda: all_assigned(members, 6), 60)
        eq([len(m.has()) for m in members], [2, 2, 2])
        members[2].consumer.close()
        wait_for("two members", lambda: all_assigned(members[:2], 6), 60)
        for m in members[:2]:
            m.consumer.close()


def survives(b, disturb):
    topics(b, "--create", "--topic", "kept", "--partitions", "4")
    members = [Member(b, "kept", "kept") for _ in range(2)]
    wait_for("two members", lambda: all_assigned(members, 4), 60)
    p = producer(b)
    for partition in range(4):
        deliver(p, "kept", [(b"k", b"%d-%d" % (partition, i)) for i in range(5)], partition)
    wait_for("all records", lambda: all(m.poll() for m in members) and sum(len(m.values) for m in members) == 20, 60)
    for m in members:
        m.consumer.commit(asynchronous=False)
    before = [m.has() for m in members]
    disturb()
    deliver(producer(b), "kept", [(b"k", b"after")], 0)
    wait_for("the next record", lambda: all(m.poll() for m in members) and sum(len(m.values) for m in members) == 21, 60)
    eq([m.has() for m in members], before)
    eq([m.revoked for m in members], [0, 0], "nobody lost a partition")
    eq([members[0].committed("kept", p) for p in range(4)], [5, 5, 5, 5])
    for m in members:
        m.consumer.close()
    topics(b, "--delete", "--topic", "kept")


@case
def coordinator_ends(b):
    "when the coordinator is terminated, members go on with their partitions and offsets"
    if b.kind != "pg":
        return

    def terminate():
        pid, = b.workers("pg_broker coordinator")
        os.kill(pid, signal.SIGTERM)
        wait_for("its successor", lambda: set(b.workers("pg_broker coordinator")) - {pid})

    survives(b, terminate)


@case(seconds=600)
def recreated(b):
    "a topic that is created again starts anew, for groups too"
    for round in range(2):
        topics(b, "--create", "--topic", "again")
        console_producer(b, "again", ["r%d-%d" % (round, i) for i in range(5)])
        eq(console(b, "again", "re", 5, "--from-beginning"), ["r%d-%d" % (round, i) for i in range(5)])
        wait_for("the offset", lambda: described(b, "re").get(("again", 0), ("",))[0] == "5")
        topics(b, "--delete", "--topic", "again")
        wait_for("the offsets to go", lambda: ("again", 0) not in described(b, "re"))


@case(seconds=600)
def offsets_topic(b):
    "__consumer_offsets is what Kafka's tools expect, and clients can't write to it"
    topics(b, "--create", "--topic", "printed")
    console_producer(b, "printed", ["x"])
    console(b, "printed", "printer", 1, "--from-beginning")
    for formatter, what in (("OffsetsMessageFormatter", '"offset":1'), ("GroupMetadataMessageFormatter", '"protocolType":"consumer"')):
        out = java(CONSOLE, "--bootstrap-server", b.bootstrap, "--topic", "__consumer_offsets", "--from-beginning",
                   "--timeout-ms", "20000", "--formatter", "org.apache.kafka.tools.consumer." + formatter, check=False)
        lines = [line for line in out.stdout.decode().replace('}}{"key', '}}\n{"key').splitlines() if '"printer"' in line]
        ok(any(what in line for line in lines), "%s: %s" % (formatter, lines[:3]))
    ok("cleanup.policy=compact" in topics(b, "--describe", "--topic", "__consumer_offsets"))
    p = producer(b, message_timeout_ms=5000)
    errors = []
    p.produce("__consumer_offsets", value=b"x", on_delivery=lambda error, message: errors.append(error))
    p.flush(10)
    ok(errors and errors[0], "refused")


run(lambda: broker("groups", {"pg_broker.group_initial_rebalance_delay": "500ms"}))
