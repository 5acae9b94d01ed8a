"""Compaction against a model: keys, tombstones, transactions that fail, readers in the middle, crashes at every point.

STORAGE_SECONDS (20) is how long the random part runs, STORAGE_SEED makes a run's choices repeatable.  A standby replays it.
"""
import os
import random
import re
import threading
import time

import psycopg

from storage import Standby, bounds, connection_lost, fsck, storage_cluster
from tap import case, diag, eq, ok, raises, run, wait_for

SECONDS = float(os.environ.get("STORAGE_SECONDS", "20"))
SEED = int(os.environ.get("STORAGE_SEED", str(random.randrange(1 << 30))))
STOP_POINTS = ["rewrite-reserved", "rewrite-mid-extent", "rewrite-written", "rewrite-linked", "repack-written",
               "roll-linked", "append-written"]
COMPACTED = '{"cleanup.policy":"compact","min.cleanable.dirty.ratio":"0","delete.retention.ms":"%d"}'


def create(c, name, delete_retention=0, partitions=1):
    c.sql("SELECT broker.create_topic('%s', partitions => %d, config => '%s', key_type => 'text', value_type => 'text')" %
          (name, partitions, COMPACTED % delete_retention))


def fill(c, topic, rows, size=200, partition=0):
    """rows: (key, value or None); one transaction"""
    with c.cursor() as cursor:
        with cursor.copy("COPY topic.%s (partition, key, value) FROM STDIN" % topic) as copy:
            for key, value in rows:
                copy.write_row((partition, key, None if value is None else value + "." * size))


def read(c, topic, partition=0, order="log_offset"):
    return c.execute("SELECT log_offset, key, rtrim(value, '.') FROM topic.%s WHERE partition = %d ORDER BY %s" %
                     (topic, partition, order)).fetchall()


def latest(rows):
    """What a reader of the whole log ends up with: {key: (offset, value)}."""
    return {key: (offset, value) for offset, key, value in rows}


def check(before, after):
    """after is before, but for records that have a later one, and tombstones"""
    ok(set(after) <= set(before), "compaction makes nothing up")
    want = {k: v for k, v in latest(before).items() if v[1] is not None}
    got = {k: v for k, v in latest(after).items() if v[1] is not None}
    eq(got, want, "the latest value of each key")


@case
def keeps_the_last(c):
    "the last record of each key stays at its offset; the log's start and end don't move"
    create(c, "last")
    s = c.connect()
    for round in range(40):
        fill(s, "last", [("k%d" % k, "r%d" % round) for k in range(200)])
    before = read(s, "last")
    bounds_before = bounds(c, "topic.last", 0)
    s.execute("SELECT log_test.flush()")
    s.execute("VACUUM topic.last")
    after = read(s, "last")
    check(before, after)
    ok(len(after) < len(before) / 4, "%d records are left of %d" % (len(after), len(before)))
    now = bounds(c, "topic.last", 0)
    ok(now["size_bytes"] < bounds_before["size_bytes"] / 3, "the log is smaller: %s, %s" % (bounds_before, now))
    for name in ("log_start", "end_offset", "high_watermark"):
        eq(now[name], bounds_before[name], name)
    eq(read(s, "last", order="log_offset DESC"), after[::-1], "read backward")
    fsck(c, "topic.last")
    s.execute("CHECKPOINT")         # compaction itself flushes nothing: a crash may undo it
    c.restart("immediate")
    s = c.connect()
    eq(read(s, "last"), after, "after recovery")
    fill(s, "last", [("k1", "new")])
    eq(read(s, "last")[-1][0], bounds_before["end_offset"], "offsets go on")


@case
def tombstones(c):
    "a tombstone takes its key's records at once and goes itself after delete.retention.ms"
    create(c, "kept", delete_retention=86400000)
    create(c, "gone", delete_retention=0)
    s = c.connect()
    for topic in ("kept", "gone"):
        for round in range(10):
            fill(s, topic, [("k%d" % k, "r%d" % round) for k in range(200)])
        fill(s, topic, [("k%d" % k, None) for k in range(100)])
        for _ in range(2):
            fill(s, topic, [("other%d" % k, "x") for k in range(500)], size=500)    # closes the extent
        s.execute("SELECT log_test.flush()")
        s.execute("VACUUM topic.%s" % topic)
        rows = latest(read(s, topic))
        eq([rows["k%d" % k][1] for k in range(100)], [None] * 100, "the tombstones stay for now")
        eq({rows["k%d" % k][1] for k in range(100, 200)}, {"r9"})
        # the horizon has been set; the next time it has passed, or not
        for _ in range(2):
            fill(s, topic, [("other%d" % k, "y") for k in range(500)], size=500)
        s.execute("SELECT log_test.flush()")
        s.execute("VACUUM topic.%s" % topic)
        rows = latest(read(s, topic))
        eq(sum("k%d" % k in rows for k in range(100)), 100 if topic == "kept" else 0, topic)
        eq({rows["k%d" % k][1] for k in range(100, 200)}, {"r9"})
        ts = s.execute("SELECT count(*) FROM topic.%s WHERE ts NOT BETWEEN now() - interval '1 hour' AND now()" % topic)
        eq(ts.fetchone()[0], 0, "timestamps are what they were")
        fsck(c, "topic." + topic)


@case
def failed_transactions(c):
    "records of transactions that failed go, and with them their entries in the index"
    create(c, "failed")
    s = c.connect()
    for round in range(300):
        s.execute("BEGIN")
        s.execute("SELECT log_test.append('topic.failed', 0, 3, 1000, transactional => true)")
        s.execute("ROLLBACK")
        if round % 10 == 0:
            fill(s, "failed", [("k%d" % (round % 7), "r%d" % round)])
    fill(s, "failed", [("big%d" % k, "x") for k in range(500)], size=500)
    fill(s, "failed", [("big%d" % k, "y") for k in range(500)], size=500)
    s.execute("SELECT log_test.flush()")
    before = read(s, "failed")
    s.execute("VACUUM topic.failed")
    s.execute("VACUUM topic.failed")
    check(before, read(s, "failed"))
    ok(bounds(c, "topic.failed", 0)["size_bytes"] < 900000, "their bytes are gone")
    # what is left of the index fits a page or two
    n = c.value("SELECT count(*) FROM generate_series(0, pg_relation_size('topic.failed') / 8192 - 1) b,"
                " LATERAL log_test.page('topic.failed', b) p WHERE p.kind = 'txn'")
    ok(n <= 2, "%d pages of the transaction index" % n)
    fsck(c, "topic.failed")


@case
def reader_in_the_middle(c):
    "a reader whose extents are replaced under it goes on at its offset, forward and backward"
    create(c, "middle")
    s = c.connect()
    for round in range(30):
        fill(s, "middle", [("k%d" % k, "r%d" % round) for k in range(300)])
    s.execute("SELECT log_test.flush()")
    before = read(s, "middle")
    cursors = []
    for order in ("log_offset", "log_offset DESC"):
        r = c.connect(autocommit=False)
        r.execute("SET cursor_tuple_fraction = 0")
        r.execute("DECLARE c NO SCROLL CURSOR FOR SELECT log_offset, key, rtrim(value, '.') FROM topic.middle"
                  " WHERE partition = 0 ORDER BY %s" % order)
        cursors.append((r, r.execute("FETCH 1000 FROM c").fetchall()))
    s.execute("VACUUM topic.middle")
    # the freed space is used again
    for round in range(30):
        fill(s, "middle", [("m%d" % k, "r%d" % round) for k in range(300)])
    s.execute("SELECT log_test.flush()")
    s.execute("VACUUM topic.middle")
    after = read(s, "middle")
    for (r, first), backward in zip(cursors, (False, True)):
        got = first + r.execute("FETCH ALL FROM c").fetchall()
        r.rollback()
        offsets = [row[0] for row in got]
        eq(offsets, sorted(set(offsets), reverse=backward), "each record once, in order")
        ok(set(got) <= set(before), "only what the log had")
        there = {k: v for k, v in latest(after).items() if k.startswith("k")}
        final = latest(sorted(got))
        eq(final, there, "the last record of each key")


@case
def many_rounds(c):
    "a map that is too small for the keys takes several rounds; the directory is packed"
    create(c, "rounds")
    s = c.connect()
    for round in range(30):
        fill(s, "rounds", [("k%d" % k, "r%d" % round) for k in range(400)], size=800)
        s.execute("SELECT log_test.flush()")
    before = read(s, "rounds")
    c.set(**{"pg_broker.log_cleaner_dedupe_buffer_size": "2kB"})
    c.reload()
    wait_for("the setting", lambda: c.value("SHOW pg_broker.log_cleaner_dedupe_buffer_size") == "2kB")
    c.sql("VACUUM topic.rounds")
    c.set(**{"pg_broker.log_cleaner_dedupe_buffer_size": "128MB"})
    c.reload()
    check(before, read(s, "rounds"))
    ok(len(read(s, "rounds")) < len(before) / 3, "it was compacted")
    fsck(c, "topic.rounds")
    # extents come and go: the directory stays small
    for round in range(800):
        fill(s, "rounds", [("k%d" % (round % 400), "s%d" % round)], size=10)
        s.execute("SELECT log_test.retention('topic.rounds', 0, segment_ms => 1, now_ms => 9000000000000)")     # rolls
        if round % 100 == 99:
            s.execute("SELECT log_test.flush()")
            s.execute("VACUUM topic.rounds")
            fsck(c, "topic.rounds")
    eq({value for _, value in latest(read(s, "rounds")).values()}, {"s%d" % n for n in range(400, 800)})
    n = leaves(c, "rounds")
    ok(n <= 6, "%d leaves" % n)


def vacant_directory(c, s, name):
    """A topic in whose directory most entries are vacant when it is compacted next; what is read is what it must keep."""
    create(c, name)
    for n in range(400):
        fill(s, name, [("k%d" % (n % 5), "s%d" % n)], size=10)
        s.execute("SELECT log_test.retention('topic.%s', 0, segment_ms => 1, now_ms => 9000000000000)" % name)   # rolls
    s.execute("SELECT log_test.flush()")
    return {"k%d" % (n % 5): "s%d" % n for n in range(395, 400)}


def leaves(c, name):
    return c.value("SELECT count(*) FROM generate_series(0, pg_relation_size('topic.%s') / 8192 - 1) b,"
                   " LATERAL log_test.page('topic.%s', b) p WHERE p.kind = 'leaf'" % (name, name))


@case(seconds=240)
def killed_while_packing(c):
    "a crash or an error while the directory is written anew leaves the old one, and the next compaction packs it"
    for how in ("stop_point", "error_point"):
        name = "packed_" + how
        s = c.connect()
        want = vacant_directory(c, s, name)
        s.execute("SET pg_broker.%s = 'repack-written'" % how)
        since = len(c.log_text())
        error = raises(psycopg.Error, s.execute, "VACUUM topic." + name)
        eq(connection_lost(error), how == "stop_point", "what ended it: %s" % error)
        ok("repack-written" in c.log_text()[since:], "the point was reached")
        c.comes_back()
        c.close_connections()
        with c.connect() as s:
            eq({key: value for key, (_, value) in latest(read(s, name)).items()}, want, "after " + how)
            fsck(c, "topic." + name)
            fill(s, name, [("k0", "new")])
            want["k0"] = "new"
            s.execute("SELECT log_test.flush()")
            s.execute("VACUUM topic." + name)
            eq({key: value for key, (_, value) in latest(read(s, name)).items()}, want, "and after the next compaction")
            fsck(c, "topic." + name)


@case
def bounded(c):
    "endless updates of few keys keep a bounded size, in the file and in the directory"
    create(c, "bounded")
    s = c.connect()
    sizes = []
    for round in range(60):
        fill(s, "bounded", [("k%d" % (k % 50), "r%d.%d" % (round, k)) for k in range(5000)], size=200)
        s.execute("SELECT log_test.flush()")
        s.execute("VACUUM topic.bounded")
        sizes.append(c.value("SELECT pg_relation_size('topic.bounded')"))
    diag("%d updates of 50 keys, %d MB of records: the file has at most %d kB, at the end %d kB" %
         (60 * 5000, 60 * 5000 * 230 / 1e6, max(sizes) / 1024, sizes[-1] / 1024))
    ok(max(sizes[30:]) < 1.5 * max(sizes[:30]), "it doesn't grow: %s" % sizes)
    ok(max(sizes) < 4 << 20, "and is small")
    fsck(c, "topic.bounded")


@case
def readers_meanwhile(c):
    "who reads while extents are replaced sees each record that has no later one, once"
    create(c, "meanwhile")
    s = c.connect()
    cold = {}
    for k in range(3000):
        if k % 30 == 0:
            fill(s, "meanwhile", [("hot%d" % n, "x") for n in range(50)], size=500)
        cold["cold%d" % k] = "v%d" % k
    rows = [("hot%d" % (n % 50), "y") for n in range(3000)]
    for i, row in enumerate(cold.items()):
        rows.insert(i * 2, row)
    fill(s, "meanwhile", rows)
    stop = threading.Event()
    errors = []
    n_reads = [0]
    replaced = set()

    def run_until_stopped(function):
        try:
            with c.connect() as connection:
                while not stop.is_set():
                    function(connection)
        except Exception as e:
            errors.append(e)
            stop.set()

    def hot(connection):
        fill(connection, "meanwhile", [("hot%d" % n, "z") for n in range(50)], size=3000)
        connection.execute("SELECT log_test.flush()")

    def compact(connection):
        connection.execute("VACUUM topic.meanwhile")
        replaced.add(connection.execute("SELECT size_bytes FROM log_test.bounds('topic.meanwhile', 0)").fetchone()[0])

    def look(connection):
        for order in ("log_offset", "log_offset DESC"):
            got = [r for r in read(connection, "meanwhile", order=order) if r[1].startswith("cold")]
            eq(len(got), len(cold), "cold records, %s" % order)
            eq({key: value for _, key, value in got}, cold, "cold records, %s" % order)
        n_reads[0] += 1

    threads = [threading.Thread(target=run_until_stopped, args=(f,)) for f in (hot, compact, look, look)]
    for t in threads:
        t.start()
    stop.wait(5)
    stop.set()
    for t in threads:
        t.join()
    if errors:
        raise errors[0]
    diag("%d reads" % n_reads[0])
    ok(n_reads[0] > 5 and len(replaced) > 3, "something happened meanwhile")
    fsck(c, "topic.meanwhile")


# ---------- at random ----------

class Model:
    def __init__(self):
        self.lock = threading.Lock()
        self.n = 0
        self.sure = {}          # (partition, key) -> last value that was acknowledged
        self.maybe = {}         # (partition, key) -> values of a transaction whose end is unknown


def write(c, model, rnd, partition):
    """Keys of a partition have one writer, so what is the last is known."""
    keys = rnd.sample(range(60), rnd.randrange(1, 30))
    with model.lock:
        model.n += 1
        n = model.n
    rows = [("k%d" % k, None if rnd.random() < 0.2 else "n%d" % n) for k in keys]
    commit = rnd.random() < 0.8
    c.execute("BEGIN")
    fill(c, "random", rows, rnd.choice([10, 1000, 5000]), partition)
    with model.lock:
        for key, value in rows:
            if commit:
                model.maybe.setdefault((partition, key), []).append(value)
    c.execute("COMMIT" if commit else "ROLLBACK")
    if commit:
        with model.lock:
            for key, value in rows:
                model.sure[partition, key] = value
                model.maybe.pop((partition, key), None)
    if rnd.random() < 0.3:
        c.execute("SELECT log_test.flush()")


def states(rows):
    return {key: value for _, key, value in rows}


def agree(model, rows, partition):
    got = states(rows)
    for k in range(60):
        at = partition, "k%d" % k
        allowed = [model.sure.get(at)] + model.maybe.get(at, [])
        ok(got.get(at[1]) in allowed, "%s is %s, allowed %s" % (at, got.get(at[1]), allowed))


def session(c, model, rnd, stop, errors, partition):
    try:
        connection = c.connect()
        connection.execute("SET log_min_messages = fatal")
        while not stop.is_set():
            if rnd.random() < 0.03:
                connection.execute("SET pg_broker.stop_point = '%s'" % rnd.choice(STOP_POINTS))
            what = rnd.random()
            if partition is not None and what < 0.8:
                write(connection, model, rnd, partition)
            elif what < 0.9:
                connection.execute("VACUUM topic.random")
            else:
                rows = read(connection, "random", rnd.randrange(2), rnd.choice(["log_offset", "log_offset DESC"]))
                offsets = [r[0] for r in rows]
                eq(len(offsets), len(set(offsets)), "each record once")
    except Exception as e:
        if not connection_lost(e):
            errors.append(e)
    stop.set()


@case(seconds=int(SECONDS * 3 + 90))
def model(c):
    "random writes, compactions and crashes agree with a model, and a standby with its primary"
    rnd = random.Random(SEED)
    diag("STORAGE_SEED=%d" % SEED)
    create(c, "random", partitions=2)
    m = Model()
    deadline = time.monotonic() + SECONDS
    rounds = 0
    with Standby(c) as standby:
        standby.expected += [r"terminat", "conflict"]
        while time.monotonic() < deadline or rounds < 3:
            stop = threading.Event()
            errors = []
            threads = [threading.Thread(target=session, args=(c, m, random.Random(rnd.random()), stop, errors, partition))
                       for partition in (0, 1, None)]
            for t in threads:
                t.start()
            stop.wait(rnd.uniform(0.5, 3))
            if not stop.is_set():
                c.kill()
                c.start()
            stop.set()
            for t in threads:
                t.join()
            if errors:
                raise errors[0]
            c.comes_back()
            c.close_connections()
            with c.connect() as s:
                for vacuumed in (False, True):
                    s.execute("SELECT log_test.flush()")
                    for partition in range(2):
                        rows = read(s, "random", partition)
                        agree(m, rows, partition)
                        eq(read(s, "random", partition, "log_offset DESC"), rows[::-1], "read backward")
                        for k in range(60):
                            at = partition, "k%d" % k
                            if at in m.maybe:
                                m.sure[at] = states(rows).get(at[1])
                                del m.maybe[at]
                    fsck(c, "topic.random")
                    s.execute("VACUUM topic.random")
                want = [read(s, "random", partition) for partition in range(2)]
            standby.catch_up(c)
            fsck(standby, "topic.random")
            with standby.connect() as s:
                eq([read(s, "random", partition) for partition in range(2)], want, "the standby's records")
            rounds += 1
            diag("round %d: %d transactions, %d records are left" % (rounds, m.n, sum(len(w) for w in want)))
    diag("stopped at: " + ", ".join(sorted(set(re.findall('stopped at "(.*?)"', c.log_text())))))


def setup():
    c = storage_cluster("compaction", {"wal_keep_size": "1GB"})
    c.expected += [r"terminat", "crash", "stopped at"]
    return c


run(setup)
