"""Compacted topics, as Kafka's clients see them: the controller compacts, nobody is held up, nothing but the old is lost."""
import os
import random
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import console_consumer, deliver, kcat_consume, producer, read_partition
from cluster import Cluster
from tap import case, diag, eq, ok, run, wait_for
from wire import Connection, batch, batches

MB = 1 << 20
COMPACT = {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.1"}


def count(b, topic):
    return b.value("SELECT count(*) FROM topic.%s" % topic)


def compacted(b, topic, below):
    wait_for("compaction of %s" % topic, lambda: count(b, topic) < below)


@case
def clients_read_holes(b):
    "each client reads the latest of each key, from logs of every codec"
    from confluent_kafka import TopicPartition
    from confluent_kafka.admin import AdminClient, OffsetSpec
    for codec in ("none", "gzip", "snappy", "lz4", "zstd"):
        topic = "c_" + codec
        b.create_topic(topic, config=COMPACT)
        p = producer(b, compression_type=codec, enable_idempotence=True, linger_ms=5)
        rnd = random.Random(1)
        want = {}
        for round in range(30):
            records = []
            for _ in range(200):
                key = b"key%d" % rnd.randrange(50)
                value = b"%d %s" % (round, rnd.randbytes(250).hex().encode())
                want[key] = value
                records.append((key, value))
            offsets = deliver(p, topic, records)
        compacted(b, topic, 4500)
        b.sql("VACUUM topic." + topic)      # all that can be: it stays as it is then
        messages = read_partition(b, topic)
        got = {m.key(): m.value() for m in messages}
        eq(got, want, codec)
        by_offset = [m.offset() for m in messages]
        eq(by_offset, sorted(set(by_offset)))
        eq(by_offset[-1], offsets[-1], "the end is where it was")
        eq(dict(line.split(" ") for line in kcat_consume(b, topic, format="%k %o\\n")),
           {m.key().decode(): str(m.offset()) for m in messages})
        n = len(messages)
        if codec in ("none", "zstd"):
            eq(console_consumer(b, topic, 0, n), [m.value().decode() for m in messages])
        with Connection(b) as c:
            middle = messages[n // 2]
            error, ts, offset = c.list_offset(topic, middle.timestamp()[1])
            ok(error == 0 and ts >= middle.timestamp()[1] and offset in by_offset, "a time is found")
        admin = AdminClient({"bootstrap.servers": b.bootstrap, "log_level": 0})
        futures = admin.list_offsets({TopicPartition(topic, 0): OffsetSpec.max_timestamp()})
        found = list(futures.values())[0].result(30)
        eq(found.timestamp, max(m.timestamp()[1] for m in messages), "the largest time")
        ok(found.offset in by_offset, "of a record that is there")


@case
def consumers_get_to_the_end(b):
    "a consumer gets on from every offset, though all around it is gone"
    b.create_topic("ends", config={**COMPACT, "delete.retention.ms": "0", "segment.ms": "1000"})
    with Connection(b) as c:
        for round in range(40):
            eq(c.produce("ends", batch([(b"k%d" % k, None if round % 4 == 3 else os.urandom(200)) for k in range(20)]))[0], 0)
        # time closes the newest extent; then all of them are compacted
        wait_for("all to be compacted", lambda: count(b, "ends") < 50)
        for offset in range(0, 800, 7):
            at = offset
            for _ in range(100):
                error, high, _, start, _, data = c.fetch("ends", at)
                eq((error, high, start), (0, 800, 0))
                if at == high:
                    break
                found = batches(data)
                ok(found, "something at %d" % at)
                ok(found[-1][1] >= at, "it leads on")
                at = found[-1][1] + 1
            eq(at, 800, "from %d" % offset)


@case
def idempotent_producer(b):
    "a producer whose records were compacted away goes on after it, and after a restart, without a double"
    b.create_topic("pids", config=COMPACT)
    with Connection(b) as c:
        _, pid, epoch = c.init_producer_id()
        sequence = 0
        for round in range(3):
            for _ in range(7):
                error, base, _, _ = c.produce("pids", batch([(b"mine", b"%d" % sequence)], pid=pid, epoch=epoch,
                                                           sequence=sequence))
                eq(error, 0)
                last = base
                sequence += 1
        # another overwrites the key, and fills extents
        before = 0
        for i in range(60):
            eq(c.produce("pids", batch([(b"mine", b"other%d" % i)] + [(b"k%d" % k, os.urandom(300)) for k in range(40)]))[0], 0)
            before += 41
        compacted(b, "pids", before // 2)
        eq(b.sql("SELECT log_offset FROM topic.pids WHERE log_offset <= %s AND convert_from(key, 'UTF8') = 'mine'", [last]), [])
    for how in (None, "fast", "immediate"):
        if how:
            b.restart(how)
        with Connection(b) as c:
            again = batch([(b"mine", b"%d" % (sequence - 1))], pid=pid, epoch=epoch, sequence=sequence - 1)
            error, base, _, _ = c.produce("pids", again)
            eq((error, base), (0, last), "a retry of the last one is known, %s" % how)
            eq(c.produce("pids", batch([(b"mine", b"gap")], pid=pid, epoch=epoch, sequence=sequence + 5))[0], 45)
            error, base, _, _ = c.produce("pids", batch([(b"mine", b"%d" % sequence)], pid=pid, epoch=epoch, sequence=sequence))
            eq(error, 0)
            last = base
            sequence += 1
    eq(b.value("SELECT convert_from(value, 'UTF8') FROM topic.pids WHERE log_offset = %s", [last]), str(sequence - 1))


@case
def keys_are_needed(b):
    "records without a key are refused by Kafka's protocol and by SQL"
    b.create_topic("keys", config=COMPACT)
    with Connection(b) as c:
        eq(c.produce("keys", batch([(b"k", b"v"), b"no key"]))[0], 87)
    import psycopg
    try:
        b.sql("INSERT INTO topic.keys (value) VALUES ('x')")
        ok(False, "refused")
    except psycopg.errors.NotNullViolation:
        pass
    eq(count(b, "keys"), 0)


@case(seconds=300)
def bounded_and_quick(b):
    "updates of few keys at full speed keep a bounded size; who produces isn't held up"
    b.create_topic("hot", config=COMPACT)
    values = [os.urandom(1000) for _ in range(100)]
    largest, slowest, total = 0, 0, 0
    started = time.monotonic()
    with Connection(b) as c:
        records = batch([(b"k%d" % k, values[k]) for k in range(100)])
        for i in range(3000):
            before = time.monotonic()
            eq(c.produce("hot", records)[0], 0)
            slowest = max(slowest, time.monotonic() - before)
            total += len(records)
            if i % 100 == 99:
                largest = max(largest, b.value("SELECT pg_relation_size('topic.hot')"))
        seconds = time.monotonic() - started
        diag("%d MB of updates of 100 keys in %.1f s: at most %d MB on disk, slowest answer %.0f ms" %
             (total / 1e6, seconds, largest / 1e6, slowest * 1000))
        ok(slowest < 5, "no answer takes seconds")
        wait_for("compaction to come to an end", lambda: b.value(
            "SELECT size_bytes FROM broker.partitions WHERE topic = 'hot'") < 24 * MB)
        ok(largest < 150 * MB, "%d MB on disk" % (largest // MB))
        eq({key: value for key, value in b.sql("SELECT convert_from(key, 'UTF8'), value FROM topic.hot ORDER BY log_offset")},
           {"k%d" % k: values[k] for k in range(100)})


@case
def lags(b):
    "min.compaction.lag.ms keeps records for that long, max.compaction.lag.ms brings their compaction about"
    b.create_topic("young", config={**COMPACT, "min.compaction.lag.ms": "86400000"})
    b.create_topic("old", config={**COMPACT, "min.cleanable.dirty.ratio": "1", "max.compaction.lag.ms": "1000"})
    with Connection(b) as c:
        for topic in ("young", "old"):
            for i in range(20):
                eq(c.produce(topic, batch([(b"k%d" % k, os.urandom(300)) for k in range(50)]))[0], 0)
    compacted(b, "old", 200)
    eq(count(b, "young"), 1000)
    b.sql("VACUUM topic.young")
    eq(count(b, "young"), 1000)


def setup():
    return Cluster("compaction", {"pg_broker.retention_check_interval": "500ms"})


run(setup)
