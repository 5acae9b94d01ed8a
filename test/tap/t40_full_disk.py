"""Full disks: produce is refused so that clients try again, nothing is lost, and it goes on when there is room."""
import os
import subprocess
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import deliver, producer, read_partition
from cluster import Cluster, server_user, temp_dir
from tap import case, eq, ok, raises, run, wait_for
from wire import Connection, batch

STORAGE_ERROR = 56


def mounting(f):
    """A case that needs a small file system, which only root can make."""
    return case(f) if os.getuid() == 0 else f


@case
def wal_reserve(b):
    "too little room for WAL: produce is refused retriably, by SQL with an error, and goes on when there is room again"
    import psycopg
    b.create_topic("reserve")
    with Connection(b) as c:
        eq(c.produce("reserve", batch([b"before"]))[:2], (0, 0))
        b.sql("ALTER SYSTEM SET pg_broker.wal_reserve = '2000TB'")
        b.reload()
        wait_for("the refusal", lambda: c.produce("reserve", batch([b"probe"]))[0] == STORAGE_ERROR)
        end = c.list_offset("reserve", -1)[2]
        error = raises(psycopg.Error, b.sql, "INSERT INTO topic.reserve (value) VALUES ('sql')")
        eq(error.sqlstate, "53100")
        eq(c.fetch("reserve", 0)[0], 0, "reading goes on")
        b.sql("CREATE TABLE other AS SELECT 1 AS x")
        # A real producer waits for better times, then is served.
        p = producer(b)
        outcome = []
        p.produce("reserve", b"patient", partition=0, on_delivery=lambda e, m: outcome.append((e, m.value())))
        p.poll(1)
        eq(outcome, [])
        b.sql("ALTER SYSTEM RESET pg_broker.wal_reserve")
        b.reload()
        eq(p.flush(60), 0)
        eq(outcome, [(None, b"patient")])
        eq(c.list_offset("reserve", -1)[2], end + 1, "nothing of what was refused is there")
    eq(b.sql("SELECT value FROM topic.reserve WHERE log_offset IN (0, %s) ORDER BY log_offset", (end,)),
       [(b"before",), (b"patient",)])


@mounting
def full_tablespace(b):
    "a full data tablespace: a clear error, nothing lost, other topics go on, and it goes on after there is room"
    import psycopg
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", b.small], check=True)
    try:
        uid, gid, _ = server_user()
        os.chown(b.small, uid, gid)
        b.sql("CREATE TABLESPACE small LOCATION '%s'" % b.small)
        b.create_topic("full")
        b.create_topic("roomy")
        b.sql("ALTER TABLE topic.full SET TABLESPACE small")
        taken = []
        with Connection(b) as c:
            for n in range(1000):
                value = (b"%06d" % n) + os.urandom(100000)
                error, base, _, _ = c.produce("full", batch([value]))
                if error:
                    break
                eq(base, n)
                taken.append(value)
            eq(error, STORAGE_ERROR)
            ok(len(taken) > 50, "%d records fit" % len(taken))
            eq(c.produce("roomy", batch([b"elsewhere"]))[:2], (0, 0))
            error = raises(psycopg.Error, b.sql, "INSERT INTO topic.full (value) SELECT convert_to(repeat('x', 1000), 'UTF8') "
                           "FROM generate_series(1, 5000)")
            eq(error.sqlstate, "53100")
            eq([m.value() for m in read_partition(b, "full")], taken)
            eq(b.sql("SELECT value FROM topic.full ORDER BY log_offset"), [(t,) for t in taken])
            b.restart()
        with Connection(b) as c:
            for _ in range(20):
                value = os.urandom(100000)
                if c.produce("full", batch([value]))[0] == STORAGE_ERROR:
                    break
                taken.append(value)
            else:
                raise AssertionError("it is not full any more")
            subprocess.run(["mount", "-o", "remount,size=64m", b.small], check=True)
            last = batch([b"there is room"])
            eq(c.produce("full", last)[0], 0)
            eq(c.list_offset("full", -1)[2], len([m for m in read_partition(b, "full")]))
        eq([m.value() for m in read_partition(b, "full")], taken + [b"there is room"])
        b.sql("SELECT broker.drop_topic('full')")
        b.sql("CHECKPOINT")
        b.sql("DROP TABLESPACE small")
    finally:
        b.stop("immediate")
        subprocess.run(["umount", b.small], check=True)
        b.start()


def setup():
    c = Cluster("disk", {"wal_level": "replica"})
    # What fills up is logged as an error, and that is the point.
    c.small = temp_dir("small")
    return c


run(setup)
