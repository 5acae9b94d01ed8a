"""Topics in copies of a database: a standby, a database made from a template, a cluster upgraded by pg_upgrade."""
import os
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

import psycopg

from cluster import BINDIR, Cluster
from tap import case, eq, ok, run, wait_for

LONG = "a-name.too-long.for-a-table." * 5
STATE = [
    "SELECT name, \"table\"::text, partitions, owner::text, key_type::text, value_type::text FROM broker.topics ORDER BY 1",
    "SELECT topic, partition, log_start_offset, high_watermark, end_offset, first_time, last_time FROM broker.partitions "
    "ORDER BY 1, 2",
    "SELECT topic, name, value FROM broker.topic_config WHERE source = 'topic' ORDER BY 1, 2",
    "SELECT o::text FROM topic.orders o ORDER BY partition, log_offset",
]
IDS = "SELECT name, topic_id FROM broker.topics ORDER BY 1"


def fill(c):
    c.sql("SELECT broker.create_topic('orders', 3, '{\"retention.ms\": 1000000000}', 'text', 'json')")
    c.sql("SELECT broker.create_topic(%s, 2)", (LONG,))
    c.sql("INSERT INTO topic.orders (partition, key, value) "
          "SELECT g % 2, 'k' || g, json_build_object('n', g) FROM generate_series(1, 2000) g")


def state(c, **kw):
    return [c.sql(q, **kw) for q in STATE]


def same(got, want):
    for query, g, w in zip(STATE, got, want):
        eq(g, w, query)


class Standby(Cluster):
    """A hot standby of another cluster."""

    def __init__(self, primary):
        self.primary = primary
        super().__init__("standby", extension=False)

    def _start_first(self, extension):
        import shutil
        shutil.rmtree(self.data)
        self._run("pg_basebackup", "-h", self.primary.dir, "-U", "postgres", "-D", self.data, "-R", "-c", "fast",
                  "--no-sync")
        self.set(unix_socket_directories=self.dir)
        self.start()

    def catch_up(self):
        lsn = self.primary.value("SELECT pg_current_wal_insert_lsn()")
        self.primary.sql("SELECT txid_current()")        # flushes what was before it
        wait_for("the standby to have replayed " + lsn,
                 lambda: self.value("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", (lsn,)))


@case
def standby(c):
    "a standby shows topics as the primary does, follows their changes, and refuses changes of its own"
    with Standby(c) as s:
        s.catch_up()
        same(state(s), state(c))
        eq(s.sql(IDS), c.sql(IDS))
        for query in ("SELECT broker.create_topic('x')", "SELECT broker.alter_topic('orders', 9)",
                      "SELECT broker.alter_topic('orders', config => '{\"retention.ms\": 1}')",
                      "SELECT broker.drop_topic('orders')", "TRUNCATE topic.orders"):
            try:
                s.sql(query)
                ok(False, query)
            except psycopg.Error as e:
                eq(e.sqlstate, "25006", query)
        watching = s.connect()          # its cache has to notice
        eq(watching.execute("SELECT partitions FROM broker.topics WHERE name = 'orders'").fetchall(), [(3,)])
        c.sql("SELECT broker.alter_topic('orders', 5, '{\"retention.ms\": null, \"segment.ms\": 77}')")
        c.sql("SELECT broker.create_topic('later')")
        c.sql("INSERT INTO topic.later (value) VALUES ('x')")
        s.catch_up()
        eq(watching.execute("SELECT partitions FROM broker.topics WHERE name = 'orders'").fetchall(), [(5,)])
        same(state(s), state(c))
        dump = c._run("pg_dump", "-h", s.dir, "-U", "postgres", "-t", "broker.dumped_topics", "-t", "topic.*", s.database).stdout
        ok("COPY topic.orders" in dump and "k2000" in dump, "a standby can be dumped")


@case
def template(c):
    "CREATE DATABASE ... TEMPLATE copies topics, with ids of their own"
    c.close_connections()

    def create():
        try:
            c.sql("CREATE DATABASE copy TEMPLATE %s" % c.database, dbname="postgres")
            return True
        except psycopg.errors.ObjectInUse:      # the broker's own connections
            return False
    c.sql("ALTER SYSTEM SET pg_broker.enabled = off", dbname="postgres")
    c.restart()
    ok(create(), "copied")
    same(state(c, dbname="copy"), state(c))
    mine, copied = dict(c.sql(IDS)), dict(c.sql(IDS, dbname="copy"))
    eq(sorted(mine), sorted(copied))
    ok(not set(mine.values()) & set(copied.values()), "other ids")
    eq(dict(c.sql(IDS, dbname="copy")), copied, "which stay")
    c.sql("INSERT INTO topic.orders (partition, key) VALUES (0, 'only in the copy')", dbname="copy")
    eq(c.value("SELECT count(*) FROM topic.orders WHERE key = 'only in the copy'"), 0)
    c.sql("ALTER SYSTEM RESET pg_broker.enabled", dbname="postgres")
    c.restart()


@case
def upgrade(c):
    "pg_upgrade keeps everything, topic ids too"
    before, ids = state(c), c.sql(IDS)
    c.stop()
    with Cluster("upgraded", extension=False, database="postgres") as new:
        new.stop()
        new._run("pg_upgrade", "-b", BINDIR, "-B", BINDIR, "-d", c.data, "-D", new.data, "-U", "postgres", "-s", new.dir,
                 "-p", "5432", "-P", "5433")
        new.set(**{"pg_broker.database": c.database})
        new.database = c.database
        new.start()
        same(state(new), before)
        eq(new.sql(IDS), ids)
        next_offset = new.value("SELECT end_offset FROM broker.partitions WHERE topic = 'orders' AND partition = 1")
        new.sql("INSERT INTO topic.orders (partition, key) VALUES (1, 'after')")
        eq(new.sql("SELECT log_offset FROM topic.orders WHERE key = 'after'"), [(next_offset,)])
        new.sql("SELECT broker.alter_topic('orders', 6)")
        new.sql("VACUUM topic.orders")
    c.start()


class Setup:
    def __enter__(self):
        c = Cluster("copies", {"wal_level": "replica"}).__enter__()
        fill(c)
        self.c = c
        return c

    def __exit__(self, *args):
        return self.c.__exit__(*args)


run(Setup)
