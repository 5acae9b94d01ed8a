"""pause.py: how long a large COMMIT holds up those who read and write the same partition.

A Kafka client produces a record every 5 ms and reads the partition from its end, while a SQL transaction of so many
megabytes in rows of 200 bytes commits.  Printed: how long the COMMIT took, the longest time in which the consumer got
nothing, and the longest that the producer waited for an acknowledgement.
"""
import time

from common import SETTINGS, Cluster, arguments, finish_client, median, run_in, start_client, table

CHUNK = ("v" * 200 + "\n") * 1000


def commit(c, megabytes):
    """Seconds of the COMMIT."""
    c.execute("BEGIN")
    with c.cursor().copy("COPY topic.paused (value) FROM STDIN") as copy:
        for _ in range(megabytes * 1000000 // 200 // 1000):
            copy.write(CHUNK)
    started = time.monotonic()
    c.execute("COMMIT")
    return time.monotonic() - started


def main():
    options = arguments(__doc__, megabytes=1000, rounds=3)
    sizes = [0] + [m for m in (10, 100, 1000, 10000) if m < options.megabytes] + [options.megabytes]
    rows = []
    with Cluster("bench", SETTINGS) as b:
        run_in(b)
        c = b.connect()
        for megabytes in sizes:
            results = []
            for _ in range(options.rounds):
                b.create_topic("paused", 1)
                p = start_client("watch", b, "paused", 1, 100, 1)
                time.sleep(1.5)     # interval of measurement: records come regularly
                took = commit(c, megabytes) if megabytes else 0
                time.sleep(1)       # interval of measurement
                results.append((took * 1000, *finish_client(p, stop=True)))
                c.execute("SELECT broker.drop_topic('paused')")
            rows.append(["%d MB" % megabytes, *("%.0f" % median(values) for values in zip(*results))])
    table(["transaction", "COMMIT, ms", "consumer without records, ms", "producer without answer, ms"], rows)


main()
