"""pg_dump and pg_restore keep topics: records with their offsets, partitions, next offsets, settings, privileges."""
import os
import sys
import threading

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import producer
from cluster import Cluster
from tap import case, eq, ok, run, wait_for

LONG = "a.topic.with-a.long_name." * 8
STATE = [
    "SELECT * FROM broker.dump_topics() ORDER BY 1",
    "SELECT * FROM broker.dumped_topics",
    "SELECT topic, partition, log_start_offset, high_watermark, end_offset FROM broker.partitions ORDER BY 1, 2",
    "SELECT name, \"table\"::text, partitions, owner::text, key_type::text, value_type::text FROM broker.topics ORDER BY 1",
    "SELECT topic, name, value FROM broker.topic_config WHERE source = 'topic' ORDER BY 1, 2",
    "SELECT o::text FROM topic.orders o ORDER BY partition, log_offset",
    "SELECT o::text FROM topic.gaps o ORDER BY partition, log_offset",
    "SELECT has_table_privilege('reader', 'topic.orders', 'SELECT'), has_table_privilege('reader', 'topic.gaps', 'SELECT')",
    "SELECT obj_description('topic.orders'::regclass)",
]


def fill(c):
    c.sql("CREATE ROLE reader")
    c.sql("CREATE ROLE owner")
    c.sql("SELECT broker.create_topic('orders', 3, '{\"retention.ms\": -1, \"compression.type\": \"zstd\"}', "
          "'text', 'json')")
    c.sql("SELECT broker.create_topic(%s, 2, '{\"segment.ms\": 5000}')", (LONG,))
    c.sql("SELECT broker.create_topic('gaps', 4)")
    c.sql("INSERT INTO topic.orders (partition, key, value, headers, ts) "
          "SELECT g %% 2, 'k' || g, json_build_object('n', g), ARRAY[('h', '\\x01'), ('h', NULL)]::broker.header[], "
          "timestamptz '2026-01-01' + g * interval '1 minute' FROM generate_series(1, 3000) g".replace("%%", "%"))
    # the next offsets of gaps are past its last records: 10 of them were rolled back, 5 truncated
    a = c.connect(autocommit=False)
    c.sql("INSERT INTO topic.gaps (partition, value) SELECT 1, 'x' FROM generate_series(1, 5)")
    c.sql("TRUNCATE topic.gaps")
    c.sql("INSERT INTO topic.gaps (partition, value) SELECT 2, NULL FROM generate_series(1, 7)")
    a.execute("CREATE TABLE one (a int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
    a.commit()
    for p in (2, 3):
        # fails while committing, after its records got their offsets or not: either way they are never seen
        a.execute("INSERT INTO topic.gaps (partition, value) SELECT %s, 'lost' FROM generate_series(1, 10)", (p,))
        a.execute("INSERT INTO one VALUES (1), (1)")
        try:
            a.commit()
        except Exception:
            a.rollback()
    c.sql("INSERT INTO topic.gaps (partition, value) VALUES (0, 'only')")
    c.sql("GRANT SELECT ON topic.orders TO reader")
    c.sql("ALTER TABLE topic.gaps OWNER TO owner")
    c.sql("COMMENT ON TABLE topic.orders IS 'what was ordered'")


class Fixture:
    def __init__(self, c):
        self.c = c
        self.report = c.report
        fill(c)
        self.before = self.state()
        self.program("pg_dump", "-f", "plain.sql", c.database)
        self.program("pg_dump", "-f", "inserts.sql", "--inserts", c.database)
        self.program("pg_dump", "-Fd", "-j2", "-f", "directory", c.database)
        self.program("pg_dump", "-t", "topic.orders", "-f", "table.sql", c.database)

    def state(self):
        return [self.c.sql(q) for q in STATE]

    def program(self, name, *args):
        return self.c._run(name, *args, *(["-h", self.c.dir, "-U", "postgres"]))

    def empty(self, extension=False):
        self.c.close_connections()
        self.c.sql("DROP DATABASE %s WITH (FORCE)" % self.c.database, dbname="postgres")
        self.c.sql("CREATE DATABASE %s" % self.c.database, dbname="postgres")
        if extension:
            self.c.sql("CREATE EXTENSION pg_broker")

    def psql(self, *args):
        self.program("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.c.database, *args)

    def same(self):
        for query, before, after in zip(STATE, self.before, self.state()):
            eq(after, before, query)


@case
def plain(f):
    "a plain dump"
    f.empty()
    f.psql("-f", "plain.sql")
    f.same()


@case
def single_transaction(f):
    "a plain dump, restored in one transaction"
    f.empty()
    f.psql("-1", "-f", "plain.sql")
    f.same()


@case
def inserts(f):
    "a dump with INSERT"
    f.empty()
    f.psql("-f", "inserts.sql")
    f.same()


@case
def parallel(f):
    "a directory, restored by four jobs"
    for _ in range(3):
        f.empty()
        f.program("pg_restore", "-e", "-j4", "-d", f.c.database, "directory")
        f.same()


@case
def restored_twice(f):
    "a dump of a restored database is the same dump"
    f.empty()
    f.psql("-f", "plain.sql")
    f.program("pg_dump", "-f", "again.sql", f.c.database)

    def lines(name):
        with open(os.path.join(f.c.dir, name)) as file:
            return [line for line in file if not line.startswith(("\\restrict", "\\unrestrict"))]
    again, plain = lines("again.sql"), lines("plain.sql")
    eq([(a, p) for a, p in zip(again, plain) if a != p], [])
    eq(len(again), len(plain))


@case
def goes_on(f):
    "after a restore offsets go on above all that were given"
    f.empty()
    f.psql("-f", "plain.sql")
    next_offsets = dict(f.c.sql("SELECT partition, end_offset FROM broker.partitions WHERE topic = 'gaps'"))
    ok(next_offsets[1] == 5, "TRUNCATE kept the next offset")
    f.c.sql("INSERT INTO topic.gaps (partition, value) SELECT g, 'new' FROM generate_series(0, 3) g")
    eq(dict(f.c.sql("SELECT partition, log_offset FROM topic.gaps WHERE value = 'new'")), next_offsets)


@case
def one_table(f):
    "a single topic's table, into a database that has the extension"
    f.empty(extension=True)
    f.psql("-f", "table.sql")
    eq(f.c.sql(STATE[5]), f.before[5])
    eq(f.c.sql("SELECT partition, end_offset FROM broker.partitions ORDER BY 1"), [(0, 1500), (1, 1500)])
    eq(f.c.sql("SELECT name, value FROM broker.topic_config WHERE source = 'topic' ORDER BY 1"),
       [("retention.bytes", "-1"), ("retention.ms", "-1")], "old records are not to expire before anybody has a say")


@case
def records_first(f):
    "records that come before what the dump knows of their topic, and records that never come"
    f.empty(extension=True)
    table = "(partition int, log_offset bigint, ts timestamptz, key bytea, value bytea, headers broker.header[])"
    dumped = "INSERT INTO broker.dumped_topics VALUES ('%s', '%s', '{}', '{9,9}', '{20,20}')"
    for name in ("before", "after", "never"):
        f.c.sql("CREATE TABLE topic.%s %s USING broker_log" % (name, table))
    record = "INSERT INTO topic.%s (partition, log_offset, value) VALUES (0, %d, 'x'), (1, %d, 'x')"
    f.c.sql(record % ("before", 9, 9))
    f.c.sql(dumped % ("before", "before"))
    f.c.sql(dumped % ("after", "after"))
    eq(f.c.value("SELECT count(*) FROM broker.dumped_topics"), 1)
    f.c.sql(record % ("after", 9, 9))
    eq(f.c.value("SELECT count(*) FROM broker.dumped_topics"), 0)
    f.c.sql(dumped % ("never", "never"))
    f.c.sql(record % ("never", 5, 9))
    f.c.sql("INSERT INTO topic.never (partition, value) VALUES (0, 'y'), (1, 'y')")
    eq(f.c.value("SELECT count(*) FROM broker.dumped_topics"), 0)
    eq(f.c.sql("SELECT partition, log_offset FROM topic.never ORDER BY 1, 2"), [(0, 5), (0, 20), (1, 9), (1, 20)])
    eq(f.c.sql("SELECT topic, end_offset FROM broker.partitions WHERE partition = 0 ORDER BY 1"),
       [("after", 20), ("before", 20), ("never", 21)])
    f.c.sql(dumped % ("dropped", "dropped"))
    eq(f.c.value("SELECT count(*) FROM broker.dumped_topics"), 0, "without its table it is left out")
    f.c.sql(dumped.replace("{20,20}", "{90,90}").replace("{9,9}", "{80,80}") % ("after", "after"))
    f.c.sql("DROP TABLE topic.after")
    eq(f.c.value("SELECT count(*) FROM broker.dumped_topics"), 0, "nothing is left of a dropped topic")


class Writers:
    """A Kafka producer and an SQL session that write to topic.busy until told to stop."""

    def __init__(self, c):
        self.c = c
        self.stop = threading.Event()
        self.failures = []
        self.threads = [threading.Thread(target=self.guarded, args=(f,)) for f in (self.kafka, self.rows)]
        for t in self.threads:
            t.start()

    def guarded(self, function):
        try:
            function()
        except Exception as e:
            self.failures.append(e)

    def kafka(self):
        p = producer(self.c, linger_ms="2")
        i = 0
        while not self.stop.is_set():
            for _ in range(50):
                p.produce("busy", b"kafka %d" % i, partition=i % 3)
                i += 1
            p.flush(10)

    def rows(self):
        import psycopg
        with psycopg.connect(host=self.c.dir, port=5432, user="postgres", dbname=self.c.database) as s:
            i = 0
            while not self.stop.is_set():
                s.execute("INSERT INTO topic.busy (partition, value) SELECT g % 3, 'sql' FROM generate_series(1, 30) g")
                s.rollback() if i % 3 == 0 else s.commit()
                i += 1

    def end(self):
        self.stop.set()
        for t in self.threads:
            t.join()
        eq(self.failures, [])


@case(seconds=240)
def while_written(f):
    "dumps of a topic that is being written to: some records of each writer, and after a restore offsets never given"
    f.empty(extension=True)
    f.c.sql("SELECT broker.create_topic('busy', 3)")
    w = Writers(f.c)
    try:
        wait_for("some records", lambda: f.c.value("SELECT count(*) FROM topic.busy") > 1000)
        for i in range(2):
            f.program("pg_dump", "-Fd", "-j3", "-f", "busy%d" % i, f.c.database)
        f.program("pg_dump", "-Fd", "-f", "busy2", f.c.database)
    finally:
        w.end()
    have = "SELECT partition, log_offset, value FROM topic.busy ORDER BY 1, 2"
    written = f.c.sql(have)
    for i in range(3):
        f.empty()
        f.program("pg_restore", "-e", "-j3", "-d", f.c.database, "busy%d" % i)
        restored = f.c.sql(have)
        for p in range(3):
            got = [r for r in restored if r[0] == p]
            want = [r for r in written if r[0] == p]
            there = set(want)
            ok(len(got) > 100, "%d records" % len(got))
            eq([r for r in got if r not in there], [])
            # of the producer's records, which follow one another, those up to some point
            got, want = ([r for r in rows if r[2].startswith(b"kafka")] for rows in (got, want))
            eq(got, want[:len(got)])
        f.c.sql("INSERT INTO topic.busy (partition, value) SELECT g, 'new' FROM generate_series(0, 2) g")
        for p, new, last in f.c.sql("SELECT partition, max(log_offset), max(log_offset) FILTER (WHERE value <> 'new') "
                                    "FROM topic.busy GROUP BY 1"):
            ok(new > last, "%d after %d" % (new, last))


class Setup:
    def __enter__(self):
        self.c = Cluster("dump").__enter__()
        return Fixture(self.c)

    def __exit__(self, *args):
        return self.c.__exit__(*args)


run(Setup)
