"""cold.py: a consumer that catches up from the disk, and what others notice of it.

The data is larger than shared_buffers, and the system's cache is told to forget it before each pass.  Beside that reader
another pair of clients measures the time from a producer to a consumer at the end of another topic.
"""
import time

from common import (SETTINGS, Cluster, Kafka, again_and_again, arguments, client, cpu_seconds, finish_client, forget_cached,
                    start_client, table)

PARTITIONS = 4


def measure(b, megabytes, records):
    records_in = megabytes * 1000
    b.create_topic("warm", PARTITIONS)
    client("produce", b, "warm", PARTITIONS, 1000, records_in // 4)
    client("consume", b, "warm", PARTITIONS, 1000, records_in // 4)
    b.create_topic("cold", PARTITIONS)
    client("produce", b, "cold", PARTITIONS, 1000, records_in)
    b.create_topic("tail", 1)
    alone = client("tail", b, "tail", 1, 100, records)
    passes = []

    def read():
        forget_cached(b)
        cpu, started = cpu_seconds(b), time.monotonic()
        client("consume", b, "cold", PARTITIONS, 1000, records_in)
        passes.append((time.monotonic() - started, cpu_seconds(b) - cpu))
    read()
    b.create_topic("tail-2", 1)
    with again_and_again(read):
        time.sleep(1)           # interval of measurement: the reader is at work
        beside = finish_client(start_client("tail", b, "tail-2", 1, 100, records))
    rate = megabytes / passes[0][0]
    return ["%.0f" % rate, "%.2f" % (passes[0][1] * 1000 / megabytes),
            *("%.1f / %.1f / %.0f" % tuple(x[3:6]) for x in (alone, beside))]


def main():
    options = arguments(__doc__, megabytes=1000, records=5000)
    rows = []
    for name, make in [("pg_broker, shared_buffers = 128MB", lambda: Cluster("bench", {**SETTINGS, "shared_buffers": "128MB"})),
                       ("Kafka", lambda: Kafka("bench"))]:
        with make() as b:
            rows.append([name, *measure(b, options.megabytes, options.records)])
    table(["p50 / p99 / max in ms", "cold read, MB/s", "broker's CPU s a GB", "tail alone", "tail beside a cold reader"], rows)


main()
