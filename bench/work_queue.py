"""work_queue.py: SQL sessions that share work: broker.consume() against queue tables with FOR UPDATE SKIP LOCKED.

So many sessions take batches of 100 records of 200 bytes, by pgbench, until there are none left.  One queue table is used
in the fastest way there is, a single DELETE; the other as libraries for jobs do: rows are marked as taken, worked on, and
marked as done in the same transaction, with an index of those to do.  Then all of it while another transaction holds a
snapshot from before, so that what is dead in the tables can't be cleaned up.  And broker.commit_offsets() for 100 records
at a time, each session for a partition of its own.
"""
import contextlib
import os
import subprocess
import time

from common import BINDIR, SETTINGS, Cluster, arguments, median, table

BATCH = 100
CONSUME = "SELECT * FROM broker.consume('workers', 'work', max_records => %d);\n" % BATCH
QUEUE = ("DELETE FROM queue WHERE id IN (SELECT id FROM queue ORDER BY id LIMIT %d FOR UPDATE SKIP LOCKED)"
         " RETURNING id, value;\n" % BATCH)
JOBS = ("BEGIN;\n"
        "UPDATE jobs SET state = 'taken', taken_by = pg_backend_pid() WHERE id IN (SELECT id FROM jobs WHERE state = 'new'"
        " ORDER BY id LIMIT %d FOR UPDATE SKIP LOCKED) RETURNING id, value;\n"
        "UPDATE jobs SET state = 'done' WHERE taken_by = pg_backend_pid() AND state = 'taken';\n"
        "COMMIT;\n" % BATCH)
OFFSETS = ("\\set first :last + 1\n\\set last :first + %d\n"
           "SELECT broker.commit_offsets('committers', 'work', :client_id, :first, :last);\n" % (BATCH - 1))


def pgbench(b, script, sessions, transactions):
    """Seconds that the sessions took for so many transactions each."""
    path = os.path.join(b.dir, "script.sql")
    with open(path, "w") as f:
        f.write(script)
    started = time.monotonic()
    p = subprocess.run([os.path.join(BINDIR, "pgbench"), "-n", "-M", "prepared", "-c", str(sessions), "-j", "2", "-t",
                        str(transactions), "-D", "last=-1", "-f", path, "-h", b.dir, "-p", "5432", "-U", "postgres",
                        b.database], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if p.returncode:
        raise SystemExit(p.stdout)
    return time.monotonic() - started


@contextlib.contextmanager
def old_snapshot(b, held):
    if not held:
        yield
        return
    c = b.connect()
    c.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    c.execute("SELECT count(*) FROM pg_class")
    yield
    c.execute("COMMIT")
    c.close()


def prepare(c, records, sessions):
    """The same records in both, evenly over the partitions."""
    c.execute("DROP TABLE IF EXISTS queue")
    c.execute("CREATE TABLE queue (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, value bytea)")
    c.execute("INSERT INTO queue (value) SELECT repeat('v', 200)::bytea FROM generate_series(1, %d)" % records)
    c.execute("DROP TABLE IF EXISTS jobs")
    c.execute("CREATE TABLE jobs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state text NOT NULL DEFAULT 'new',"
              " taken_by int, value bytea)")
    c.execute("CREATE INDEX ON jobs (id) WHERE state = 'new'")
    c.execute("CREATE INDEX ON jobs (taken_by) WHERE state = 'taken'")
    c.execute("INSERT INTO jobs (value) SELECT value FROM queue")
    c.execute("SELECT broker.drop_topic(name) FROM broker.topics WHERE name = 'work'")
    c.execute("SELECT broker.create_topic('work', %d)" % sessions)
    c.execute("INSERT INTO topic.work (partition, value) SELECT i %% %d, repeat('v', 200)::bytea"
              " FROM generate_series(1, %d) i" % (sessions, records))
    c.execute("VACUUM ANALYZE queue, jobs")


def main():
    options = arguments(__doc__, records=200000, rounds=3, sessions=4)
    transactions = options.records // options.sessions // BATCH
    records = transactions * options.sessions * BATCH
    rates = {}
    with Cluster("bench", {**SETTINGS, "autovacuum_naptime": "5s"}) as b:
        c = b.connect()
        for _ in range(options.rounds):
            for held in (False, True):
                prepare(c, records, options.sessions)
                c.execute("CHECKPOINT")
                with old_snapshot(b, held):
                    for name, script in (("consume", CONSUME), ("queue", QUEUE), ("jobs", JOBS), ("commit_offsets", OFFSETS)):
                        seconds = pgbench(b, script, options.sessions, transactions)
                        rates.setdefault((name, held), []).append(records / seconds)
                for left in ("queue", "jobs WHERE state <> 'done'"):
                    left = c.execute("SELECT count(*) FROM " + left).fetchone()[0]
                    assert left == 0, "%d rows are left" % left
    ours, queue, jobs, offsets = ([median(rates[name, held]) for held in (False, True)]
                                  for name in ("consume", "queue", "jobs", "commit_offsets"))
    head = ["records/s, %d sessions, batches of %d" % (options.sessions, BATCH), "no old snapshot", "an old snapshot held"]
    table(head, [["broker.consume()", *("%.0f" % r for r in ours)],
                 ["queue table, a single DELETE", *("%.0f" % r for r in queue)],
                 ["  ratio", *("%.1f" % (x / y) for x, y in zip(ours, queue))],
                 ["table of jobs, new, taken, done", *("%.0f" % r for r in jobs)],
                 ["  ratio", *("%.1f" % (x / y) for x, y in zip(ours, jobs))],
                 ["broker.commit_offsets()", *("%.0f" % r for r in offsets)]])


main()
