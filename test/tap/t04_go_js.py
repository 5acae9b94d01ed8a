"""franz-go reading by assignment, kafkajs producing."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import deliver, franz_read, kafkajs_produce, producer, read_partition
from cluster import broker
from tap import case, eq, run


@case
def franz(b):
    "franz-go reads what librdkafka produced, from the start and from the middle"
    b.create_topic("franz", 2)
    records = [(b"k%d" % i, b"v%d" % i, {"headers": [("h", b"%d" % i)], "timestamp": 1700000000000 + i})
               for i in range(1000)]
    deliver(producer(b, linger_ms=20, compression_type="zstd"), "franz", records, partition=1)
    for start in [0, 517, 999]:
        got = franz_read(b, "franz", 1, start, 1000 - start)
        eq([(g["offset"], g["ts"], g["key"], g["value"], g["headers"]) for g in got],
           [(i, 1700000000000 + i, "k%d" % i, "v%d" % i, [["h", str(i)]]) for i in range(start, 1000)])


@case(sql=True)
def franz_sql(b):
    "franz-go reads what SQL produced"
    b.create_topic("franzsql")
    b.sql("INSERT INTO topic.franzsql (key, value) SELECT NULL, convert_to(i::text, 'UTF8') FROM generate_series(0, 99) i")
    got = franz_read(b, "franzsql", 0, 0, 100)
    eq([(g["offset"], g["key"], g["value"]) for g in got], [(i, None, str(i)) for i in range(100)])


@case
def kafkajs(b):
    "kafkajs produces, plain and gzip, and everybody reads it"
    b.create_topic("js", 2)
    eq(kafkajs_produce(b, "js", 1, 35), [0, 10, 20, 30])
    eq(kafkajs_produce(b, "js", 1, 20, codec="gzip"), [35, 45])
    want = [(b"key-%d" % i, b"value-%d" % i) for n in (35, 20) for i in range(n)]
    eq([(m.key(), m.value()) for m in read_partition(b, "js", 1)], want)
    eq([(g["key"].encode(), g["value"].encode()) for g in franz_read(b, "js", 1, 0, 55)], want)
    if b.kind == "pg":
        eq(b.sql("SELECT key, value FROM topic.js WHERE partition = 1 ORDER BY log_offset"), want)


@case
def kafkajs_idempotent(b):
    "kafkajs produces with idempotence"
    b.create_topic("jsi")
    eq(kafkajs_produce(b, "jsi", 0, 35, idempotent=True), [0, 10, 20, 30])
    eq([m.value() for m in read_partition(b, "jsi")], [b"value-%d" % i for i in range(35)])


run(lambda: broker("gojs"))
