"""What SELECT and broker.fetch() make of the records of Kafka's producers."""
import sys
import threading

import psycopg

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import kcat_consume, kcat_produce
from cluster import broker
from tap import case, eq, ok, run as run_cases, wait_for


def in_thread(function, *args):
    """Start it; the returned function waits for its result."""
    result = []
    t = threading.Thread(target=lambda: result.append(function(*args)), daemon=True)
    t.start()

    def wait():
        t.join(60)
        ok(result, "the call has returned")
        return result[0]
    return wait


@case
def repeatable_read(b):
    "REPEATABLE READ: the end that the first look found stays, with parallel workers too; READ COMMITTED goes on"
    b.create_topic("rr", 2)
    kcat_produce(b, "rr", ["v%d" % i for i in range(1000)], "-p", "0")
    c = b.connect(autocommit=False)
    count = "SELECT count(*), max(log_offset) FROM topic.rr"
    c.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    eq(c.execute(count).fetchone(), (1000, 999))
    kcat_produce(b, "rr", ["w%d" % i for i in range(100)], "-p", "0")
    kcat_produce(b, "rr", ["w%d" % i for i in range(10)], "-p", "1")
    eq(b.sql("SELECT partition, count(*) FROM topic.rr GROUP BY 1 ORDER BY 1"), [(0, 1100), (1, 10)])
    eq(c.execute(count).fetchone(), (1000, 999))
    for setting in ["parallel_setup_cost = 0", "parallel_tuple_cost = 0", "min_parallel_table_scan_size = 0",
                    "parallel_leader_participation = off"]:
        c.execute("SET LOCAL " + setting)
    plan = "\n".join(r[0] for r in c.execute("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) " + count))
    ok("Parallel Custom Scan (BrokerLogScan)" in plan and "Workers Launched: 0" not in plan, plan)
    eq(c.execute(count).fetchone(), (1000, 999))
    c.rollback()
    eq(c.execute(count).fetchone(), (1110, 1099))
    c.rollback()


@case
def first_look_counts(b):
    "REPEATABLE READ: a partition's end is fixed when the transaction first looks at it"
    b.create_topic("look")
    c = b.connect(autocommit=False)
    c.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    c.execute("SELECT 1")
    kcat_produce(b, "look", ["a", "b"])
    eq(c.execute("SELECT count(*) FROM topic.look").fetchone(), (2,))
    kcat_produce(b, "look", ["c"])
    eq(c.execute("SELECT count(*) FROM topic.look").fetchone(), (2,))
    c.rollback()


@case
def codecs(b):
    "SELECT reads all codecs as librdkafka writes them, forwards and backwards"
    for codec in ["none", "gzip", "snappy", "lz4", "zstd"]:
        name = "codec-" + codec
        b.create_topic(name)
        values = ["%s-%d-%s" % (codec, i, "x" * (i % 300)) for i in range(3000)]
        kcat_produce(b, name, values, "-z", codec, "-X", "linger.ms=100")
        table = 'topic."%s"' % name
        eq([bytes(r[0]).decode() for r in b.sql("SELECT value FROM %s ORDER BY partition, log_offset" % table)], values)
        eq([bytes(r[0]).decode() for r in b.sql("SELECT value FROM %s WHERE partition = 0 AND log_offset < 2000 "
                                                "ORDER BY log_offset DESC LIMIT 5" % table)], values[1999:1994:-1])
        eq(b.value("SELECT count(*) FROM %s WHERE log_offset BETWEEN 17 AND 1016" % table), 1000)


@case
def fetch_waits_for_kafka(b):
    "broker.fetch() waits without lock and snapshot, and a Kafka producer wakes it"
    b.create_topic("waited")
    query = "SELECT convert_from(value, 'UTF8') FROM broker.fetch('waited', 0, 0, max_wait => '1 minute')"
    result = in_thread(b.sql, query)
    state = wait_for("the fetch waits", lambda: b.sql(
        "SELECT backend_xmin IS NULL, backend_xid IS NULL, NOT EXISTS "
        "(SELECT FROM pg_locks l WHERE l.pid = a.pid AND relation = 'topic.waited'::regclass) "
        "FROM pg_stat_activity a WHERE query = %s AND wait_event_type = 'Extension'", (query,)))
    eq(state, [(True, True, True)])
    kcat_produce(b, "waited", ["hello"])
    eq(result(), [("hello",)])


@case
def fetch_waits_for_sql(b):
    "broker.fetch() is woken by a COMMIT, not by a ROLLBACK"
    b.create_topic("waited2")
    result = in_thread(b.sql, "SELECT log_offset, convert_from(value, 'UTF8') "
                       "FROM broker.fetch('waited2', 0, 0, max_wait => '1 minute')")
    c = b.connect(autocommit=False)
    c.execute("SELECT broker.produce('waited2', 'no'::bytea)")
    c.rollback()
    c.execute("SELECT broker.produce('waited2', 'yes'::bytea)")
    c.commit()
    eq(result(), [(0, "yes")])


@case
def much_in_one_transaction(b):
    "hundreds of megabytes in one transaction take little memory, and come out as they went in"
    b.create_topic("much", 4)
    c = b.connect(autocommit=False)
    pid = c.execute("SELECT pg_backend_pid()").fetchone()[0]
    c.execute("INSERT INTO topic.much (partition, value) SELECT i % 4, convert_to(rpad(i::text, 2000, 'x'), 'UTF8') "
              "FROM generate_series(0, 149999) i")
    c.commit()
    with open("/proc/%d/status" % pid) as f:
        status = dict(line.split(":", 1) for line in f)
    # What is private to the process: shared buffers count as soon as they are touched.
    ok(int(status["RssAnon"].split()[0]) < 40000, "private memory is %s" % status["RssAnon"].strip())
    eq(b.sql("SELECT partition, count(*), count(DISTINCT value), bool_and(length(value) = 2000), "
             "bool_and(convert_from(value, 'UTF8') = rpad((log_offset * 4 + partition)::text, 2000, 'x')) "
             "FROM topic.much GROUP BY partition ORDER BY partition"),
       [(p, 37500, 37500, True, True) for p in range(4)])


def commit_and(b, topic, end):
    """Produce much, and call end(pid) while the COMMIT writes it; returns the error that the COMMIT ended with."""
    c = b.connect(autocommit=False)
    pid = c.execute("SELECT pg_backend_pid()").fetchone()[0]
    c.execute("INSERT INTO topic.%s (value) SELECT decode(repeat('00', 2000), 'hex') FROM generate_series(1, 60000)" % topic)
    error = []

    def commit():
        try:
            c.commit()
        except psycopg.Error as e:
            error.append(e)
    before = b.value("SELECT end_offset FROM broker.partitions WHERE topic = %s", (topic,))
    t = threading.Thread(target=commit, daemon=True)
    t.start()
    wait_for("the first batches are in the log", lambda: b.value(
        "SELECT end_offset FROM broker.partitions WHERE topic = %s", (topic,)) > before, interval=0.001)
    end(pid)
    t.join(60)
    ok(not t.is_alive(), "the COMMIT has ended")
    return error[0] if error else None


@case
def commit_ends_halfway(b):
    "a COMMIT that is cancelled or whose session is terminated while it writes: nothing is seen, everybody reads on"
    b.create_topic("halfway")
    kcat_produce(b, "halfway", ["before"])
    for function in ["pg_cancel_backend", "pg_terminate_backend"]:
        seen = b.value("SELECT count(*) FROM topic.halfway")
        end = b.value("SELECT end_offset FROM broker.partitions WHERE topic = 'halfway'")
        error = commit_and(b, "halfway", lambda pid: b.sql("SELECT %s(%%s)" % function, (pid,)))
        ok(error is not None and error.sqlstate in ("57014", "57P01"), "%s: %s" % (function, error))
        eq(b.value("SELECT count(*) FROM topic.halfway"), seen, function)
        ok(b.value("SELECT end_offset FROM broker.partitions WHERE topic = 'halfway'") > end + 100, "offsets were used")
        kcat_produce(b, "halfway", [function])
        eq([v for v, in b.sql("SELECT convert_from(value, 'UTF8') FROM topic.halfway ORDER BY log_offset")][-1], function)
        eq(b.value("SELECT count(*) FROM broker.fetch('halfway', 0, 0)"), seen + 1, "fetch passes it")
        eq(len(kcat_consume(b, "halfway")), seen + 1, "kcat passes it")
        b.sql("VACUUM topic.halfway")
        eq(b.value("SELECT count(*) FROM topic.halfway"), seen + 1, "after VACUUM")


run_cases(lambda: broker("reads", {"max_parallel_workers_per_gather": "2"}))
