"""Current Python clients: confluent-kafka (librdkafka) and kafka-python, reading by assignment."""
import sys
import threading
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import deliver, producer, read_partition
from cluster import broker
from tap import case, eq, ok, raises, run

HEADERS = [("a", b"1"), ("b", None), ("a", b"2"), ("c", b"")]


@case
def round_trip(b):
    "confluent-kafka: keys, values, headers, timestamps and nulls come back"
    b.create_topic("cf")
    records = [(b"k", b"v", {"headers": HEADERS, "timestamp": 1700000000123}), (None, b"no key"), (b"no value", None),
               (b"", b"")]
    eq(deliver(producer(b), "cf", records), [0, 1, 2, 3])
    got = read_partition(b, "cf")
    eq([(m.offset(), m.key(), m.value()) for m in got],
       [(0, b"k", b"v"), (1, None, b"no key"), (2, b"no value", None), (3, b"", b"")])
    eq(got[0].headers(), HEADERS)
    eq(got[0].timestamp()[1], 1700000000123)
    if b.kind == "pg":
        eq(b.sql("SELECT h.key, h.value FROM topic.cf, unnest(headers) WITH ORDINALITY h(key, value, n) "
                 "WHERE log_offset = 0 ORDER BY n"), HEADERS)
        eq(b.value("SELECT (extract(epoch FROM ts) * 1000)::bigint FROM topic.cf WHERE log_offset = 0"), 1700000000123)


@case
def many(b):
    "confluent-kafka: 100,000 records over 6 partitions, idempotent, arrive once and in order"
    b.create_topic("many", 6)
    p = producer(b, enable_idempotence=True, linger_ms=5, queue_buffering_max_messages=200000)
    errors = []
    for i in range(100000):
        p.produce("many", value=b"%d" % i, partition=i % 6, on_delivery=lambda e, m: e and errors.append(e))
        if i % 1000 == 0:
            p.poll(0)
    eq(p.flush(60), 0)
    eq(errors, [])
    for part in range(6):
        eq([(m.offset(), int(m.value())) for m in read_partition(b, "many", part)],
           [(n, part + 6 * n) for n in range(len(range(part, 100000, 6)))], "partition %d" % part)


@case
def acks(b):
    "acks 0, 1 and all"
    b.create_topic("acks")
    for n, value in enumerate([0, 1, "all"]):
        deliver(producer(b, acks=value), "acks", [(None, b"%d" % i) for i in range(100)])
        eq(len(read_partition(b, "acks", count=100 * (n + 1))), 100 * (n + 1))


@case
def tail(b):
    "a waiting consumer is woken by a new record, not by its time-out"
    from confluent_kafka import Consumer, TopicPartition
    b.create_topic("tail")
    p = producer(b, linger_ms=0)
    deliver(p, "tail", [(None, b"first")])
    c = Consumer({"bootstrap.servers": b.bootstrap, "group.id": "none", "enable.auto.commit": False,
                  "fetch.wait.max.ms": 20000, "socket.timeout.ms": 60000})
    c.assign([TopicPartition("tail", 0, 0)])
    eq(c.poll(20).value(), b"first")
    for n in range(5):
        # The consumer goes on polling in a thread of its own, so its fetch is waiting at the broker by now or soon.
        ok(c.poll(0.2) is None, "nothing is there")
        started = time.monotonic()
        deliver(p, "tail", [(None, b"%d" % n)])
        eq(c.poll(15).value(), b"%d" % n)
        ok(time.monotonic() - started < 3, "woken after %.3f s" % (time.monotonic() - started))
    c.close()


@case(sql=True)
def tail_sql(b):
    "a waiting consumer is woken by a SQL commit"
    from confluent_kafka import Consumer, TopicPartition
    b.create_topic("tailsql")
    c = Consumer({"bootstrap.servers": b.bootstrap, "group.id": "none", "enable.auto.commit": False,
                  "fetch.wait.max.ms": 20000, "socket.timeout.ms": 60000})
    c.assign([TopicPartition("tailsql", 0, 0)])
    for n in range(5):
        ok(c.poll(0.2) is None, "nothing is there")
        started = time.monotonic()
        b.sql("SELECT broker.produce('tailsql', %s)", (b"%d" % n,))
        eq(c.poll(15).value(), b"%d" % n)
        ok(time.monotonic() - started < 3, "woken after %.3f s" % (time.monotonic() - started))
    c.close()


@case
def offsets(b):
    "watermarks and offsets by time"
    from confluent_kafka import Consumer, TopicPartition
    b.create_topic("wm")
    c = Consumer({"bootstrap.servers": b.bootstrap, "group.id": "none"})
    eq(c.get_watermark_offsets(TopicPartition("wm", 0), timeout=10), (0, 0))
    base = 1700000000000
    deliver(producer(b, linger_ms=100), "wm", [(None, b"%d" % i, {"timestamp": base + 10 * i}) for i in range(500)])
    eq(c.get_watermark_offsets(TopicPartition("wm", 0), timeout=10), (0, 500))
    for at, want in [(0, 0), (base + 1, 1), (base + 2500, 250), (base + 4981, 499), (base + 5000, -1)]:
        eq(c.offsets_for_times([TopicPartition("wm", 0, at)], timeout=10)[0].offset, want, "time %d" % at)
    c.close()


@case
def admin(b):
    "confluent-kafka's admin client: topics, partitions, configs, cluster"
    from confluent_kafka import KafkaException
    from confluent_kafka.admin import AdminClient, ConfigEntry, ConfigResource, AlterConfigOpType, NewPartitions, NewTopic
    a = AdminClient({"bootstrap.servers": b.bootstrap})
    a.create_topics([NewTopic("adm", 2, 1, config={"retention.ms": "5000000"})])["adm"].result(20)
    error = raises(KafkaException, a.create_topics([NewTopic("adm", 1, 1)])["adm"].result, 20)
    eq(error.args[0].name(), "TOPIC_ALREADY_EXISTS")
    a.create_partitions([NewPartitions("adm", 4)])["adm"].result(20)
    eq(len(a.list_topics("adm", 10).topics["adm"].partitions), 4)
    resource = ConfigResource(ConfigResource.Type.TOPIC, "adm", incremental_configs=[
        ConfigEntry("max.message.bytes", "12345", incremental_operation=AlterConfigOpType.SET)])
    a.incremental_alter_configs([resource])[resource].result(20)
    key = ConfigResource(ConfigResource.Type.TOPIC, "adm")
    got = a.describe_configs([key])[key].result(20)
    eq((got["retention.ms"].value, got["max.message.bytes"].value, got["cleanup.policy"].value),
       ("5000000", "12345", "delete"))
    ok(not got["retention.ms"].is_default and got["cleanup.policy"].is_default, "sources")
    cluster = a.describe_cluster(request_timeout=10).result(20)
    eq(len(cluster.nodes), 1)
    ok(cluster.cluster_id, "a cluster id")
    a.delete_topics(["adm"])["adm"].result(20)
    error = raises(KafkaException, a.delete_topics(["adm"])["adm"].result, 20)
    eq(error.args[0].name(), "UNKNOWN_TOPIC_OR_PART")


@case
def too_large(b):
    "a batch above max.message.bytes is refused, the next is taken"
    from confluent_kafka import Producer
    b.create_topic("limited", config={"max.message.bytes": "10000"})
    errors = []
    p = Producer({"bootstrap.servers": b.bootstrap, "message.max.bytes": 10000000, "linger.ms": 0})
    p.produce("limited", b"x" * 20000, on_delivery=lambda e, m: errors.append(e))
    p.flush(30)
    p.produce("limited", b"x" * 5000, on_delivery=lambda e, m: errors.append(e))
    p.flush(30)
    eq([e and e.name() for e in errors], ["MSG_SIZE_TOO_LARGE", None])


@case
def delete_and_recreate(b):
    "a topic made anew under an old name starts empty"
    from confluent_kafka.admin import AdminClient, NewTopic
    from tap import wait_for
    a = AdminClient({"bootstrap.servers": b.bootstrap})
    for n in range(3):
        a.create_topics([NewTopic("again", 1, 1)])["again"].result(20)
        eq(deliver(producer(b), "again", [(None, b"%d" % n)]), [0])
        eq([m.value() for m in read_partition(b, "again", count=1)], [b"%d" % n])
        a.delete_topics(["again"])["again"].result(20)
        wait_for("the topic to be gone", lambda: "again" not in a.list_topics(timeout=10).topics)


@case
def kafka_python(b):
    "kafka-python produces and reads by assignment; its admin client works"
    from kafka import KafkaConsumer, KafkaProducer, TopicPartition
    from kafka.admin import KafkaAdminClient, NewTopic
    a = KafkaAdminClient(bootstrap_servers=b.bootstrap)
    a.create_topics([NewTopic("kpy", 3, 1)])
    ok("kpy" in a.list_topics(), "listed")
    p = KafkaProducer(bootstrap_servers=b.bootstrap, acks="all", linger_ms=10)
    futures = [p.send("kpy", key=b"%d" % i, value=b"value %d" % i, partition=i % 3,
                      headers=[("n", b"%d" % i)]) for i in range(900)]
    p.flush(30)
    eq([f.get(10).offset for f in futures], [i // 3 for i in range(900)])
    c = KafkaConsumer(bootstrap_servers=b.bootstrap, enable_auto_commit=False, consumer_timeout_ms=20000)
    partitions = [TopicPartition("kpy", n) for n in range(3)]
    c.assign(partitions)
    c.seek_to_beginning()
    eq(c.end_offsets(partitions), {tp: 300 for tp in partitions})
    got = []
    for m in c:
        got.append((m.partition, m.offset, m.key, m.value, m.headers))
        if len(got) == 900:
            break
    want = [(i % 3, i // 3, b"%d" % i, b"value %d" % i) for i in range(900)]
    eq(sorted(g[:4] for g in got), sorted(want))
    ok(all(list(g[4]) == [("n", g[2])] for g in got), "headers")
    p.close()
    c.close()
    a.delete_topics(["kpy"])
    a.close()


@case
def kafka_python_codecs(b):
    "kafka-python's codecs come back through librdkafka, and librdkafka's through kafka-python"
    from kafka import KafkaConsumer, KafkaProducer, TopicPartition
    b.create_topic("kpyc")
    want = []
    for codec in [None, "gzip", "snappy", "lz4", "zstd"]:
        p = KafkaProducer(bootstrap_servers=b.bootstrap, compression_type=codec, linger_ms=20)
        lines = [b"%s %d %s" % (str(codec).encode(), i, b"y" * 50) for i in range(200)]
        for line in lines:
            p.send("kpyc", value=line, partition=0)
        p.close()
        deliver(producer(b, compression_type=codec or "none", linger_ms=20), "kpyc", [(None, l) for l in lines])
        want += lines + lines
    eq([m.value() for m in read_partition(b, "kpyc")], want)
    c = KafkaConsumer(bootstrap_servers=b.bootstrap, enable_auto_commit=False, consumer_timeout_ms=20000)
    c.assign([TopicPartition("kpyc", 0)])
    c.seek_to_beginning()
    got = []
    for m in c:
        got.append(m.value)
        if len(got) == len(want):
            break
    eq(got, want)
    c.close()
    if b.kind == "pg":
        eq([v for v, in b.sql("SELECT value FROM topic.kpyc ORDER BY log_offset")], want)


@case
def many_producers(b):
    "eight producers at once on one partition: all records once, each producer's in order"
    b.create_topic("crowd")

    def work(n):
        deliver(producer(b, enable_idempotence=True, linger_ms=1), "crowd", [(b"%d" % n, b"%d" % i) for i in range(2000)])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    got = read_partition(b, "crowd")
    eq([m.offset() for m in got], list(range(16000)))
    for n in range(8):
        eq([int(m.value()) for m in got if m.key() == b"%d" % n], list(range(2000)), "producer %d" % n)


run(lambda: broker("python"))
