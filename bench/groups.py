"""groups.py: consumer groups of Kafka clients: pg_broker and a real Kafka broker in turn.

Three consumers of one group read six partitions, beside one consumer without a group; offset commits, 100 under way;
and the time from a member's death to the new assignment (its session timeout is 6 s).
"""
from common import SETTINGS, Cluster, Kafka, arguments, client, cpu_seconds, median, table

PARTITIONS = 6


def measure(b, megabytes, commits, rounds):
    records = megabytes * 1000
    b.create_topic("warm", PARTITIONS)
    client("produce", b, "warm", PARTITIONS, 1000, records // 4)
    client("group", b, "warm", 3, 1000, records // 4)
    client("commits", b, "warm", PARTITIONS, 100, commits // 4)
    b.create_topic("read", PARTITIONS)
    client("produce", b, "read", PARTITIONS, 1000, records)
    alone, group, rate, p99, cpu, death = [], [], [], [], [], []
    for _ in range(rounds):
        seconds, _, mb, *_ = client("consume", b, "read", PARTITIONS, 1000, records)
        alone.append(mb / seconds)
        seconds, _, mb, *_ = client("group", b, "read", 3, 1000, records)
        group.append(mb / seconds)
        before = cpu_seconds(b)
        seconds, count, _, _, slow, _ = client("commits", b, "read", PARTITIONS, 100, commits)
        rate.append(count / seconds)
        p99.append(slow)
        cpu.append((cpu_seconds(b) - before) / commits * 1e6)
        death.append(client("death", b, "read", PARTITIONS, 100, 1)[0])
    return ["%.0f" % median(alone), "%.0f" % median(group), "%.0f" % median(rate), "%.0f" % median(p99),
            "%.0f" % median(cpu), "%.1f" % median(death)]


def main():
    options = arguments(__doc__, megabytes=1000, commits=50000, rounds=3)
    columns = []
    for make in (lambda: Cluster("bench", SETTINGS), lambda: Kafka("bench")):
        with make() as b:
            columns.append(measure(b, options.megabytes, options.commits, options.rounds))
    labels = ["one consumer, MB/s", "a group of three, MB/s", "commits/s", "p99 of a commit, ms", "broker's CPU a commit, us",
              "from a death to the assignment, s"]
    table(["", "pg_broker", "Kafka", "ratio"],
          [[label, x, y, "%.2f" % (float(x) / float(y))] for label, x, y in zip(labels, *columns)])


main()
