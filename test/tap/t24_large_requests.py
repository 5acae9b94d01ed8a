"""Requests that ask for hundreds of thousands of things: other clients of the same worker are served in between."""
import struct
import sys
import threading
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import Cluster
from messages import uvarint
from tap import case, diag, ok, run, wait_for
from wire import Connection, batch, string

N = 100000
PARTITION = struct.pack(">i", 0)


def one_topic(item, n=N):
    "An array of one topic `many`, with n times this partition"
    return struct.pack(">i", 1) + string("many") + struct.pack(">i", n) + item * n


def compact(item, n=N):
    "The same in a flexible version"
    return b"\2\x05many" + uvarint(n + 1) + item * n + b"\0\0"


def topics(item, n=N):
    "The topic n times, with one partition"
    return struct.pack(">i", n) + (string("many") + struct.pack(">i", 1) + item) * n


def names(item, n=N):
    "An array of n names that no topic has"
    return struct.pack(">i", n) + b"".join(item("no-such-topic-%d" % i) for i in range(n))


OFFSETS = struct.pack(">ib", -1, 0)
FETCH = struct.pack(">iiiib", -1, 0, 1, 1 << 20, 0)
FROM_500 = PARTITION + struct.pack(">qi", 500, 1)

# These are worked off in pieces: API, version, what makes the body.
SLICED = {
    "ListOffsets, by time": (2, 2, lambda: OFFSETS + one_topic(PARTITION + struct.pack(">q", 1000))),
    "ListOffsets, the latest time": (2, 7, lambda: b"\0" + OFFSETS + compact(PARTITION + struct.pack(">iqb", -1, -3, 0))),
    "ListOffsets, of topics": (2, 2, lambda: OFFSETS + topics(PARTITION + struct.pack(">q", 1000))),
    "Metadata": (3, 4, lambda: names(lambda name: string(name)) + b"\0"),
    "DescribeTopicPartitions": (75, 0, lambda: b"\0" + uvarint(N + 1) + names(
        lambda name: uvarint(len(name) + 1) + name.encode() + b"\0")[4:] + struct.pack(">ib", 1, -1) + b"\0"),
    "DescribeConfigs": (32, 1, lambda: names(lambda name: b"\2" + string(name) + struct.pack(">i", -1)) + b"\0"),
}

# These are quick for what they ask, or take no more than that.
QUICK = {
    "ListOffsets, the ends": (2, 2, lambda: OFFSETS + one_topic(PARTITION + struct.pack(">q", -1))),
    "OffsetForLeaderEpoch": (23, 2, lambda: one_topic(PARTITION + struct.pack(">ii", -1, 0))),
    "OffsetForLeaderEpoch, of topics": (23, 2, lambda: topics(PARTITION + struct.pack(">ii", -1, 0))),
    "DescribeLogDirs": (35, 1, lambda: one_topic(PARTITION)),
    "DescribeLogDirs, of topics": (35, 1, lambda: topics(PARTITION)),
    "DescribeProducers": (61, 0, lambda: b"\0" + compact(PARTITION)),
    "DescribeConfigs, all settings": (32, 1, lambda: struct.pack(">i", 2000) + 2000 * (
        b"\2" + string("many") + struct.pack(">i", -1)) + b"\0"),
    "Fetch": (1, 4, lambda: FETCH + one_topic(PARTITION + struct.pack(">qi", 0, 1 << 20), 60000)),
    "Fetch, a byte each": (1, 4, lambda: FETCH + one_topic(FROM_500, 60000)),
    "Fetch, of topics": (1, 4, lambda: FETCH + topics(FROM_500, 60000)),
    "Fetch, of unknown topics": (1, 4, lambda: FETCH + names(lambda name: string(name) + struct.pack(">i", 1) + FROM_500, 60000)),
}


def bystander(c, done, times):
    with Connection(c, timeout=60) as conn:
        while not done.is_set():
            start = time.monotonic()
            conn.api_versions()
            times.append(time.monotonic() - start)


def measure(c, api, version, body):
    "How long the request takes, how long others wait at most meanwhile, and how many of them are answered"
    done, times = threading.Event(), []
    with Connection(c, timeout=120) as conn:
        frame = conn.frame(api, version, body)
        thread = threading.Thread(target=bystander, args=(c, done, times))
        thread.start()
        try:
            wait_for("the others to be served", lambda: times)
            start = time.monotonic()
            conn.send(frame)
            answer = conn.receive()
            took = time.monotonic() - start
        finally:
            done.set()
            thread.join()
    return took, max(times), len(times), len(answer)


for name, (api, version, body) in {**SLICED, **QUICK}.items():
    @case(seconds=200)
    def large(c, name=name, api=api, version=version, body=body):
        took, longest, n, length = measure(c, api, version, body())
        diag("%d bytes of answer in %.2f s; of %d others the longest waited for %.3f s" % (length, took, n, longest))
        if name in SLICED:
            ok(longest < took * 0.6 + 0.1, "others were served meanwhile")
        else:
            ok(longest < 3, "nobody waited for long")
    large.__doc__ = name


def setup():
    c = Cluster("large", {"pg_broker.network_workers": "1", "pg_broker.auto_create_topics": "off"})
    c.create_topic("many")
    c.sql("INSERT INTO topic.many (value, ts) SELECT 'x', to_timestamp(i) FROM generate_series(1, 1000) i")
    return c


run(setup)
