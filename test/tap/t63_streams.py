"""Kafka Streams: a word count at least once, with its repartition and changelog topics, restarted in every way."""
import collections
import contextlib
import os
import random
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import configs, deliver, java, java_command, producer, read_partition
from cluster import broker, free_ports
from tap import Failed, case, eq, ok, run, wait_for

LINES = int(os.environ.get("STREAMS_LINES", 500))
WORDS = ["word%d" % i for i in range(50)]
REPARTITION = "wordcount-words-repartition"
CHANGELOG = "wordcount-totals-changelog"


class App:
    def __init__(self, b):
        self.broker = b
        self.state = os.path.join(b.dir, "streams")
        self.log = os.path.join(b.dir, "streams.log")
        self.expected = collections.Counter()
        self.random = random.Random(1)

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(java_command("WordCount", self.broker.bootstrap, "lines", "counts", self.state),
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def write(self):
        """Lines of words, to all partitions"""
        p = producer(self.broker, linger_ms=5, enable_idempotence=True)
        for partition in range(4):
            lines = [self.random.choices(WORDS, k=5) for _ in range(LINES // 4)]
            deliver(p, "lines", [(None, " ".join(line).encode()) for line in lines], partition)
            for line in lines:
                self.expected.update(line)

    def counts(self):
        """What the output says last of each word"""
        found = {}
        for partition in range(4):
            for m in read_partition(self.broker, "counts", partition):
                found[m.key().decode()] = struct.unpack(">q", m.value())[0]
        return found

    def wait(self, exactly=True):
        last = {}

        def right():
            last.clear()
            last.update(self.counts())
            return last == self.expected if exactly else all(last.get(w, 0) >= n for w, n in self.expected.items())
        try:
            wait_for("the counts", right, 60, 0.3)
        except Failed as e:
            with open(self.log) as f:
                raise Failed("%s\ngot %s\nwant %s\n%s" % (e, sorted(last.items())[:20], sorted(self.expected.items())[:20],
                                                          f.read()[-3000:]))


@case
def counts(b):
    "counts the words; its internal topics have the settings that it asks for"
    b.app.write()
    b.app.start()
    b.app.wait()
    described = configs(b, "--describe", "--entity-type", "topics")
    topics = {part.split(" are:")[0].strip(): part for part in described.split("Dynamic configs for topic ")[1:]}
    ok("cleanup.policy=compact" in topics[CHANGELOG], topics[CHANGELOG])
    ok("cleanup.policy=delete" in topics[REPARTITION] and "retention.ms=-1" in topics[REPARTITION], topics[REPARTITION])


@case
def purges(b):
    "what was repartitioned is deleted behind it"
    from confluent_kafka import Consumer, TopicPartition
    c = Consumer({"bootstrap.servers": b.bootstrap, "group.id": "none"})
    wait_for("deletions", lambda: all(low == high > 0 for low, high in (
        c.get_watermark_offsets(TopicPartition(REPARTITION, p), timeout=10) for p in range(4))))
    c.close()


@case
def application_restarts(b):
    "stopped and started: it goes on, and the counts are exact"
    b.app.stop()
    b.app.write()
    b.app.start()
    b.app.wait()


@case
def broker_restarts(b):
    "the broker is restarted and crashes under it: nothing is missing"
    b.restart()
    b.app.write()
    b.app.wait(exactly=False)
    if b.kind == "pg":
        b.kill()
        b.start()
        b.app.write()
        b.app.wait(exactly=False)


@case
def killed(b):
    "killed, its local state lost: it is restored from the changelog, and nothing is missing"
    b.app.wait(exactly=False)
    b.app.expected = collections.Counter(b.app.counts())
    b.app.write()
    b.app.kill()
    shutil.rmtree(b.app.state)
    b.app.write()
    b.app.start()
    b.app.wait(exactly=False)


@case
def reset_tool(b):
    "kafka-streams-application-reset resets offsets and deletes the internal topics"
    b.app.stop()
    wait_for("the group to be empty", lambda: "has no active members" in java(
        "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand", "--bootstrap-server", b.bootstrap, "--describe", "--group",
        "wordcount", check=False).stderr.decode())
    java("org.apache.kafka.tools.StreamsResetter", "--bootstrap-server", b.bootstrap, "--application-id", "wordcount",
         "--input-topics", "lines")
    listed = java("org.apache.kafka.tools.TopicCommand", "--bootstrap-server", b.bootstrap, "--list").split()
    eq([t for t in listed if t.startswith("wordcount-")], [])


@contextlib.contextmanager
def setup():
    with broker("streams", {"pg_broker.port": str(free_ports(1)[0]), "pg_broker.group_initial_rebalance_delay": "500ms",
                            "pg_broker.group_min_session_timeout": "1s"}, {"group.min.session.timeout.ms": "1000"}) as b:
        b.create_topic("lines", 4)
        b.create_topic("counts", 4)
        b.app = App(b)
        try:
            yield b
        finally:
            b.app.kill()


run(setup)
