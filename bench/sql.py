"""sql.py: SQL on a topic and on a plain table with a bigint primary key, the same rows in both.

COPY of 200-byte rows, as bytea and as text, count(*), and a point read by offset or key.
"""
import time

from common import SETTINGS, Cluster, arguments, median, run_in, spread, table

ROW = 200
PER_CHUNK = 1000


def timed(action):
    started = time.monotonic()
    action()
    return time.monotonic() - started


def copy_seconds(c, statement, chunk, chunks):
    def work():
        with c.cursor().copy(statement) as copy:
            for _ in range(chunks):
                copy.write(chunk)
    return timed(work)


def point(c, query, keys):
    """Median of single reads, in ms"""
    c.execute("SET plan_cache_mode = force_generic_plan")
    times = []
    for key in keys:
        started = time.perf_counter()
        rows = c.execute(query, (key,), prepare=True).fetchall()
        times.append((time.perf_counter() - started) * 1000)
        assert len(rows) == 1 and len(rows[0][0]) == ROW, rows[:2]
    return median(times)


def make(c, value_type):
    """An empty topic and an empty table, which have the same to tell of a row."""
    c.execute("DROP TABLE IF EXISTS plain")
    c.execute("CREATE TABLE plain (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
              " ts timestamptz DEFAULT now(), value %s)" % value_type)
    c.execute("SELECT broker.drop_topic(name) FROM broker.topics WHERE name = 'bench'")
    c.execute("SELECT broker.create_topic('bench', value_type => %s)", (value_type,))


def main():
    options = arguments(__doc__, rows=1000000, rounds=5)
    chunks = options.rows // PER_CHUNK
    rows = chunks * PER_CHUNK
    chunk = ("%s\n" % ("v" * ROW)) * PER_CHUNK
    results = []
    with Cluster("bench", SETTINGS) as b:
        run_in(b)
        c = b.connect()
        for value_type in ("text", "bytea"):
            rates = [], []
            # one round first that doesn't count: the server touches its memory for the first time
            for n in range(options.rounds + 1):
                make(c, value_type)
                for k, name in enumerate(["topic.bench", "plain"]):
                    c.execute("CHECKPOINT")
                    seconds = copy_seconds(c, "COPY %s (value) FROM STDIN" % name, chunk, chunks)
                    if n > 0:
                        rates[k].append(rows / seconds / 1000)
            results.append(("COPY of %s, 1,000 rows/s" % value_type, *rates))
        c.execute("VACUUM ANALYZE plain")
        c.execute("VACUUM ANALYZE topic.bench")
        counts = [], []
        for k, name in enumerate(["topic.bench", "plain"]):
            assert c.execute("SELECT count(*) FROM " + name).fetchone()[0] == rows
            for _ in range(options.rounds):
                counts[k].append(1000 * timed(lambda: c.execute("SELECT count(*) FROM " + name).fetchall()))
        results.append(("count(*), ms", *counts))
        first = c.execute("SELECT min(id) FROM plain").fetchone()[0]
        picks = [(i * 7919) % rows for i in range(200)]
        results.append(("point read, ms",
                        [point(c, "SELECT value FROM topic.bench WHERE partition = 0 AND log_offset = %s", picks)],
                        [point(c, "SELECT value FROM plain WHERE id = %s", [first + k for k in picks])]))
    table(["%d rows of %d B" % (rows, ROW), "topic", "plain table", "ratio"],
          [[label, spread(ours, "%.2f" if "point" in label else "%.0f"), spread(plain, "%.2f" if "point" in label else "%.0f"),
            "%.2f" % (median(ours) / median(plain))] for label, ours, plain in results])


main()
