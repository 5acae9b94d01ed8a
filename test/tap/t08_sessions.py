"""Fetch: sessions, long polls, many partitions in one request."""
import sys
import threading
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import Cluster, broker
from messages import Client
from tap import case, eq, ok, run, wait_for
from wire import batch, batches

NONE, OUT_OF_RANGE, UNKNOWN_TOPIC, NO_SESSION, BAD_EPOCH = 0, 1, 3, 70, 71


def want(partition, offset=0, **more):
    return {"partition": partition, "leader_epoch": -1, "offset": offset, "last_epoch": -1, "log_start": -1,
            "max_bytes": 1 << 20} | more


def topics(**partitions):
    """topics(a=[want(0)]), with '-' in names as '_'"""
    return [{"topic": name.replace("_", "-"), "partitions": list(p)} for name, p in partitions.items()]


def fetch(c, session=0, epoch=-1, asked=(), forgotten=(), version=11, **more):
    """(error, session, {(topic, partition): (error, high watermark, [offsets of batches])}) in the answer's order"""
    request = {"replica": -1, "max_wait": 0, "min_bytes": 1, "max_bytes": 1 << 25, "rack": ""} | more
    answer = c.call("Fetch", version, session=session, session_epoch=epoch, topics=list(asked),
                    forgotten=list(forgotten), **request)
    return read(answer)


def read(answer):
    got = {(t["topic"], p["partition"]): (p["error"], p["high"], [x[0] for x in batches(p["records"])])
           for t in answer["topics"] for p in t["partitions"]}
    return answer["error"], answer["session"], got


def make(c, **partitions):
    for name, n in partitions.items():
        name = name.replace("_", "-")
        t, = c.call("CreateTopics", 4, timeout=20000, topics=[
            {"name": name, "partitions": n, "replication": -1}])["topics"]
        eq(t["error"], NONE)
        for p in range(n):
            wait_for("the partition to be there", lambda: c.list_offset(name, -1, p)[0] == NONE)


@case
def only_news(b):
    "a session's answers carry only partitions with news"
    with Client(b) as c:
        make(c, news=3)
        error, session, got = fetch(c, epoch=0, asked=topics(news=[want(p) for p in range(3)]))
        eq((error, got), (NONE, {("news", p): (NONE, 0, []) for p in range(3)}))
        ok(session != 0)
        eq(fetch(c, session, 1), (NONE, session, {}), "nothing new")
        c.produce("news", batch([b"x"]), partition=1)
        eq(fetch(c, session, 2), (NONE, session, {("news", 1): (NONE, 1, [0])}))
        eq(fetch(c, session, 3), (NONE, session, {("news", 1): (NONE, 1, [0])}), "the position has not been moved")
        eq(fetch(c, session, 4, topics(news=[want(1, 1)])), (NONE, session, {}))
        eq(fetch(c, session, 5, topics(news=[want(2, 7)])), (NONE, session, {("news", 2): (OUT_OF_RANGE, -1, [])}))
        eq(fetch(c, session, 6, topics(news=[want(2, 0)])), (NONE, session, {("news", 2): (NONE, 0, [])}),
           "told once more after an error")
        eq(fetch(c, session, 7), (NONE, session, {}))


@case
def changes(b):
    "partitions join and leave a session"
    with Client(b) as c:
        make(c, join=4)
        for p in range(4):
            c.produce("join", batch([b"x"]), partition=p)
        _, session, got = fetch(c, epoch=0, asked=topics(join=[want(0, 1)]))
        eq(list(got), [("join", 0)])
        _, _, got = fetch(c, session, 1, topics(join=[want(2), want(3)], nosuch=[want(0)]))
        eq(got, {("join", 2): (NONE, 1, [0]), ("join", 3): (NONE, 1, [0]), ("nosuch", 0): (UNKNOWN_TOPIC, -1, [])})
        _, _, got = fetch(c, session, 2, forgotten=[{"topic": "join", "partitions": [2, 9]},
                                                    {"topic": "nosuch", "partitions": [0]}])
        eq(got, {("join", 3): (NONE, 1, [0])})
        gone = [{"topic": "join", "partitions": [0, 3]}]
        eq(fetch(c, session, 3, forgotten=gone), (NONE, 0, {}), "an empty session ends")
        eq(fetch(c, session, 4)[0], NO_SESSION)


@case
def epochs(b):
    "a session's epochs follow each other; what isn't known is refused"
    with Client(b) as c, Client(b) as other:
        make(c, epochs=1)
        asked = topics(epochs=[want(0)])
        _, session, _ = fetch(c, epoch=0, asked=asked)
        eq(fetch(c, session, 2), (BAD_EPOCH, 0, {}))
        eq(fetch(c, session, 1)[0], NONE)
        eq(fetch(c, session, 1), (BAD_EPOCH, 0, {}), "not twice")
        eq(fetch(c, session ^ 1, 1), (NO_SESSION, 0, {}))
        eq(fetch(c, 0, 1), (NO_SESSION, 0, {}))
        _, second, _ = fetch(c, session, 0, asked)
        ok(second not in (0, session), "a full request opens a new one")
        eq(fetch(c, session, 2)[0], NO_SESSION, "and ends the old one")
        eq(fetch(c, second, -1, asked)[:2], (NONE, 0), "the final epoch ends it")
        eq(fetch(c, second, 1)[0], NO_SESSION)
        eq(fetch(c, 0, -1, asked)[:2], (NONE, 0), "no session")


@case
def long_poll(b):
    "an incremental fetch waits for any of its partitions, and is woken at once"
    with Client(b) as c, Client(b) as p:
        make(c, poll=20)
        _, session, _ = fetch(c, epoch=0, asked=topics(poll=[want(i) for i in range(20)]))
        asked = c.ask("Fetch", 11, replica=-1, max_wait=20000, min_bytes=1, max_bytes=1 << 20, session=session,
                      session_epoch=1, rack="")
        started = time.monotonic()
        eq(p.produce("poll", batch([b"x"]), partition=13)[0], NONE)
        eq(read(c.answer(asked)), (NONE, session, {("poll", 13): (NONE, 1, [0])}))
        ok(time.monotonic() - started < 10, "woken, not timed out")
        started = time.monotonic()
        eq(fetch(c, session, 2, topics(poll=[want(13, 1)]), max_wait=500), (NONE, session, {}))
        ok(0.4 < time.monotonic() - started < 10, "the time is used")


@case
def min_bytes(b):
    "a fetch is answered when several small batches add up to min_bytes"
    with Client(b) as c, Client(b) as p:
        make(c, minimum=2)
        asked = c.ask("Fetch", 11, replica=-1, max_wait=20000, min_bytes=3000, max_bytes=1 << 20, session_epoch=-1,
                      topics=topics(minimum=[want(0), want(1)]), rack="")
        for i in range(4):
            p.produce("minimum", batch([b"x" * 1000]), partition=i % 2)
        _, _, got = read(c.answer(asked))
        ok(3 <= sum(len(x[2]) for x in got.values()) <= 4, "the third batch makes it enough: %s" % got)


@case
def budget(b):
    "max_bytes is shared in the order of the request; the first batch comes in any case"
    with Client(b) as c:
        make(c, budget=3)
        for p in range(3):
            for _ in range(3):
                c.produce("budget", batch([b"x" * 10000]), partition=p)

        def counts(order, max_bytes):
            got = fetch(c, asked=topics(budget=[want(p) for p in order]), max_bytes=max_bytes)[2]
            return [len(got["budget", p][2]) for p in order]
        eq(counts([0, 1, 2], 1 << 20), [3, 3, 3])
        eq(counts([0, 1, 2], 45000), [3, 1, 0])
        eq(counts([2, 1, 0], 45000), [3, 1, 0])
        eq(counts([0, 1, 2], 1), [1, 0, 0])
        got = fetch(c, asked=topics(budget=[want(0, 3), want(1, 0, max_bytes=0), want(2, max_bytes=15000)]))[2]
        eq([len(got["budget", p][2]) for p in range(3)], [0, 1, 1])


@case
def in_turn(b):
    "in a session, partitions that got records go to the end of the line"
    with Client(b) as c:
        make(c, turn=3)
        for p in range(3):
            for _ in range(2):
                c.produce("turn", batch([b"x" * 10000]), partition=p)
        _, session, got = fetch(c, epoch=0, asked=topics(turn=[want(p) for p in range(3)]), max_bytes=1)
        served = [p for (_, p), x in got.items() if x[2]]
        for epoch in range(1, 4):
            # the positions stay, so that all partitions have records all the time
            _, _, got = fetch(c, session, epoch, max_bytes=1)
            served += [p for (_, p), x in got.items() if x[2]]
        eq(sorted(set(served)), [0, 1, 2], served)


@case
def versions(b):
    "fetch, in each version"
    with Client(b) as c:
        make(c, versions=1)
        c.produce("versions", batch([b"x"] * 3))
        for version in range(4, 13):
            answer = c.call("Fetch", version, replica=-1, max_wait=0, min_bytes=1, max_bytes=1 << 20, isolation=1,
                            session_epoch=-1, topics=topics(versions=[want(0, 1)]), rack="")
            p, = answer["topics"][0]["partitions"]
            eq((p["error"], p["high"], p["stable"], p.get("log_start", 0), p["aborted"], p.get("replica", -1)),
               (NONE, 3, 3, 0, [], -1), version)
            eq([x[:2] for x in batches(p["records"])], [(0, 2)])
            ok("tag 0" not in p and "tag 1" not in p, "no leader of another name")


@case
def read_uncommitted(b):
    "no list of aborted transactions without read_committed, and an empty set of records is not null"
    with Client(b) as c:
        make(c, nulls=1)
        for version in (4, 11, 12):
            answer = c.call("Fetch", version, replica=-1, max_wait=0, min_bytes=1, max_bytes=1 << 20,
                            session_epoch=-1, topics=topics(nulls=[want(0)]), rack="")
            p, = answer["topics"][0]["partitions"]
            eq((p["aborted"], p["records"]), (None, b""))


@case
def many_at_once(b):
    "two hundred waiting fetches on one partition are all woken by one record"
    with Client(b) as c:
        make(c, crowd=1)
        clients = [Client(b) for _ in range(200)]
        asked = [x.ask("Fetch", 11, replica=-1, max_wait=30000, min_bytes=1, max_bytes=1 << 20, session_epoch=-1,
                       topics=topics(crowd=[want(0)]), rack="") for x in clients]
        started = time.monotonic()
        c.produce("crowd", batch([b"x"]))
        got = [read(x.answer(a))[2] for x, a in zip(clients, asked)]
        ok(time.monotonic() - started < 15)
        eq(set(map(str, got)), {str({("crowd", 0): (NONE, 1, [0])})})
        for x in clients:
            x.close()


@case
def gone_while_waiting(b):
    "a client that goes away while its fetch waits disturbs nobody"
    with Client(b) as c:
        make(c, away=1)
        for _ in range(50):
            x = Client(b)
            x.ask("Fetch", 11, replica=-1, max_wait=30000, min_bytes=1, max_bytes=1 << 20, session_epoch=-1,
                  topics=topics(away=[want(0)]), rack="")
            x.close()
        eq(c.produce("away", batch([b"x"]))[:2], (NONE, 0))
        eq(fetch(c, asked=topics(away=[want(0)]))[2], {("away", 0): (NONE, 1, [0])})


@case
def evicted(b):
    "a fetch waits on for a partition whose place in shared memory others have taken"
    if b.kind != "pg":
        return
    with Cluster("evicted", {"pg_broker.max_partitions": "16"}) as few:
        few.create_topic("waits", 8)
        few.create_topic("busy", 20)
        with Client(few) as c, Client(few) as p:
            asked = c.ask("Fetch", 11, replica=-1, max_wait=30000, min_bytes=1, max_bytes=1 << 20, session_epoch=-1,
                          topics=topics(waits=[want(i) for i in range(8)]), rack="")
            for i in range(60):
                eq(p.produce("busy", batch([b"x"]), partition=i % 20)[0], NONE)
            started = time.monotonic()
            eq(p.produce("waits", batch([b"x"]), partition=5)[0], NONE)
            _, _, got = read(c.answer(asked))
            eq(got["waits", 5], (NONE, 1, [0]))
            ok(time.monotonic() - started < 10, "woken, not timed out")


@case
def follows_producer(b):
    "a consumer in a session keeps up with a producer, and misses nothing"
    with Client(b) as c:
        make(c, follow=4)
        n = 400

        def produce():
            with Client(b) as p:
                for i in range(n):
                    p.produce("follow", batch([b"%d" % i]), partition=i % 4)
        thread = threading.Thread(target=produce)
        thread.start()
        at = [0] * 4
        _, session, got = fetch(c, epoch=0, asked=topics(follow=[want(p) for p in range(4)]))
        epoch = 1
        moved = []
        while sum(at) < n:
            for (_, p), (error, _, found) in got.items():
                eq(error, NONE)
                if found:
                    eq(found[0], at[p], "in order, without a gap")
                    at[p] = found[-1] + 1
                    moved.append(want(p, at[p]))
            if sum(at) == n:
                break
            error, _, got = fetch(c, session, epoch, topics(follow=moved) if moved else [], max_wait=5000)
            eq(error, NONE)
            epoch += 1
            moved = []
        thread.join()
        eq(at, [n // 4] * 4)


run(lambda: broker("sessions"))
