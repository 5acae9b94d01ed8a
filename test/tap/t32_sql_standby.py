"""A hot standby reads: SELECT and broker.fetch() there, while the primary is produced to."""
import sys
import threading

import psycopg

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import kcat_produce
from cluster import Cluster
from tap import case, eq, ok, raises, run as run_cases, wait_for


class Standby(Cluster):
    def __init__(self, primary):
        self.primary = primary
        super().__init__("standby")

    def _run(self, program, *args, **kw):
        if program != "initdb":
            return super()._run(program, *args, **kw)
        return super()._run("pg_basebackup", "-D", self.data, "-h", self.primary.dir, "-U", "postgres", "-R", "-X", "stream",
                            "-c", "fast", "--no-sync")

    def _start_first(self, extension):
        self.set(unix_socket_directories=self.dir)
        self.start()


class Pair:
    def __enter__(self):
        self.primary = Cluster("primary", {"wal_level": "replica", "max_wal_senders": "5"}).__enter__()
        self.primary.create_topic("t", 2)
        self.primary.sql("CREATE TABLE rows (i int)")
        self.standby = Standby(self.primary).__enter__()
        return self

    def __exit__(self, *args):
        self.standby.__exit__(*args)
        self.primary.__exit__(*args)

    def report(self):
        return self.primary.report() + "\n" + self.standby.report()

    def replayed(self):
        lsn = self.primary.value("SELECT pg_current_wal_flush_lsn()")
        wait_for("the standby to replay", lambda: self.standby.value("SELECT pg_last_wal_replay_lsn() >= %s", (lsn,)))


@case
def rows_and_records_together(p):
    "records and rows of a transaction appear together on the standby, too"
    done = threading.Event()

    def write():
        c = p.primary.connect(autocommit=False)
        for i in range(400):
            c.execute("INSERT INTO rows SELECT %s", (i,))
            c.execute("INSERT INTO topic.t (partition, key, value) SELECT %s, '\\x01', '\\x02'", (i % 2,))
            if i % 5:
                c.commit()
            else:
                c.rollback()
        done.set()

    writer = threading.Thread(target=write, daemon=True)
    c = p.standby.connect()
    looks = 0
    writer.start()
    while not done.is_set():
        rows, records, by_key = c.execute("SELECT (SELECT count(*) FROM rows), (SELECT count(*) FROM topic.t), "
                                          "(SELECT count(*) FROM topic.t WHERE key = '\\x01')").fetchone()
        eq((records, by_key), (rows, rows), "records, and rows, after %d looks" % looks)
        looks += 1
    writer.join()
    p.replayed()
    eq(c.execute("SELECT (SELECT count(*) FROM rows), (SELECT count(*) FROM topic.t)").fetchone(), (320, 320))
    eq(c.execute("SELECT max(log_offset) FROM topic.t WHERE partition = 0").fetchone(),
       p.primary.sql("SELECT max(log_offset) FROM topic.t WHERE partition = 0")[0])


@case
def kafka_records(p):
    "what Kafka clients produce to the primary, the standby selects; REPEATABLE READ stays where it was"
    p.primary.create_topic("k")
    kcat_produce(p.primary, "k", ["v%d" % i for i in range(1000)])
    p.replayed()
    c = p.standby.connect(autocommit=False)
    c.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    eq(c.execute("SELECT count(*), max(log_offset) FROM topic.k").fetchone(), (1000, 999))
    kcat_produce(p.primary, "k", ["w%d" % i for i in range(10)])
    p.replayed()
    eq(c.execute("SELECT count(*), max(log_offset) FROM topic.k").fetchone(), (1000, 999))
    c.rollback()
    eq(c.execute("SELECT convert_from(value, 'UTF8') FROM topic.k WHERE partition = 0 ORDER BY log_offset DESC LIMIT 2").fetchall(),
       [("w9",), ("w8",)])
    c.rollback()


@case
def fetch_on_the_standby(p):
    "broker.fetch() on the standby waits for what will be replayed"
    p.primary.create_topic("f")
    p.replayed()
    result = []
    query = "SELECT log_offset, convert_from(value, 'UTF8') FROM broker.fetch('f', 0, 0, max_wait => '1 minute')"
    t = threading.Thread(target=lambda: result.append(p.standby.sql(query)), daemon=True)
    t.start()
    wait_for("the fetch waits", lambda: p.standby.sql(
        "SELECT 1 FROM pg_stat_activity WHERE query = %s AND wait_event_type = 'Extension'", (query,)))
    p.primary.sql("INSERT INTO topic.f (value) VALUES ('hello')")
    t.join(60)
    eq(result, [[(0, "hello")]])


@case
def writing_is_refused(p):
    "producing on the standby is refused as other writing is"
    for statement in ["INSERT INTO topic.t (value) VALUES ('x')", "SELECT broker.produce('t', 'x')", "TRUNCATE topic.t",
                      "VACUUM topic.t"]:
        e = raises(psycopg.Error, p.standby.connect().execute, statement)
        ok(e.sqlstate in ("25006", "55000"), "%s: %s %s" % (statement, e.sqlstate, e))


run_cases(Pair)
