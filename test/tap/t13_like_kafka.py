"""The same random requests to pg_broker and to a real Kafka: the answers must be the same.

PG_BROKER_SEED=N repeats a run.
"""
import gzip
import os
import random
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import Cluster, Kafka
from messages import Client
from tap import case, diag, eq, run, wait_for
from wire import batch, batches, record

NONE = 0
T = 1700000000000
TOPICS = {"plain": {}, "stamped": {"message.timestamp.type": "LogAppendTime"}, "packed": {"compression.type": "zstd"}}
N_PARTITIONS = 2


class Both:
    """A pg_broker and a Kafka with the same topics, a connection to each, and the random numbers."""

    def __init__(self):
        self.seed = int(os.environ.get("PG_BROKER_SEED", random.randrange(1 << 30)))
        self.random = random.Random(self.seed)
        self.servers = [Cluster("like"), Kafka("like")]
        self.clients = [Client(s, timeout=60) for s in self.servers]
        self.ends = {}
        for c in self.clients:
            made = c.call("CreateTopics", 4, timeout=20000, topics=[
                {"name": name, "partitions": N_PARTITIONS, "replication": -1,
                 "configs": [{"name": k, "value": v} for k, v in {"retention.ms": "-1", **config}.items()]}
                for name, config in TOPICS.items()])
            eq({t["error"] for t in made["topics"]}, {NONE})
            for topic in TOPICS:
                for p in range(N_PARTITIONS):
                    wait_for("the partition to be there", lambda: c.list_offset(topic, -1, p)[0] == NONE)

    def __enter__(self):
        diag("PG_BROKER_SEED=%d" % self.seed)
        return self

    def __exit__(self, *what):
        for s in self.servers:
            s.__exit__(*what)

    def check_log(self):
        self.servers[0].check_log()

    def report(self):
        return self.servers[0].report()

    def same(self, ask, what):
        """The answer of both to ask(client)"""
        ours, kafkas = [ask(c) for c in self.clients]
        eq(ours, kafkas, what)
        return ours


def random_batch(r, number):
    """In order of time or not, of any size, packed or not, sometimes with a wrong maximum time"""
    n = r.randrange(1, 30)
    times = [T + r.randrange(10000000) if r.random() < .5 else T + number * 1000 + i for i in range(n)]
    data = b"".join(record(r.randbytes(r.choice([1, 10, 100, 2000])), key=r.choice([None, b"k"]), offset_delta=i,
                           timestamp_delta=t - times[0]) for i, t in enumerate(times))
    packed = r.random() < .3
    return n, batch([b""] * n, timestamp=times[0], max_timestamp=max(times) + r.choice([0, 0, 5]),
                    attributes=1 if packed else 0, records=gzip.compress(data) if packed else data)


def place(r):
    return r.choice(list(TOPICS)), r.randrange(N_PARTITIONS)


@case(seconds=120)
def produce(b):
    "produce and delete: the same offsets, the same starts"
    for number in range(300):
        topic, partition = place(b.random)
        n, data = random_batch(b.random, number)

        def answer(c):
            error, base, stamp, start = c.produce(topic, data, partition)
            return error, base, stamp == -1, start
        error, base, _, _ = b.same(answer, "batch %d" % number)
        eq(error, NONE)
        b.ends[topic, partition] = base + n
        if b.random.random() < .03:
            offset = b.random.randrange(base + 2)
            b.same(lambda c: c.call("DeleteRecords", 1, timeout=10000, topics=[
                {"name": topic, "partitions": [{"partition": partition, "offset": offset}]}]), "delete to %d" % offset)


@case(seconds=120)
def offsets(b):
    "offsets by time, and special ones"
    for _ in range(400):
        topic, partition = place(b.random)
        time = b.random.choice([-1, -2, -4, -5, -7, T + b.random.randrange(-10, 10000010), T + b.random.randrange(300000)])
        if topic == "stamped" and time > 0:
            continue                    # the two have other clocks
        request = {"replica": -1, "isolation": b.random.randrange(2), "timeout": 1000, "topics": [
            {"name": topic, "partitions": [{"partition": partition, "epoch": b.random.choice([-1, 0]), "timestamp": time}]}]}
        b.same(lambda c: c.call("ListOffsets", 11, **request), request)


@case(seconds=120)
def fetches(b):
    "fetches: the same batches, as far as both go; Kafka also counts the part of a batch that it cuts off"
    r = b.random
    for _ in range(800):
        parts = [(t, p) for t in TOPICS for p in range(N_PARTITIONS) if r.random() < .6]
        parts += [("nowhere", 0)] * (r.random() < .1) + [("plain", 7)] * (r.random() < .1)
        r.shuffle(parts)
        request = {
            "replica": -1, "max_wait": 0, "min_bytes": r.choice([0, 1]), "isolation": r.randrange(2), "rack": "",
            "max_bytes": r.choice([0, 1, 1000, 20000, 200000, 1 << 24]), "session_epoch": -1,
            "topics": [{"topic": t, "partitions": [
                {"partition": p, "leader_epoch": r.choice([-1] * 8 + [0, 1]), "log_start": -1, "last_epoch": -1,
                 "offset": r.randrange(-1, b.ends.get((t, p), 0) + 2),
                 "max_bytes": r.choice([0, 1, 500, 5000, 50000, 1 << 20])}]} for t, p in parts]}
        version = r.choice([4, 5, 7, 9, 11, 12])

        def fetch(c):
            got = {}
            for t in c.call("Fetch", version, **request)["topics"]:
                for p in t["partitions"]:
                    found = batches(p["records"] or b"")
                    bounds = p["error"], p["high"], p["stable"], p.get("log_start"), bool(p["aborted"])
                    got[t["topic"], p["partition"]] = bounds, [look(t["topic"], x) for x in found]
            return got
        ours, kafkas = [fetch(c) for c in b.clients]
        eq({k: v[0] for k, v in ours.items()}, {k: v[0] for k, v in kafkas.items()}, request)
        for k in ours:
            n = min(len(ours[k][1]), len(kafkas[k][1]))
            eq(ours[k][1][:n], kafkas[k][1][:n], (k, request))
        eq(sum(bool(v[1]) for v in ours.values()) > 0, sum(bool(v[1]) for v in kafkas.values()) > 0, request)


def look(topic, found):
    """What must be the same of a batch: all but what the clock or the compressor decides"""
    base, last, data = found
    if topic == "plain":
        return base, last, data[16:]
    return base, last, data[21:27], data[57:61]


if not os.environ.get("PG_BROKER_JARS"):
    print("1..0 # SKIP there is no Kafka to compare with")
else:
    run(Both)
