"""Topics by their ids: Metadata 12, Fetch 13, Produce 13, DeleteTopics 6 and what is around them."""
import os
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from messages import Client
from tap import case, eq, ok, run, wait_for
from wire import batch, batches

NONE, UNKNOWN_TOPIC, INVALID, UNKNOWN_ID, INCONSISTENT_ID, CROSSED = 0, 3, 42, 100, 103, 106
NO_ID, NOBODY = bytes(16), b"nobody's-topic-i"


def make(c, name, partitions=1):
    """Create it, wait until it can be used, return its id."""
    t, = c.call("CreateTopics", 7, timeout=20000, topics=[
        {"name": name, "partitions": partitions, "replication": -1}])["topics"]
    eq(t["error"], NONE)
    for p in range(partitions):
        wait_for("the partition to be there", lambda: c.list_offset(name, -1, p)[0] == NONE)
    return t["id"]


def produce(c, topic_id, records):
    answer = c.call("Produce", 13, acks=-1, timeout=10000, topics=[
        {"id": topic_id, "partitions": [{"partition": 0, "records": records}]}])
    t, = answer["topics"]
    p, = t["partitions"]
    eq(t["id"], topic_id)
    return p["error"], p["base"]


def fetch(c, version, ids, session=0, epoch=-1, forgotten=(), offset=0):
    """(error, session, {id: (error, offsets of batches)})"""
    answer = c.call("Fetch", version, replica=-1, max_wait=0, min_bytes=1, max_bytes=1 << 20, session=session,
                    session_epoch=epoch, rack="", forgotten=[{"id": i, "partitions": [0]} for i in forgotten],
                    topics=[{"id": i, "partitions": [{"partition": 0, "leader_epoch": -1, "offset": offset, "last_epoch": -1,
                                                      "log_start": -1, "max_bytes": 1 << 20}]} for i in ids])
    return answer["error"], answer["session"], {
        t["id"]: (p["error"], [x[0] for x in batches(p["records"] or b"")]) for t in answer["topics"] for p in t["partitions"]}


@case
def the_same_everywhere(b):
    "all requests that tell a topic's id tell the same"
    with Client(b) as c:
        topic_id = make(c, "ids")
        for version in range(10, 14):
            t, = c.call("Metadata", version, topics=[{"name": "ids"}])["topics"]
            eq((t["error"], t["id"]), (NONE, topic_id))
        t, = c.call("DescribeTopicPartitions", 0, topics=[{"name": "ids"}], limit=10)["topics"]
        eq(t["id"], topic_id)
        if b.kind == "pg":
            eq(b.value("SELECT topic_id FROM broker.topics WHERE name = 'ids'").bytes, topic_id)


@case
def metadata(b):
    "Metadata by id: the name of one that exists, none of one that doesn't"
    with Client(b) as c:
        topic_id = make(c, "named", 2)
        for version in (12, 13):
            answer = c.call("Metadata", version, topics=[{"name": None, "id": topic_id}, {"name": None, "id": NOBODY}])
            got = {t["id"]: (t["error"], t["name"], len(t["partitions"])) for t in answer["topics"]}
            eq(got, {topic_id: (NONE, "named", 2), NOBODY: (UNKNOWN_ID, None, 0)})
            eq(answer.get("error", NONE), NONE)
            t, = c.call("Metadata", version, topics=[{"name": "unknown"}])["topics"]
            eq((t["error"], t["name"], t["id"]), (UNKNOWN_TOPIC, "unknown", NO_ID))
            ok("named" in [t["name"] for t in c.call("Metadata", version, topics=None)["topics"]])


@case
def produce_and_fetch(b):
    "Produce and Fetch by id, in all versions that have ids"
    with Client(b) as c:
        topic_id = make(c, "data")
        eq(produce(c, topic_id, batch([b"x"] * 3)), (NONE, 0))
        eq(produce(c, topic_id, batch([b"y"])), (NONE, 3))
        eq(produce(c, NOBODY, batch([b"x"])), (UNKNOWN_ID, -1))
        for version in range(13, 19):
            eq(fetch(c, version, [topic_id, NOBODY])[2], {topic_id: (NONE, [0, 3]), NOBODY: (UNKNOWN_ID, [])}, version)
        eq(c.fetch("data", 0)[0], NONE, "and by name as before")


@case
def sessions(b):
    "sessions by id; a session is by id or by name, not both"
    with Client(b) as c:
        first, second = make(c, "one"), make(c, "two")
        produce(c, first, batch([b"x"]))
        error, session, got = fetch(c, 17, [first, second], epoch=0)
        eq((error, got), (NONE, {first: (NONE, [0]), second: (NONE, [])}))
        ok(session != 0)
        eq(fetch(c, 17, [first], session, 1, offset=1), (NONE, session, {}))
        produce(c, second, batch([b"y"]))
        eq(fetch(c, 17, [], session, 2), (NONE, session, {second: (NONE, [0])}))
        eq(fetch(c, 17, [], session, 3, forgotten=[second]), (NONE, session, {}))
        answer = c.call("Fetch", 12, replica=-1, max_wait=0, min_bytes=1, max_bytes=1 << 20, session=session,
                        session_epoch=4, rack="")
        eq(answer["error"], CROSSED)


@case
def made_anew(b):
    "a topic made anew under an old name has a new id, and the old id is unknown"
    with Client(b) as c:
        old = make(c, "phoenix")
        produce(c, old, batch([b"old"]))
        _, session, _ = fetch(c, 17, [old], epoch=0)
        eq(c.call("DeleteTopics", 6, timeout=20000, topics=[{"name": "phoenix"}])["topics"][0]["error"], NONE)
        wait_for("it to be gone", lambda: produce(c, old, batch([b"x"]))[0] == UNKNOWN_ID)
        new = make(c, "phoenix")
        ok(new != old)
        eq(produce(c, old, batch([b"x"]))[0], UNKNOWN_ID)
        eq(fetch(c, 17, [old])[2], {old: (UNKNOWN_ID, [])})
        error, found = fetch(c, 17, [], session, 1)[2][old]
        ok(error in (UNKNOWN_ID, INCONSISTENT_ID) and not found, "also in a session that began before: %d" % error)
        eq(produce(c, new, batch([b"new"])), (NONE, 0))


@case
def delete(b):
    "DeleteTopics by id or by name, not by both"
    with Client(b) as c:
        ids = [make(c, "away%d" % i) for i in range(3)]
        answer = c.call("DeleteTopics", 6, timeout=20000, topics=[
            {"name": None, "id": ids[0]}, {"name": "away1"}, {"name": None, "id": NOBODY},
            {"name": "away2", "id": ids[2]}, {"name": "nowhere"}])["topics"]
        got = {t["name"] or t["id"]: (t["error"], t["message"] is None) for t in answer}
        eq(got, {"away0": (NONE, True), "away1": (NONE, True), NOBODY: (UNKNOWN_ID, False), "away2": (INVALID, False),
                 "nowhere": (UNKNOWN_TOPIC, False)})
        eq({t["name"]: t["id"] for t in answer if t["name"] == "away0"}, {"away0": ids[0]})
        wait_for("only one to be left", lambda: ["away2"] == [
            t["name"] for t in c.call("Metadata", 1, topics=None)["topics"] if t["name"].startswith("away")])


@case
def advertised(b):
    "the versions with ids are there together, or none of them"
    if b.kind == "pg":
        with Client(b) as c:
            got = {k: v[1] for k, v in c.api_versions().items()}
            eq((got[0], got[1], got[3], got[20]), (13, 18, 13, 6))


def has_ids():
    if os.environ.get("PG_BROKER_AGAINST") == "kafka":
        return True
    with broker("has-ids") as b, Client(b) as c:
        return c.api_versions()[1][1] >= 13


if has_ids():
    run(lambda: broker("ids"))
else:
    print("1..0 # SKIP the versions with ids are not served yet")
