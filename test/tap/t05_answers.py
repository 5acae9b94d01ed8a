"""What the broker answers where Kafka's rules are particular: produce, idempotence, fetch, offsets."""
import struct
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from tap import case, eq, ok, raises, run
from wire import API_VERSIONS, FETCH, PRODUCE, Closed, Connection, Reader, batch, batches

NONE, OUT_OF_RANGE, CORRUPT, UNKNOWN_TOPIC, TOO_LARGE = 0, 1, 2, 3, 10
INVALID_TIMESTAMP, SEQUENCE, INVALID_EPOCH, INVALID_RECORD, UNKNOWN = 32, 45, 47, 87, -1
FENCED, UNKNOWN_EPOCH, INVALID_TOPIC, INVALID_ACKS = 74, 75, 17, 21


@case
def versions(b):
    "ApiVersions: the minimum versions are Kafka 4's; too new a version gets error 35 in the oldest form"
    with Connection(b) as c:
        got = c.api_versions()
        for key, low in {0: 0, 1: 4, 2: 1, 3: 0, 18: 0, 19: 2, 20: 1, 22: 0, 23: 2, 32: 1, 37: 0}.items():
            eq(got[key][0], low, "minimum of %d" % key)
        r = c.request(API_VERSIONS, 99, b"\0\x05test\x021\0")
        error, count = r.unpack("hi")
        eq((error, count, r.unpack("hh")), (35, 1, (18, 0)))
        eq(c.api_versions(), got, "the connection goes on")


@case
def refused_versions(b):
    "unknown APIs and versions outside the range end the connection"
    for api, version in [(PRODUCE, 2), (FETCH, 3), (999, 0), (PRODUCE, 99), (-1, 0)]:
        with Connection(b) as c:
            raises(Closed, c.request, api, version, b"\0" * 40)


@case
def produce_errors(b):
    "produce: each kind of bad batch has its code, and nothing of it is stored"
    b.create_topic("pe")
    good = batch([b"a", b"b"])
    for name, records, want in [
            ("CRC", batch([b"a"], crc=1), CORRUPT),
            ("two batches", good + good, INVALID_RECORD),
            ("magic 1", batch([b"a"], magic=1), INVALID_RECORD),
            ("count", batch([b"a", b"b"], count=3), INVALID_RECORD),
            ("last offset delta", batch([b"a", b"b"], last_offset_delta=5), INVALID_RECORD),
            ("control", batch([b"a"], attributes=0x20), INVALID_RECORD),
            ("negative sequence", batch([b"a"], pid=5, epoch=0, sequence=-1), INVALID_RECORD),
            ("future", batch([b"a"], timestamp=int(time.time() * 1000) + 7200000), INVALID_TIMESTAMP)]:
        with Connection(b) as c:
            error, base, append_time, start = c.produce("pe", records)
            eq((error, base, append_time), (want, -1, -1), name)
    with Connection(b) as c:
        eq(c.produce("pe", batch([b"x"], base_offset=7))[0], INVALID_RECORD, "base offset")
        eq(c.produce("pe", good), (NONE, 0, -1, 0))
        eq(c.produce("nowhere", good)[0], UNKNOWN_TOPIC)
        eq(c.produce("pe", good, partition=9)[0], UNKNOWN_TOPIC)
        eq(c.produce("pe", good, acks=2)[0], INVALID_ACKS)
        eq(c.list_offset("pe", -1), (NONE, -1, 2))


@case
def pipelined(b):
    "answers come in the order of the requests"
    b.create_topic("pipe")
    with Connection(b) as c:
        frames = [c.frame(PRODUCE, 7, c.produce_body("pipe", batch([b"%d" % i]))) for i in range(200)]
        c.send(b"".join(frames))
        for i in range(200):
            r = Reader(c.receive())
            eq(r.unpack("i"), i + 1, "correlation id")
            eq(c.produce_answer(r)[:2], (NONE, i))


@case
def acks_zero(b):
    "acks=0 gets no answer, and a closed connection on an error"
    b.create_topic("zero")
    with Connection(b) as c:
        c.send(c.frame(PRODUCE, 7, c.produce_body("zero", batch([b"quiet"]), acks=0)))
        eq(c.list_offset("zero", -2), (NONE, -1, 0))
        c.send(c.frame(PRODUCE, 7, c.produce_body("nowhere", batch([b"quiet"]), acks=0)))
        raises(Closed, c.receive)


@case
def idempotence(b):
    "idempotent produce: retries are recognised in a window of five, gaps and old epochs are refused"
    b.create_topic("idem")
    with Connection(b) as c:
        error, pid, epoch = c.init_producer_id()
        eq((error, epoch), (0, 0))

        def send(sequence, n=2, epoch=0):
            return c.produce("idem", batch([b"s%d" % (sequence + i) for i in range(n)], pid=pid, epoch=epoch,
                                           sequence=sequence))[:2]
        for i in range(7):
            eq(send(2 * i), (NONE, 2 * i))
        for i in range(2, 7):
            eq(send(2 * i), (NONE, 2 * i), "retry of batch %d" % i)
        eq(send(2)[0], SEQUENCE, "older than the window")
        eq(send(20)[0], SEQUENCE, "a gap")
        eq(send(13)[0], SEQUENCE, "overlapping")
        eq(send(5, epoch=1)[0], SEQUENCE, "a new epoch begins with 0")
        eq(send(0, epoch=1), (NONE, 14))
        eq(send(14)[0], INVALID_EPOCH, "an old epoch")
        eq(c.list_offset("idem", -1), (NONE, -1, 16))


@case
def sequence_wraps(b):
    "the sequence goes on with 0 after 2147483647"
    b.create_topic("wrap")
    with Connection(b) as c:
        _, pid, _ = c.init_producer_id()
        top = 2147483647
        eq(c.produce("wrap", batch([b"a", b"b"], pid=pid, epoch=0, sequence=top - 1))[:2], (NONE, 0))
        eq(c.produce("wrap", batch([b"c"], pid=pid, epoch=0, sequence=0))[:2], (NONE, 2))
        eq(c.produce("wrap", batch([b"c"], pid=pid, epoch=0, sequence=0))[:2], (NONE, 2), "retry")
        _, pid, _ = c.init_producer_id()
        eq(c.produce("wrap", batch([b"d", b"e", b"f"], pid=pid, epoch=0, sequence=top - 1))[:2], (NONE, 3))
        eq(c.produce("wrap", batch([b"g"], pid=pid, epoch=0, sequence=1))[:2], (NONE, 6))


@case
def log_append_time(b):
    "LogAppendTime: the broker's clock in the answer and for every record"
    b.create_topic("lat", config={"message.timestamp.type": "LogAppendTime"})
    with Connection(b) as c:
        before = int(time.time() * 1000)
        error, base, stamp, _ = c.produce("lat", batch([b"a", b"b"], timestamp=1000))
        eq(error, NONE)
        ok(before <= stamp <= int(time.time() * 1000), "append time %d" % stamp)
        (base, last, data), = batches(c.fetch("lat", 0)[5])
        eq((base, last), (0, 1))
        attributes, = struct.unpack_from(">h", data, 21)
        eq(attributes & 8, 8, "timestamp type")
        eq(struct.unpack_from(">q", data, 35)[0], stamp, "max timestamp")
        from wire import crc32c
        eq(struct.unpack_from(">I", data, 17)[0], crc32c(data[21:]), "CRC")
    if b.kind == "pg":
        eq(b.sql("SELECT DISTINCT (extract(epoch FROM ts) * 1000)::bigint FROM topic.lat"), [(stamp,)])


@case
def verbatim(b):
    "a fetch returns the bytes that were produced, but for base offset and leader epoch"
    b.create_topic("verbatim")
    sent = [batch([(b"k%d" % i, b"v" * 3000)] * (i + 1), timestamp=1700000000000 + i) for i in range(20)]
    with Connection(b) as c:
        for s in sent:
            eq(c.produce("verbatim", s)[0], NONE)
        got = batches(c.fetch("verbatim", 0)[5])
        eq([g[2][16:] for g in got], [s[16:] for s in sent])
        eq([g[0] for g in got], [i * (i + 1) // 2 for i in range(20)])


@case
def fetch_edges(b):
    "fetch: offsets inside a batch, at the end and outside; limits; epochs"
    b.create_topic("fe")
    with Connection(b) as c:
        for i in range(3):
            c.produce("fe", batch([b"x" * 1000] * 10))
        error, high, stable, start, aborted, data = c.fetch("fe", 15)
        eq((error, high, stable, start), (NONE, 30, 30, 0))
        eq([(g[0], g[1]) for g in batches(data)], [(10, 19), (20, 29)], "the batch that holds the offset comes whole")
        eq(aborted, None, "read_uncommitted: no list")
        eq(c.fetch("fe", 0, isolation=1)[4], [], "read_committed: an empty list")
        eq(c.fetch("fe", 30)[::5], (NONE, b""), "at the end")
        eq(c.fetch("fe", 31)[:4], (OUT_OF_RANGE, -1, -1, -1), "past the end")
        eq(c.fetch("fe", -1)[0], OUT_OF_RANGE)
        eq(c.fetch("fe", 0, partition=3)[0], UNKNOWN_TOPIC)
        eq(c.fetch("nowhere", 0)[0], UNKNOWN_TOPIC)
        eq(len(batches(c.fetch("fe", 0, partition_max=0)[5])), 1, "at least one batch")
        eq(len(batches(c.fetch("fe", 0, max_bytes=1)[5])), 1, "at least one batch")
        eq(len(batches(c.fetch("fe", 0, partition_max=25000)[5])), 2, "two whole batches fit")
        eq(c.fetch("fe", 0, epoch=100)[0], UNKNOWN_EPOCH)


@case
def fetch_waits(b):
    "fetch waits for min_bytes up to max_wait and then gives what there is"
    b.create_topic("fw")
    with Connection(b) as c:
        c.produce("fw", batch([b"x"]))

        def timed(*args, **kw):
            started = time.monotonic()
            answer = c.fetch(*args, **kw)
            return time.monotonic() - started, len(batches(answer[5]))
        seconds, n = timed("fw", 1, max_wait=700)
        ok(0.6 < seconds < 5 and n == 0, (seconds, n))
        seconds, n = timed("fw", 0, max_wait=700, min_bytes=1000000)
        ok(0.6 < seconds < 5 and n == 1, (seconds, n))
        seconds, n = timed("fw", 0, max_wait=15000)
        ok(seconds < 5 and n == 1, (seconds, n))
        seconds, n = timed("fw", 1, max_wait=15000, min_bytes=0)
        ok(seconds < 5 and n == 0, (seconds, n))
        started = time.monotonic()
        eq(c.fetch("fw", 99, max_wait=15000)[0], OUT_OF_RANGE)
        ok(time.monotonic() - started < 5, "errors don't wait")


@case
def special_offsets(b):
    "ListOffsets: latest, earliest, by time, none"
    b.create_topic("lo")
    t = 1700000000000
    with Connection(b) as c:
        eq(c.list_offset("lo", -1), (NONE, -1, 0))
        eq(c.list_offset("lo", -2), (NONE, -1, 0))
        eq(c.list_offset("lo", t), (NONE, -1, -1), "empty")
        for i in range(4):
            c.produce("lo", batch([b"v"] * 5, timestamp=t + 1000 * i))
        eq(c.list_offset("lo", -1), (NONE, -1, 20))
        eq(c.list_offset("lo", t + 1500), (NONE, t + 2000, 10))
        eq(c.list_offset("lo", t + 3001), (NONE, -1, -1))
        eq(c.list_offset("lo", 0), (NONE, t, 0))
        eq(c.list_offset("lo", -1, partition=5)[0], UNKNOWN_TOPIC)
        eq(c.list_offset("lo", -9)[0], 35)


@case
def auto_create(b):
    "Metadata: names that can't be topics, unknown topics, no creation unless asked"
    with Connection(b) as c:
        eq(c.metadata(["not there"])["not there"][0], INVALID_TOPIC)
        eq(c.metadata(["not-there"]), {"not-there": (UNKNOWN_TOPIC, 0)})
        eq(c.metadata([]), {})
        ok("not-there" not in c.metadata(None), "was not created")


@case
def no_transactions(b):
    "InitProducerId: ids differ; an empty transactional id is refused"
    with Connection(b) as c:
        ids = {c.init_producer_id()[1] for _ in range(20)}
        eq(len(ids), 20)
        eq(c.init_producer_id("")[0], 42)


run(lambda: broker("answers", {"pg_broker.auto_create_topics": "off"}, kafka_settings={"auto.create.topics.enable": "false"}))
