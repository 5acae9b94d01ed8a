"""Members of a group come, leave and are killed, by several clients at once, while records are produced: every record is seen."""
import os
import random
import sys
import threading
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from members import Members
from tap import case, diag, eq, ok, run

SECONDS = float(os.environ.get("GROUP_STORM_SECONDS", 12))
SEED = int(os.environ.get("PG_BROKER_SEED", random.randrange(1 << 30)))
KINDS = ["confluent", "franz", "sarama", "kafkajs", "kafka-python"]
MOST = 20


class Watch(threading.Thread):
    """Looks at the committed offsets all the time: they may not go back."""

    def __init__(self, group):
        super().__init__(daemon=True)
        self.group = group
        self.ending = threading.Event()
        self.problems = []
        self.last = [-1] * group.partitions
        self.looks = 0

    def run(self):
        from confluent_kafka import Consumer, KafkaException, TopicPartition
        c = Consumer({"bootstrap.servers": self.group.broker.bootstrap, "group.id": self.group.group, "log_level": 0})
        while not self.ending.wait(0.05):
            try:
                found = c.committed([TopicPartition(self.group.topic, p) for p in range(self.group.partitions)], timeout=10)
            except KafkaException as e:
                self.problems.append("no committed offsets: %s" % e)
                continue
            self.looks += 1
            for tp in found:
                if tp.offset < self.last[tp.partition] and tp.offset != -1001 or tp.offset == -1001 and self.last[tp.partition] >= 0:
                    self.problems.append("partition %d: %d after %d" % (tp.partition, tp.offset, self.last[tp.partition]))
                self.last[tp.partition] = max(self.last[tp.partition], tp.offset)
        c.close()


class Source(threading.Thread):
    """Produces all the time."""

    def __init__(self, group):
        super().__init__(daemon=True)
        self.group = group
        self.ending = threading.Event()

    def run(self):
        while not self.ending.wait(0.1):
            self.group.produce(5)

    def end(self):
        self.ending.set()
        self.join()


@case(seconds=int(SECONDS) + 240)
def storm(b):
    "up to 20 members of five clients: all records are seen, and committed offsets never go back"
    diag("seed %d" % SEED)
    rnd = random.Random(SEED)
    with Members(b, "storm", 16, session_ms=3000) as g:
        watch = Watch(g)
        watch.start()
        source = Source(g)
        source.start()
        g.start(*(KINDS * 2))
        deadline = time.monotonic() + SECONDS
        events = {"start": 0, "leave": 0, "kill": 0}
        while time.monotonic() < deadline:
            there = g.there()
            what = rnd.choice(["start", "start", "leave", "kill"])
            if len(there) >= MOST:
                what = rnd.choice(["leave", "kill"])
            if what == "start" or len(there) <= 3:
                what = "start"
                g.start(rnd.choice(KINDS))
            elif what == "leave":
                rnd.choice(there).process.terminate()
            else:
                rnd.choice(there).kill()
            events[what] += 1
            # Some of the events meet a settled group, others a rebalance.
            until = time.monotonic() + rnd.uniform(0, 2)
            g.wait("a settled group, or some time", lambda: g.shared() or time.monotonic() > until)
        before = len(g.times_seen())
        diag("%s; %d members in all, at the end %d" % (events, len(g.all), len(g.there())))
        source.end()
        g.wait("all records", g.all_seen, 90)
        g.wait("the commits", lambda: g.committed() == g.produced, 60)
        watch.ending.set()
        watch.join()
        g.right()
        seen = g.times_seen()
        diag("%d records, %d of them while members came and went, seen %d times; offsets looked at %d times" % (len(seen), before, sum(seen.values()), watch.looks))
        eq(watch.problems, [])
        ok(watch.looks > 20, "the offsets were looked at")


run(lambda: broker("storm", {"pg_broker.group_initial_rebalance_delay": "500ms", "pg_broker.group_min_session_timeout": "1s"},
                   {"group.initial.rebalance.delay.ms": "500", "group.min.session.timeout.ms": "1000"}))
