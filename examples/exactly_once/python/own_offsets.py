"""Every record becomes one row, with any Kafka broker: offsets live in a table beside the rows.

	own_offsets.py BOOTSTRAP GROUP TOPIC DATABASE

	CREATE TABLE consumer_offset (consumer_group text, topic text, partition int, next_offset bigint NOT NULL,
		PRIMARY KEY (consumer_group, topic, partition));
"""
import signal
import sys

import psycopg
from confluent_kafka import Consumer, KafkaException, TopicPartition

bootstrap, group, topic, database = sys.argv[1:]
stopping = False
position = {}           # (topic, partition) -> the offset in the table, as far as this consumer knows


class Overtaken(Exception):
    """Another consumer has moved the offset: what this one did must not commit."""


def connect():
    """A session that doesn't keep others waiting for its locks when this process is stopped in a transaction"""
    db = psycopg.connect(database, autocommit=True)
    db.execute("SET idle_in_transaction_session_timeout = '10s'")
    return db


def write(db, messages):
    """One transaction: what the records change, and where the group is now."""
    with db.transaction():
        moved = {}
        for m in messages:
            db.execute("INSERT INTO received (topic, partition, log_offset, value) VALUES (%s, %s, %s, %s)",
                       (m.topic(), m.partition(), m.offset(), m.value().decode()))
            moved[m.topic(), m.partition()] = m.offset() + 1
        for (topic, partition), next_offset in sorted(moved.items()):   # one order, so that nobody deadlocks
            # Only from where this consumer began: that fences one that was paused and believes the partition is its own.
            done = db.execute("UPDATE consumer_offset SET next_offset = %s WHERE consumer_group = %s AND topic = %s "
                              "AND partition = %s AND next_offset = %s",
                              (next_offset, group, topic, partition, position[topic, partition]))
            if done.rowcount != 1:
                raise Overtaken("%s/%d" % (topic, partition))
    position.update(moved)


def stored(partitions):
    """The partitions, with their offsets from the table"""
    with connect() as db:
        for p in partitions:
            db.execute("INSERT INTO consumer_offset VALUES (%s, %s, %s, 0) ON CONFLICT DO NOTHING",
                       (group, p.topic, p.partition))
            p.offset, = db.execute("SELECT next_offset FROM consumer_offset WHERE consumer_group = %s AND topic = %s "
                                   "AND partition = %s", (group, p.topic, p.partition)).fetchone()
            position[p.topic, p.partition] = p.offset
    return partitions


def assigned(consumer, partitions):
    """Start where the table says; the broker's own offsets of the group are not used."""
    global in_doubt
    in_doubt = True
    consumer.assign(partitions)


def seek_to_stored(consumer):
    for p in stored(consumer.assignment()):
        consumer.seek(TopicPartition(p.topic, p.partition, p.offset))


def main():
    global in_doubt
    consumer = Consumer({
        "bootstrap.servers": bootstrap,
        "group.id": group,
        "enable.auto.commit": False,
        "auto.offset.reset": "earliest",
        "isolation.level": "read_committed",
        "session.timeout.ms": 6000,
    })
    in_doubt = False
    consumer.subscribe(topic.split(","), on_assign=assigned)
    db = None
    while not stopping:
        try:
            if in_doubt:
                in_doubt = False
                seek_to_stored(consumer)
            messages = [m for m in consumer.consume(500, timeout=0.2) if not m.error()]
            # After an assignment what was read before the seek doesn't count.
            if messages and not in_doubt:
                db = db or connect()
                write(db, messages)
        except (psycopg.Error, Overtaken) as e:
            print("not committed, or unknown: %s" % e, file=sys.stderr, flush=True)
            in_doubt = True
            if db:
                db.close()
            db = None
        except KafkaException as e:
            print("kafka: %s" % e, file=sys.stderr, flush=True)
            in_doubt = True
            consumer.poll(0.1)
    consumer.close()


def stop(*_):
    global stopping
    stopping = True


signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGINT, stop)
main()
