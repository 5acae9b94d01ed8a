"""Offsets that commit with rows, and SQL consumers: beside Kafka clients, in crashes, and while they wait."""
import sys
import threading

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from tap import case, eq, ok, raises, run, wait_for

PAUSE = 42      # the advisory lock of pause points


def fill(b, topic, partitions=1, records=10):
    b.create_topic(topic, partitions)
    b.sql("INSERT INTO topic.%s (partition, value) SELECT i %% %d, convert_to(i::text, 'UTF8') "
          "FROM generate_series(0, %d) i" % (topic, partitions, records * partitions - 1))


def consumer(b, group, **settings):
    from confluent_kafka import Consumer
    return Consumer({"bootstrap.servers": b.bootstrap, "group.id": group, "auto.offset.reset": "earliest",
                     "enable.auto.commit": False, "session.timeout.ms": 10000, "heartbeat.interval.ms": 500, "log_level": 0,
                     **{k.replace("_", "."): v for k, v in settings.items()}})


def committed(b, group, topic, partition=0, timeout=30, **settings):
    """What OffsetFetch says: the offset, or the error's name."""
    from confluent_kafka import KafkaException, TopicPartition
    c = consumer(b, group, **settings)
    try:
        return c.committed([TopicPartition(topic, partition)], timeout=timeout)[0].offset
    except KafkaException as e:
        return e.args[0].name()
    finally:
        c.close()


def in_sql(b, group, topic, partition=0):
    return b.value("SELECT committed_offset FROM broker.committed(%s, %s) WHERE partition = %s", (group, topic, partition))


def commit_offsets(c, group, topic, first, last, partition=0, **more):
    c.execute("SELECT broker.commit_offsets(%%s, %%s, %%s, %%s, %%s%s)" % "".join(", %s => %%s" % k for k in more),
              (group, topic, partition, first, last, *more.values()))


class Background:
    """A call in a thread; result() gives what it returned or raised."""

    def __init__(self, function, *args):
        self.outcome = None

        def body():
            try:
                self.outcome = ("returned", function(*args))
            except Exception as e:
                self.outcome = ("raised", e)
        self.thread = threading.Thread(target=body, daemon=True)
        self.thread.start()

    def done(self):
        return self.outcome is not None

    def result(self, seconds=60):
        self.thread.join(seconds)
        return self.outcome or ("hangs", None)


class Paused:
    """A session that has stopped in its COMMIT at a point, and the session that holds it there."""

    def __init__(self, b, point, group, topic, first, last):
        self.gate = b.connect()
        self.gate.execute("SELECT pg_advisory_lock(%d)" % PAUSE)
        self.session = b.connect()
        self.pid = self.session.execute("SELECT pg_backend_pid()").fetchone()[0]
        self.session.execute("SET pg_broker.pause_point = '%s'" % point)
        self.session.execute("BEGIN")
        commit_offsets(self.session, group, topic, first, last)
        self.commit = Background(self.session.execute, "COMMIT")
        wait_for("the session to stop at " + point,
                 lambda: b.sql("SELECT true FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'", (self.pid,)))

    def go(self):
        self.gate.execute("SELECT pg_advisory_unlock(%d)" % PAUSE)
        self.gate.close()
        return self.commit.result()


@case
def kafka_consumer_and_sql(b):
    "a Kafka consumer's offsets commit with rows, where its own commits are refused, until they are released"
    from confluent_kafka import KafkaException, TopicPartition
    import psycopg
    fill(b, "mixed")
    b.sql("CREATE TABLE rows (v text)")
    c = consumer(b, "mixed")
    c.subscribe(["mixed"])
    read = []
    wait_for("five records", lambda: len(read) >= 5 or read.extend(
        m for m in c.consume(5 - len(read), 0.2) if not m.error()) or len(read) >= 5)
    with b.connect(autocommit=False) as s:
        commit_offsets(s, "mixed", "mixed", read[0].offset(), read[-1].offset(), member_id=c.memberid())
        s.execute("INSERT INTO rows VALUES ('x')")
        s.commit()
        e = raises(psycopg.errors.SerializationFailure, commit_offsets, s, "mixed", "mixed", 5, 5, member_id="somebody")
        ok("no such member" in e.diag.message_detail, e.diag.message_detail)
        s.rollback()
        raises(psycopg.errors.ObjectInUse, s.execute, "SELECT * FROM broker.consume('mixed', 'mixed')")
        s.rollback()
        raises(psycopg.errors.ObjectInUse, s.execute, "SELECT broker.seek('mixed', 'mixed', 0, 0)")
        s.rollback()
        raises(psycopg.errors.ObjectInUse, s.execute, "SELECT broker.delete_group('mixed')")
        s.rollback()
    eq(c.committed([TopicPartition("mixed", 0)], timeout=30)[0].offset, 5)
    e = raises(KafkaException, c.commit, offsets=[TopicPartition("mixed", 0, 9)], asynchronous=False)
    eq((e.args[0].name(), e.args[0].retriable()), ("INVALID_REQUEST", False))
    row = b.sql("SELECT kind, state, members FROM broker.groups WHERE group_id = 'mixed'")
    eq(row, [("classic", "Stable", 1)])
    eq(b.sql("SELECT topic, partitions FROM broker.group_members WHERE group_id = 'mixed'"), [("mixed", [0])])
    eq(b.sql("SELECT committed_offset, lag, by_sql FROM broker.group_offsets WHERE group_id = 'mixed'"), [(5, 5, True)])
    b.sql("SELECT broker.release_group('mixed', 'mixed')")
    c.commit(offsets=[TopicPartition("mixed", 0, 7)], asynchronous=False)
    eq(in_sql(b, "mixed", "mixed"), 7)
    c.close()


@case
def rebalance_fences(b):
    "a rebalance that takes the partition away fences a transaction that is open, and waits for nobody"
    import psycopg
    fill(b, "fenced")
    c = consumer(b, "fenced")
    c.subscribe(["fenced"])
    wait_for("the partition", lambda: c.poll(0.1) is not None and c.assignment())
    s = b.connect(autocommit=False)
    commit_offsets(s, "fenced", "fenced", 0, 3, member_id=c.memberid())
    c.close()
    e = raises(psycopg.errors.SerializationFailure, s.commit)
    ok("another consumer" in e.diag.message_detail, e.diag.message_detail)
    commit_offsets(s, "fenced", "fenced", 0, 3)
    s.commit()
    eq(committed(b, "fenced", "fenced"), 4)
    s.close()


@case
def while_committing(b):
    "while a transaction commits, stable offsets are withheld and nobody resets or deletes; readers of SQL wait"
    fill(b, "held")
    b.sql("SELECT broker.seek('held', 'held', 0, 0)")
    p = Paused(b, "offsets-held", "held", "held", 0, 2)
    eq(committed(b, "held", "held", isolation_level="read_uncommitted"), 0)
    waits = Background(committed, b, "held", "held")
    reader = Background(in_sql, b, "held", "held")
    other = Background(commit_and_close, b, "held", "held", 0, 1)
    wait_for("the other to wait", lambda: b.value(
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT%broker.commit%' AND wait_event = 'Extension'") == 2)
    ok(not (waits.done() or reader.done() or other.done()), "they wait")
    eq(p.go()[0], "returned")
    eq(other.result()[0], "raised")
    eq((waits.result(), reader.result()), (("returned", 3), ("returned", 3)))

    p = Paused(b, "offsets-written", "held", "held", 3, 4)
    deletes = Background(b.sql, "SELECT broker.delete_group('held')")
    wait_for("the deletion to wait", lambda: b.sql(
        "SELECT true FROM pg_stat_activity WHERE query LIKE 'SELECT broker.delete%' AND wait_event = 'Extension'"))
    ok(not deletes.done(), "it waits")
    eq(p.go()[0], "returned")
    eq(deletes.result()[0], "returned")
    eq(in_sql(b, "held", "held"), None)


def commit_and_close(b, *args):
    s = b.connect()
    try:
        s.execute("BEGIN")
        commit_offsets(s, *args)
        s.execute("COMMIT")
    finally:
        s.close()


@case
def killed_session(b):
    "a session that is ended while it commits gives back what it held"
    fill(b, "ended")
    p = Paused(b, "offsets-held", "ended", "ended", 0, 2)
    b.sql("SELECT pg_terminate_backend(%s)", (p.pid,))
    eq(p.commit.result()[0], "raised")
    p.gate.close()
    commit_and_close(b, "ended", "ended", 0, 4)
    eq((in_sql(b, "ended", "ended"), committed(b, "ended", "ended")), (5, 5))


def kill_coordinator(b):
    pids = b.workers("pg_broker coordinator")
    b.sql("SELECT pg_terminate_backend(%s)", (pids[0],))
    wait_for("another coordinator", lambda: b.workers("pg_broker coordinator") not in ([], pids))


@case
def killed_coordinator(b):
    "the coordinator ends while transactions are open and while they commit: they don't notice, and it learns of them"
    fill(b, "headless", 2)
    s = b.connect()
    s.execute("BEGIN")
    commit_offsets(s, "headless", "headless", 0, 4, partition=1)
    p = Paused(b, "offsets-written", "headless", "headless", 0, 2)
    kill_coordinator(b)
    eq(p.go()[0], "returned")
    s.execute("COMMIT")
    s.close()
    eq([committed(b, "headless", "headless", i) for i in (0, 1)], [3, 5])
    eq([in_sql(b, "headless", "headless", i) for i in (0, 1)], [3, 5])

    # What was committed before it has gone, and while there was none.
    for i in range(3, 8):
        commit_and_close(b, "headless", "headless", i, i)
        kill_coordinator(b)
        if i == 5:
            b.sql("SET pg_broker.pause_point = ''; SELECT broker.seek('elsewhere', 'headless', 0, 1)")
    eq((committed(b, "headless", "headless"), committed(b, "elsewhere", "headless")), (8, 1))


@case
def asynchronous(b):
    "an asynchronous commit is told to Kafka's clients when it is flushed"
    fill(b, "async")
    s = b.connect()
    s.execute("SET synchronous_commit = off")
    for i in range(10):
        commit_offsets(s, "async", "async", i, i)
        eq(in_sql(b, "async", "async"), i + 1)
    wait_for("the offset", lambda: committed(b, "async", "async") == 10)
    s.close()


@case
def waiting(b):
    "a consumer that waits has neither snapshot nor lock, and is woken by records and by who gives them back"
    fill(b, "awaited", 2, 2)
    s = b.connect()
    pid = s.execute("SELECT pg_backend_pid()").fetchone()[0]
    query = "SELECT count(*) FROM broker.consume('awaited', 'awaited', max_wait => '60 s')"

    def waits():
        return Background(lambda: s.execute(query).fetchone()[0])

    def sleeps():
        return b.sql("SELECT true FROM pg_stat_activity WHERE pid = %s AND wait_event = 'Extension' AND backend_xmin IS NULL "
                     "AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.pid = %s AND locktype = 'relation')", (pid, pid))

    other = b.connect()
    other.execute("BEGIN")
    eq(other.execute(query).fetchone()[0], 4)
    w = waits()
    wait_for("it to sleep", sleeps, 10)
    other.execute("ROLLBACK")
    eq(w.result(), ("returned", 4))
    w = waits()
    wait_for("it to sleep", sleeps, 10)
    b.sql("INSERT INTO topic.awaited (partition) VALUES (1)")
    eq(w.result(), ("returned", 1))
    s.execute("CREATE TEMP TABLE taken (n bigint)")
    w = Background(s.execute, "INSERT INTO taken " + query)
    wait_for("an INSERT to sleep", lambda: b.sql("SELECT true FROM pg_stat_activity WHERE pid = %s AND backend_xmin IS NULL "
                                                 "AND wait_event = 'Extension'", (pid,)), 10)
    b.sql("INSERT INTO topic.awaited (partition) VALUES (1)")
    eq(w.result()[0], "returned")
    eq(s.execute("SELECT n FROM taken").fetchall(), [(1,)])
    w = waits()
    wait_for("it to sleep", sleeps, 10)
    b.sql("SELECT pg_cancel_backend(%s)", (pid,))
    eq(w.result()[0], "raised")
    s.close()
    other.close()


@case
def sql_group_refuses_clients(b):
    "a Kafka client can't join a group of SQL sessions"
    from confluent_kafka import KafkaError
    fill(b, "sqlonly")
    b.sql("SELECT count(*) FROM broker.consume('sqlonly', 'sqlonly')")
    errors = []
    c = consumer(b, "sqlonly")
    c.subscribe(["sqlonly"])

    def refused():
        m = c.poll(0.2)
        if m is not None and m.error():
            errors.append(m.error().code())
        return KafkaError.INCONSISTENT_GROUP_PROTOCOL in errors or KafkaError._FATAL in errors
    wait_for("the refusal", refused, 30)
    c.close()


@case(seconds=400)
def crashes(b):
    "a crash anywhere in COMMIT leaves rows and offset together, and the old position or the new one"
    b.expected.append(r"was terminated by signal 9")
    b.expected.append(r"terminating connection because of crash|server process .* was terminated")
    fill(b, "crashed", 1, 20)
    b.sql("CREATE TABLE processed (o bigint)")
    at = 0
    for point, survives in (("offsets-held", False), ("offsets-written", False), ("append-indexed", False),
                            ("append-written", False), ("committed", True), ("offsets-committed", True)):
        s = b.connect()
        s.execute("SET pg_broker.stop_point = '%s'" % point)
        s.execute("BEGIN")
        commit_offsets(s, "crashed", "crashed", at, at + 1)
        s.execute("INSERT INTO processed VALUES (%d), (%d)" % (at, at + 1))
        since = len(b.log_text())
        raises(Exception, s.execute, "COMMIT")
        b.wait_log("all server processes terminated", since)
        b.close_connections()
        wait_for("the server", b.takes_sql)
        at += 2 * survives
        eq(in_sql(b, "crashed", "crashed"), at or None, point)
        eq(b.value("SELECT count(*) FROM processed"), at, point)
        eq(committed(b, "crashed", "crashed"), at or -1001, point)
    commit_and_close(b, "crashed", "crashed", at, at)
    b.restart("immediate")
    eq((in_sql(b, "crashed", "crashed"), committed(b, "crashed", "crashed")), (at + 1, at + 1))


def setup():
    return broker("sqlgroups", {"pg_broker.group_initial_rebalance_delay": "0"})


run(setup)
