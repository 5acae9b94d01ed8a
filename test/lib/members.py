"""members.py: members of consumer groups, each a process of its own, made with the clients there are."""
import collections
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

from clients import CACHE, MEMBERS, java_command, run
from tap import Failed, wait_for

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../clients/members")

# Each is called with BOOTSTRAP GROUP TOPIC SESSION_MS behind this; the first four are found here, kcat has its own options.
COMMANDS = {
    "confluent": lambda: [sys.executable, PROGRAMS + "/python.py", "confluent"],
    "confluent-consumer": lambda: [sys.executable, PROGRAMS + "/python.py", "confluent-consumer"],
    "kafka-python": lambda: [sys.executable, PROGRAMS + "/python.py", "kafka-python"],
    "franz": lambda: [MEMBERS + "/go-member", "franz"],
    "sarama": lambda: [MEMBERS + "/go-member", "sarama"],
    "kafkajs": lambda: ["node", PROGRAMS + "/kafkajs.js"],
    "platformatic": lambda: ["node", PROGRAMS + "/platformatic.mjs"],
    "java": lambda: java_command("Member", "classic"),
    "java-consumer": lambda: java_command("Member", "consumer"),
}


class Member:
    """Has `have`, the set of its partitions, and `got`, its records as (partition, offset, value)."""

    def __init__(self, kind, broker, group, topic, session_ms=6000):
        self.kind = kind
        self.have = set()
        self.got = []
        self.errors = tempfile.TemporaryFile("w+")
        env = {**os.environ, "NODE_PATH": "%s/kafkajs/node_modules:%s/platformatic/node_modules" % (CACHE, CACHE),
               "KAFKAJS_NO_PARTITIONER_WARNING": "1", "NODE_NO_WARNINGS": "1"}
        if kind == "kcat":
            command = ["kcat", "-b", broker.bootstrap, "-u", "-f", '{"got": [[%p, %o, "%s"]]}\\n',
                       "-X", "partition.assignment.strategy=roundrobin", "-X", "auto.offset.reset=earliest",
                       "-X", "session.timeout.ms=%d" % session_ms, "-X", "heartbeat.interval.ms=%d" % (session_ms // 10),
                       "-X", "auto.commit.interval.ms=200", "-G", group, topic]
        else:
            command = [*COMMANDS[kind](), broker.bootstrap, group, topic, str(session_ms)]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=env, text=True,
                                        stderr=subprocess.PIPE if kind == "kcat" else self.errors, bufsize=1)
        self.readers = [threading.Thread(target=self._read, daemon=True)]
        if kind == "kcat":
            self.readers.append(threading.Thread(target=self._read_kcat, daemon=True))
        for reader in self.readers:
            reader.start()

    def _read(self):
        for line in self.process.stdout:
            if not line.startswith("{"):
                continue
            said = json.loads(line)
            if "have" in said:
                self.have = set(said["have"])
            self.got += [tuple(r) for r in said.get("got", [])]

    def _read_kcat(self):
        """What it has, kcat says among its messages."""
        for line in self.process.stderr:
            self.errors.write(line)
            if "rebalanced" in line:
                assigned = line.split("assigned:")[1] if "assigned:" in line and "revoked" not in line else ""
                self.have = set(map(int, re.findall(r"\[(\d+)\]", assigned)))

    def alive(self):
        return self.process.poll() is None

    def leave(self):
        """Ask it to leave, and wait for its end."""
        self.process.send_signal(signal.SIGTERM)
        self._ended()

    def kill(self):
        self.process.kill()
        self._ended()

    def _ended(self):
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failed("%s doesn't leave\n%s" % (self.kind, self.report()))
        for reader in self.readers:
            reader.join(10)
        self.have = set()

    def report(self):
        try:
            size = self.errors.seek(0, 2)
            self.errors.seek(max(0, size - 1500))
            errors = self.errors.read()
        except (OSError, ValueError):
            errors = ""
        return "%s (%s): has %s, got %d; it said:\n%s" % (
            self.kind, "runs" if self.alive() else "ended with %d" % self.process.returncode, sorted(self.have), len(self.got), errors)


class Members:
    """Members of one group, with what was produced for them; ends those that are left at its end."""

    def __init__(self, broker, group, partitions, session_ms=6000):
        self.broker, self.group, self.topic = broker, group, group
        self.partitions = partitions
        self.session_ms = session_ms
        self.all = []
        self.produced = [0] * partitions
        broker.create_topic(self.topic, partitions)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        for m in self.all:
            if m.alive():
                m.process.kill()
                m.process.wait()

    def start(self, *kinds):
        started = [Member(kind, self.broker, self.group, self.topic, self.session_ms) for kind in kinds]
        self.all += started
        return started

    def there(self):
        return [m for m in self.all if m.alive()]

    def report(self):
        return "\n".join(m.report() for m in self.all)

    def wait(self, what, condition, seconds=60):
        try:
            return wait_for(what, condition, seconds)
        except Failed as e:
            raise Failed("%s\n%s" % (e, self.report()))

    def shared(self):
        """Every partition has one owner, and every member some, if there are enough."""
        there = self.there()
        return sorted(p for m in there for p in m.have) == list(range(self.partitions)) and \
            sum(1 for m in there if m.have) == min(len(there), self.partitions)

    def wait_shared(self):
        self.wait("the assignment to %s" % ", ".join(m.kind for m in self.there()), self.shared)

    def produce(self, count):
        """`count` records in each partition"""
        from clients import deliver, producer
        p = producer(self.broker, linger_ms=5)
        for partition in range(self.partitions):
            first = self.produced[partition]
            deliver(p, self.topic, [(None, b"%d-%d" % (partition, first + i)) for i in range(count)], partition)
            self.produced[partition] += count

    def times_seen(self):
        """{(partition, offset): times}"""
        return collections.Counter(r[:2] for m in self.all for r in m.got)

    def all_seen(self):
        return len(self.times_seen()) == sum(self.produced)

    def committed(self):
        from confluent_kafka import Consumer, TopicPartition
        c = Consumer({"bootstrap.servers": self.broker.bootstrap, "group.id": self.group, "log_level": 0})
        try:
            found = c.committed([TopicPartition(self.topic, p) for p in range(self.partitions)], timeout=30)
            return [tp.offset for tp in found]
        finally:
            c.close()

    def right(self):
        """What was read is what was produced."""
        wrong = [r for m in self.all for r in m.got if r[2] != "%d-%d" % r[:2]]
        if wrong:
            raise Failed("read but never written: %s" % wrong[:5])
