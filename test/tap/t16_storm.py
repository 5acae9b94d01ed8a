"""Producers, consumers and administrators in the midst of DDL: everything is answered, and with expected codes."""
import collections
import os
import random
import struct
import sys
import threading
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import Cluster
from messages import Client
from tap import case, diag, eq, ok, run
from wire import Closed, batch, crc32c

NAMES = ["storm%d" % i for i in range(6)]
N_PARTITIONS = 3
SECONDS = float(os.environ.get("STORM_SECONDS", 10))

# What a client may be told while topics come and go and are locked
EXPECTED = {
    "produce": {0, 3, 6, 45}, "fetch": {0, 1, 3, 6}, "fetch as a whole": {70, 71}, "list": {0, 3, 6},
    "create": {0, 7, 36}, "delete": {0, 3, 7}, "delete records": {0, 3, 6}, "metadata": {0, 3, 5},
}


class Storm:
    def __init__(self, broker):
        self.broker = broker
        self.until = time.monotonic() + SECONDS
        self.seen = collections.Counter()
        self.problems = []

    def goes_on(self):
        return time.monotonic() < self.until and not self.problems

    def note(self, what, code):
        self.seen[what, code] += 1
        if code not in EXPECTED[what]:
            self.problems.append("%s: %d" % (what, code))

    def thread(self, function):
        def main():
            while self.goes_on():
                try:
                    with Client(self.broker, timeout=60) as c:
                        function(c)
                except Closed:
                    # a consumer whose records were dropped in the middle of an answer
                    self.seen[function.__name__, "closed"] += 1
                except Exception as e:
                    self.problems.append("%s: %r" % (function.__name__, e))
        return threading.Thread(target=main)

    # ----- who takes part -----

    def producer(self, c):
        sequence = collections.Counter()
        _, pid, epoch = c.init_producer_id()
        while self.goes_on():
            topic, partition = random.choice(NAMES), random.randrange(N_PARTITIONS)
            if random.random() < .5:
                sent = batch([b"x" * random.randrange(3000)] * random.randrange(1, 20))
            else:
                sent = batch([b"y"], pid=pid, epoch=epoch, sequence=sequence[topic, partition])
                sequence[topic, partition] += 1
            error = c.produce(topic, sent, partition)[0]
            self.note("produce", error)
            if error:
                sequence.clear()
                _, pid, epoch = c.init_producer_id()

    def consumer(self, c):
        at = collections.Counter()
        session = epoch = 0
        moved = [(t, p) for t in NAMES for p in range(N_PARTITIONS)]
        while self.goes_on():
            answer = c.call("Fetch", 11, replica=-1, max_wait=200, min_bytes=random.choice([1, 5000]), max_bytes=1 << 20,
                            session=session, session_epoch=epoch, rack="", topics=[
                                {"topic": t, "partitions": [{"partition": p, "leader_epoch": -1, "offset": at[t, p],
                                                             "log_start": -1, "max_bytes": 1 << 20}]} for t, p in moved])
            if answer["error"]:
                self.note("fetch as a whole", answer["error"])
                session = epoch = 0
                moved = [(t, p) for t in NAMES for p in range(N_PARTITIONS)]
                continue
            session, epoch, moved = answer["session"], epoch + 1, []
            for t in answer["topics"]:
                for p in t["partitions"]:
                    self.note("fetch", p["error"])
                    place = t["topic"], p["partition"]
                    if p["error"] == 1:
                        error, _, at[place] = c.list_offset(t["topic"], -2, p["partition"])
                        self.note("list", error)
                        at[place] = max(at[place], 0)
                        moved.append(place)
                    elif p["records"]:
                        at[place] = self.read(p["records"], at[place])
                        moved.append(place)

    def read(self, data, offset):
        """Whole batches in order, from the one that holds the offset; returns the next offset."""
        at = 0
        while at < len(data):
            base, length = struct.unpack_from(">qi", data, at)
            end = at + 12 + length
            ok(end <= len(data), "a batch is cut")
            last = base + struct.unpack_from(">i", data, at + 23)[0]
            ok(last >= offset, "offset %d after %d" % (last, offset))
            if random.random() < .02:
                eq(struct.unpack_from(">I", data, at + 17)[0], crc32c(data[at + 21:end]), "checksum")
            offset, at = last + 1, end
        return offset

    def administrator(self, c):
        while self.goes_on():
            topic, dice = random.choice(NAMES), random.random()
            if dice < .3:
                self.note("create", c.call("CreateTopics", 4, timeout=5000, topics=[
                    {"name": topic, "partitions": N_PARTITIONS, "replication": -1}])["topics"][0]["error"])
            elif dice < .4:
                self.note("delete", c.call("DeleteTopics", 4, names=[topic], timeout=5000)["topics"][0]["error"])
            elif dice < .55:
                t, = c.call("DeleteRecords", 1, timeout=5000, topics=[
                    {"name": topic, "partitions": [{"partition": p, "offset": -1} for p in range(N_PARTITIONS)]}])["topics"]
                for p in t["partitions"]:
                    self.note("delete records", p["error"])
            elif dice < .7:
                for t in c.call("Metadata", 8, topics=[{"name": n} for n in NAMES], topic_operations=True)["topics"]:
                    self.note("metadata", t["error"])
            elif dice < .8:
                c.call("DescribeLogDirs", 4, topics=None)
            elif dice < .9:
                c.call("DescribeProducers", 0, topics=[{"name": topic, "partitions": [0, 1, 2]}])
            else:
                stamp = random.choice([-1, -2, 0, int(time.time() * 1000) - 500])
                self.note("list", c.list_offset(topic, stamp)[0])

    def sql(self, c):
        import psycopg
        with self.broker.connect() as session:
            while self.goes_on():
                topic = "topic." + random.choice(NAMES)
                try:
                    session.execute(random.choice([
                        "DROP TABLE %s" % topic, "TRUNCATE %s" % topic, "VACUUM %s" % topic,
                        "SELECT broker.create_topic('%s', partitions => %d)" % (topic[6:], N_PARTITIONS),
                        "SELECT broker.create_topic('%s', partitions => %d)" % (topic[6:], N_PARTITIONS),
                        "SELECT count(*) FROM %s" % topic,
                        "BEGIN; LOCK TABLE %s IN ACCESS EXCLUSIVE MODE; SELECT count(*) FROM generate_series(1, 50000); ROLLBACK" % topic,
                        "BEGIN; INSERT INTO %s (value) SELECT 'sql' FROM generate_series(1, 50); %s" % (
                            topic, random.choice(["COMMIT", "ROLLBACK"]))]))
                    self.seen["sql", "done"] += 1
                except psycopg.Error:
                    self.seen["sql", "refused"] += 1
                    session.execute("ROLLBACK")


@case(seconds=int(SECONDS) + 110)
def storm(b):
    "everything is answered, nothing is torn, nobody hangs"
    s = Storm(b)
    for name in NAMES:
        b.create_topic(name, N_PARTITIONS)
    threads = [s.thread(f) for f in [s.producer] * 3 + [s.consumer] * 3 + [s.administrator, s.sql, s.sql]]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for (what, code), n in sorted(s.seen.items(), key=str):
        diag("%s %s: %d" % (what, code, n))
    eq(s.problems[:5], [])
    ok(s.seen["produce", 0] > 100 and s.seen["fetch", 0] > 100, "something was done")
    with Client(b) as c:
        eq(c.call("Metadata", 4, topics=[])["topics"], [], "the broker is well")


run(lambda: Cluster("storm"))
