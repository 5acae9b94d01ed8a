"""Retention: by size and by time, under load, and what slow readers of deleted records get."""
import contextlib
import os
import socket
import struct
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import Cluster
from tap import case, diag, eq, ok, run, wait_for
from wire import FETCH, Closed, Connection, Reader, batch, string

MB = 1 << 20


def bounds(b, topic):
    return b.sql("SELECT log_start_offset, high_watermark, size_bytes FROM broker.partitions WHERE topic = %s", [topic])[0]


@case
def bounded_by_size(b):
    "a topic with retention.bytes under endless load keeps a bounded size on disk, and its newest records"
    b.create_topic("endless", config={"retention.bytes": str(4 * MB), "segment.bytes": str(MB)})
    records = batch([os.urandom(10000) for _ in range(20)])
    largest = 0
    with Connection(b) as c:
        for i in range(1000):
            error, base, _, _ = c.produce("endless", records)
            eq((error, base), (0, i * 20))
            if i % 100 == 99:
                largest = max(largest, b.value("SELECT pg_relation_size('topic.endless')"))
        diag("200 MB went through %d MB on disk" % (largest // MB))
        # The log has what it may have, and as much that has been freed and not yet used.
        ok(largest < 16 * MB, "%d MB on disk" % (largest // MB))

        # The limit is on what the records take on disk, where extents have unused ends.
        wait_for("the topic to be within its limit", lambda: 0 < bounds(b, "endless")[2] < 8 * MB)

        def seen_as_told():
            start, high, size = bounds(b, "endless")
            eq(high, 20000)
            ok(high - start >= 3 * MB // 10000, "the newest %d records are kept" % (high - start))
            count = b.value("SELECT count(*) FROM topic.endless")
            errors = c.fetch("endless", start - 1)[0], c.fetch("endless", start)[0]
            # Retention may come in between.
            return bounds(b, "endless")[0] == start and (count, errors) == (high - start, (1, 0))
        wait_for("the log start to be the same for all", seen_as_told)


@case
def by_time(b):
    "records past retention.ms go, all of them in the end, and offsets go on"
    b.create_topic("aging", config={"retention.ms": "1000"})
    with Connection(b) as c:
        eq(c.produce("aging", batch([b"x"] * 10))[0:2], (0, 0))
        wait_for("the records to be deleted", lambda: bounds(b, "aging")[0] == 10)
        eq(c.produce("aging", batch([b"y"]))[0:2], (0, 10))
        eq(c.fetch("aging", 10)[1], 11)


@case
def slow_reader(b):
    "a reader that stops in the middle of an answer never gets another partition's bytes"
    b.create_topic("ring", 2, config={"retention.bytes": str(2 * MB), "segment.bytes": str(MB)})
    with Connection(b) as c:
        first, other, later = (batch([x * 100000]) for x in (b"A", b"B", b"C"))
        for _ in range(8):
            c.produce("ring", first, partition=0)
        start = b.value("SELECT log_start_offset FROM broker.partitions WHERE topic = 'ring' AND partition = 0")
        slow = slow_fetch(b, "ring", 40, start)
        for _ in range(400):
            c.produce("ring", other, partition=1)
            c.produce("ring", later, partition=0)
        wait_for("the records to be deleted", lambda: b.value(
            "SELECT log_start_offset FROM broker.partitions WHERE topic = 'ring' AND partition = 0") > start + 10)
        got = 0
        try:
            while True:
                data = slow.receive()
                got += 1
                ok(b"B" * 100 not in data, "bytes of another partition in answer %d" % got)
                r = Reader(data)
                eq(r.unpack("i"), got)
        except Closed:
            pass
        except socket.timeout:
            ok(False, "the connection was left open")
        diag("%d whole answers, then the end" % got)
        ok(got < 40, "the end came")
        slow.close()


@case
def locked_in_the_middle(b):
    "a topic that is locked in the middle of an answer makes its reader wait, and nobody else; a dropped one ends it"
    b.create_topic("locked")
    b.create_topic("other")
    data = batch([os.urandom(100000)])
    with Connection(b) as c:
        for _ in range(80):
            c.produce("locked", data)
    reader = slow_fetch(b, "locked", 4)
    session = b.connect(autocommit=False)
    session.execute("LOCK TABLE topic.locked IN ACCESS EXCLUSIVE MODE")
    got = bytearray()

    def read(want):
        "Read until nothing has come for half a second."
        reader.socket.settimeout(0.5)
        try:
            while len(got) < want:
                got.extend(reader.socket.recv(1 << 20))
        except socket.timeout:
            pass
    read(4)
    whole = 4 * (4 + struct.unpack(">i", got[:4])[0])
    ok(whole > 4 * 8000000)
    read(whole)
    ok(len(got) < whole, "the reader waits for the lock")
    with Connection(b) as c:
        eq(c.produce("other", data)[0], 0)
        eq(c.produce("locked", data)[0], 6, "a retriable error")
    session.rollback()
    read(whole)
    eq(len(got), whole)
    quarter = whole // 4
    eq([struct.unpack(">ii", got[i * quarter:i * quarter + 8]) for i in range(4)],
       [(quarter - 4, i + 1) for i in range(4)])
    eq({bytes(got[i * quarter + 8:(i + 1) * quarter]) for i in range(4)}, {bytes(got[8:quarter])}, "the same bytes each time")
    reader.close()

    reader = slow_fetch(b, "locked", 4)
    b.sql("SELECT broker.drop_topic('locked')")
    try:
        while True:
            reader.receive()
    except Closed:
        pass
    reader.close()
    with Connection(b) as c:
        eq(c.produce("other", data)[0], 0)


def slow_fetch(b, topic, times, offset=0):
    "A connection whose answers are larger than its socket takes, and wait in the broker"
    c = Connection(b, timeout=60)
    c.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    body = (struct.pack(">iiiibii", -1, 0, 1, 1 << 25, 0, 0, -1) + struct.pack(">i", 1) + string(topic) +
            struct.pack(">iiiqqi", 1, 0, -1, offset, -1, 1 << 25) + struct.pack(">i", 0) + string(""))
    c.send(b"".join(c.frame(FETCH, 11, body) for _ in range(times)))
    wait_for("the answers to wait", lambda: b.sql(
        "SELECT 1 FROM broker.connections WHERE client_port = %s AND state = 'sending'", [c.socket.getsockname()[1]]))
    return c


@contextlib.contextmanager
def setup():
    with Cluster("retention", {"pg_broker.retention_check_interval": "200ms"}) as b:
        yield b


run(setup)
