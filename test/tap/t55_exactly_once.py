"""The programs and the SQL of docs/exactly-once.md, undisturbed; test/checker disturbs them."""
import os
import signal
import subprocess
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")
sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/checker")

from clients import deliver, producer
from cluster import Cluster
from consumers import EXAMPLES, command
from tap import case, eq, ok, raises, run, wait_for

RECEIVED = "CREATE TABLE received (topic text, partition int, log_offset bigint, value text)"
OWN = """CREATE TABLE consumer_offset (consumer_group text, topic text, partition int, next_offset bigint NOT NULL,
	PRIMARY KEY (consumer_group, topic, partition))"""
PARTITIONS = 3
N = 200


def fill(b, topic):
    b.create_topic(topic, PARTITIONS)
    p = producer(b)
    for partition in range(PARTITIONS):
        deliver(p, topic, [(b"k", b"%d" % i) for i in range(N)], partition)


def psql(b, name, **variables):
    """A file of examples/exactly_once/sql"""
    more = [x for item in variables.items() for x in ("-v", "%s=%s" % item)]
    return b._run("psql", "-h", b.dir, "-U", "postgres", "-d", b.database, "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", *more,
                  "-f", os.path.join(EXAMPLES, "sql", name)).stdout


def commit(b, *args):
    with b.connect(autocommit=False) as c:
        c.execute("SELECT broker.commit_offsets(%s, %s, %s, %s, %s)", args)
        c.commit()


@case
def programs(b):
    "each program writes every record once, in order, stops when told, and goes on there"
    b.sql(RECEIVED)
    b.sql(OWN)
    fill(b, "programs")
    for program in ("python/commit_offsets.py", "python/own_offsets.py", "go/commit_offsets", "go/own_offsets",
                    "java/CommitOffsets", "java/OwnOffsets"):
        b.sql("TRUNCATE received")
        group = program.replace("/", "-")
        # PostgreSQL listens on a socket only, which JDBC can't use: through the checker's proxy.
        from proxy import Proxy
        proxy = Proxy(os.path.join(b.dir, ".s.PGSQL.5432"), lambda: None)
        database = "postgresql://127.0.0.1:%d/%s?user=postgres" % (proxy.port, b.database)
        start = [*command(program), b.bootstrap, group, "programs", "jdbc:" * program.startswith("java") + database]
        for rows in (PARTITIONS * N, PARTITIONS * N + 1):
            process = subprocess.Popen(start, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                wait_for("%s to write %d rows" % (program, rows),
                         lambda: b.value("SELECT count(*) FROM received") >= rows, 60)
                process.send_signal(signal.SIGTERM)
                ok(process.wait(30) in (0, 143), program)
            finally:
                process.kill()
            eq(process.stderr.read().decode(), "", program)
            if rows == PARTITIONS * N:
                eq(b.sql("SELECT partition, array_agg(log_offset) FROM received GROUP BY 1 ORDER BY 1"),
                   [(p, list(range(N))) for p in range(PARTITIONS)])
                deliver(producer(b), "programs", [(b"k", b"more")], 0)
        eq(b.sql("SELECT count(*), count(DISTINCT (partition, log_offset)) FROM received"),
           b.sql("SELECT count(*), count(*) FROM topic.programs"), program)
        if "commit" in program.lower():
            eq(b.sql("SELECT * FROM broker.committed(%s, 'programs')", (group,)),
               b.sql("SELECT partition, max(log_offset) + 1 FROM topic.programs GROUP BY 1 ORDER BY 1"))
        b.sql("DELETE FROM consumer_offset")
        b.sql("SELECT broker.drop_topic('programs')")
        fill(b, "programs")
        proxy.close()


@case
def errors(b):
    "broker.commit_offsets refuses with the SQLSTATEs of the documentation"
    import psycopg
    fill(b, "errors")
    commit(b, "g", "errors", 0, 0, 9)
    for state, args in (("40001", ("g", "errors", 0, 9, 12)), ("40001", ("g", "errors", 0, 11, 12)),
                        ("22023", ("g", "errors", 0, 10, N)), ("22023", ("g", "errors", 0, 12, 11)),
                        ("42P01", ("g", "nothing", 0, 0, 1))):
        eq(raises(psycopg.Error, commit, b, *args).sqlstate, state, args)
    e = raises(psycopg.Error, b.sql, "SELECT broker.commit_offsets('g', 'errors', 0, 10, 12, member_id => 'nobody')")
    eq(e.sqlstate, "40001")
    e = raises(psycopg.Error, b.sql, "SELECT broker.commit_all_offsets('g', '{errors,errors}', '{0,1}', '{3,4}', '{4,5}')")
    eq((e.sqlstate, e.diag.message_detail.count("partition 0")), ("40001", 1))
    b.sql("CREATE ROLE stranger LOGIN")
    e = raises(psycopg.Error, b.sql, "SELECT broker.commit_offsets('g', 'errors', 0, 10, 12)", user="stranger")
    eq(e.sqlstate, "42501")
    b.sql("GRANT SELECT ON topic.errors TO stranger")
    e = raises(psycopg.Error, b.sql, "SELECT broker.commit_offsets('g', 'errors', 0, 10, 12)", user="stranger")
    eq(e.sqlstate, "42501")
    c = b.connect(autocommit=False)
    c.execute("SELECT broker.commit_offsets('g', 'errors', 0, 10, 12)")
    eq(raises(psycopg.Error, c.execute, "PREPARE TRANSACTION 'x'").sqlstate, "0A000")
    c.close()
    eq(b.sql("SELECT committed_offset FROM broker.committed('g', 'errors') WHERE partition = 0"), [(10,)])


@case
def clients_may_not_commit(b):
    "a member whose offsets are committed by SQL can't commit them itself, and sees those of SQL"
    from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition
    fill(b, "claimed")
    c = Consumer({"bootstrap.servers": b.bootstrap, "group.id": "claimed", "auto.offset.reset": "earliest",
                  "enable.auto.commit": False, "log_level": 0})
    c.subscribe(["claimed"])
    wait_for("records", lambda: c.consume(10, 0.5))
    commit(b, "claimed", "claimed", 0, 0, 99)
    e = raises(KafkaException, c.commit, offsets=[TopicPartition("claimed", 0, 150)], asynchronous=False)
    eq(e.args[0].code(), KafkaError.INVALID_REQUEST)
    eq(c.committed([TopicPartition("claimed", 0)], timeout=10)[0].offset, 100)
    c.close()


@case
def outbox(b):
    "a row and an event in one transaction; consume, write and produce in another"
    b.sql("CREATE TABLE orders (id int PRIMARY KEY, item text)")
    b.sql("CREATE TABLE bills (order_id int PRIMARY KEY, item text)")
    b.sql("SELECT broker.create_topic('orders', key_type => 'text', value_type => 'json')")
    b.sql("SELECT broker.create_topic('bills', key_type => 'text', value_type => 'json')")
    psql(b, "outbox.sql")
    eq(b.sql("SELECT * FROM orders"), [(42, "tea")])
    for _ in range(2):
        psql(b, "forward.sql", group="billing")
        eq(b.sql("SELECT * FROM bills"), [(42, "tea")])
        eq(b.sql("SELECT key, value FROM topic.bills"), [("42", {"order": 42})])


@case
def consume(b):
    "broker.consume writes each record once, however many sessions there are"
    b.sql("DROP TABLE IF EXISTS received")
    b.sql(RECEIVED)
    fill(b, "consumed")
    wait_for("all records", lambda: psql(b, "consume.sql", group="sql", topic="consumed") == "INSERT 0 0\n")
    eq(b.sql("SELECT partition, array_agg(log_offset) FROM received GROUP BY 1 ORDER BY 1"),
       [(p, list(range(N))) for p in range(PARTITIONS)])


run(lambda: Cluster("exactly", {"pg_broker.group_initial_rebalance_delay": "0", "max_prepared_transactions": "2"}))
