"""Offsets and groups that nobody uses any more go, by Kafka's settings; what is still used stays."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from tap import case, eq, ok, run, wait_for


def consumer(b, group):
    from confluent_kafka import Consumer
    return Consumer({"bootstrap.servers": b.bootstrap, "group.id": group, "enable.auto.commit": False, "log_level": 0,
                     "auto.offset.reset": "earliest", "session.timeout.ms": 10000})


def commit(b, group, **offsets):
    from confluent_kafka import TopicPartition
    c = consumer(b, group)
    c.commit(offsets=[TopicPartition(t, 0, o) for t, o in offsets.items()], asynchronous=False)
    c.close()


def offsets(b):
    return {(r[0], r[1]): r[2] for r in b.sql("SELECT group_id, topic, committed_offset FROM broker.group_offsets")}


def groups(b):
    return {r[0] for r in b.sql("SELECT group_id FROM broker.groups")}


def records_of(b, group):
    """(records with a value, tombstones) that name the group in __consumer_offsets"""
    return b.sql("SELECT count(value), count(*) - count(value) FROM topic.__consumer_offsets "
                 "WHERE position(convert_to(%s, 'UTF8') IN key) > 0", (group,))[0]


@case(seconds=180)
def expiry(b):
    "after offsets.retention.minutes offsets go, and empty groups with them; not those of members or of SQL"
    b.sql("SELECT broker.create_topic('t'), broker.create_topic('used')")
    b.sql("INSERT INTO topic.used (value) VALUES ('1'), ('2')")
    commit(b, "left", t=3)
    member = consumer(b, "living")
    member.subscribe(["used"])
    wait_for("records", lambda: member.poll(0.1))
    from confluent_kafka import TopicPartition
    member.commit(offsets=[TopicPartition("used", 0, 1), TopicPartition("t", 0, 7)], asynchronous=False)
    b.sql("SELECT broker.commit_offsets('sql', 'used', 0, 0, 0)")
    eq(offsets(b), {("left", "t"): 3, ("living", "used"): 1, ("living", "t"): 7, ("sql", "used"): 1})

    def gone():
        member.poll(0.1)
        return ("left", "t") not in offsets(b) and "left" not in groups(b)
    wait_for("the group to expire", gone, seconds=150)
    left = offsets(b)
    eq((left.get(("living", "used")), left.get(("sql", "used"))), (1, 1), "what is subscribed to, and what SQL commits")
    wait_for("the offset of a topic that the group doesn't read to expire",
             lambda: member.poll(0.1) or ("living", "t") not in offsets(b))
    values, tombstones = records_of(b, "left")
    ok(values > 0 and tombstones >= values, "tombstones tell it: %d, %d" % (values, tombstones))
    b.restart()
    ok("left" not in groups(b), "it is gone after a restart, too")
    eq(offsets(b).get(("sql", "used")), 1)
    member.close()


@case
def dropped_topics(b):
    "offsets of a topic go with it at once"
    b.sql("SELECT broker.create_topic('short')")
    commit(b, "two", short=1, t=2)
    b.sql("SELECT broker.drop_topic('short')")
    wait_for("its offsets to go", lambda: b.sql("SELECT topic FROM broker.group_offsets WHERE group_id = 'two'") == [("t",)])


@case
def settings_are_told(b):
    "DescribeConfigs of the broker tells the settings of groups under Kafka's names"
    from confluent_kafka.admin import AdminClient, ConfigResource
    a = AdminClient({"bootstrap.servers": b.bootstrap, "log_level": 0})
    (node,) = {str(n) for n in a.list_topics(timeout=10).brokers}
    resource = ConfigResource(ConfigResource.Type.BROKER, node)
    got = {k: v.value for k, v in a.describe_configs([resource])[resource].result().items()}
    for name, value in {"offsets.retention.minutes": "1", "offsets.retention.check.interval.ms": "200",
                        "group.initial.rebalance.delay.ms": "0", "group.min.session.timeout.ms": "6000",
                        "group.consumer.migration.policy": "upgrade", "group.consumer.session.timeout.ms": "45000",
                        "group.coordinator.rebalance.protocols": "classic,consumer",
                        "offsets.topic.num.partitions": "50"}.items():
        eq(got.get(name), value, name)


run(lambda: broker("retention", {"pg_broker.group_initial_rebalance_delay": "0", "pg_broker.offsets_retention": "1min",
                                 "pg_broker.offsets_retention_check_interval": "200ms",
                                 "pg_broker.group_consumer_migration_policy": "upgrade"}))
