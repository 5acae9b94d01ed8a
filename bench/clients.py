"""clients.py: the same Kafka client work against pg_broker and a real Kafka broker, in turn, on the same disk.

Prints a table with the medians and ratios.  Kafka runs as shipped (it leaves flushing to the system) and with
flush.messages=1; pg_broker always flushes before it acknowledges.  Every broker is warmed first.  Beside the rates stand
the broker's CPU seconds for a GB, in and out.
"""
import os

from common import (SETTINGS, Cluster, Kafka, again_and_again, arguments, client, cpu_seconds, median, private_megabytes,
                    run_in, table, written_bytes)

PARTITIONS = 4


def measure(b, scale, rounds, topic_config):
    """{workload: value}"""
    megabytes = int(1000 * scale)
    loads = [("batches of 1 KB records, MB/s", "produce", 1000, megabytes * 1000),
             ("batches of 100 B records, MB/s", "produce", 100, megabytes * 10000 // 4),
             ("single-record requests, 1/s", "single", 100, int(60000 * scale))]
    result = {}
    if b.kind == "pg":
        run_in(b)
    b.create_topic("warm", PARTITIONS, topic_config)
    for mode, size, records in (("produce", 1000, 150000), ("produce", 100, 1500000), ("single", 100, 20000)):
        client(mode, b, "warm", PARTITIONS, size, max(1000, int(records * min(1, 2 * scale))))
    client("consume", b, "warm", PARTITIONS, 1000, 10000)
    for n, (label, mode, size, records) in enumerate(loads):
        values, cpu, written = [], [], []
        for round in range(rounds):
            topic = "bench-%d-%d" % (n, round)
            b.create_topic(topic, PARTITIONS, topic_config)
            cpu_before, written_before = cpu_seconds(b), written_bytes(b)
            seconds, count, mb, _, p99, _ = client(mode, b, topic, PARTITIONS, size, records)
            if b.kind == "pg":
                b.sql("CHECKPOINT")         # what is written for these records, also later
            values.append((count if mode == "single" else mb) / seconds)
            cpu.append((cpu_seconds(b) - cpu_before) * (1000 / mb))
            written.append((written_bytes(b) - written_before) / 1e6 / mb)
        result[label] = median(values)
        if mode == "single":
            result["  CPU us a request"] = median(cpu) * mb / 1000 / count * 1e6
        else:
            result["  CPU s a GB of %d B" % size] = median(cpu)
            result["  bytes written a byte of %d B" % size] = median(written)
    values, cpu = [], []
    for round in range(rounds):
        before = cpu_seconds(b)
        seconds, count, mb, *_ = client("consume", b, "bench-0-%d" % round, PARTITIONS, 1000, megabytes * 1000)
        values.append(mb / seconds)
        cpu.append((cpu_seconds(b) - before) * (1000 / mb))
    result["reading back 1 KB records, MB/s"] = median(values)
    result["  CPU s a GB read"] = median(cpu)
    b.create_topic("tail", 1, topic_config)
    tail = client("tail", b, "tail", 1, 100, max(200, int(2000 * scale)))
    result["produce to consumer, median ms"] = tail[3]
    result["  p99"] = tail[4]
    b.create_topic("tail-2", 1, topic_config)
    with again_and_again(lambda: client("consume", b, "bench-0-0", PARTITIONS, 1000, megabytes * 1000)):
        tail = client("tail", b, "tail-2", 1, 100, max(200, int(2000 * scale)))
    result["beside a reader of the same broker's memory, median ms"] = tail[3]
    result["  p99 beside it"] = tail[4]
    result["private memory, MB"] = private_megabytes(b)
    return result


def main():
    options = arguments(__doc__, scale=1.0, rounds=3, only="")
    brokers = [("pg_broker", "pg", lambda: Cluster("bench", SETTINGS), {}),
               ("Kafka, as shipped", "kafka", lambda: Kafka("bench"), {}),
               ("Kafka, flush.messages=1", "flush", lambda: Kafka("bench"), {"flush.messages": "1"})]
    results = {}
    for name, key, make, config in brokers:
        if options.only and key not in options.only.split(","):
            continue
        with make() as b:
            results[name] = measure(b, options.scale, options.rounds, config)
        os.sync()                   # what one has left to write is not the next one's burden
    ours = results.get("pg_broker")
    rows = []
    for label in next(iter(results.values())):
        row = [label]
        for name, values in results.items():
            row.append("%.2f" % values[label] if values[label] < 10 else "%.0f" % values[label])
            if ours and name != "pg_broker":
                row.append("%.2f" % (ours[label] / values[label]))
        rows.append(row)
    head = [""]
    for name in results:
        head += [name] if name == "pg_broker" or not ours else [name, "ratio"]
    table(head, rows)


main()
