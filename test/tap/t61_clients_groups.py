"""Consumer groups of Python, Go, JavaScript and librdkafka clients, each alone, and all in one group."""
import concurrent.futures
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import java
from cluster import broker
from members import Members
from tap import case, diag, eq, run

CLIENTS = ["confluent", "kafka-python", "franz", "sarama", "kafkajs", "platformatic", "kcat"]


def share_and_leave(b, kind):
    with Members(b, kind, 6) as g:
        g.start(kind, kind)
        g.wait_shared()
        g.produce(50)
        g.wait("all records", g.all_seen)
        g.wait("the commits", lambda: g.committed() == [50] * 6)
        g.all[0].leave()
        g.wait_shared()
        g.produce(10)
        g.wait("the next records", g.all_seen)
        g.wait("the commits", lambda: g.committed() == [60] * 6)
        g.all[1].leave()
        g.produce(5)
        g.start(kind)
        g.wait("the last records", g.all_seen)
        eq(set(g.times_seen().values()), {1}, "each record once, since none was on the way at a rebalance")
        g.right()


# Side by side, since what they do most is wait
pool = concurrent.futures.ThreadPoolExecutor(len(CLIENTS))
running = {}


def register(kind):
    def call(b):
        if not running:
            running.update((k, pool.submit(share_and_leave, b, k)) for k in CLIENTS)
        running[kind].result()
    call.__name__ = kind.replace("-", "_")
    call.__doc__ = "%s: members share, leave, come back, and go on where the group was" % kind
    case(call)


for kind in CLIENTS:
    register(kind)


@case
def mixed(b):
    "all clients in one group: every record is read; when one is killed the others miss nothing of what it had"
    with Members(b, "mixed", 16, session_ms=3000) as g:
        # platformatic sometimes comes out of a rebalance without partitions, and stays so, with Kafka too: it's in one only.
        g.start("java", *(kind for kind in CLIENTS if kind != "platformatic"))
        g.wait_shared()
        g.start("platformatic")
        g.wait_shared()
        eq(sorted(len(m.have) for m in g.all), [2] * 8)
        g.produce(100)
        g.wait("all records", g.all_seen)
        g.wait("the commits", lambda: g.committed() == [100] * 16)
        g.all[-1].leave()
        g.all[3].kill()
        g.wait_shared()
        g.produce(20)
        g.wait("the next records", g.all_seen)
        g.wait("the commits", lambda: g.committed() == [120] * 16)
        g.right()
        # A rebalance may repeat what was on the way, as with Kafka.
        diag("%d records, seen %d times" % (len(g.times_seen()), sum(g.times_seen().values())))


@case
def mixed_protocols(b):
    "members of the consumer protocol, librdkafka's and Java's, with classic ones in one group"
    with Members(b, "protocols", 8) as g:
        g.start("confluent-consumer", "java-consumer")
        g.wait_shared()
        g.start("confluent", "franz")
        g.wait_shared()
        g.produce(50)
        g.wait("all records", g.all_seen)
        g.wait("the commits", lambda: g.committed() == [50] * 8)
        g.all[0].leave()
        g.all[2].kill()
        g.wait_shared()
        g.produce(20)
        g.wait("the next records", g.all_seen)
        g.wait("the commits", lambda: g.committed() == [70] * 8)
        g.right()


@case
def perf_tool(b):
    "kafka-consumer-perf-test reads everything, in a group"
    with Members(b, "perf", 6) as g:
        g.produce(500)
        out = java("org.apache.kafka.tools.ConsumerPerformance", "--bootstrap-server", b.bootstrap, "--topic", "perf",
                   "--group", "perf", "--num-records", "3000", "--hide-header", "--timeout", "30000")
        fields = [f.strip() for f in out.splitlines()[-1].split(",")]
        eq(fields[4], "3000", "records read: %s" % out)


run(lambda: broker("client-groups", {
    "pg_broker.group_initial_rebalance_delay": "1s", "pg_broker.group_consumer_heartbeat_interval": "300ms",
    "pg_broker.group_min_session_timeout": "1s"},
    {"group.initial.rebalance.delay.ms": "1000", "group.min.session.timeout.ms": "1000"}))
