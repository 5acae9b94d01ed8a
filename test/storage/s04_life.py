"""What happens to whole files and servers: TRUNCATE, tablespaces, copies of databases and clusters, promotion, few slots."""
import os
import threading

from storage import Standby, bounds, by_slices, fsck, records, storage_cluster
from tap import case, eq, ok, run, wait_for

import psycopg


def put(c, topic, n=1, size=100, partition=0, connection=None):
    query = "SELECT log_test.append_many(%s, %s, %s, 1, %s)"
    last = (connection.execute(query, (topic, partition, n, size)).fetchone()[0] if connection
            else c.value(query, (topic, partition, n, size)))
    (connection.execute if connection else c.sql)("SELECT log_test.flush()")
    return last


def offsets(c, topic, partition=0):
    return [r[0] for r in records(c, topic, partition)]


@case
def truncate(c):
    "TRUNCATE keeps the next offset; rolled back, with savepoints and in the file's own transaction, everything is as before"
    c.create_topic("truncated", 2)
    put(c, "topic.truncated", 10)
    s = c.connect()
    s.execute("BEGIN")
    s.execute("TRUNCATE topic.truncated")
    eq(bounds_of(s, "topic.truncated"), (10, 10))
    s.execute("ROLLBACK")
    eq(offsets(c, "topic.truncated"), list(range(10)))
    s.execute("BEGIN")
    s.execute("SAVEPOINT a")
    s.execute("TRUNCATE topic.truncated")
    s.execute("TRUNCATE topic.truncated")
    s.execute("ROLLBACK TO a")
    put(c, "topic.truncated", 1, connection=s)
    s.execute("COMMIT")
    eq(offsets(c, "topic.truncated"), list(range(11)))
    s.execute("BEGIN")
    s.execute("TRUNCATE topic.truncated")
    put(c, "topic.truncated", 3, connection=s)
    s.execute("TRUNCATE topic.truncated")
    put(c, "topic.truncated", 2, connection=s)
    s.execute("COMMIT")
    eq(offsets(c, "topic.truncated"), [14, 15])
    fsck(c, "topic.truncated")
    c.restart("immediate")
    eq(offsets(c, "topic.truncated"), [14, 15])
    eq(put(c, "topic.truncated"), 16)
    fsck(c, "topic.truncated")


def bounds_of(s, topic):
    return s.execute("SELECT log_start, end_offset FROM log_test.bounds(%s, 0)", (topic,)).fetchone()


@case
def tablespace(c):
    "SET TABLESPACE moves the log, unflushed and prepared parts included"
    path = os.path.join(c.dir, "space")
    os.mkdir(path)
    os.chown(path, os.stat(c.data).st_uid, os.stat(c.data).st_gid)
    c.sql("CREATE TABLESPACE space LOCATION '%s'" % path)
    c.create_topic("moved", 1)
    put(c, "topic.moved", 100, 5000)
    c.sql("SELECT log_test.append('topic.moved', 0, 1, 10)")        # not flushed
    c.sql("ALTER TABLE topic.moved SET TABLESPACE space")
    eq(offsets(c, "topic.moved"), list(range(101)))
    put(c, "topic.moved", 1)
    c.restart("immediate")
    eq(offsets(c, "topic.moved"), list(range(102)))
    fsck(c, "topic.moved")
    c.sql("DROP TABLE topic.moved")
    c.sql("DROP TABLESPACE space")


@case
def copies(c):
    "a copied database has the records under another topic id; pg_basebackup and a promoted standby go on where they are"
    c.create_topic("copied", 2)
    put(c, "topic.copied", 200, 3000)
    want = records(c, "topic.copied", 0)
    c.sql("CREATE DATABASE copy_wal TEMPLATE %s STRATEGY wal_log" % c.database, dbname="postgres")
    c.sql("CREATE DATABASE copy_file TEMPLATE %s STRATEGY file_copy" % c.database, dbname="postgres")
    ids = set()
    for db in (c.database, "copy_wal", "copy_file"):
        eq([r[:3] for r in c.sql("SELECT base_offset, last_offset, seed FROM log_test.read('topic.copied', 0)", dbname=db)],
           want, db)
        eq(c.sql("SELECT problem FROM log_test.fsck('topic.copied')", dbname=db), [])
        ids.add(c.sql("SELECT topic_id FROM log_test.topic('topic.copied')", dbname=db)[0][0])
    eq(len(ids), 3, "topic ids")
    c.sql("SELECT log_test.append('topic.copied', 0, 1, 10)", dbname="copy_wal")
    eq(bounds(c, "topic.copied", 0)["end_offset"], 200, "the copy is another log")
    for db in ("copy_wal", "copy_file"):
        c.sql("DROP DATABASE " + db, dbname="postgres")

    with Standby(c, standby=False) as backup:
        eq(records(backup, "topic.copied", 0), want)
        fsck(backup, "topic.copied")
        eq(put(backup, "topic.copied"), 200)
    with Standby(c) as standby:
        eq(records(standby, "topic.copied", 0), want)
        s = c.connect()
        s.execute("BEGIN")
        s.execute("SELECT log_test.append('topic.copied', 0, 1, 10, transactional => true)")
        put(c, "topic.copied", 20, 1000, partition=1)
        standby.catch_up(c)
        eq(len(records(standby, "topic.copied", 1)), 20)
        try:
            standby.sql("SELECT log_test.append('topic.copied', 0, 1, 10)")
            ok(False, "a standby refuses appends")
        except psycopg.Error:
            pass
        standby.promote()
        # what was in progress on the old primary is aborted here
        eq(records(standby, "topic.copied", 0), want)
        eq(put(standby, "topic.copied"), 201)
        eq(bounds(standby, "topic.copied", 0)["high_watermark"], 202)
        fsck(standby, "topic.copied")
        s.execute("ROLLBACK")


@case
def rewind(c):
    "pg_rewind makes an old primary that went its own way a standby of the new one"
    c.create_topic("rewound", 2)
    put(c, "topic.rewound", 300, 3000)
    # the old primary is a server of its own, so that this test's cluster stays as it is
    with Standby(c, standby=False, settings={"wal_keep_size": "1GB"}) as old, Standby(old) as new:
        old.expected.append("some data might be corrupted")     # what it says when recovery begins anew
        put(old, "topic.rewound", 10, 500)
        new.catch_up(old)
        new.promote()
        # both go on: appends, a new extent, a commit, retention
        for server, n in ((old, 400), (new, 250)):
            put(server, "topic.rewound", n, 3000)
            put(server, "topic.rewound", n // 10, 100, partition=1)
            server.sql("BEGIN; SELECT log_test.append('topic.rewound', 1, 1, 10, transactional => true); COMMIT")
            server.sql("SELECT log_test.delete_records('topic.rewound', 0, %s)", (n // 2,))
            server.sql("VACUUM topic.rewound")
        new.sql("CHECKPOINT")
        old.stop()
        old._run("pg_rewind", "-D", old.data, "--no-sync", "--source-server",
                 "host=%s port=5432 user=postgres dbname=postgres" % new.dir)
        # it has copied the other's settings, too
        old.set(unix_socket_directories=old.dir)
        with open(os.path.join(old.data, "postgresql.auto.conf"), "a") as f:
            f.write("primary_conninfo = 'host=%s port=5432 user=postgres'\n" % new.dir)
        open(os.path.join(old.data, "standby.signal"), "w").close()
        old.start()
        old.catch_up(new)
        for partition in (0, 1):
            want = records(new, "topic.rewound", partition)
            ok(len(want) > 25)
            eq(records(old, "topic.rewound", partition), want)
        fsck(old, "topic.rewound")
        fsck(new, "topic.rewound")
        old.stop()


@case
def standby_under_load(c):
    "while a standby replays, each of its sessions sees the log grow, without holes"
    c.create_topic("replayed", 1)
    put(c, "topic.replayed", 10)
    with Standby(c) as standby:
        stop, errors, looks = threading.Event(), [], []

        def look(mvcc):
            try:
                s = standby.connect()
                n, before = 0, 0
                while not stop.is_set():
                    got = [r[0] for r in records(None, "topic.replayed", 0, mvcc, s)]
                    start = got[0]
                    eq(got, list(range(start, start + len(got))))
                    ok(got[-1] >= before, "the end went back from %d to %d" % (before, got[-1]))
                    before = got[-1]
                    n += 1
                looks.append(n)
            except Exception as e:      # told to the main thread
                errors.append(e)

        threads = [threading.Thread(target=look, args=(how,)) for how in ("", "mvcc => true") * 2]
        for t in threads:
            t.start()
        s = c.connect()
        for i in range(60):
            put(c, "topic.replayed", 30, [50, 3000, 20000][i % 3], connection=s)
            if i % 10 == 9:
                s.execute("SELECT log_test.retention('topic.replayed', 0, retention_bytes => 5000000)")
        stop.set()
        for t in threads:
            t.join()
        if errors:
            raise errors[0]
        ok(min(looks) > 3, "looks: %s" % looks)
        standby.catch_up(c)
        eq(records(standby, "topic.replayed", 0), records(c, "topic.replayed", 0))


@case
def more_partitions(c):
    "partitions are added in small steps and large, rolled back, and with a crash between"
    c.create_topic("added", 1)
    n = 1
    for step in (1, 1, 2, 1, 7, 300, 1, 1):
        n += step
        if step == 7:
            s = c.connect()
            s.execute("BEGIN")
            s.execute("SELECT broker.alter_topic('added', partitions => %s)", (n,))
            s.execute("ROLLBACK")
            eq(c.value("SELECT partitions FROM log_test.topic('topic.added')"), n - 7)
        c.sql("SELECT broker.alter_topic('added', partitions => %s)", (n,))
        eq(c.value("SELECT partitions FROM log_test.topic('topic.added')"), n)
        eq(put(c, "topic.added", 3, partition=n - 1), 2)
        if step == 2:
            c.restart("immediate")
        fsck(c, "topic.added")
    c.restart("immediate")
    fsck(c, "topic.added")
    eq(offsets(c, "topic.added", n - 1), [0, 1, 2])
    eq(offsets(c, "topic.added", 1), [0, 1, 2])


@case
def few_slots(c):
    "more partitions than there are slots: idle ones are evicted, and nothing is forgotten"
    c.set(pg_broker__max_partitions="16")
    c.restart()
    c.create_topic("many", 60)
    for round in range(3):
        for p in range(60):
            if p % 10 == round:
                c.sql("BEGIN; SELECT log_test.append('topic.many', %d, 1, 10, transactional => true); ROLLBACK" % p)
            eq(put(c, "topic.many", 2, 500, partition=p) % 1, 0)
    for p in range(60):
        eq(len(offsets(c, "topic.many", p)), 6, "partition %d" % p)
        b = bounds(c, "topic.many", p)
        eq(b["high_watermark"], b["end_offset"])
    # producers are found again
    for p in range(60):
        eq(c.value("SELECT result FROM log_test.append('topic.many', %s, 1, 10, producer_id => 7, sequence => 0)", (p,)), 0)
        c.sql("SELECT log_test.flush()")
    for p in range(60):
        eq(c.value("SELECT result FROM log_test.append('topic.many', %s, 1, 10, producer_id => 7, sequence => 0)", (p,)), 1)
    c.sql("VACUUM topic.many")
    fsck_each(c, "topic.many")
    s = c.connect()
    s.execute("BEGIN")
    try:
        for p in range(60):
            s.execute("SELECT log_test.append('topic.many', %s, 1, 10, transactional => true)", (p,))
        ok(False, "a transaction can't use more than there are")
    except psycopg.errors.ConfigurationLimitExceeded:
        s.execute("ROLLBACK")
    eq(put(c, "topic.many", partition=0) > 0, True)
    c.set(pg_broker__max_partitions="1000")
    c.restart()
    fsck(c, "topic.many")


def fsck_each(c, topic):
    try:
        fsck(c, topic)
    except psycopg.errors.ConfigurationLimitExceeded:
        pass                    # fsck opens all partitions in one transaction


@case
def minimal(c):
    "with wal_level = minimal, topics made, truncated and written in one transaction survive a crash or vanish"
    c.set(wal_level="minimal", max_wal_senders="0")
    for threshold in ("0", "1GB"):
        c.set(wal_skip_threshold=threshold)
        c.restart()
        name = "minimal" + threshold[:1]
        s = c.connect()
        s.execute("BEGIN")
        s.execute("SELECT broker.create_topic('%s', partitions => 2)" % name)
        put(c, "topic." + name, 30, 4000, connection=s)
        s.execute("TRUNCATE topic." + name)
        put(c, "topic." + name, 50, 4000, connection=s)
        s.execute("COMMIT")
        s.execute("BEGIN")
        s.execute("SELECT broker.create_topic('gone%s', partitions => 2)" % threshold[:1])
        put(c, "topic.gone" + threshold[:1], 30, 4000, connection=s)
        c.restart("immediate")
        eq(offsets(c, "topic." + name), list(range(30, 80)))
        fsck(c, "topic." + name)
        eq(c.value("SELECT to_regclass('topic.gone%s') IS NULL" % threshold[:1]), True)
        put(c, "topic." + name, 30, 4000)
        c.restart("immediate")
        eq(offsets(c, "topic." + name), list(range(30, 110)))
        fsck(c, "topic." + name)
    c.set(wal_level="replica", max_wal_senders="10")
    c.restart()


def setup():
    return storage_cluster("life", {"shared_buffers": "16MB"})


run(setup)
