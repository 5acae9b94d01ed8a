"""Subscriptions by regular expression in the consumer protocol, which the broker evaluates."""
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from tap import case, eq, ok, run, wait_for


def consumer(b, group, pattern):
    from confluent_kafka import Consumer
    c = Consumer({"bootstrap.servers": b.bootstrap, "group.id": group, "group.protocol": "consumer", "log_level": 0,
                  "auto.offset.reset": "earliest", "enable.auto.commit": False})
    c.subscribe([pattern])
    return c


def assigned(c):
    """{topic: partitions}, after a look at what the broker says."""
    c.poll(0.1)
    found = {}
    for p in c.assignment():
        found[p.topic] = found.get(p.topic, 0) + 1
    return found


def has(c, **topics):
    want = {name.replace("_", "."): n for name, n in topics.items()}
    wait_for("the assignment %s" % want, lambda: assigned(c) == want, seconds=60)


@case(seconds=120)
def topics_come_and_grow(b):
    "a member gets the topics that match, new ones too, and new partitions"
    for name, n in (("in.eu", 2), ("in.us", 1), ("out.eu", 3), ("an.in.eu", 1)):
        b.create_topic(name, n)
    c = consumer(b, "pattern", "^in[.].*")
    has(c, in_eu=2, in_us=1)
    b.create_topic("in.asia", 2)
    has(c, in_eu=2, in_us=1, in_asia=2)
    from confluent_kafka.admin import AdminClient, NewPartitions
    a = AdminClient({"bootstrap.servers": b.bootstrap, "log_level": 0})
    a.create_partitions([NewPartitions("in.us", 3)])["in.us"].result()
    has(c, in_eu=2, in_us=3, in_asia=2)
    a.delete_topics(["in.eu"])["in.eu"].result()
    has(c, in_us=3, in_asia=2)
    other = consumer(b, "pattern", "^(in|out)[.](us|eu)$")
    wait_for("the second to take over", lambda: [assigned(c), assigned(other)] and
             sum(assigned(other).values()) >= 3 and sum(assigned(c).values()) + sum(assigned(other).values()) == 8)
    c.close()
    other.close()


@case
def bad_patterns(b):
    "what isn't a regular expression, or could stall the broker, is refused"
    for pattern in ("^(a)\\1", "^a{1,3}{1,3}", "^((a{1,30}){1,30}){1,30}"):
        c = consumer(b, "bad", pattern)
        errors = []

        def refused():
            m = c.poll(0.1)
            if m is not None and m.error():
                errors.append(m.error().str())
            return errors
        wait_for("an error for %s" % pattern, refused)
        ok("regular expression is not valid" in errors[0], "%s: %s" % (pattern, errors[0]))
        c.close()


@case
def hostile_patterns(b):
    "patterns that take others minutes hold up nobody"
    b.create_topic("a" * 240)
    good = consumer(b, "good", "^in[.]us$")
    has(good, in_us=3)
    consumers = [consumer(b, "hostile-%d" % i, pattern) for i, pattern in enumerate(
        ("^(a*)*b", "^(a|a)*b", "^(a+)+b", "^(.*)*(.*)*(.*)*x", "^(a?){200}a{200}", "^[ab]*a[ab]{200}"))]
    start = time.monotonic()
    while time.monotonic() - start < 5:
        for c in consumers:
            c.poll(0.01)
        other = consumer(b, "quick", "^in[.]us$")
        began = time.monotonic()
        has(other, in_us=3)
        ok(time.monotonic() - began < 5, "a group forms in time: %.1f s" % (time.monotonic() - began))
        other.close()
    for c in consumers:
        c.close()
    good.close()


@case
def only_what_one_may_see(b):
    "a pattern matches topics that the member's role may see; grants count at the next change of topics"
    if b.kind != "pg":
        return
    b.sql("CREATE ROLE app")
    b.sql("GRANT SELECT ON topic.\"in.us\" TO app")
    b.sql("ALTER SYSTEM SET pg_broker.plaintext_role = 'app'")
    b.reload()
    try:
        wait_for("the role", lambda: b.value("SELECT pg_read_file('%s') LIKE '%%changed to \"app\"%%'" % b.log))
        c = consumer(b, "seen", "^(in|out)[.].*")
        has(c, in_us=3)
        b.sql("GRANT SELECT ON topic.\"out.eu\" TO app")
        b.create_topic("other")
        has(c, in_us=3, out_eu=3)
        c.close()
    finally:
        b.sql("ALTER SYSTEM RESET pg_broker.plaintext_role")
        b.reload()


run(lambda: broker("patterns", {"pg_broker.group_initial_rebalance_delay": "0",
                                "pg_broker.group_consumer_heartbeat_interval": "200ms"},
                   {"group.consumer.heartbeat.interval.ms": "200", "group.consumer.min.heartbeat.interval.ms": "100",
                    "group.initial.rebalance.delay.ms": "0"}))
