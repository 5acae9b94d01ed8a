"""Transactions: prepared ones, the transaction index, and transaction ids far past the horizons."""
import os
import threading

from storage import Standby, bounds, fsck, records, storage_cluster
from tap import case, eq, ok, run, wait_for

import psycopg

BASE = "SELECT base_offset FROM log_test.append(%s, 0, 1, 50, seed => %s, transactional => %s)"


def append(connection, topic, seed, transactional=False):
    return connection.execute(BASE, (topic, seed, transactional)).fetchone()[0]


def watermark(c, topic):
    return bounds(c, topic, 0)["high_watermark"]


def seeds(c, topic, how="", connection=None):
    return [r[2] for r in records(c, topic, 0, how, connection)]


@case
def prepared(c):
    "a prepared transaction holds the watermark, across a restart too, until it is committed or rolled back"
    c.create_topic("prepared", 1)
    s = c.connect()
    for gid, end in (("one", "COMMIT"), ("two", "ROLLBACK"), ("three", "COMMIT"), ("four", "ROLLBACK")):
        base = append(s, "topic.prepared", 1)
        s.execute("BEGIN")
        append(s, "topic.prepared", 2, True)
        s.execute("PREPARE TRANSACTION '%s'" % gid)
        append(s, "topic.prepared", 3)
        s.execute("SELECT log_test.flush()")
        # this session's next transaction decides nothing about it
        s.execute("BEGIN")
        append(s, "topic.prepared", 4, True)
        s.execute("COMMIT")
        s.execute("BEGIN")
        append(s, "topic.prepared", 5, True)
        s.execute("ROLLBACK")
        append(s, "topic.prepared", 6)
        s.execute("SELECT log_test.flush()")
        eq(watermark(c, "topic.prepared"), base + 1)
        if gid in ("three", "four"):
            c.restart("immediate")
            s = c.connect()
            eq(watermark(c, "topic.prepared"), base + 1, "after a restart")
            append(s, "topic.prepared", 7)
            s.execute("SELECT log_test.flush()")
            eq(watermark(c, "topic.prepared"), base + 1, "and an append")
        woken = []
        thread = threading.Thread(target=lambda: woken.append(c.value(
            "SELECT log_test.wait_advance('topic.prepared', 0, %s, 60000)", (base + 1,))))
        thread.start()
        wait_for("the waiter", lambda: c.value("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Extension'"
                                               " AND query LIKE '%%wait_advance%%' AND pid <> pg_backend_pid()"))
        s.execute("%s PREPARED '%s'" % (end, gid))
        thread.join()
        eq(woken, [True], "who waits is woken")
        want = [1, 2, 3, 4, 6] if end == "COMMIT" else [1, 3, 4, 6]
        if gid in ("three", "four"):
            want.append(7)
        eq(seeds(c, "topic.prepared", "start_offset => %d" % base), want)
        eq(seeds(c, "topic.prepared", "mvcc => true, start_offset => %d" % base), want)
        eq(watermark(c, "topic.prepared"), bounds(c, "topic.prepared", 0)["end_offset"])
    s.close()
    fsck(c, "topic.prepared")


@case
def prepared_and_promoted(c):
    "a standby that becomes the primary waits for what was prepared on the old one"
    c.create_topic("promoted", 1)
    s = c.connect()
    append(s, "topic.promoted", 1)
    for gid in ("p1", "p2"):
        s.execute("BEGIN")
        append(s, "topic.promoted", 2, True)
        s.execute("PREPARE TRANSACTION '%s'" % gid)
    append(s, "topic.promoted", 3)
    s.execute("SELECT log_test.flush()")
    with Standby(c) as standby:
        standby.catch_up(c)
        eq(seeds(standby, "topic.promoted"), [1])
        standby.promote()
        eq(watermark(standby, "topic.promoted"), 1)
        t = standby.connect()
        append(t, "topic.promoted", 4)
        t.execute("SELECT log_test.flush()")
        eq(seeds(standby, "topic.promoted"), [1])
        t.execute("ROLLBACK PREPARED 'p1'")
        eq(seeds(standby, "topic.promoted"), [1])
        t.execute("COMMIT PREPARED 'p2'")
        eq(seeds(standby, "topic.promoted"), [1, 2, 3, 4])
        eq(bounds(standby, "topic.promoted", 0)["undecided"], 0)
        fsck(standby, "topic.promoted")
    for gid in ("p1", "p2"):
        s.execute("ROLLBACK PREPARED '%s'" % gid)


@case
def replicated(c):
    "with synchronous standbys the watermark is not ahead of them, nor after a restart, and then doesn't stop in an aborted range"
    c.create_topic("replicated", 1)
    s = c.connect()
    append(s, "topic.replicated", 1)
    s.execute("BEGIN")
    append(s, "topic.replicated", 2, True)
    s.execute("ROLLBACK")
    s.execute("SELECT log_test.flush()")
    c.set(synchronous_standby_names="nobody")
    c.restart("immediate")
    s = c.connect()
    s.execute("SET synchronous_commit = local")
    eq(watermark(c, "topic.replicated"), 0, "what the standbys have is not known")
    before = c.value("SELECT pg_current_wal_flush_lsn()")
    append(s, "topic.replicated", 3)
    s.execute("SELECT log_test.flush()")
    eq(watermark(c, "topic.replicated"), 0)
    s.execute("SELECT log_test.replicated(%s)", (before,))
    eq(watermark(c, "topic.replicated"), 1, "what was there before the restart, but for the aborted range at its end")
    s.execute("SELECT log_test.replicated(pg_current_wal_flush_lsn())")
    eq(watermark(c, "topic.replicated"), 3)
    eq(seeds(c, "topic.replicated"), [1, 3])
    eq(bounds(c, "topic.replicated", 0)["undecided"], 0)
    c.set(synchronous_standby_names="")
    c.restart()


@case
def undecided(c):
    "the watermark waits for those that are committing, never stops in an aborted range, and goes on behind it"
    c.create_topic("open", 1)
    a, b = c.connect(), c.connect()
    append(a, "topic.open", 1)
    a.execute("BEGIN")
    append(a, "topic.open", 2, True)
    b.execute("BEGIN")
    append(b, "topic.open", 3, True)
    b.execute("COMMIT")
    b.execute("SELECT log_test.flush()")
    eq(watermark(c, "topic.open"), 1)
    eq(seeds(c, "topic.open"), [1])
    eq(seeds(c, "topic.open", "mvcc => true"), [1, 3], "SELECT sees what has committed")
    a.execute("ROLLBACK")
    eq(watermark(c, "topic.open"), 3)
    eq(seeds(c, "topic.open"), [1, 3])
    a.execute("BEGIN")
    append(a, "topic.open", 4, True)
    a.execute("ROLLBACK")
    a.execute("SELECT log_test.flush()")
    eq(watermark(c, "topic.open"), 3, "not behind what was aborted")
    eq(bounds(c, "topic.open", 0)["undecided"], 0)
    append(a, "topic.open", 5)
    a.execute("SELECT log_test.flush()")
    eq(watermark(c, "topic.open"), 5)
    c.restart("immediate")
    eq(watermark(c, "topic.open"), 5)
    eq(seeds(c, "topic.open"), [1, 3, 5])


@case
def index_stays_small(c):
    "the transaction index shrinks by VACUUM, and does not grow by sessions, commits and aborts that come and go"
    c.create_topic("index", 1)
    holder = c.connect()
    holder.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    holder.execute("SELECT txid_current()")
    s = c.connect()
    for i in range(1200):
        s.execute("BEGIN")
        append(s, "topic.index", i, True)
        s.execute("ROLLBACK" if i % 100 == 0 else "COMMIT")
    s.execute("SELECT log_test.flush()")

    def index_pages():
        n = c.value("SELECT pg_relation_size('topic.index') / 8192")
        return sum(c.value("SELECT (log_test.page('topic.index', %s)).kind = 'txn'", (b,)) is True for b in range(n))

    ok(index_pages() >= 5, "an old snapshot keeps them: %d pages" % index_pages())
    before = seeds(c, "topic.index", "mvcc => true")
    eq(len(before), 1188)
    holder.execute("COMMIT")
    c.sql("VACUUM topic.index")
    c.sql("VACUUM topic.index")
    eq(index_pages(), 1, "pages of the index")
    eq(seeds(c, "topic.index", "mvcc => true"), before)
    eq(seeds(c, "topic.index"), before)
    fsck(c, "topic.index")
    for i in range(600):
        s.execute("BEGIN")
        append(s, "topic.index", 5000 + i, True)
        s.execute("COMMIT")
    eq(index_pages(), 1, "pages of the index without old snapshots")
    fsck(c, "topic.index")


@case
def ranges_dont_leak(c):
    "sessions that come and go leave no range behind"
    c.create_topic("leak", 1)
    for i in range(50):
        with psycopg.connect(host=c.dir, port=5432, user="postgres", dbname=c.database) as s:
            append(s, "topic.leak", i, True)
            append(s, "topic.leak", i, True)
            if i % 2:
                s.rollback()
    c.sql("SELECT log_test.flush()")
    eq(len(seeds(c, "topic.leak")), 50)


@case(seconds=400)
def old_xids(c):
    "transactions keep their meaning when xids are used up far past the horizons, and the commit log is truncated"
    for name in ("old", "frozen"):
        c.create_topic(name, 1)
    s = c.connect()
    for topic in ("topic.old", "topic.frozen"):
        append(s, topic, 1)
        for seed, end in ((2, "COMMIT"), (3, "ROLLBACK")):
            s.execute("BEGIN")
            append(s, topic, seed, True)
            s.execute(end)
    s.execute("BEGIN")
    append(s, "topic.old", 4, True)
    s.execute("PREPARE TRANSACTION 'old'")
    append(s, "topic.old", 5)
    s.execute("SELECT log_test.flush()")
    s.close()

    want = {"topic.old": [1, 2, 5], "topic.frozen": [1, 2]}

    def look(what):
        for topic, w in want.items():
            eq(seeds(c, topic, "mvcc => true"), w, what)
        eq(seeds(c, "topic.frozen"), want["topic.frozen"], what)
        eq(seeds(c, "topic.old"), [1, 2] if 4 not in want["topic.old"] else want["topic.old"], what)

    look("before")
    first = c.value("SELECT relfrozenxid FROM pg_class WHERE oid = 'topic.frozen'::regclass")
    segment = 32768 * 32        # xids in a file of the commit log

    def jump(to):
        "as if xids up to there had been used: the commit log has to have the page of the next one"
        c.stop()
        to = to // segment * segment
        epoch, to = divmod(to, 1 << 32)
        path = os.path.join(c.data, "pg_xact", "%04X" % (to // segment))
        if not os.path.exists(path):
            with open(path, "wb") as f:
                f.write(b"\0" * 262144)
            os.chown(path, os.stat(c.data).st_uid, os.stat(c.data).st_gid)
        c._run("pg_resetwal", "-x", str(to), "-e", str(epoch), c.data)
        c.start()

    def vacuum_all():
        for db in [r[0] for r in c.sql("SELECT datname FROM pg_database WHERE datallowconn")]:
            c.sql("VACUUM (FREEZE)", dbname=db)

    # A prepared transaction keeps the horizon, so it ends before the jump past two thousand million.
    c.set(autovacuum_freeze_max_age="100000", vacuum_freeze_min_age="0")
    jump(int(str(first)) + 10 * segment)
    look("after ten million xids")
    vacuum_all()
    look("after VACUUM with the prepared transaction")
    c.sql("COMMIT PREPARED 'old'")
    want["topic.old"] = [1, 2, 4, 5]
    look("after its end")
    vacuum_all()
    look("after VACUUM")
    frozen = int(str(c.value("SELECT relfrozenxid FROM pg_class WHERE oid = 'topic.frozen'::regclass")))
    ok(frozen >= int(str(first)) + 9 * segment, "relfrozenxid advances: %d" % frozen)
    c.sql("UPDATE pg_database SET datallowconn = true WHERE datname = 'template0'")
    vacuum_all()
    ok(not os.path.exists(os.path.join(c.data, "pg_xact", "0000")), "the commit log was truncated")
    look("after the commit log was truncated")
    for i in range(1, 6):
        jump(int(str(first)) + i * 1000000000)
        look("after %d thousand million xids" % i)
        s = c.connect()
        for seed, end in ((100 * i, "COMMIT"), (100 * i + 1, "ROLLBACK")):
            s.execute("BEGIN")
            append(s, "topic.frozen", seed, True)
            s.execute(end)
        s.execute("SELECT log_test.flush()")
        s.close()
        want["topic.frozen"].append(100 * i)
        eq(seeds(c, "topic.frozen"), want["topic.frozen"])
        vacuum_all()
        eq(seeds(c, "topic.frozen"), want["topic.frozen"])
        fsck(c, "topic.frozen")


@case
def standby_conflict(c):
    "before the index forgets a commit, queries of a standby that don't see it end"
    c.create_topic("conflict", 1)
    c.sql("ALTER SYSTEM SET vacuum_freeze_min_age = 0")
    with Standby(c, settings={"max_standby_streaming_delay": "0"}) as standby:
        standby.expected.append("conflict")
        s = c.connect()
        append(s, "topic.conflict", 1)
        s.execute("SELECT log_test.flush()")
        standby.catch_up(c)
        old = standby.connect(autocommit=False)
        old.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        eq(seeds(None, "topic.conflict", "mvcc => true", old), [1])
        s.execute("BEGIN")
        append(s, "topic.conflict", 2, True)
        s.execute("COMMIT")
        standby.catch_up(c)
        eq(seeds(None, "topic.conflict", "mvcc => true", old), [1], "the old snapshot")
        eq(seeds(standby, "topic.conflict", "mvcc => true"), [1, 2])
        c.sql("SELECT txid_current()")
        c.sql("VACUUM topic.conflict")
        standby.catch_up(c)
        try:
            got = seeds(None, "topic.conflict", "mvcc => true", old)
            ok(False, "no conflict; the old snapshot sees %s" % got)
        except psycopg.Error as e:
            ok("conflict" in str(e) or "terminat" in str(e), str(e))
        standby.close_connections()
        eq(seeds(standby, "topic.conflict", "mvcc => true"), [1, 2])


def setup():
    return storage_cluster("transactions", {"shared_buffers": "16MB", "wal_consistency_checking": ""})


run(setup)
