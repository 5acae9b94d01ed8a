"""clients.py: the same Kafka client work against pg_broker and a real Kafka broker, in turn, on the same disk.

Prints a table with the medians and ratios.  Kafka runs as shipped (it leaves flushing to the system) and with
flush.messages=1; pg_broker always flushes before it acknowledges.  Every broker is warmed first.
"""
import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../test/lib"))

from cluster import Cluster, Kafka
from tap import wait_for

CLIENT = os.environ["PG_BROKER_BENCH_CLIENT"]
PARTITIONS = 4

# What a user with a machine for this would set; everything is flushed.
SETTINGS = {"fsync": "on", "shared_buffers": "2GB", "max_wal_size": "8GB", "checkpoint_timeout": "15min",
            "wal_buffers": "64MB", "min_wal_size": "2GB"}


def client(mode, b, topic, partitions, size, records):
    """(seconds, records, megabytes, p50, p99, max)"""
    p = subprocess.run([CLIENT, mode, b.bootstrap, topic, str(partitions), str(size), str(records)],
                       stdout=subprocess.PIPE, text=True, timeout=600)
    if p.returncode:
        raise SystemExit("the client failed: %s %s" % (mode, topic))
    return [float(x) for x in p.stdout.split()]


def measure(b, name, scale, rounds, topic_config):
    """{workload: (value, note)}"""
    megabytes = int(1000 * scale)
    loads = [("batches of 1 KB records, MB/s", "produce", 1000, megabytes * 1000),
             ("batches of 100 B records, MB/s", "produce", 100, megabytes * 10000 // 4),
             ("single-record requests, 1/s", "single", 100, int(60000 * scale))]
    result = {}
    b.create_topic("warm", PARTITIONS, topic_config)
    for mode, size in [("produce", 1000), ("produce", 100), ("single", 100), ("consume", 1000)]:
        warm = {"produce": 300000000 // size // 2, "single": 20000, "consume": 200000}[mode]
        client(mode, b, "warm", PARTITIONS, size, max(1000, int(warm * min(1, 2 * scale))) if mode != "consume" else 10000)
    for n, (label, mode, size, records) in enumerate(loads):
        values, notes = [], []
        for round in range(rounds):
            topic = "bench-%d-%d" % (n, round)
            b.create_topic(topic, PARTITIONS, topic_config)
            seconds, count, mb, p50, p99, top = client(mode, b, topic, PARTITIONS, size, records)
            values.append((count if mode == "single" else mb) / seconds)
            notes.append(p99)
        result[label] = (statistics.median(values), "p99 %.0f ms" % statistics.median(notes))
    values = []
    for round in range(rounds):
        seconds, count, mb, *_ = client("consume", b, "bench-0-%d" % round, PARTITIONS, 1000, megabytes * 1000)
        values.append(mb / seconds)
    result["reading back 1 KB records, MB/s"] = (statistics.median(values), "")
    b.create_topic("tail", 1, topic_config)
    seconds, count, mb, p50, p99, top = client("tail", b, "tail", 1, 100, max(200, int(2000 * scale)))
    result["produce to consumer, ms"] = (p50, "p99 %.1f ms" % p99)
    b.create_topic("tail-2", 1, topic_config)
    with catch_up_reader(b, "bench-0-0", megabytes * 1000):
        seconds, count, mb, p50, p99, top = client("tail", b, "tail-2", 1, 100, max(200, int(2000 * scale)))
    result["the same beside a catch-up reader, ms"] = (p50, "p99 %.1f ms" % p99)
    return result


@contextlib.contextmanager
def catch_up_reader(b, topic, records):
    """Another consumer reads a whole topic, again and again."""
    done = threading.Event()

    def read():
        while not done.is_set():
            client("consume", b, topic, PARTITIONS, 1000, records)
    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1, help="1: a GB a run of 1 KB records")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["pg", "kafka", "flush"], action="append")
    options = parser.parse_args()
    brokers = [("pg_broker", "pg", lambda: Cluster("bench", SETTINGS), {}),
               ("Kafka, as shipped", "kafka", lambda: Kafka("bench"), {}),
               ("Kafka, flush.messages=1", "flush", lambda: Kafka("bench"), {"flush.messages": "1"})]
    results = {}
    for name, key, make, config in brokers:
        if options.only and key not in options.only:
            continue
        with make() as b:
            results[name] = measure(b, name, options.scale, options.rounds, config)
        os.sync()                   # what one has left to write is not the next one's burden
        for label, (value, note) in results[name].items():
            print("# %-24s %-38s %10.1f  %s" % (name, label, value, note), flush=True)
    ours = results.get("pg_broker")
    names = [n for n in results if n != "pg_broker"]
    print("\n%-38s %12s" % ("", "pg_broker") + "".join("%26s %6s" % (n, "ratio") for n in names))
    for label in next(iter(results.values())):
        line = "%-38s %12.1f" % (label, ours[label][0]) if ours else "%-38s %12s" % (label, "-")
        for n in names:
            value = results[n][label][0]
            line += "%26.1f %6s" % (value, "%.2f" % (ours[label][0] / value) if ours else "-")
        print(line)


main()
