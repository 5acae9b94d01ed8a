"""Every record becomes one row: offsets are committed by the transaction that writes the rows.

	commit_offsets.py BOOTSTRAP GROUP TOPIC DATABASE
"""
import signal
import sys

import psycopg
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, TopicPartition

bootstrap, group, topic, database = sys.argv[1:]
stopping = False


def spans(messages):
    """The first and the last offset of each partition among the messages"""
    found = {}
    for m in messages:
        first, _ = found.get((m.topic(), m.partition()), (m.offset(), None))
        found[m.topic(), m.partition()] = first, m.offset()
    return found


def write(db, consumer, messages):
    """One transaction: what the records change, and that they have been processed."""
    with db.transaction():
        for m in messages:
            db.execute("INSERT INTO received (topic, partition, log_offset, value) VALUES (%s, %s, %s, %s)",
                       (m.topic(), m.partition(), m.offset(), m.value().decode()))
        for (topic, partition), (first, last) in spans(messages).items():
            db.execute("SELECT broker.commit_offsets(%s, %s, %s, %s, %s, member_id => %s)",
                       (group, topic, partition, first, last, consumer.memberid()))


def seek_to_committed(consumer):
    """After a COMMIT that failed, or of which nobody knows: go where the group is. The consumer itself has moved on."""
    for p in consumer.committed(consumer.assignment(), timeout=10):
        if p.error:
            raise KafkaException(p.error)
        consumer.seek(TopicPartition(p.topic, p.partition, p.offset if p.offset >= 0 else OFFSET_BEGINNING))


def revoked(consumer, partitions):
    """No transaction is open here: each begins and ends between two polls. A program that collects records over
    several polls, or hands them to threads, rolls back and forgets those of these partitions now."""


def main():
    consumer = Consumer({
        "bootstrap.servers": bootstrap,
        "group.id": group,
        "enable.auto.commit": False,            # offsets commit with the rows and nowhere else
        "auto.offset.reset": "earliest",        # where a group begins that has no offsets yet
        "isolation.level": "read_committed",    # also makes committed() wait for a COMMIT that is under way
        "session.timeout.ms": 6000,
    })
    consumer.subscribe(topic.split(","), on_revoke=revoked, on_lost=revoked)
    db = None
    in_doubt = False
    while not stopping:
        try:
            if in_doubt:
                seek_to_committed(consumer)
                in_doubt = False
            messages = [m for m in consumer.consume(500, timeout=0.2) if not m.error()]
            if messages:
                in_doubt = True
                db = db or psycopg.connect(database, autocommit=True)
                write(db, consumer, messages)
                in_doubt = False
        except psycopg.Error as e:
            print("not committed, or unknown: %s" % e, file=sys.stderr, flush=True)
            if db:
                db.close()
            db = None
        except KafkaException as e:
            print("kafka: %s" % e, file=sys.stderr, flush=True)
            consumer.poll(0.1)                  # takes part in rebalances; in_doubt, so nothing it returns is missed
    consumer.close()


def stop(*_):
    global stopping
    stopping = True


signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGINT, stop)
main()
