"""load.py: producers that number their records, and remember which were acknowledged."""
import random
import threading

from tap import Failed


class KafkaProducer(threading.Thread):
    """Idempotent; `acked` is what the broker has acknowledged."""

    def __init__(self, bootstrap, topic, partitions, ending, rate, prefix="k"):
        super().__init__(daemon=True)
        self.topic, self.partitions, self.ending, self.rate, self.prefix = topic, partitions, ending, rate, prefix
        self.acked = {}             # (partition, offset) -> value
        self.sent = 0
        self.failure = None
        self.bootstrap = bootstrap

    def client(self):
        from confluent_kafka import Producer
        return Producer({"bootstrap.servers": self.bootstrap, "enable.idempotence": True, "linger.ms": 5,
                         "message.timeout.ms": 600000, "reconnect.backoff.max.ms": 200, "retry.backoff.ms": 50,
                         "socket.timeout.ms": 10000, "log_level": 0, "error_cb": self.on_error})

    def produce(self, p, partition, more=""):
        value = "%s %d %s" % (self.prefix, self.sent, more)
        try:
            p.produce(self.topic, value.encode(), partition=partition, on_delivery=self.delivered)
            self.sent += 1
        except BufferError:
            pass

    def produce_one(self):
        p = self.client()
        self.produce(p, 0)
        self.end(p)

    def end(self, p):
        if p.flush(120):
            self.failure = self.failure or "records were left undelivered at the end"

    def run(self):
        p = self.client()
        rnd = random.Random(self.prefix)
        while not self.ending.is_set() and not self.failure:
            for _ in range(rnd.choice((1, 2, 15))):
                self.produce(p, rnd.randrange(self.partitions), "x" * rnd.choice((0, 10, 200)))
            p.poll(0)
            self.ending.wait(6 / self.rate)
        self.end(p)

    def on_error(self, error):
        if error.fatal():
            self.failure = str(error)

    def delivered(self, error, m):
        if error:
            self.failure = self.failure or "not delivered: %s" % error
        else:
            self.acked[m.partition(), m.offset()] = m.value().decode()


class SqlProducer(threading.Thread):
    """Transactions: committed ones, some that roll back and leave gaps in the log."""

    def __init__(self, cluster, topic, partitions, ending, rate, prefix="s"):
        super().__init__(daemon=True)
        self.cluster, self.topic, self.partitions, self.ending = cluster, topic, partitions, ending
        self.rate, self.prefix = rate, prefix
        self.committed = set()      # values
        self.gaps = 0
        self.failure = None

    def run(self):
        from cluster import connection_lost
        rnd = random.Random(self.prefix)
        number = 0
        while not self.ending.is_set():
            try:
                with self.cluster.connect(autocommit=False) as c:
                    while not self.ending.is_set():
                        number += 1
                        self.transaction(c, rnd, number)
                        self.ending.wait(4 / self.rate)
            except Exception as e:
                if not connection_lost(e):
                    self.failure = "%s: %s" % (type(e).__name__, e)
                    return
                self.ending.wait(0.05)

    def transaction(self, c, rnd, number):
        values = ["%s %d %d" % (self.prefix, number, i) for i in range(rnd.choice((1, 2, 10)))]
        partition = rnd.randrange(self.partitions)
        if rnd.random() < 0.2:
            c.execute("SAVEPOINT s")
            self.insert(c, partition, ["rolled back"])
            c.execute("ROLLBACK TO s")
        self.insert(c, partition, values)
        kind = rnd.random()
        if kind < 0.15:
            c.rollback()
        elif kind < 0.25:
            self.fail_late(c)
        else:
            c.commit()
            self.committed.update(values)

    def fail_late(self, c):
        """A serialization failure: the COMMIT fails when its records are in the log already, and they become a gap."""
        import psycopg
        c.rollback()
        with self.cluster.connect(autocommit=False) as other:
            for session, side in ((other, 0), (c, 1)):
                session.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
                session.execute("SELECT count(*) FROM skew WHERE side = %s", (1 - side,))
                session.execute("INSERT INTO skew VALUES (%s)", (side,))
            self.insert(c, self.gaps % self.partitions, ["failed late"] * 3)
            other.commit()
        try:
            c.commit()
        except psycopg.errors.SerializationFailure:
            self.gaps += 1
            c.rollback()

    def insert(self, c, partition, values):
        c.execute('INSERT INTO topic."%s" (partition, value) SELECT %%s, convert_to(v, \'UTF8\') FROM unnest(%%s::text[]) '
                  "WITH ORDINALITY u(v, n) ORDER BY n" % self.topic, (partition, values))


class AgainLoad:
    """The topic that is dropped and created again: one producer after another."""

    topic = "again"

    def __init__(self, bootstrap, rate):
        self.bootstrap, self.rate = bootstrap, rate
        self.number = 0
        self.producer = None
        self.once = {}              # what first() had acknowledged

    def start(self):
        self.number += 1
        self.ending = threading.Event()
        self.producer = KafkaProducer(self.bootstrap, self.topic, 1, self.ending, self.rate, "again %d" % self.number)
        self.producer.start()

    def stop(self):
        self.ending.set()
        self.producer.join(150)
        self.complain()

    def first(self):
        """One record into the new topic"""
        self.once = {}
        p = KafkaProducer(self.bootstrap, self.topic, 1, threading.Event(), self.rate, "first %d" % self.number)
        p.produce_one()
        self.once = p.acked
        self.producer = None

    def complain(self):
        if self.producer and self.producer.failure:
            raise Failed("the producer of %s: %s" % (self.topic, self.producer.failure))

    def acked(self):
        return {**self.once, **(self.producer.acked if self.producer else {})}
