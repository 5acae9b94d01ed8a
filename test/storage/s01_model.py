"""Random operations by several sessions, with crashes at random and at named points, against a model.

STORAGE_SECONDS (20) is how long it runs, STORAGE_SEED makes a run's choices repeatable as far as the scheduler allows.
A standby replays all of it, with the consistency of WAL checked page by page.
"""
import os
import random
import threading
import time

from storage import Standby, bounds, by_slices, connection_lost, fsck, records, storage_cluster
from tap import case, diag, eq, ok, run

import psycopg

SECONDS = float(os.environ.get("STORAGE_SECONDS", "20"))
SEED = int(os.environ.get("STORAGE_SEED", str(random.randrange(1 << 30))))
TOPICS = ["topic.a", "topic.b"]
PARTITIONS = 3
STOP_POINTS = ["append-indexed", "append-mid-batch", "append-written", "roll-summary-written", "roll-linked", "extents-freed",
               "log-start-raised", "committed", "rewrite-reserved", "rewrite-mid-extent", "rewrite-written", "rewrite-linked",
               "repack-written"]
ERROR_POINTS = ["append-looked", "append-indexed", "append-mid-batch", "roll-summary-written", "rewrite-reserved",
                "rewrite-mid-extent"]

# Compaction drops batches whose seed is a multiple of it.
DROPPED = 7
SESSIONS = 4


class Model:
    """What must be there, what may be there, and what must not."""

    def __init__(self):
        self.lock = threading.Lock()
        self.next_seed = 1
        self.attempted = {}         # seed -> (topic, partition)
        self.acked = {}             # (topic, partition) -> {base: (last, seed)}
        self.seen = {}              # the same, of what a consumer got
        self.transactions = []      # [outcome, [seeds]]; outcome: commit, rollback, unknown
        self.prepared = {}          # gid -> transaction
        self.deleted = {}           # (topic, partition) -> where somebody tried to raise the log start to
        self.consumed = {}          # (topic, partition) -> next offset of the consumer

    def seed(self, topic, partition):
        with self.lock:
            seed = self.next_seed
            self.next_seed += 1
            self.attempted[seed] = (topic, partition)
            return seed


def lasting(batches):
    return [b for b in batches if b[2] % DROPPED]


def batch_size(rnd):
    return rnd.choice([rnd.randrange(300), rnd.randrange(300), rnd.randrange(9000), rnd.randrange(9000),
                       rnd.randrange(60000), rnd.randrange(600000) if rnd.random() < 0.3 else 100])


def append(c, model, rnd, transactional):
    topic, partition = rnd.choice(TOPICS), rnd.randrange(PARTITIONS)
    seed = model.seed(topic, partition)
    row = c.execute("SELECT result, base_offset, last_offset FROM log_test.append(%s, %s, %s, %s, ts => %s, seed => %s,"
                    " transactional => %s, segment_bytes => %s)",
                    (topic, partition, rnd.randrange(1, 20), batch_size(rnd), rnd.randrange(10000), seed, transactional,
                     rnd.choice([0, 100000, 1000000]))).fetchone()
    eq(row[0], 0, "append")
    return topic, partition, seed, row[1], row[2]


def plain(c, model, rnd):
    got = [append(c, model, rnd, False) for _ in range(rnd.randrange(1, 4))]
    c.execute("SELECT log_test.flush()")
    with model.lock:
        for topic, partition, seed, base, last in got:
            model.acked.setdefault((topic, partition), {})[base] = (last, seed)


def transaction(c, model, rnd):
    t = ["unknown", []]
    with model.lock:
        model.transactions.append(t)
    gid = None
    c.execute("BEGIN")
    try:
        for _ in range(rnd.randrange(1, 6)):
            t[1].append(append(c, model, rnd, True)[2])
    except psycopg.errors.InternalError:
        t[0] = "rollback"
        raise
    if rnd.random() < 0.1:
        gid = "g%d" % t[1][0]
        c.execute("PREPARE TRANSACTION '%s'" % gid)
        if rnd.random() < 0.3:
            with model.lock:
                model.prepared[gid] = t
                t[0] = "prepared"
            return
    outcome = "commit" if rnd.random() < 0.7 else "rollback"
    if rnd.random() < 0.2:
        c.execute("SET synchronous_commit = off")
    c.execute("%s%s" % (outcome, " PREPARED '%s'" % gid if gid else ""))
    if outcome == "commit":
        c.execute("SELECT log_test.flush()")
    c.execute("SET synchronous_commit = on")
    t[0] = outcome


def consume(c, model, rnd):
    at = rnd.choice(TOPICS), rnd.randrange(PARTITIONS)
    with model.lock:
        start = model.consumed.get(at, 0)
    log_start = c.execute("SELECT log_start FROM log_test.bounds(%s, %s)", at).fetchone()[0]
    try:
        got, offset = by_slices(c, *at, rnd.choice([1, 10000, 1000000]), max(start, log_start))
    except psycopg.errors.InternalError as e:
        if "out of range" in str(e):
            return              # deleted meanwhile
        raise
    with model.lock:
        seen = model.seen.setdefault(at, {})
        for base, last, seed in got:
            if base in seen:
                eq(seen[base], (last, seed), "what a consumer sees again")
            seen[base] = (last, seed)
        model.consumed[at] = max(model.consumed.get(at, 0), offset)


def snapshot_twice(c, model, rnd):
    "under one snapshot a reader sees the same twice, but for what retention takes"
    at = rnd.choice(TOPICS), rnd.randrange(PARTITIONS)
    c.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    end = c.execute("SELECT scan_end FROM log_test.bounds(%s, %s)", at).fetchone()[0]
    first = records(None, *at, "end_offset => %d, mvcc => true" % end, c)
    second = records(None, *at, "end_offset => %d, mvcc => true, backward => true" % end, c)[::-1]
    c.execute("COMMIT")
    # the head of the log may go away meanwhile
    first, second = lasting(first), lasting(second)
    eq(second, first[len(first) - len(second):], "two looks by one snapshot")


def delete(c, model, rnd):
    at = rnd.choice(TOPICS), rnd.randrange(PARTITIONS)
    start, end = c.execute("SELECT log_start, high_watermark FROM log_test.bounds(%s, %s)", at).fetchone()
    target = start + (end - start) * rnd.randrange(1, 10) // 10
    with model.lock:
        model.deleted[at] = max(model.deleted.get(at, 0), target)
    c.execute("SELECT log_test.delete_records(%s, %s, %s)", (*at, target))


def compact(c, model, rnd):
    c.execute("SELECT log_test.compact(%s, %s, %s)", (rnd.choice(TOPICS), rnd.randrange(PARTITIONS), DROPPED))


def session(c, model, rnd, stop, errors):
    try:
        connection = c.connect()
        connection.execute("SET log_min_messages = fatal")
        while not stop.is_set():
            if rnd.random() < 0.003:
                connection.execute("SET pg_broker.stop_point = '%s'" % rnd.choice(STOP_POINTS))
            what = rnd.choices([plain, transaction, consume, snapshot_twice, delete, vacuum, compact], [40, 30, 15, 5, 2, 2, 3])[0]
            point = rnd.choice(ERROR_POINTS) if rnd.random() < 0.05 else ""
            connection.execute("SET pg_broker.error_point = '%s'" % point)
            try:
                what(connection, model, rnd)
            except psycopg.errors.InternalError as e:
                if "error point" not in str(e):
                    raise
                connection.execute("ROLLBACK")
    except Exception as e:
        if not connection_lost(e):
            errors.append(e)    # told to the main thread
    stop.set()


def vacuum(c, model, rnd):
    c.execute("VACUUM " + rnd.choice(TOPICS))


def crash(c, rnd):
    children = list(c.children())
    how = rnd.randrange(3)
    if how == 0:
        c.kill()
        c.start()
    elif how == 1:
        c.restart("immediate")
    else:
        backends = c.workers("postgres: postgres " + c.database)
        if backends:
            victim = rnd.choice(backends)
            os.kill(victim, 9)
            c.comes_back(victim)
    return how, len(children)


def settle_prepared(c, model, rnd):
    for gid, t in list(model.prepared.items()):
        if rnd.random() < 0.5:
            outcome = rnd.choice(["commit", "rollback"])
            c.sql("%s PREPARED '%s'" % (outcome, gid))
            t[0] = outcome
            del model.prepared[gid]
    # prepared by a session that did not live to tell
    for (gid,) in c.sql("SELECT gid FROM pg_prepared_xacts"):
        if gid not in model.prepared:
            c.sql("ROLLBACK PREPARED '%s'" % gid)


def verify(c, standby, model, rnd):
    settle_prepared(c, model, rnd)
    c.sql("SELECT log_test.flush()")
    found = {}
    connection = c.connect()
    for topic in TOPICS:
        fsck(c, topic)
        for partition in range(PARTITIONS):
            at = topic, partition
            b = bounds(c, *at)
            got = records(c, *at)
            eq(records(c, *at, "backward => true"), got[::-1], "read backward")
            eq(by_slices(connection, *at, rnd.choice([1, 5000, 100000, 5000000]))[0], got, "read by slices")
            if not model.prepared:
                eq(records(c, *at, "mvcc => true"), got, "read by a snapshot")
            there = {base: (last, seed) for base, last, seed in got}
            previous = -1
            for base, last, seed in got:
                ok(previous < base <= last, "offsets grow")
                previous = last
                eq(model.attempted.get(seed), at, "where batch %d was sent" % seed)
                ok(seed not in found, "batch %d is there once" % seed)
                found[seed] = base
            floor = model.deleted.get(at, 0)
            ok(b["log_start"] <= floor, "nobody asked for this log start")
            watermark = b["high_watermark"]
            for name, want in (("acknowledged", model.acked), ("seen", model.seen)):
                for base, value in want.get(at, {}).items():
                    ok(value[0] < b["end_offset"], "the next offset is above all that were %s" % name)
                    if value[1] % DROPPED and value[0] >= floor and (name == "seen" or base < watermark):
                        eq(there.get(base), value, "%s %s batch at offset %d" % (name, at, base))
            if not model.prepared:
                behind = records(c, *at, "end_offset => 9223372036854775807, mvcc => true")
                eq(behind, got, "nothing is hidden behind the watermark")
    deleted_seed = {seed for at, batches in list(model.acked.items()) + list(model.seen.items())
                    for base, (last, seed) in batches.items() if last < model.deleted.get(at, 0)}
    for outcome, all_seeds in model.transactions:
        seeds = [s for s in all_seeds if s % DROPPED or outcome in ("rollback", "prepared")]
        present = [s for s in seeds if s in found]
        if outcome in ("rollback", "prepared"):
            eq(present, [], "batches of a transaction that was rolled back or is prepared")
        elif not model.prepared and not any(model.deleted.get(model.attempted[s]) for s in seeds):
            if outcome == "commit":
                eq(present, seeds, "batches of a committed transaction")
            else:
                ok(present in ([], seeds), "a transaction is there as a whole or not at all: %s of %s" % (present, seeds))
    if standby:
        standby.catch_up(c)
        for topic in TOPICS:
            fsck(standby, topic)
            for partition in range(PARTITIONS):
                got, want = records(standby, topic, partition), records(c, topic, partition)
                if model.prepared:
                    # PostgreSQL's standby takes what a crash ended for running, as long as an older one is prepared
                    want = want[:len(got)]
                eq(got, want, "the standby's records")
                eq(records(standby, topic, partition, "mvcc => true"), records(c, topic, partition, "mvcc => true"),
                   "the standby's records, by a snapshot")
    connection.close()
    return len(found), len(deleted_seed)


@case(seconds=int(SECONDS * 3 + 60))
def model(c):
    "random operations and crashes agree with a model, and a standby with its primary"
    rnd = random.Random(SEED)
    diag("STORAGE_SEED=%d" % SEED)
    for topic in TOPICS:
        c.create_topic(topic.split(".")[1], PARTITIONS)
    m = Model()
    deadline = time.monotonic() + SECONDS
    rounds = 0
    with Standby(c) as standby:
        standby.expected += [r"terminat", "conflict"]
        while time.monotonic() < deadline or rounds < 3:
            stop = threading.Event()
            errors = []
            threads = [threading.Thread(target=session, args=(c, m, random.Random(rnd.random()), stop, errors))
                       for _ in range(SESSIONS)]
            for t in threads:
                t.start()
            stop.wait(rnd.uniform(0.5, 3))
            crashed = stop.is_set()
            if not crashed:
                crash(c, rnd)
            stop.set()
            for t in threads:
                t.join()
            if errors:
                raise errors[0]
            c.comes_back()
            c.close_connections()
            n, n_deleted = verify(c, standby, m, rnd)
            rounds += 1
            diag("round %d: %d batches, %d transactions, %d prepared" % (rounds, n, len(m.transactions), len(m.prepared)))
    # a standby that becomes a primary goes on where it is


def setup():
    c = storage_cluster("model", {"wal_keep_size": "1GB"})
    # the last is what it says when a kill hits it in recovery
    c.expected += [r"terminat", "crash", "stopped at", "some data is corrupted"]
    return c


run(setup)
