"""clients.py: the Kafka clients that the tests run, each as its users do."""
import os
import subprocess

from tap import Failed

CACHE = os.environ.get("PG_BROKER_CACHE", "/var/cache/pg_broker")
MEMBERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/members")


def run(command, input=None, timeout=90, check=True, env=None):
    """Run a program; its standard output."""
    p = subprocess.run(command, input=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                       env={**os.environ, **(env or {})})
    if check and p.returncode != 0:
        raise Failed("%s ended with %d\n%s\n%s" % (" ".join(map(str, command))[:400], p.returncode,
                                                   p.stdout.decode(errors="replace")[-2000:],
                                                   p.stderr.decode(errors="replace")[-3000:]))
    return p if not check else p.stdout.decode()


# ----- kcat -----

def kcat_produce(broker, topic, lines, *args):
    """Produce lines ("key=value" with -K=)."""
    return run(["kcat", "-b", broker.bootstrap, "-P", "-t", topic, *args], "".join(l + "\n" for l in lines).encode())


def kcat_consume(broker, topic, *args, format="%p %o %k=%s\\n", partition=0):
    """All there is of a partition, line by line."""
    out = run(["kcat", "-b", broker.bootstrap, "-C", "-t", topic, "-p", str(partition), "-e", "-q", "-f", format,
               *args])
    return out.splitlines()


# ----- Java -----

def java(main, *args, input=None, check=True, timeout=120):
    """Run one of Kafka's own tools."""
    return run(java_command(main, *args), input=input, check=check, timeout=timeout)


def java_command(main, *args):
    """The command of one of Kafka's programs, or of test/clients/java."""
    jars = os.environ["PG_BROKER_JARS"]
    apps = os.path.join(os.path.dirname(jars), "kafka-apps-" + jars.rsplit("-", 1)[1])
    return ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Dlog4j2.level=ERROR",
            "-cp", "%s/*:%s/*:%s/classes" % (jars, apps, MEMBERS), main, *args]


def topics(broker, *args, **kw):
    return java("org.apache.kafka.tools.TopicCommand", "--bootstrap-server", broker.bootstrap, *args, **kw)


def configs(broker, *args, **kw):
    return java("org.apache.kafka.tools.ConfigCommand", "--bootstrap-server", broker.bootstrap, *args, **kw)


def console_producer(broker, topic, lines, *args):
    return java("org.apache.kafka.tools.ConsoleProducer", "--bootstrap-server", broker.bootstrap, "--topic", topic,
                *args, input="".join(l + "\n" for l in lines).encode())


def console_consumer(broker, topic, partition, count, *args):
    """The first `count` values of a partition, read by assignment."""
    return java("org.apache.kafka.tools.consumer.ConsoleConsumer", "--bootstrap-server", broker.bootstrap, "--topic",
                topic, "--partition", str(partition), "--offset", "earliest", "--max-messages", str(count),
                "--timeout-ms", "60000", *args).splitlines()


class JavaCases:
    """Cases written in Java, test/clients/java, all run by one process."""

    def __init__(self, broker, calls):
        """Start with these calls, "Class.method argument"."""
        self.results = {}
        self.said = []
        self.process = subprocess.Popen(java_command("Cases", broker.bootstrap), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, errors="replace")
        self.process.stdin.write("".join(call + "\n" for call in calls))
        self.process.stdin.flush()

    def result(self, call):
        """Wait for a call; what it failed by, fails the case."""
        while call not in self.results:
            line = self.process.stdout.readline()
            if not line:
                raise Failed("the process of %s ended:\n%s" % (call, "".join(self.said)))
            if line.startswith(("= ok ", "= not ok ")):
                good, done = line.startswith("= ok "), line.rstrip("\n").split("ok ", 1)[1]
                self.results[done] = None if good else "".join(self.said)[-6000:]
                self.said = []
            else:
                self.said.append(line)
        if self.results[call] is not None:
            raise Failed("%s:\n%s" % (call, self.results[call]))

    def end(self):
        self.process.kill()
        self.process.wait()


# ----- confluent-kafka (librdkafka) -----

def producer(broker, **settings):
    from confluent_kafka import Producer
    return Producer({"bootstrap.servers": broker.bootstrap, "acks": "all", "log_level": 0,
                     **{k.replace("_", "."): v for k, v in settings.items()}})


def deliver(p, topic, records, partition=0):
    """Produce (key, value) pairs and wait; offsets in the order of the records."""
    offsets = [None] * len(records)
    errors = []

    def noted(i):
        def callback(error, message):
            if error:
                errors.append(error)
            else:
                offsets[i] = message.offset()
        return callback

    for i, record in enumerate(records):
        key, value = record[:2]
        more = record[2] if len(record) > 2 else {}
        while True:
            try:
                p.produce(topic, value=value, key=key, partition=partition, on_delivery=noted(i), **more)
                break
            except BufferError:
                p.poll(0.1)
        p.poll(0)
    left = p.flush(60)
    if errors or left:
        raise Failed("%d not delivered, first error %s" % (left + len(errors), errors[:1]))
    return offsets


def read_partition(broker, topic, partition=0, start=0, count=None, isolation="read_committed", seconds=30,
                   take=lambda m: m):
    """Messages (or what `take` makes of them) from `start` to the end that was there at the call, or exactly `count`, by
    assignment."""
    from confluent_kafka import Consumer, KafkaError, TopicPartition
    import time
    c = Consumer({"bootstrap.servers": broker.bootstrap, "group.id": "not-used", "enable.auto.commit": False,
                  "isolation.level": isolation, "log_level": 0, "auto.offset.reset": "error", "enable.partition.eof": True})
    c.assign([TopicPartition(topic, partition, start)])
    got = []
    deadline = time.monotonic() + seconds
    try:
        while count is None or len(got) < count:
            if time.monotonic() > deadline:
                raise Failed("read only %d records of %s in %d s" % (len(got), count, seconds))
            m = c.poll(1)
            if m is None:
                continue
            if m.error():
                if m.error().code() == KafkaError._PARTITION_EOF:
                    if count is None:
                        break
                    continue
                raise Failed("consumer: %s" % m.error())
            got.append(take(m))
    finally:
        c.close()
    return got


# ----- franz-go, kafkajs -----

def franz_read(broker, topic, partition, start, count):
    """Records as dicts (offset, ts, key, value, headers), read by franz-go by assignment."""
    import json
    out = run([CACHE + "/franz/franz-reader", broker.bootstrap, topic, str(partition), str(start), str(count)])
    return [json.loads(line) for line in out.splitlines()]


def kafkajs_produce(broker, topic, partition, count, idempotent=False, codec="none"):
    """Produce key-N, value-N in requests of 10; base offsets of the requests."""
    import json
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../clients/kafkajs/produce.js")
    out = run(["node", script, broker.bootstrap, topic, str(partition), str(count), str(idempotent).lower(), codec],
              env={"NODE_PATH": CACHE + "/kafkajs/node_modules", "KAFKAJS_NO_PARTITIONER_WARNING": "1"})
    answers = [json.loads(line) for line in out.splitlines()]
    if any(a["error"] for a in answers):
        raise Failed("kafkajs: %s" % answers)
    return [int(a["offset"]) for a in answers]
