"""Where PostgreSQL's rules meet Kafka's clients: privileges, locks, types of values, settings of topics."""
import struct
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import Cluster
from messages import Client
from tap import case, eq, ok, run, wait_for
from wire import PRODUCE, array, batch, batches, record, string

NONE, UNKNOWN_TOPIC, NO_LEADER, NOT_LEADER, TOO_LARGE = 0, 3, 5, 6, 10
DENIED, INVALID_TIMESTAMP, INVALID_RECORD = 29, 32, 87
NOT_YOUR_ID, DAMAGED, INVALID_TOPIC, UNSUPPORTED_CODEC = 53, 56, 17, 76
UNKNOWN = -2147483648


def produce_many(c, topics, acks=-1):
    """Produce a record to several topics by one request; {topic: error}"""
    body = string(None) + struct.pack(">hi", acks, 10000) + array(
        [string(t) + array([struct.pack(">i", 0) + struct.pack(">i", len(r)) + r]) for t, r in topics.items()])
    r = c.request(PRODUCE, 7, body)
    return dict(r.array(lambda: (r.string(), r.array(lambda: r.unpack("ihqqq")[1])[0])))


def fetch_many(c, topics):
    answer = c.call("Fetch", 11, replica=-1, max_wait=0, min_bytes=1, max_bytes=1 << 20, session_epoch=-1, rack="",
                    topics=[{"topic": t, "partitions": [{"partition": 0, "leader_epoch": -1, "max_bytes": 1 << 20,
                                                         "log_start": -1}]} for t in topics])
    return {t["topic"]: (t["partitions"][0]["error"], len(batches(t["partitions"][0]["records"])))
            for t in answer["topics"]}


@case
def locked(b):
    "a topic locked by DDL refuses its own requests, retriably, and nobody else's"
    b.create_topic("shut")
    b.create_topic("open")
    with Client(b) as c, b.connect(autocommit=False) as holder:
        eq(produce_many(c, {"shut": batch([b"x"]), "open": batch([b"x"])}), {"shut": NONE, "open": NONE})
        holder.execute("LOCK TABLE topic.shut IN ACCESS EXCLUSIVE MODE")
        started = time.monotonic()
        eq(produce_many(c, {"shut": batch([b"y"]), "open": batch([b"y"])}), {"shut": NOT_LEADER, "open": NONE})
        eq(fetch_many(c, ["shut", "open"]), {"shut": (NOT_LEADER, 0), "open": (NONE, 2)})
        eq(c.produce("shut", batch([b"y"]))[0], NOT_LEADER)
        eq(c.list_offset("shut", -1)[0], NOT_LEADER)
        got = {t["name"]: t["error"] for t in c.call("Metadata", 4, topics=[{"name": "shut"}, {"name": "open"}])["topics"]}
        ok(got["shut"] in (NONE, NO_LEADER), got)
        eq(got["open"], NONE)
        ok(time.monotonic() - started < 10, "nobody waited for the lock")
        holder.rollback()
        eq(produce_many(c, {"shut": batch([b"y"]), "open": batch([b"z"])}), {"shut": NONE, "open": NONE})
        eq(fetch_many(c, ["shut", "open"]), {"shut": (NONE, 2), "open": (NONE, 3)})


@case
def busy_controller(b):
    "a controller that waits for a lock holds up no produce and no fetch"
    b.create_topic("held")
    b.create_topic("free")
    with Client(b) as c, Client(b) as other, b.connect(autocommit=False) as holder:
        holder.execute("LOCK TABLE topic.held IN ACCESS SHARE MODE")
        asked = c.ask("DeleteTopics", 4, names=["held"], timeout=30000)
        for _ in range(20):
            eq(other.produce("free", batch([b"x"]))[0], NONE)
        holder.rollback()
        t, = c.answer(asked)["topics"]
        ok(t["error"] in (NONE, 7, 6), t)


@case
def privileges(b):
    "a session may do what its role may: SELECT, INSERT, TRUNCATE, ownership, CREATE on the schema"
    b.sql("CREATE ROLE app LOGIN")
    for name in ["seen", "written", "hidden", "both"]:
        b.create_topic(name)
    b.sql("GRANT SELECT ON topic.seen, topic.both TO app")
    b.sql("GRANT INSERT ON topic.written, topic.both TO app")
    with Client(b) as c:
        for name in ["seen", "written", "hidden", "both"]:
            eq(c.produce(name, batch([b"x"]))[0], NONE)
    b.sql("ALTER SYSTEM SET pg_broker.plaintext_role = 'app'")
    b.sql("SELECT pg_reload_conf()")

    def as_app():
        with Client(b) as c:
            return c.produce("hidden", batch([b"probe"]))[0] == DENIED
    wait_for("the role to be in force", as_app)
    try:
        with Client(b) as c:
            names = ["seen", "written", "hidden", "both"]
            record_ = batch([b"y"])
            eq(produce_many(c, dict.fromkeys(names, record_)),
               {"seen": DENIED, "written": NONE, "hidden": DENIED, "both": NONE})
            got = fetch_many(c, names)
            eq([got[n][0] for n in names], [NONE, DENIED, DENIED, NONE])
            eq([c.list_offset(n, -1)[0] for n in names], [NONE, NONE, DENIED, NONE])
            got = {t["name"]: t["error"] for t in c.call("Metadata", 4, topics=[{"name": n} for n in names])["topics"]}
            eq(got, {"seen": NONE, "written": NONE, "hidden": DENIED, "both": NONE})
            ok("hidden" not in {t["name"] for t in c.call("Metadata", 4, topics=None)["topics"]}, "left out of all")
            got = {t["name"]: t["operations"] for t in c.call("Metadata", 8, topics=[{"name": n} for n in names],
                                                              topic_operations=True)["topics"]}
            describes = 1 << 8 | 1 << 10
            eq(got, {"seen": 1 << 3 | describes, "written": 1 << 4 | describes, "hidden": UNKNOWN,
                     "both": 1 << 3 | 1 << 4 | describes})
            t, = c.call("CreateTopics", 4, timeout=5000, topics=[{"name": "mine", "partitions": 1, "replication": 1}])["topics"]
            eq(t["error"], DENIED)
            eq(c.call("Metadata", 4, topics=[{"name": "mine"}], create=True)["topics"][0]["error"], UNKNOWN_TOPIC)
            eq(c.call("DeleteTopics", 4, names=["both"], timeout=5000)["topics"][0]["error"], DENIED)
            t, = c.call("CreatePartitions", 1, timeout=5000, topics=[{"name": "both", "count": 2, "assignments": None}])["topics"]
            eq(t["error"], DENIED)
            r, = c.call("IncrementalAlterConfigs", 1, resources=[
                {"type": 2, "name": "both", "configs": [{"name": "retention.ms", "value": "99999999"}]}])["resources"]
            eq(r["error"], DENIED)
            t, = c.call("DeleteRecords", 1, timeout=5000, topics=[
                {"name": "both", "partitions": [{"partition": 0, "offset": 1}]}])["topics"]
            eq(t["partitions"][0]["error"], DENIED)
            r = {r["name"]: r["error"] for r in c.call("DescribeConfigs", 1, resources=[
                {"type": 2, "name": n, "keys": None} for n in ("seen", "hidden")])["resources"]}
            eq(r, {"seen": NONE, "hidden": DENIED})
            # what is granted now counts now
            b.sql("GRANT TRUNCATE ON topic.both TO app")
            b.sql("GRANT CREATE ON SCHEMA topic TO app")
            t, = c.call("DeleteRecords", 1, timeout=5000, topics=[
                {"name": "both", "partitions": [{"partition": 0, "offset": 1}]}])["topics"]
            eq(t["partitions"][0], {"partition": 0, "low": 1, "error": NONE})
            t, = c.call("CreateTopics", 4, timeout=5000, topics=[{"name": "mine", "partitions": 1, "replication": 1}])["topics"]
            eq(t["error"], NONE)
            eq(b.value("SELECT relowner::regrole::text FROM pg_class WHERE oid = 'topic.mine'::regclass"), "app")
            eq(c.produce("mine", batch([b"x"]))[0], NONE)
            eq(c.call("DeleteTopics", 4, names=["mine"], timeout=5000)["topics"][0]["error"], NONE)
            b.sql("REVOKE INSERT ON topic.written FROM app")
            eq(c.produce("written", batch([b"x"]))[0], DENIED)
    finally:
        b.sql("ALTER SYSTEM RESET pg_broker.plaintext_role")
        b.sql("SELECT pg_reload_conf()")


@case
def value_types(b):
    "a batch with a value that the column's type can't hold is refused whole, with the records that are to blame"
    b.sql("SELECT broker.create_topic('typed', key_type => 'text', value_type => 'json')")
    with Client(b) as c:
        eq(c.produce("typed", batch([(b"k", b'{"a": [1, "\xc3\xa9", null]}'), (None, None), (b"", b"3")]))[:2], (NONE, 0))
        for values, bad in [([b"{}", b"{", b"1", b"nope"], [1, 3]),
                            ([b'"\xff"'], [0]), ([b'"a\0b"'], [0]), ([b""], [0]),
                            ([(b"\xff", b"1")], [0]), ([(b"a\0b", b"1")], [0])]:
            r = c.request(PRODUCE, 8, c.produce_body("typed", batch(values)))
            r.unpack("i"), r.string(), r.unpack("i")
            partition, error, base, append_time, start = r.unpack("ihqqq")
            errors = r.array(lambda: (r.unpack("i"), r.string()))
            eq((error, base), (INVALID_RECORD, -1), values)
            eq([i for i, _ in errors], bad, values)
            ok(all(message for _, message in errors))
        eq(b.sql("SELECT log_offset, key, value::text FROM topic.typed ORDER BY log_offset"),
           [(0, "k", '{"a": [1, "é", null]}'), (1, None, None), (2, "", "3")])


@case
def header_keys(b):
    "the key of a header is text, in every topic"
    b.create_topic("headed")
    good = record(b"v", headers=[(b"a", b"\xff"), (b"a", None), ("\u00e9".encode(), b"")])
    bad = record(b"v", headers=[(b"a", b"x"), (b"\xff", b"x")], offset_delta=1)
    with Client(b) as c:
        eq(c.produce("headed", batch([b"v", b"v"], records=good + bad))[0], INVALID_RECORD)
        eq(c.produce("headed", batch([b"v"], records=good))[:2], (NONE, 0))
        eq(b.sql("SELECT log_offset, (h).key, (h).value FROM topic.headed, unnest(headers) h"),
           [(0, "a", b"\xff"), (0, "a", None), (0, "\u00e9", b"")])


@case
def compression(b):
    "compression.type: batches are packed anew when the producer's codec is another"
    codecs = {"gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4, "uncompressed": 0}
    values = [(b"k%d" % i, b"value %d " % i * 20) for i in range(50)]
    with Client(b) as c:
        for name, codec in codecs.items():
            topic = "packed-" + name
            b.create_topic(topic, config={"compression.type": name})
            sent = batch(values, timestamp=1700000000000)
            eq(c.produce(topic, sent)[:2], (NONE, 0))
            (base, last, data), = batches(c.fetch(topic, 0, version=11)[5])
            eq((base, last, data[22] & 7), (0, 49, codec), name)
            ok(codec == 0 or len(data) < len(sent) / 2, (name, len(data), len(sent)))
            eq(b.value('SELECT count(*) FROM topic."%s" WHERE value = %%s::bytea' % topic,
                       (b"value 7 " * 20,)), 1)


@case
def sizes_and_times(b):
    "max.message.bytes and message.timestamp.* of the topic count"
    b.create_topic("limits", config={"max.message.bytes": "2000", "message.timestamp.before.max.ms": "60000",
                                     "message.timestamp.after.max.ms": "60000"})
    now = int(time.time() * 1000)
    with Client(b) as c:
        eq(c.produce("limits", batch([b"x" * 1000]))[0], NONE)
        eq(c.produce("limits", batch([b"x" * 2000]))[0], TOO_LARGE)
        eq(c.produce("limits", batch([b"x"], timestamp=now - 120000))[0], INVALID_TIMESTAMP)
        eq(c.produce("limits", batch([b"x"], timestamp=now + 120000))[0], INVALID_TIMESTAMP)
        b.sql("SELECT broker.alter_topic('limits', config => '{\"max.message.bytes\": \"5000\"}')")
        eq(c.produce("limits", batch([b"x" * 2000]))[0], NONE, "a change counts at once")
        eq(c.list_offset("limits", -1)[2], 2)


@case
def odd_records(b):
    "produce: no records, unknown codecs, zstd from old clients, names that are the broker's own"
    b.create_topic("odd")
    with Client(b) as c:
        eq(c.produce("odd", None)[0], INVALID_RECORD, "null")
        eq(c.produce("odd", b"")[0], INVALID_RECORD, "empty")
        eq(c.produce("odd", b"x" * 30)[0], INVALID_RECORD, "too short for a batch")
        eq(c.produce("odd", batch([b"x"], attributes=5))[0], -1, "a codec that doesn't exist")
        eq(c.produce("odd", batch([b"x"], attributes=4), version=6)[0], UNSUPPORTED_CODEC, "zstd before version 7")
        eq(c.produce("odd", batch([b"x"], attributes=4), version=7)[0], INVALID_RECORD, "not zstd")
        for name in ("__consumer_offsets", "__transaction_state"):
            eq(c.produce(name, batch([b"x"]))[0], INVALID_TOPIC)
        eq(c.produce("odd", batch([b"x"]), partition=-1)[0], UNKNOWN_TOPIC)
        eq(c.list_offset("odd", -1)[2], 0, "nothing was stored")


@case
def no_transactions(b):
    "transactional ids and transactional batches are refused: there are no transactions yet"
    b.create_topic("txn")
    with Client(b) as c:
        eq(c.init_producer_id("mine")[0], NOT_YOUR_ID)
        eq(c.produce("txn", batch([b"x"], attributes=0x10, pid=1, epoch=0, sequence=0))[0], NOT_YOUR_ID)
        eq(c.list_offset("txn", -1)[2], 0)


@case
def damaged(b):
    "a topic whose file is damaged costs itself, not the others"
    with Cluster("damaged") as few:
        few.expected.append("is damaged")
        few.create_topic("broken")
        few.create_topic("whole")
        with Client(few) as c:
            eq(produce_many(c, {"broken": batch([b"x"]), "whole": batch([b"x"])}), {"broken": NONE, "whole": NONE})
        path = few.data + "/" + few.value("SELECT pg_relation_filepath('topic.broken')")
        few.stop()
        with open(path, "r+b") as f:
            f.write(bytes(8192))
        few.start()
        with Client(few) as c:
            eq(produce_many(c, {"broken": batch([b"y"]), "whole": batch([b"y"])}), {"broken": DAMAGED, "whole": NONE})
            eq(c.produce("broken", batch([b"y"]))[0], DAMAGED)
            eq(fetch_many(c, ["broken", "whole"]), {"broken": (DAMAGED, 0), "whole": (NONE, 2)})
            eq(fetch_many(c, ["broken"]), {"broken": (DAMAGED, 0)})
            got = {t["name"]: t["error"] for t in
                   c.call("Metadata", 4, topics=[{"name": "broken"}, {"name": "whole"}])["topics"]}
            eq(got, {"broken": DAMAGED, "whole": NONE})
            eq([t["name"] for t in c.call("Metadata", 4, topics=None)["topics"]], ["whole"])
            eq([t["name"] for t in c.call("DescribeLogDirs", 4, topics=None)["dirs"][0]["topics"]], ["whole"])
            eq([t["name"] for t in c.call("DescribeTopicPartitions", 0, topics=[], limit=10)["topics"]], ["whole"])


@case
def ids_after_crash(b):
    "producer ids are not given twice, whatever crashes"
    seen = set()
    for _ in range(3):
        for _ in range(4):
            with Client(b) as c:
                for _ in range(20):
                    error, pid, epoch = c.init_producer_id()
                    eq((error, epoch), (NONE, 0))
                    ok(pid not in seen, "%d was given before" % pid)
                    seen.add(pid)
        b.stop("immediate")
        b.start()


@case
def sequence_survives(b):
    "an idempotent producer goes on after a crash, and its retries are recognised"
    b.create_topic("idem")
    with Client(b) as c:
        _, pid, _ = c.init_producer_id()
        for i in range(5):
            eq(c.produce("idem", batch([b"%d" % i], pid=pid, epoch=0, sequence=i))[:2], (NONE, i))
    b.stop("immediate")
    b.start()
    with Client(b) as c:
        for i in range(5):
            eq(c.produce("idem", batch([b"%d" % i], pid=pid, epoch=0, sequence=i))[:2], (NONE, i), "retry")
        eq(c.produce("idem", batch([b"7"], pid=pid, epoch=0, sequence=7))[0], 45)
        eq(c.produce("idem", batch([b"5"], pid=pid, epoch=0, sequence=5))[:2], (NONE, 5))


run(lambda: Cluster("rules"))
