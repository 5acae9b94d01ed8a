"""A topic against a table: random transactions do the same to both, and afterwards both hold the same.

A transaction inserts, sets savepoints, goes back to them, truncates, moves the topic to another tablespace, adds
partitions, gives it to another owner and the like, drops it and makes it anew, and ends in one of four ways.  PG_BROKER_SEED repeats a run; PG_BROKER_MODEL_ROUNDS makes it longer.
"""
import os
import random
import sys
import threading

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from tap import case, diag, eq, ok, run as run_cases

SEED = int(os.environ.get("PG_BROKER_SEED", random.randrange(1 << 30)))
ROUNDS = int(os.environ.get("PG_BROKER_MODEL_ROUNDS", "150"))

# Enough of a value to know it by.
SHORT = "left(value, 9) || ' ' || length(value) || ' ' || md5(value)"


class Session:
    """One connection, one topic, its table, and what is known of them."""

    def __init__(self, b, name, seed):
        self.b, self.name, self.random = b, name, random.Random(seed)
        self.c = b.connect()
        self.c.execute("SET work_mem = '64kB'")
        self.create()
        self.c.execute("CREATE TABLE %s (id bigserial, partition int, key text, value text)" % name)
        self.partitions = 3
        self.topic_id = None
        self.ends = {}                      # partition: the next offset that has been seen

    def create(self):
        self.c.execute("SELECT broker.create_topic(%s, 3, %s, 'text', 'text')",
                       (self.name, '{"prepared.transactions.enable": "true"}'))

    def recreate(self):
        self.c.execute(self.random.choice(["DROP TABLE topic.%s", "SELECT broker.drop_topic('%s')"]) % self.name)
        self.create()
        self.c.execute("TRUNCATE %s" % self.name)
        self.now_partitions = 3

    def change(self):
        "What must not matter to what has been produced."
        self.c.execute(self.random.choice([
            "ALTER TABLE topic.%s OWNER TO model_role", "ALTER TABLE topic.%s OWNER TO CURRENT_USER", "ANALYZE topic.%s",
            "COMMENT ON TABLE topic.%s IS 'changed'", "GRANT SELECT, INSERT ON topic.%s TO model_role",
            "REVOKE ALL ON topic.%s FROM model_role", "LOCK topic.%s"]) % self.name)

    def rows(self, n, size):
        pick = self.random.choice
        for _ in range(n):
            yield (self.random.randrange(self.now_partitions), pick([None, "", "key%d" % self.random.randrange(9)]),
                   pick([None, "", "v%08x" % self.random.getrandbits(32) * (1 + self.random.randrange(size))]))

    def insert(self):
        n, size = self.random.choice([(1, 1), (5, 10), (40, 200), (3, 3000)])
        rows = list(self.rows(n, size))
        how = self.random.randrange(3)
        if how == 0:
            with self.c.cursor().copy("COPY topic.%s (partition, key, value) FROM STDIN" % self.name) as copy:
                for r in rows:
                    copy.write_row(r)
        elif how == 1:
            self.c.cursor().executemany("INSERT INTO topic.%s (partition, key, value) VALUES (%%s, %%s, %%s)" % self.name, rows)
        else:
            self.c.cursor().executemany("SELECT broker.produce(%s, %s::text, key => %s::text, partition => %s)",
                                        [(self.name, v, k, p) for p, k, v in rows])
        self.c.cursor().executemany("INSERT INTO %s (partition, key, value) VALUES (%%s, %%s, %%s)" % self.name, rows)

    def transaction(self):
        c, pick = self.c, self.random.random
        c.execute("BEGIN")
        self.now_partitions = self.partitions
        saved = []                          # (name, partitions at that time)
        for i in range(self.random.randrange(1, 15)):
            p = pick()
            if p < 0.5:
                self.insert()
            elif p < 0.7:
                saved.append(("s%d" % i, self.now_partitions))
                c.execute("SAVEPOINT s%d" % i)
            elif p < 0.83 and saved:
                k = self.random.randrange(len(saved))
                c.execute("ROLLBACK TO " + saved[k][0])
                self.now_partitions = saved[k][1]
                saved = saved[:k + 1]
            elif p < 0.91 and saved:
                k = self.random.randrange(len(saved))
                c.execute("RELEASE " + saved[k][0])
                saved = saved[:k]
            elif p < 0.94:
                c.execute("TRUNCATE topic.%s, %s" % (self.name, self.name))
            elif p < 0.96:
                c.execute("ALTER TABLE topic.%s SET TABLESPACE %s" % (self.name, self.random.choice(["pg_default", "other"])))
            elif p < 0.97:
                self.recreate()
            elif p < 0.99:
                self.change()
            elif self.now_partitions < 8:
                self.now_partitions += 1
                c.execute("SELECT broker.alter_topic(%s, %s)", (self.name, self.now_partitions))
        end = self.random.choice(["COMMIT", "COMMIT", "COMMIT", "ROLLBACK", "COMMIT PREPARED", "ROLLBACK PREPARED"])
        if "PREPARED" in end:
            c.execute("PREPARE TRANSACTION '%s'" % self.name)
            end += " '%s'" % self.name
        c.execute(end)
        self.partitions, topic_id = c.execute("SELECT partitions, topic_id FROM broker.topics WHERE name = %s", (self.name,)).fetchone()
        if topic_id != self.topic_id:
            self.topic_id, self.ends = topic_id, {}

    def check(self, what):
        got = self.c.execute(("SELECT partition, key, " + SHORT + " FROM topic.%s") % self.name).fetchall()
        want = self.c.execute(("SELECT partition, key, " + SHORT + " FROM %s ORDER BY partition, id") % self.name).fetchall()
        eq(got, want, "%s: topic and table" % what)
        eq(self.c.execute("SELECT count(*) FROM topic.%s" % self.name).fetchone()[0], len(want), what + ": count")
        offsets = self.c.execute("SELECT partition, log_offset FROM topic.%s ORDER BY partition DESC, log_offset DESC" % self.name)
        eq([p for p, _ in offsets.fetchall()][::-1], [w[0] for w in want], what + ": backwards")
        for p, first, last, fetched in self.c.execute(
                "SELECT p.partition, p.log_start_offset, p.end_offset, (SELECT count(*) FROM broker.fetch(%s, p.partition, "
                "p.log_start_offset, 1000000)) FROM broker.partitions p WHERE topic = %s", (self.name, self.name)).fetchall():
            ok(last >= self.ends.get(p, 0), "%s: the end of partition %d went back" % (what, p))
            self.ends[p] = last
            eq(fetched, sum(w[0] == p for w in want), "%s: fetched from partition %d" % (what, p))


@case(seconds=900)
def same_as_a_table(b):
    "three sessions at a time: each topic holds what its table holds, after every transaction"
    diag("PG_BROKER_SEED=%d" % SEED)
    c = b.connect()
    c.execute("SET allow_in_place_tablespaces = on")
    c.execute("CREATE TABLESPACE other LOCATION ''")
    c.execute("CREATE ROLE model_role")
    c.execute("GRANT CREATE ON SCHEMA topic TO model_role")
    failures = []

    def work(k):
        try:
            s = Session(b, "model%d" % k, SEED + k)
            for i in range(ROUNDS):
                s.transaction()
                s.check("transaction %d of session %d" % (i, k))
        except Exception as e:
            failures.append(e)

    threads = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if failures:
        raise failures[0]


@case
def after_a_crash(b):
    "and after a crash they still do"
    before = [b.sql(("SELECT partition, log_offset, key, " + SHORT + " FROM topic.model%d") % k) for k in range(3)]
    b.stop("immediate")
    b.start()
    for k in range(3):
        eq(b.sql(("SELECT partition, log_offset, key, " + SHORT + " FROM topic.model%d") % k), before[k])
        eq([(p, key, value) for p, _, key, value in before[k]],
           b.sql(("SELECT partition, key, " + SHORT + " FROM model%d ORDER BY partition, id") % k))


def random_query(r):
    """A query that has one answer, with %s for the table."""
    def literal(column):
        if column == "partition":
            return str(r.choice([-1, 0, 0, 1, 1, 2, 3, 4, 5000000000]))
        if column == "log_offset":
            return str(r.choice([-1, 0, r.randrange(4500), r.randrange(4500), r.randrange(4500), 1 << 62]))
        return "timestamptz '2026-01-01' + %d * interval '100 us'" % r.randrange(-5000, 60000)

    def condition():
        column = r.choice(["partition", "partition", "log_offset", "log_offset", "ts"])
        if r.random() < 0.2 and column != "ts":
            values = [literal(column) for _ in range(r.randrange(1, 4))] + r.choice([[], ["NULL"]])
            return "%s IN (%s)" % (column, ", ".join(values))
        if r.random() < 0.1:
            return "%s BETWEEN %s AND %s" % (column, literal(column), literal(column))
        if r.random() < 0.1:
            return "(%s > %s OR %s = %s)" % (column, literal(column), column, literal(column))
        operator = r.choice(["=", "<", "<=", ">", ">="])
        value = literal(column)
        if r.random() < 0.2 and column != "ts":
            value = "(SELECT %s::bigint)" % value
        return r.choice(["%s %s %s" % (column, operator, value),
                         "%s %s %s" % (value, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(operator, operator), column)])

    where = " AND ".join(condition() for _ in range(r.randrange(0, 4))) or "true"
    if r.random() < 0.2:
        where += " AND key = '%d'" % r.randrange(20)
    return r.choice([
        "SELECT count(*) FROM %s WHERE " + where,
        "SELECT count(*), sum(log_offset), max(value) FROM %s WHERE " + where,
        "SELECT count(*), min(ts), max(ts) FROM %s WHERE " + where,
        "SELECT min(log_offset), max(log_offset) FROM %s WHERE " + where,
        "SELECT partition, count(*), max(log_offset), min(log_offset) FROM %s WHERE " + where + " GROUP BY 1 ORDER BY 1",
        "SELECT partition, log_offset, ts, key, value FROM %s WHERE " + where + " ORDER BY partition, log_offset LIMIT 20",
        "SELECT * FROM %s WHERE " + where + " ORDER BY partition DESC, log_offset DESC LIMIT 20",
        "SELECT log_offset, value FROM %s WHERE partition = 1 AND " + where + " ORDER BY log_offset DESC LIMIT 20 OFFSET 5",
        "SELECT log_offset FROM %s WHERE partition = 0 AND " + where + " ORDER BY log_offset LIMIT 7",
        "SELECT count(*), sum(t.log_offset) FROM generate_series(0, 4000, 501) g JOIN %s t ON t.log_offset = g WHERE " + where,
        "SELECT g, (SELECT max(value) FROM %s WHERE partition = g AND " + where + ") FROM generate_series(0, 4) g",
    ])


@case(sql=True, seconds=600)
def same_answers_as_a_table(b):
    "random queries have the same answers from a topic as from a table, planned in several ways"
    ask(b, "asked", '{"compression.type": "lz4", "retention.ms": "-1"}', False)


@case(sql=True, seconds=600)
def same_answers_when_compacted(b):
    "the same with a topic that compaction has made gaps in"
    ask(b, "compacted", '{"cleanup.policy": "compact", "segment.bytes": "1048576"}', True)


def ask(b, name, config, compact):
    r = random.Random(SEED + 100)
    c = b.connect()
    c.execute("SELECT broker.create_topic(%s, 4, %s, 'text', 'text')", (name, config))
    offset = 0
    while offset < 4000:
        # Batches of all sizes, times that go up and down, and gaps between offsets; enough for some extents.
        n = r.choice([1, 10, 100, 1000])
        c.execute("INSERT INTO topic." + name + " (partition, log_offset, ts, key, value) "
                  "SELECT p, %s + i, timestamptz '2026-01-01' + (%s + i + (random() * 200)::int) * interval '1 ms', "
                  "((i * 7) %% 500)::text, format('%%s/%%s', p, %s + i)" + (32 if compact else 8) * " || md5(random()::text)" +
                  " FROM generate_series(0, 2) p, generate_series(0, %s) i",
                  (offset, offset, offset, n - 1))
        offset += n + r.choice([0, 0, 5])
    if compact:
        c.execute("VACUUM topic." + name)
        n = c.execute("SELECT count(*) FROM topic." + name).fetchone()[0]
        ok(100 < n < 9000, "compaction leaves a part of 12,000 records, not %d" % n)
    c.execute("CREATE TABLE {0} AS SELECT partition, log_offset, ts, key, value, headers FROM topic.{0}".format(name))
    c.execute("CREATE INDEX ON %s (partition, log_offset)" % name)
    c.execute("ANALYZE " + name)
    for i in range(ROUNDS * 4):
        if i % 50 == 0:
            c.execute("RESET ALL")
            if i % 100 == 50:
                for setting in ["parallel_setup_cost = 0", "parallel_tuple_cost = 0", "min_parallel_table_scan_size = 0"]:
                    c.execute("SET " + setting)
            c.execute("SET enable_hashjoin = %s" % r.choice(["on", "off"]))
            c.execute("SET enable_sort = %s" % r.choice(["on", "off"]))
        query = random_query(r)
        eq(c.execute(query % ("topic." + name)).fetchall(), c.execute(query % name).fetchall(),
           "PG_BROKER_SEED=%d: %s" % (SEED, query))


run_cases(lambda: broker("model", {"max_prepared_transactions": "10"}))
