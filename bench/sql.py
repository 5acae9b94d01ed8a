"""sql.py: SQL on a topic and on a plain table with a bigint primary key, the same rows in both.

COPY of 200-byte rows, count(*), and a point read by offset or key.
"""
import argparse
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../test/lib"))

from cluster import Cluster

SETTINGS = {"fsync": "on", "shared_buffers": "2GB", "max_wal_size": "8GB", "checkpoint_timeout": "15min",
            "wal_buffers": "64MB", "min_wal_size": "2GB"}
ROW = 200


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
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5000000, help="5,000,000 rows are 1 GB")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    per_chunk = 1000
    chunks = options.rows // per_chunk
    rows = chunks * per_chunk
    value = "v" * ROW
    topic_chunk = ("%s\n" % value) * per_chunk
    results = {"COPY, rows/s": [[], []], "count(*), ms": [[], []], "point read, ms": [[], []]}
    with Cluster("bench", SETTINGS) as b:
        c = b.connect()
        c.execute("CREATE SEQUENCE ids")
        for n in range(options.rounds):
            c.execute("DROP TABLE IF EXISTS plain")
            c.execute("CREATE TABLE plain (id bigint PRIMARY KEY DEFAULT nextval('ids'), ts timestamptz DEFAULT now(), value bytea)")
            c.execute("ALTER SEQUENCE ids RESTART CACHE 1000")
            if n:
                c.execute("SELECT broker.drop_topic('bench')")
            c.execute("SELECT broker.create_topic('bench')")
            c.execute("CHECKPOINT")
            results["COPY, rows/s"][0].append(rows / copy_seconds(c, "COPY topic.bench (value) FROM STDIN", topic_chunk, chunks))
            c.execute("CHECKPOINT")
            results["COPY, rows/s"][1].append(rows / copy_seconds(c, "COPY plain (value) FROM STDIN", topic_chunk, chunks))
        c.execute("VACUUM ANALYZE plain")
        c.execute("VACUUM ANALYZE topic.bench")
        for n, table in enumerate(["topic.bench", "plain"]):
            assert c.execute("SELECT count(*) FROM " + table).fetchone()[0] == rows
            for _ in range(options.rounds):
                results["count(*), ms"][n].append(1000 * timed(lambda: c.execute("SELECT count(*) FROM " + table).fetchall()))
        first = c.execute("SELECT min(id) FROM plain").fetchone()[0]
        picks = [(i * 7919) % rows for i in range(200)]
        results["point read, ms"][0].append(
            point(c, "SELECT value FROM topic.bench WHERE partition = 0 AND log_offset = %s", picks))
        results["point read, ms"][1].append(point(c, "SELECT value FROM plain WHERE id = %s", [first + k for k in picks]))
    print("\n%-24s %14s %14s %8s" % ("%d rows of %d B" % (rows, ROW), "topic", "plain table", "ratio"))
    for label, (ours, plain) in results.items():
        ours, plain = statistics.median(ours), statistics.median(plain)
        print("%-24s %14.3f %14.3f %8.2f" % (label, ours, plain, ours / plain))


main()
