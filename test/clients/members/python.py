"""python.py: a member of a consumer group, by confluent-kafka (of either protocol) or kafka-python.

python.py confluent|confluent-consumer|kafka-python BOOTSTRAP GROUP TOPIC SESSION_MS prints what go-member does.
"""
import json
import signal
import sys

client, bootstrap, group, topic, session = sys.argv[1:]
ending = False


def end(*_):
    global ending
    ending = True


def say(what, value):
    print(json.dumps({what: value}), flush=True)


def confluent(settings):
    from confluent_kafka import Consumer, KafkaException
    c = Consumer({"bootstrap.servers": bootstrap, "group.id": group, "auto.offset.reset": "earliest", "enable.auto.commit": False,
                  "log_level": 0, "max.poll.interval.ms": 10000, "reconnect.backoff.max.ms": 500, **settings})
    c.subscribe([topic])
    have = None
    while not ending:
        got = [m for m in c.consume(500, 0.2) if not m.error()]
        now = sorted(p.partition for p in c.assignment())
        if now != have:
            say("have", now)
            have = now
        if got:
            say("got", [[m.partition(), m.offset(), m.value().decode()] for m in got])
            try:
                c.commit(asynchronous=False)
            except KafkaException as e:
                print(e, file=sys.stderr)
    c.close()


def kafka_python():
    from kafka import ConsumerRebalanceListener, KafkaConsumer
    from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
    from kafka.errors import KafkaError

    class Listener(ConsumerRebalanceListener):
        def on_partitions_revoked(self, revoked):
            say("have", [])

        def on_partitions_assigned(self, assigned):
            say("have", sorted(p.partition for p in assigned))

    c = KafkaConsumer(bootstrap_servers=bootstrap, group_id=group, auto_offset_reset="earliest", enable_auto_commit=False,
                      session_timeout_ms=int(session), heartbeat_interval_ms=int(session) // 10, max_poll_interval_ms=10000,
                      partition_assignment_strategy=[RoundRobinPartitionAssignor], reconnect_backoff_max_ms=500)
    c.subscribe([topic], listener=Listener())
    while not ending:
        got = sum(c.poll(timeout_ms=200).values(), [])
        if got:
            say("got", [[m.partition, m.offset, m.value.decode()] for m in got])
            try:
                c.commit()
            except KafkaError as e:
                print(e, file=sys.stderr)
    c.close()


signal.signal(signal.SIGTERM, end)
if client == "kafka-python":
    kafka_python()
elif client == "confluent":
    confluent({"session.timeout.ms": int(session), "heartbeat.interval.ms": int(session) // 10,
               "partition.assignment.strategy": "roundrobin"})
else:
    confluent({"group.protocol": "consumer"})
