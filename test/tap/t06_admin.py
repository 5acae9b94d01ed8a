"""What the broker answers to the requests of administrators, in all their versions."""
import re
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from messages import Client
from tap import case, eq, ok, run, wait_for
from wire import batch

NONE, OUT_OF_RANGE, UNKNOWN_TOPIC, INVALID_TOPIC, UNSUPPORTED, EXISTS = 0, 1, 3, 17, 35, 36
INVALID_PARTITIONS, INVALID_REPLICATION, INVALID_ASSIGNMENT, INVALID_CONFIG, INVALID = 37, 38, 39, 40, 42
UNKNOWN = -2147483648
NO_ID = bytes(16)
TOPIC, BROKER = 2, 4


def new_topic(name, partitions=1, replication=-1, configs=(), assignments=()):
    return {"name": name, "partitions": partitions, "replication": replication,
            "configs": [{"name": k, "value": v} for k, v in dict(configs).items()],
            "assignments": [{"partition": p, "brokers": list(nodes)} for p, nodes in assignments]}


def create(c, *topics, version=7, validate_only=False):
    return c.call("CreateTopics", version, topics=list(topics), timeout=20000, validate_only=validate_only)["topics"]


def make(c, *topics):
    """Create topics, and wait until they can be used, which a real Kafka takes a moment for."""
    for t in create(c, *topics):
        eq(t["error"], NONE, t["name"])
        for partition in range(t["partitions"]):
            wait_for("the partition to be there", lambda: c.list_offset(t["name"], -1, partition)[0] == NONE)


def node_of(c):
    return c.call("Metadata", 1, topics=[])["brokers"][0]["id"]


@case
def api_versions(b):
    "ApiVersions: names are checked, and in version 5 cluster and node too"
    with Client(b) as c:
        for version in range(6):
            who = {"name": "test", "version": "1.0-x", "node": -1, "cluster": None}
            answer = c.call("ApiVersions", version, **who)
            eq(answer["error"], NONE)
            keys = [a["key"] for a in answer["apis"]]
            eq(keys, sorted(keys), "order")
        for bad in ["", "bad name!", "-x", "x.", "a" * 3 + "\u00e9"]:
            eq(c.call("ApiVersions", 3, name=bad, version="1")["error"], INVALID, repr(bad))
            eq(c.call("ApiVersions", 3, name="x", version=bad)["error"], INVALID, repr(bad))
        cluster = c.call("DescribeCluster", 0)["cluster"]
        who = {"name": "x", "version": "1"}
        eq(c.call("ApiVersions", 5, cluster=cluster, node=node_of(c), **who)["error"], NONE)
        eq(c.call("ApiVersions", 5, cluster=cluster, node=node_of(c) + 1, **who)["error"], 129)
        eq(c.call("ApiVersions", 5, cluster="another", node=node_of(c), **who)["error"], 129)
        eq(c.call("ApiVersions", 5, cluster=cluster, node=-1, **who)["error"], INVALID)


@case
def documented(b):
    "the table of docs/kafka-protocol.md is what ApiVersions says"
    with open(__file__.rsplit("/", 3)[0] + "/docs/kafka-protocol.md") as f:
        rows = re.findall(r"^\| *(\d+) \| (\w+) \| (\d+)-(\d+)", f.read(), re.M)
    if b.kind == "pg":
        with Client(b) as c:
            got = c.api_versions()
            got[0] = (3, got[0][1])     # the rest is for librdkafka
            eq({int(key): (int(low), int(high)) for key, _, low, high in rows}, got)


@case
def create_topics(b):
    "CreateTopics: defaults, checks and their codes"
    with Client(b) as c:
        node = node_of(c)
        t, = create(c, new_topic("ct", 3, configs={"retention.ms": "1000000"}))
        eq((t["name"], t["error"], t["message"], t["partitions"], t["replication"]), ("ct", NONE, None, 3, 1))
        ok(t["id"] != NO_ID)
        configs = {x["name"]: (x["value"], x["source"], x["read_only"]) for x in t["configs"]}
        eq(configs["retention.ms"], ("1000000", 1, False))
        eq(configs["cleanup.policy"], ("delete", 5, False))
        ok(len(configs) >= 30, len(configs))
        for name, topic, want in [
                ("exists", new_topic("ct"), EXISTS),
                ("space", new_topic("c t"), INVALID_TOPIC),
                ("empty", new_topic(""), INVALID_TOPIC),
                ("dots", new_topic(".."), INVALID_TOPIC),
                ("long", new_topic("a" * 250), INVALID_TOPIC),
                ("no partitions", new_topic("ct2", 0), INVALID_PARTITIONS),
                ("partitions", new_topic("ct2", -2), INVALID_PARTITIONS),
                ("replicas", new_topic("ct2", replication=3), INVALID_REPLICATION),
                ("no replicas", new_topic("ct2", replication=0), INVALID_REPLICATION),
                ("unknown setting", new_topic("ct2", configs={"foo": "1"}), INVALID_CONFIG),
                ("value", new_topic("ct2", configs={"retention.ms": "x"}), INVALID_CONFIG),
                ("null value", new_topic("ct2", configs={"retention.ms": None}), INVALID_CONFIG),
                ("node", new_topic("ct2", -1, assignments=[(0, [node + 1])]), INVALID_ASSIGNMENT),
                ("gap", new_topic("ct2", -1, assignments=[(1, [node])]), INVALID_ASSIGNMENT),
                ("empty", new_topic("ct2", -1, assignments=[(0, [])]), INVALID_ASSIGNMENT),
                ("twice", new_topic("ct2", -1, assignments=[(0, [node, node])]), INVALID_ASSIGNMENT),
                ("both", new_topic("ct2", 2, assignments=[(0, [node])]), INVALID)]:
            t, = create(c, topic)
            eq((t["error"], t["id"], t["partitions"], t["configs"]), (want, NO_ID, -1, []), name)
            ok(t["message"], name)
        t, = create(c, new_topic("ct3", -1, assignments=[(0, [node]), (1, [node])]))
        eq((t["error"], t["partitions"]), (NONE, 2))
        got = {t["name"]: t["error"] for t in create(c, new_topic("twice"), new_topic("once"), new_topic("twice"))}
        eq((got["once"], got.get("twice", INVALID)), (NONE, INVALID))
        eq({t["name"]: t["error"] for t in create(c, new_topic("co.ll"))}, {"co.ll": NONE})
        eq(create(c, new_topic("co_ll"))[0]["error"], INVALID_TOPIC)
        for version in range(2, 8):
            t, = create(c, new_topic("ctv%d" % version), version=version)
            eq(t["error"], NONE, version)
        eq(create(c), [])


@case
def validate_only(b):
    "CreateTopics with validate_only answers alike, and does nothing"
    with Client(b) as c:
        t, = create(c, new_topic("vo", 2, configs={"segment.ms": "86400000"}), validate_only=True)
        eq((t["error"], t["partitions"]), (NONE, 2))
        ok(t["id"] != NO_ID)
        eq({x["name"]: x["source"] for x in t["configs"]}["segment.ms"], 1)
        eq(create(c, new_topic("vo", configs={"segment.ms": "-5"}), validate_only=True)[0]["error"], INVALID_CONFIG)
        eq(c.call("Metadata", 4, topics=[{"name": "vo"}])["topics"][0]["error"], UNKNOWN_TOPIC)


@case
def delete_topics(b):
    "DeleteTopics: what is there goes, the rest has its code"
    with Client(b) as c:
        make(c, *[new_topic("dt%d" % i) for i in range(7)])
        answer = c.call("DeleteTopics", 5, names=["nosuch", "dt0", "dt0", "", "dt1"], timeout=20000)
        got = {t["name"]: (t["error"], t["message"] is None) for t in answer["topics"]}
        eq(got, {"nosuch": (3, False), "dt0": (INVALID, False), "": (3, False), "dt1": (NONE, True)})
        for version in range(1, 6):
            t, = c.call("DeleteTopics", version, names=["dt%d" % (version + 1)], timeout=20000)["topics"]
            eq(t["error"], NONE)
        wait_for("the others to be gone", lambda: ["dt0"] == [
            t["name"] for t in c.call("Metadata", 1, topics=None)["topics"] if t["name"].startswith("dt")])


@case
def create_partitions(b):
    "CreatePartitions: only more, and not more than once"
    with Client(b) as c:
        make(c, new_topic("cp", 3))
        node = node_of(c)

        def add(count, name="cp", assignments=None, validate=False, version=3):
            t, = c.call("CreatePartitions", version, timeout=20000, validate_only=validate, topics=[
                {"name": name, "count": count,
                 "assignments": assignments and [{"brokers": x} for x in assignments]}])["topics"]
            return t["error"]
        for count in [3, 2, 0, -1]:
            eq(add(count), INVALID_PARTITIONS, count)
        eq(add(4, "nosuch"), UNKNOWN_TOPIC)
        eq(add(4, "bad name"), UNKNOWN_TOPIC)
        eq(add(4, validate=True), NONE)
        eq(add(4, assignments=[[node + 1]]), INVALID_ASSIGNMENT)
        eq(add(4, assignments=[[node, node]]), INVALID_ASSIGNMENT)
        eq(add(5, assignments=[[node]]), INVALID_ASSIGNMENT)
        eq(len(c.call("Metadata", 4, topics=[{"name": "cp"}])["topics"][0]["partitions"]), 3)
        eq(add(4, assignments=[[node]]), NONE)
        for version in range(4):
            eq(add(5 + version, version=version), NONE)
        wait_for("the last partition", lambda: c.list_offset("cp", -1, 7)[0] == NONE)
        eq(len(c.call("Metadata", 4, topics=[{"name": "cp"}])["topics"][0]["partitions"]), 8)
        eq(c.produce("cp", batch([b"x"]), partition=7)[:2], (NONE, 0))
        answer = c.call("CreatePartitions", 3, timeout=20000, topics=[
            {"name": "cp", "count": 9, "assignments": None}, {"name": "cp", "count": 10, "assignments": None}])
        eq([t["error"] for t in answer["topics"]], [INVALID])


@case
def delete_records(b):
    "DeleteRecords: the log start rises, up to the high watermark"
    with Client(b) as c:
        make(c, new_topic("dr", 2))
        for i in range(10):
            c.produce("dr", batch([b"x"] * 10))

        def delete(offset, partition=0, name="dr", version=2):
            t, = c.call("DeleteRecords", version, timeout=20000, topics=[
                {"name": name, "partitions": [{"partition": partition, "offset": offset}]}])["topics"]
            return t["partitions"][0]["error"], t["partitions"][0]["low"]
        eq(delete(25), (NONE, 25))
        eq(c.list_offset("dr", -2), (NONE, -1, 25))
        eq(c.fetch("dr", 24)[0], OUT_OF_RANGE)
        eq(c.fetch("dr", 25)[3], 25)
        eq(delete(20), (NONE, 25), "it never falls")
        eq(delete(101), (OUT_OF_RANGE, -1))
        eq(delete(-2), (OUT_OF_RANGE, -1))
        eq(delete(0, partition=5), (UNKNOWN_TOPIC, -1))
        eq(delete(0, name="nosuch"), (UNKNOWN_TOPIC, -1))
        for version in range(3):
            eq(delete(30 + version, version=version), (NONE, 30 + version))
        eq(delete(-1), (NONE, 100))
        eq(c.list_offset("dr", -2), (NONE, -1, 100))
        eq(c.produce("dr", batch([b"x"]))[:2], (NONE, 100))


@case
def metadata(b):
    "Metadata: all topics, none, some, in each version"
    with Client(b) as c:
        make(c, new_topic("md", 2))
        node = node_of(c)
        for version in range(12):
            answer = c.call("Metadata", version, topics=[{"name": "md"}, {"name": "md"}])
            t, = answer["topics"]
            eq((t["error"], t["name"]), (NONE, "md"))
            eq([(p["partition"], p["leader"], p["replicas"], p["isr"], p.get("offline", [])) for p in t["partitions"]],
               [(i, node, [node], [node], []) for i in range(2)])
            eq([p.get("epoch", 0) for p in t["partitions"]], [0, 0])
            eq(t.get("operations", UNKNOWN), UNKNOWN)
            eq(answer.get("cluster_operations", UNKNOWN), UNKNOWN)
            eq(answer["brokers"][0]["id"], node)
            eq(answer.get("controller", node), node)
        eq(c.call("Metadata", 1, topics=[])["topics"], [])
        ok("md" in [t["name"] for t in c.call("Metadata", 0, topics=[])["topics"]], "all, in version 0")
        ok("md" in [t["name"] for t in c.call("Metadata", 11, topics=None)["topics"]], "all")
        answer = c.call("Metadata", 10, topics=[{"name": "md"}], topic_operations=True, cluster_operations=True)
        eq(answer["topics"][0]["operations"], 3576, "an owner may do everything")
        ok(answer["cluster_operations"] > 0)
        answer = c.call("Metadata", 11, topics=[{"name": None, "id": b"1" * 16}])
        eq([t["error"] for t in answer["topics"]], [INVALID], "ids mean nothing before version 12")


@case
def auto_creation(b):
    "Metadata: an unknown topic is created only if the client wants it"
    with Client(b) as c:
        eq(c.call("Metadata", 4, topics=[{"name": "auto"}])["topics"][0]["error"], UNKNOWN_TOPIC)
        eq(c.call("Metadata", 4, topics=[{"name": "not a topic"}], create=True)["topics"][0]["error"], INVALID_TOPIC)
        t = c.call("Metadata", 4, topics=[{"name": "auto"}], create=True)["topics"][0]
        if b.kind == "pg":
            eq((t["error"], len(t["partitions"])), (NONE, 1), "it is there with the first answer")
            eq(c.produce("auto", batch([b"x"]))[:2], (NONE, 0))
            # versions before 4 can't say that they don't want it
            eq(c.call("Metadata", 1, topics=[{"name": "auto2"}])["topics"][0]["error"], NONE)
            # also when the controller is quick, and the worker still in the transaction in which it missed the topic
            for name in ("quick%d" % i for i in range(500)):
                eq(c.call("Metadata", 1, topics=[{"name": name}])["topics"][0]["error"], NONE, name)
                eq(c.produce(name, batch([b"x"]))[:2], (NONE, 0))


@case
def describe_cluster(b):
    "DescribeCluster: one broker, the same cluster id everywhere"
    with Client(b) as c:
        for version in range(3):
            answer = c.call("DescribeCluster", version, endpoint=1, operations=True)
            eq((answer["error"], answer["message"], answer["controller"]), (NONE, None, node_of(c)))
            eq([x["id"] for x in answer["brokers"]], [node_of(c)])
            ok(answer["operations"] > 0)
        eq(answer["cluster"], c.call("Metadata", 2, topics=[])["cluster"])
        ok(len(answer["cluster"]) == 22, answer["cluster"])
        eq(c.call("DescribeCluster", 1, endpoint=1)["operations"], UNKNOWN)
        eq(c.call("DescribeCluster", 1, endpoint=2)["error"], 114)
        eq(c.call("DescribeCluster", 1, endpoint=3)["error"], 115)


@case
def describe_topic_partitions(b):
    "DescribeTopicPartitions: sorted, in pages"
    with Client(b) as c:
        make(c, new_topic("tp-a", 3), new_topic("tp-b", 1), new_topic("tp-c", 4))

        def describe(names, limit=2000, cursor=None):
            answer = c.call("DescribeTopicPartitions", 0, topics=[{"name": n} for n in names], limit=limit,
                            cursor=cursor and {"topic": cursor[0], "partition": cursor[1]})
            got = [(t["name"], t["error"], [p["partition"] for p in t["partitions"]]) for t in answer["topics"]]
            return got, answer["cursor"] and (answer["cursor"]["topic"], answer["cursor"]["partition"])
        names = ["tp-c", "tp-a", "tp-b"]
        eq(describe(names), ([("tp-a", 0, [0, 1, 2]), ("tp-b", 0, [0]), ("tp-c", 0, [0, 1, 2, 3])], None))
        pages, cursor = [], None
        while True:
            got, cursor = describe(names, 2, cursor)
            pages.append(got)
            if cursor is None:
                break
        eq(pages, [[("tp-a", 0, [0, 1])], [("tp-a", 0, [2]), ("tp-b", 0, [0])], [("tp-c", 0, [0, 1])],
                   [("tp-c", 0, [2, 3])]])
        eq(describe(["nosuch", "tp-b"]), ([("nosuch", UNKNOWN_TOPIC, []), ("tp-b", 0, [0])], None))
        eq(describe(["tp-a"], 0), ([("tp-a", 0, [0])], ("tp-a", 1)), "a limit is at least one")
        eq(describe(["tp-a"], 5, ("tp-a", 9)), ([("tp-a", 0, [])], None))
        eq(describe(["tp-a"], 5, ("tp-a", -1)), ([("tp-a", INVALID, [])], None))
        got, _ = describe([])
        ok({"tp-a", "tp-b", "tp-c"} <= {n for n, _, _ in got}, "all topics")
        answer = c.call("DescribeTopicPartitions", 0, topics=[{"name": "tp-b"}], limit=1)
        p, = answer["topics"][0]["partitions"]
        eq((p["elr"], p["last_elr"], p["offline"], p["epoch"], p["isr"]), ([], [], [], 0, [node_of(c)]))
        eq(answer["topics"][0]["operations"], 3576)


def describe(c, kind, name, keys=None, version=4, **options):
    r, = c.call("DescribeConfigs", version, resources=[{"type": kind, "name": name, "keys": keys}], **options)["resources"]
    return r["error"], {x["name"]: x for x in r["configs"]}


@case
def describe_configs(b):
    "DescribeConfigs: topics, this broker, and what doesn't exist"
    with Client(b) as c:
        make(c, new_topic("dc", configs={"retention.ms": "7200000"}))
        node = str(node_of(c))
        for version in range(1, 5):
            error, got = describe(c, TOPIC, "dc", version=version, synonyms=True)
            eq(error, NONE)
            x = got["retention.ms"]
            eq((x["value"], x["source"], x["read_only"], x["sensitive"]), ("7200000", 1, False, False))
            eq(x["synonyms"][0], {"name": "retention.ms", "value": "7200000", "source": 1})
            x = got["cleanup.policy"]
            eq((x["value"], x["source"], [s["name"] for s in x["synonyms"]]), ("delete", 5, ["log.cleanup.policy"]))
            if version >= 3:
                eq((got["retention.ms"]["type"], got["cleanup.policy"]["type"]), (5, 7))
                eq(got["retention.ms"]["documentation"], None)
        error, got = describe(c, TOPIC, "dc", ["retention.ms", "nosuch"], documentation=True)
        eq((error, list(got)), (NONE, ["retention.ms"]))
        ok(len(got["retention.ms"]["documentation"]) > 20)
        eq(got["retention.ms"]["synonyms"], [])
        ok(len(describe(c, TOPIC, "dc", [])[1]) > 30, "no key is all keys")
        eq(describe(c, TOPIC, "nosuch"), (UNKNOWN_TOPIC, {}))
        eq(describe(c, TOPIC, "bad name"), (INVALID_TOPIC, {}))
        eq(describe(c, TOPIC, ""), (INVALID_TOPIC, {}))
        eq(describe(c, BROKER, str(int(node) + 1)), (INVALID, {}))
        eq(describe(c, BROKER, "x"), (INVALID, {}))
        eq(describe(c, BROKER, "")[0], NONE, "the defaults of all brokers")
        eq(describe(c, 3, "x"), (INVALID, {}))
        error, got = describe(c, BROKER, node)
        eq(error, NONE)
        for name, value in {"auto.create.topics.enable": "true", "default.replication.factor": "1",
                            "delete.topic.enable": "true", "num.partitions": "1", "node.id": node}.items():
            eq(got[name]["value"], value, name)
        ok(got["node.id"]["read_only"])
        ok(got["advertised.listeners"]["value"].endswith(":%d" % b.port), got["advertised.listeners"])


SET, DELETE, APPEND, SUBTRACT = range(4)


def alter(c, name, *changes, kind=TOPIC, validate=False, version=1):
    r, = c.call("IncrementalAlterConfigs", version, validate_only=validate, resources=[
        {"type": kind, "name": name, "configs": [{"name": n, "operation": op, "value": v} for n, op, v in changes]}
    ])["resources"]
    eq(r["message"] is None, r["error"] == NONE)
    return r["error"]


@case
def incremental_alter_configs(b):
    "IncrementalAlterConfigs: set, delete, append, subtract"
    with Client(b) as c:
        make(c, new_topic("ia"))

        def shows(name, value, source):
            def look():
                x = describe(c, TOPIC, "ia", [name])[1][name]
                return (x["value"], x["source"]) == (value, source)
            wait_for("%s to be %s" % (name, value), look)
        eq(alter(c, "ia", ("retention.ms", SET, "5000000"), validate=True), NONE)
        shows("retention.ms", "604800000", 5)
        eq(alter(c, "ia", ("retention.ms", SET, "5000000"), version=0), NONE)
        shows("retention.ms", "5000000", 1)
        for name, change, want in [
                ("value", ("retention.ms", SET, "x"), INVALID_CONFIG),
                ("range", ("retention.ms", SET, "-2"), INVALID_CONFIG),
                ("unknown", ("foo", SET, "x"), INVALID_CONFIG),
                ("null", ("retention.ms", SET, None), INVALID),
                ("no list", ("retention.ms", APPEND, "1"), INVALID_CONFIG),
                ("element", ("cleanup.policy", APPEND, "bogus"), INVALID_CONFIG)]:
            eq(alter(c, "ia", change), want, name)
        eq(alter(c, "ia", ("retention.ms", SET, "1"), ("retention.ms", DELETE, None)), INVALID, "twice")
        shows("retention.ms", "5000000", 1)
        eq(alter(c, "ia", ("retention.ms", DELETE, None)), NONE)
        shows("retention.ms", "604800000", 5)
        throttled = "leader.replication.throttled.replicas"
        eq(alter(c, "ia", (throttled, APPEND, "0:1,1:1")), NONE)
        shows(throttled, "0:1,1:1", 1)
        eq(alter(c, "ia", (throttled, SUBTRACT, "0:1")), NONE)
        shows(throttled, "1:1", 1)
        eq(alter(c, "nosuch", ("retention.ms", SET, "5")), UNKNOWN_TOPIC)
        eq(alter(c, "bad name", ("retention.ms", SET, "5")), INVALID_TOPIC)
        eq(alter(c, "", ("retention.ms", SET, "5")), INVALID)
        eq(alter(c, "ia"), NONE)
        eq(alter(c, "ia", ("foo", DELETE, None)), NONE, "what isn't known can't be set")
        both = c.call("IncrementalAlterConfigs", 1, resources=[
            {"type": TOPIC, "name": "ia", "configs": [{"name": "segment.ms", "value": "70000"}]}] * 2)["resources"]
        eq({r["error"] for r in both}, {INVALID})


@case
def alter_configs(b):
    "AlterConfigs: what isn't named goes back to its default"
    with Client(b) as c:
        make(c, new_topic("ac", configs={"retention.ms": "7200000"}))

        def replace(*configs, name="ac", validate=False, version=2):
            r, = c.call("AlterConfigs", version, validate_only=validate, resources=[
                {"type": TOPIC, "name": name, "configs": [{"name": n, "value": v} for n, v in configs]}])["resources"]
            return r["error"]

        def shows(want):
            wait_for("the settings to be %s" % want, lambda: want == {
                n: x["value"] for n, x in describe(c, TOPIC, "ac")[1].items() if x["source"] == 1})
        eq(replace(("segment.ms", "x")), INVALID_CONFIG)
        eq(replace(("segment.ms", None)), INVALID)
        eq(replace(("foo", "1")), INVALID_CONFIG)
        eq(replace(("segment.ms", "70000"), ("segment.ms", "80000")), INVALID)
        eq(replace(("segment.ms", "70000"), name="nosuch"), UNKNOWN_TOPIC)
        eq(replace(("segment.ms", "70000"), validate=True), NONE)
        shows({"retention.ms": "7200000"})
        for version in range(3):
            eq(replace(("segment.ms", "7000%d" % version), version=version), NONE)
            shows({"segment.ms": "7000%d" % version})
        eq(replace(), NONE)
        shows({})


@case
def log_dirs(b):
    "DescribeLogDirs: partitions and their sizes"
    with Client(b) as c:
        make(c, new_topic("ld", 2))
        c.produce("ld", batch([b"x" * 100000]))
        for version in range(1, 6):
            answer = c.call("DescribeLogDirs", version, topics=[{"topic": "ld", "partitions": [0, 1, 7]},
                                                                {"topic": "nosuch", "partitions": [0]}])
            d, = answer["dirs"]
            eq((answer.get("error", NONE), d["error"]), (NONE, NONE))
            ok(d["dir"])
            eq([t["name"] for t in d["topics"]], ["ld"])
            size = {p["partition"]: p["size"] for p in d["topics"][0]["partitions"]}
            eq(sorted(size), [0, 1])
            ok(size[0] >= 100000, size)
            if version >= 4:
                ok(d["total"] > d["usable"] > 0, d)
        all_topics = c.call("DescribeLogDirs", 4, topics=None)["dirs"][0]["topics"]
        ok("ld" in [t["name"] for t in all_topics])
        eq(c.call("DescribeLogDirs", 4, topics=[])["dirs"][0]["topics"], [])


@case
def producers(b):
    "DescribeProducers: who wrote last, with which sequence"
    with Client(b) as c:
        make(c, new_topic("dp", 2))
        error, pid, epoch = c.init_producer_id()
        for sequence in (0, 2):
            eq(c.produce("dp", batch([b"a", b"b"], timestamp=1700000000000 + sequence, pid=pid, epoch=epoch,
                                     sequence=sequence))[0], NONE)
        answer = c.call("DescribeProducers", 0, topics=[{"name": "dp", "partitions": [0, 1, 9]},
                                                        {"name": "nosuch", "partitions": [0]}])["topics"]
        dp, = [t for t in answer if t["name"] == "dp"]
        got = {p["partition"]: p for p in dp["partitions"]}
        eq([got[p]["error"] for p in (0, 1, 9)], [NONE, NONE, UNKNOWN_TOPIC])
        p, = got[0]["producers"]
        eq((p["producer"], p["epoch"], p["sequence"], p["timestamp"], p["start"]), (pid, epoch, 3, 1700000000002, -1))
        eq(got[1]["producers"], [])
        nosuch, = [t for t in answer if t["name"] == "nosuch"]
        eq(nosuch["partitions"][0]["error"], UNKNOWN_TOPIC)


@case
def config_resources(b):
    "ListConfigResources: topics and this broker"
    with Client(b) as c:
        make(c, new_topic("cr"))
        node = str(node_of(c))

        def resources(*types):
            answer = c.call("ListConfigResources", 1, types=list(types))
            return answer["error"], {(r["type"], r["name"]) for r in answer["resources"]}
        error, got = resources()
        eq(error, NONE)
        ok({(TOPIC, "cr"), (BROKER, node)} <= got)
        eq(resources(BROKER), (NONE, {(BROKER, node)}))
        eq({kind for kind, _ in resources(TOPIC)[1]}, {TOPIC})
        eq(resources(3)[0], UNSUPPORTED)
        eq(c.call("ListConfigResources", 0)["error"], NONE)


@case
def leader_epochs(b):
    "OffsetForLeaderEpoch: the end of this epoch, none of the future; any replica id"
    with Client(b) as c:
        make(c, new_topic("le"))
        c.produce("le", batch([b"x"] * 5))

        def end(epoch, current=-1, partition=0, name="le", version=4, replica=-2):
            t, = c.call("OffsetForLeaderEpoch", version, replica=replica, topics=[
                {"topic": name, "partitions": [{"partition": partition, "current": current, "epoch": epoch}]}])["topics"]
            p, = t["partitions"]
            return p["error"], p["epoch"], p["end"]
        for version in (2, 3, 4):
            for replica in (-1, -2):
                eq(end(0, version=version, replica=replica), (NONE, 0, 5))
        eq(end(5), (NONE, -1, -1))
        eq(end(-1), (NONE, -1, -1))
        eq(end(0, current=0), (NONE, 0, 5))
        eq(end(0, current=9), (75, -1, -1))
        eq(end(0, partition=9), (UNKNOWN_TOPIC, -1, -1))
        eq(end(0, name="nosuch"), (UNKNOWN_TOPIC, -1, -1))


@case
def list_offsets(b):
    "ListOffsets: special times by version, times inside compressed batches, epochs"
    import gzip
    from wire import record
    t = 1700000000000
    with Client(b) as c:
        make(c, new_topic("los", 2))

        def offset(timestamp, version=11, partition=0, epoch=-1, isolation=0, name="los"):
            topic, = c.call("ListOffsets", version, replica=-1, isolation=isolation, timeout=5000, topics=[
                {"name": name, "partitions": [{"partition": partition, "epoch": epoch, "timestamp": timestamp}]}])["topics"]
            p, = topic["partitions"]
            return p["error"], p["timestamp"], p["offset"], p.get("epoch", 0)
        for special in (-3, -5, -6):
            eq(offset(special), (NONE, -1, -1, -1), special)
        for special in (-1, -2, -4):
            eq(offset(special), (NONE, -1, 0, 0), special)
        for special, since in {-3: 7, -4: 8, -5: 9, -6: 11, -7: 12}.items():
            eq(offset(special, since - 1)[0], UNSUPPORTED, special)
        # each record a second after the one before it, but the last, which is older
        for first in (0, 10):
            deltas = [1000 * (first + i) for i in range(9)] + [500]
            packed = gzip.compress(b"".join(record(b"v", offset_delta=i, timestamp_delta=d) for i, d in enumerate(deltas)))
            eq(c.produce("los", batch([b"v"] * 10, timestamp=t, max_timestamp=t + max(deltas), attributes=1,
                                      records=packed))[:2], (NONE, first))
        eq(offset(t + 3000), (NONE, t + 3000, 3, 0))
        eq(offset(t + 3001), (NONE, t + 4000, 4, 0))
        eq(offset(t + 8001), (NONE, t + 10000, 10, 0), "the next batch")
        eq(offset(t + 18001), (NONE, -1, -1, -1))
        eq(offset(-3), (NONE, t + 18000, 18, 0), "the record with the largest time")
        eq(offset(-1), (NONE, -1, 20, 0))
        for version in range(1, 12):
            eq(offset(t + 12000, version)[:3], (NONE, t + 12000, 12), version)
            eq(offset(-1, version)[:3], (NONE, -1, 20))
        eq(offset(-1, epoch=5), (75, -1, -1, -1))
        eq(offset(-1, epoch=0)[0], NONE)
        eq(offset(-1, partition=2)[0], UNKNOWN_TOPIC)
        eq(offset(-1, isolation=1), (NONE, -1, 20, 0))
        both, = c.call("ListOffsets", 4, replica=-1, topics=[{"name": "los", "partitions": [
            {"partition": 0, "timestamp": -1}, {"partition": 0, "timestamp": -2}]}])["topics"]
        eq({p["error"] for p in both["partitions"]}, {INVALID}, "the same partition twice")


run(lambda: broker("admin"))
