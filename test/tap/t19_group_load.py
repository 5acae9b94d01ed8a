"""Loading of consumer groups: what is locked or damaged holds up nothing else, and loses nothing."""
import os
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from tap import case, eq, ok, run, wait_for


def consumer(b, group):
    from confluent_kafka import Consumer
    return Consumer({"bootstrap.servers": b.bootstrap, "group.id": group, "enable.auto.commit": False, "log_level": 0})


def commit(b, group, **offsets):
    from confluent_kafka import TopicPartition
    c = consumer(b, group)
    c.commit(offsets=[TopicPartition(t, 0, o) for t, o in offsets.items()], asynchronous=False)
    c.close()


def committed(b, group, *names):
    """Offsets, or the name of the error."""
    from confluent_kafka import KafkaException, TopicPartition
    c = consumer(b, group)
    try:
        return [p.offset for p in c.committed([TopicPartition(t, 0) for t in names], timeout=10)]
    except KafkaException as e:
        return e.args[0].name()
    finally:
        c.close()


def coordinator(b):
    return b.workers("pg_broker coordinator")


def file_of(b, table):
    b.sql("CHECKPOINT")
    return os.path.join(b.data, b.value("SELECT pg_relation_filepath('%s')" % table))


def restart_coordinator(b):
    (pid,) = coordinator(b)
    b.sql("SELECT pg_terminate_backend(%s)", (pid,))
    wait_for("the next coordinator", lambda: coordinator(b) not in ([], [pid]))


@case(seconds=120)
def locked_topic(b):
    "a topic that is locked while groups are loaded holds up no group, and keeps its offsets"
    b.sql("SELECT broker.create_topic('locked'), broker.create_topic('free'), broker.create_topic('dropped')")
    commit(b, "g", locked=3, free=4, dropped=5)
    for end, left in (("ROLLBACK", 3), ("DROP", -1001)):
        c = b.connect(autocommit=False)
        c.execute("LOCK topic.locked IN ACCESS EXCLUSIVE MODE")
        if end == "DROP":
            c.execute("SELECT broker.drop_topic('dropped')")
        restart_coordinator(b)
        eq(committed(b, "g", "free"), [4], "others are served")
        commit(b, "g", free=4)
        eq(committed(b, "g", "locked", "dropped"), [3, 5], "nothing is lost")
        c.execute("ROLLBACK" if end == "ROLLBACK" else "COMMIT")
        c.close()
        commit(b, "h", locked=1)
    wait_for("offsets of the dropped topic to go", lambda: committed(b, "g", "locked", "dropped") == [3, -1001])


@case(seconds=120)
def damaged_topic(b):
    "neither does one whose file is damaged"
    b.sql("SELECT broker.create_topic('damaged')")
    commit(b, "g", damaged=7, free=4)
    path = file_of(b, "topic.damaged")
    b.stop()
    with open(path, "r+b") as f:
        before = f.read(8192)
        f.seek(0)
        f.write(b"\x55" * 8192)
    b.expected.append("")
    b.start()
    eq(committed(b, "g", "free", "damaged"), [4, 7])
    commit(b, "g", free=5)
    b.stop()
    with open(path, "r+b") as f:
        f.write(before)
    b.start()
    eq(committed(b, "g", "free", "damaged"), [5, 7])


@case(seconds=120)
def damaged_groups(b):
    "when a part of __consumer_offsets is damaged, the groups in it are not served, and all others are"
    names = ["group-%d" % n for n in range(20)]
    for name in names:
        commit(b, name, free=1)
    path = file_of(b, 'topic."__consumer_offsets"')
    b.stop()
    with open(path, "rb") as f:
        data = f.read()
    pages = sorted({at // 8192 for at in range(len(data)) if data.startswith(b"group-7", at)})
    ok(pages, "pages with the group's records")
    bad = bytearray(data)
    for page in pages:
        bad[page * 8192:page * 8192 + 8000] = b"\x55" * 8000
    with open(path, "wb") as f:
        f.write(bad)
    b.start()
    wait_for("the log to say so", lambda: "are not available" in b.log_text())
    eq(committed(b, "group-7", "free"), "COORDINATOR_NOT_AVAILABLE")
    served = [n for n in names if committed(b, n, "free") == [1]]
    ok(len(served) > 10, "served: %s" % served)
    commit(b, served[0], free=2)
    b.stop()
    with open(path, "r+b") as f:
        for page in pages:
            f.seek(page * 8192)
            f.write(data[page * 8192:(page + 1) * 8192])
    b.start()
    eq([committed(b, n, "free") for n in ("group-7", served[0])], [[1], [2]], "with the file's pages back nothing is lost")


run(lambda: broker("groups", {"pg_broker.group_initial_rebalance_delay": "0"}))
