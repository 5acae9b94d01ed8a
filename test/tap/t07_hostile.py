"""Bytes that no decent client sends: they cost their own connection, never the server or another client.

A bystander produces and reads all the time and must notice nothing.  Recorded requests of real clients are changed at random;
PG_BROKER_SEED repeats a run, PG_BROKER_MUTATIONS makes it longer.
"""
import contextlib
import os
import random
import socket
import struct
import sys
import threading
import time
import zlib

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import deliver, kafkajs_produce, producer, read_partition
from cluster import broker
from recorder import Recorder
from tap import case, diag, eq, ok, raises, run, wait_for
from wire import API_VERSIONS, FETCH, PRODUCE, Closed, Connection, Reader, batch, string, varbytes, varint

SEED = int(os.environ.get("PG_BROKER_SEED", random.randrange(1 << 30)))
JOIN_GROUP, SYNC_GROUP = 11, 14
MUTATIONS = int(os.environ.get("PG_BROKER_MUTATIONS", 2000))


class Bystander:
    """Produces numbered records and fetches them, all the time."""

    def __init__(self, b):
        self.broker = b
        self.done = threading.Event()
        self.failure = None
        self.rounds = 0
        b.create_topic("bystander")
        self.thread = threading.Thread(target=self._work)
        self.thread.start()

    def _work(self):
        try:
            with Connection(self.broker, timeout=30) as c:
                while not self.done.is_set():
                    error, base, _, _ = c.produce("bystander", batch([b"%d" % self.rounds]))
                    eq((error, base), (0, self.rounds), "the bystander's produce")
                    error, high, _, _, _, data = c.fetch("bystander", base)
                    eq((error, high), (0, base + 1), "the bystander's fetch")
                    self.rounds += 1
        except BaseException as e:
            self.failure = e

    def undisturbed(self):
        """It is alive and goes on."""
        before = self.rounds
        wait_for("the bystander to go on", lambda: self.failure or self.rounds > before + 3, 30)
        if self.failure:
            raise self.failure

    def end(self):
        self.done.set()
        self.thread.join()


def rss_kb(pid):
    """Private memory of a process"""
    with open("/proc/%d/smaps_rollup" % pid) as f:
        return sum(int(line.split()[1]) for line in f if line.startswith(("Private_Dirty:", "Private_Clean:")))


class Fixture:
    def __init__(self, b, recorder):
        self.b, self.recorder = b, recorder
        self.bystander = Bystander(b)
        self.workers = self._workers()
        self.report = b.report

    def _workers(self):
        return sorted(self.b.workers()) if self.b.kind == "pg" else []

    @contextlib.contextmanager
    def harmless(self, memory_mb=200):
        """Whatever happens inside: same processes, bounded memory, bystander served."""
        before = {pid: rss_kb(pid) for pid in self.workers}
        self.bystander.undisturbed()
        yield
        self.bystander.undisturbed()
        eq(self._workers(), self.workers, "no worker has ended")
        for pid in self.workers:
            grown = (rss_kb(pid) - before[pid]) // 1024
            ok(grown < memory_mb, "worker %d has grown by %d MB" % (pid, grown))


def closed(c):
    "The broker ends the connection (it may answer before)."
    c.socket.settimeout(20)
    try:
        while True:
            c.receive()
    except Closed:
        return
    except socket.timeout:
        raise AssertionError("the connection was left open")


@case
def lengths(f):
    "lengths that are negative, zero or too large close the connection without memory for them"
    with f.harmless(50):
        for n in [-1, -2147483648, 0, 3, 2147483647, 1 << 30, 0x47455420]:
            with Connection(f.b) as c:
                c.send(struct.pack(">i", n))
                if 0 <= n < 10:
                    c.send(b"\0" * n)
                closed(c)


@case
def other_protocols(f):
    "HTTP, TLS, PostgreSQL and noise are turned away"
    with f.harmless(50):
        for data in [b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", bytes.fromhex("16030100b8010000b40303") + b"\1" * 180,
                     struct.pack(">ii", 8, 80877103), b"\0\3\0\0user\0x\0\0", random.Random(SEED).randbytes(5000)]:
            with Connection(f.b) as c:
                try:
                    c.send(data)
                    c.socket.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                closed(c)


@case
def counts(f):
    "counts and lengths inside requests that exceed what is there end the connection"
    f.b.create_topic("counts")
    huge = [struct.pack(">i", n) for n in (2147483647, 1 << 28, 100000)]
    with f.harmless(50):
        for n in huge:
            for api, version, body in [
                    (3, 4, n), (3, 1, n + string("t")), (PRODUCE, 7, string(None) + struct.pack(">hi", -1, 1000) + n),
                    (PRODUCE, 7, string(None) + struct.pack(">hi", -1, 1000) + struct.pack(">i", 1) + string("counts") + n),
                    (PRODUCE, 7, string(None) + struct.pack(">hi", -1, 1000) + struct.pack(">i", 1) + string("counts") +
                     struct.pack(">ii", 1, 0) + n + b"x" * 100),
                    (FETCH, 11, struct.pack(">iiiibii", -1, 0, 1, 1 << 20, 0, 0, -1) + n), (2, 5, struct.pack(">ib", -1, 0) + n),
                    (3, 4, struct.pack(">ih", 1, 32767) + b"abc")]:
                with Connection(f.b) as c:
                    c.send(c.frame(api, version, body))
                    closed(c)


@case
def bad_batches(f):
    "batches that lie about their lengths are refused, the connection goes on"
    f.b.create_topic("lies")
    rnd = random.Random(SEED)
    good = batch([(b"key", b"value")] * 20)
    with f.harmless(100), Connection(f.b) as c:
        for records in [b"", b"x", good[:60], good[:-1],
                        batch([b"a"], length=2147483647), batch([b"a"], length=-1), batch([b"a"], length=48),
                        batch([b"a"], count=2147483647, last_offset_delta=2147483646), batch([b"a"], count=-1),
                        batch([], count=0, last_offset_delta=-1), batch([b"a"], records=varint(1000000) + b"\0" * 20),
                        batch([b"a"], records=varint(-5) + b"\0" * 20),
                        batch([b"a"], records=varint(8) + b"\0\0\0" + varint(2000000000) + b"abc"),
                        batch([b"a"], records=b"\xff" * 30),
                        batch([b"a"], records=varint(20) + b"\0\0\0" + varbytes(b"") + varbytes(b"v") + varint(1 << 30) + b"x" * 20)]:
            error = c.produce("lies", records)[0]
            ok(error != 0, "refused: %r" % records[:80])
        # A valid CRC over changed records: what a hostile producer would send.
        for _ in range(300):
            inner = bytearray(good[61:])
            for _ in range(rnd.randint(1, 4)):
                inner[rnd.randrange(len(inner))] = rnd.randrange(256)
            c.produce("lies", batch([b""] * 20, records=bytes(inner)))
        eq(c.produce("lies", good)[0], 0)
        if f.b.kind == "pg":
            # Whatever was let in can be read.
            ok(f.b.value("SELECT count(*) FROM topic.lies WHERE value IS NOT NULL OR key IS NOT NULL OR headers IS NOT NULL") >= 20)


def zeros(n):
    "A record whose value is n zero bytes"
    body = b"\0" + varint(0) + varint(0) + varint(-1) + varint(n) + b"\0" * n + varint(0)
    return varint(len(body)) + body


@case(seconds=300)
def bombs(f):
    "decompression bombs cost little memory and are refused"
    import lz4.frame
    import zstandard
    f.b.create_topic("bombs", config={"max.message.bytes": "10000000"})
    plain = zeros(700 << 20)
    codecs = {1: lambda: _gzip(plain), 3: lambda: lz4.frame.compress(plain, content_checksum=False),
              4: lambda: zstandard.ZstdCompressor(level=3).compress(plain)}
    with f.harmless(150):
        for codec, compress in codecs.items():
            packed = compress()
            with Connection(f.b, timeout=60) as c:
                error = c.produce("bombs", batch([b""], records=packed, attributes=codec))[0]
                diag("codec %d: %d bytes, error %d" % (codec, len(packed), error))
                if f.b.kind == "pg":
                    ok(error != 0, "codec %d refused" % codec)
            f.bystander.undisturbed()
        # Lengths that raw snappy announces
        with Connection(f.b) as c:
            for announced in (0xFFFFFFFF, 1 << 30):
                head = bytearray()
                while announced >= 128:
                    head.append(announced & 127 | 128)
                    announced >>= 7
                head.append(announced)
                ok(c.produce("bombs", batch([b""], records=bytes(head) + b"\xfe\x01\x00" * 50, attributes=2))[0] != 0, "snappy")
            ok(c.produce("bombs", batch([b""], records=b"garbage" * 9, attributes=5))[0] != 0, "no such codec")


def _gzip(data):
    import gzip
    return gzip.compress(data, 6)


@case
def half_open(f):
    "connections that send part of a request and then nothing hold up nobody"
    frame = Connection(f.b).frame(API_VERSIONS, 0, b"")
    with f.harmless(50):
        waiting = []
        for i in range(200):
            s = socket.create_connection(("127.0.0.1", f.b.port), 10)
            s.sendall(frame[:i % len(frame)])
            waiting.append(s)
        f.bystander.undisturbed()
        with Connection(f.b) as c:
            ok(c.api_versions(), "others are served")
        for i, s in enumerate(waiting):
            if i % 2:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))   # a reset
            s.close()


@case
def slow_readers(f):
    "clients that ask for much and read nothing cost bounded memory"
    f.b.create_topic("slow")
    with Connection(f.b) as c:
        for _ in range(40):
            eq(c.produce("slow", batch([os.urandom(100000)] * 5))[0], 0)
    with f.harmless(100):
        lazy = []
        for _ in range(20):
            c = Connection(f.b)
            c.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            body = (struct.pack(">iiiibii", -1, 0, 1, 1 << 25, 0, 0, -1) + struct.pack(">i", 1) + string("slow") +
                    struct.pack(">iiiqqi", 1, 0, -1, 0, -1, 1 << 25) + struct.pack(">i", 0) + string(""))
            c.socket.settimeout(0.2)
            try:
                for _ in range(50):
                    c.send(c.frame(FETCH, 11, body))
            except socket.timeout:
                pass
            lazy.append(c)
        f.bystander.undisturbed()
        # One of them wakes up and gets an intact answer.
        c = lazy[0]
        c.socket.settimeout(20)
        r = Reader(c.receive())
        eq(r.unpack("i"), 1)
        ok(len(r.data) > 15000000, "%d bytes" % len(r.data))
        for c in lazy:
            c.close()


def record_real_clients(f):
    """What real clients send, through the recorder, which the broker advertises."""
    from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic
    from kafka import KafkaConsumer, KafkaProducer, TopicPartition
    from kafka.admin import KafkaAdminClient
    r = f.recorder
    a = AdminClient({"bootstrap.servers": r.bootstrap})
    a.create_topics([NewTopic("recorded", 2, 1, config={"retention.ms": "100000000"}), NewTopic("doomed", 1, 1)])["recorded"].result(20)
    a.create_partitions([NewPartitions("recorded", 3)])["recorded"].result(20)
    key = ConfigResource(ConfigResource.Type.TOPIC, "recorded")
    a.describe_configs([key])[key].result(20)
    a.describe_cluster().result(20)
    deliver(producer(r, enable_idempotence=True, compression_type="lz4"), "recorded", [(b"k", b"v" * 100)] * 50)
    deliver(producer(r), "recorded", [(b"k", None), (None, b"v", {"headers": [("h", b"x")]})])
    eq(len(read_partition(r, "recorded")), 52)
    k = KafkaConsumer(bootstrap_servers=r.bootstrap, enable_auto_commit=False, consumer_timeout_ms=10000)
    k.assign([TopicPartition("recorded", 0)])
    k.seek_to_beginning()
    next(k)
    k.offsets_for_times({TopicPartition("recorded", 0): 1000})
    k.close()
    p = KafkaProducer(bootstrap_servers=r.bootstrap, compression_type="gzip")
    p.send("recorded", b"x" * 300).get(20)
    p.close()
    ka = KafkaAdminClient(bootstrap_servers=r.bootstrap)
    ka.describe_topics(["recorded"])
    ka.delete_topics(["doomed"])
    ka.close()
    kafkajs_produce(r, "recorded", 1, 20)
    record_groups(r)
    from clients import java
    java("org.apache.kafka.tools.LogDirsCommand", "--bootstrap-server", r.bootstrap, "--describe", "--topic-list", "recorded")
    for what in ["--list"], ["--describe", "--all-groups"], ["--delete", "--group", "python"]:
        java("org.apache.kafka.tools.consumer.group.ConsumerGroupCommand", "--bootstrap-server", r.bootstrap, *what)
    java("org.apache.kafka.tools.TopicCommand", "--bootstrap-server", r.bootstrap, "--describe", "--topic", "recorded")
    java("org.apache.kafka.tools.ConsoleProducer", "--bootstrap-server", r.bootstrap, "--topic", "recorded", input=b"j\n")
    java("org.apache.kafka.tools.consumer.ConsoleConsumer", "--bootstrap-server", r.bootstrap, "--topic", "recorded",
         "--partition", "0", "--offset", "0", "--max-messages", "3", "--timeout-ms", "20000")


def record_groups(r):
    "Consumers in groups of both protocols, that read, commit and leave"
    from confluent_kafka import Consumer
    from kafka import KafkaConsumer
    for protocol in "classic", "consumer":
        c = Consumer({"bootstrap.servers": r.bootstrap, "group.id": protocol, "group.protocol": protocol,
                      "auto.offset.reset": "earliest", "enable.auto.commit": False})
        c.subscribe(["recorded"])
        wait_for("a record", lambda: c.poll(0.2), 30)
        c.commit(asynchronous=False)
        c.committed(c.assignment(), timeout=20)
        c.close()
    c = KafkaConsumer("recorded", bootstrap_servers=r.bootstrap, group_id="python", auto_offset_reset="earliest",
                      consumer_timeout_ms=30000)
    next(c)
    c.close()


EXTREMES = [b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\0\0\0\0", b"\xff\xff", b"\x7f\xff", b"\xff\xff\xff\xff\x0f",
            b"\xff" * 10, b"\x80\x80\x80\x80\x08", b"\0"]


def mutate(rnd, frame):
    body = bytearray(frame[4:])
    for _ in range(rnd.choice((1, 1, 1, 2, 5))):
        at = rnd.randrange(4, len(body)) if len(body) > 4 else 0
        what = rnd.randrange(5)
        if what == 0:
            body[at] ^= 1 << rnd.randrange(8)
        elif what == 1:
            x = rnd.choice(EXTREMES)
            body[at:at + len(x)] = x
        elif what == 2:
            del body[at:at + rnd.randint(1, 8)]
        elif what == 3:
            body[at:at] = rnd.randbytes(rnd.randint(1, 8))
        else:
            del body[at:]
        if len(body) <= 8:
            break
    return struct.pack(">i", len(body)) + bytes(body)


@case(seconds=600)
def mutations(f):
    "random changes of every recorded request of real clients"
    diag("PG_BROKER_SEED=%d" % SEED)
    record_real_clients(f)
    rnd = random.Random(SEED)
    kinds = sorted(f.recorder.requests)
    diag("recorded: " + " ".join("%d/%d" % k for k in kinds))
    ok(len(kinds) >= 30, "enough kinds of requests: %d" % len(kinds))
    with f.harmless(200):
        answered = ended = silent = 0
        for i in range(MUTATIONS):
            frame = mutate(rnd, rnd.choice(f.recorder.requests[kinds[i % len(kinds)]]))
            with socket.create_connection(("127.0.0.1", f.b.port), 10) as s:
                # Joining waits for the other members.
                s.settimeout(0.2 if kinds[i % len(kinds)][0] in (JOIN_GROUP, SYNC_GROUP) else 5)
                try:
                    s.sendall(frame)
                    s.shutdown(socket.SHUT_WR)
                    if s.recv(100):
                        answered += 1
                    else:
                        ended += 1
                except socket.timeout:
                    silent += 1
                except OSError:
                    ended += 1
            if i % 200 == 0:
                f.bystander.undisturbed()
        diag("%d answered, %d ended, %d silent" % (answered, ended, silent))
        ok(answered > 0 and ended > 0, "both happen")
    eq(len(read_partition(f.b, "recorded", count=20)), 20, "what was stored is still readable")


@case(sql=True)
def json_bombs(f):
    "deeply nested JSON in a json topic is refused and harms nobody"
    f.b.sql("SELECT broker.create_topic('jsonbomb', value_type => 'json')")
    with f.harmless(50), Connection(f.b) as c:
        for text in [b"[" * 100000, b'{"a":' * 100000, b"[" * 100000 + b"]" * 100000, b"not json", b"\xff\xfe", b'"\\x"', b""]:
            eq(c.produce("jsonbomb", batch([text]))[0], 87, repr(text[:20]))
        eq(c.produce("jsonbomb", batch([b'{"a": [1, 2, {"b": null}]}', None]))[0], 0)
        eq(f.b.value("SELECT value->'a'->2 FROM topic.jsonbomb WHERE log_offset = 0"), {"b": None})


@case(sql=True)
def logged(f):
    "the log names the peer of a bad request, and a flood of them doesn't flood the log"
    def bad():
        with Connection(f.b) as c:
            me = "%s:%d" % c.socket.getsockname()
            c.send(struct.pack(">i", -5))
            closed(c)
        return me in f.b.log_text()

    # What came before may have used up what is logged in a while.
    wait_for("a line that names the peer", bad, 150)
    since = len(f.b.log_text())
    for _ in range(500):
        bad()
    lines = f.b.log_text()[since:].count("\n")
    ok(lines < 300, "%d lines" % lines)


@contextlib.contextmanager
def setup():
    recorder = Recorder()
    advertised = recorder.bootstrap
    with broker("hostile", {"pg_broker.advertised_listeners": advertised, "pg_broker.group_initial_rebalance_delay": "0"},
                {"advertised.listeners": "PLAINTEXT://" + advertised, "group.initial.rebalance.delay.ms": "0"}) as b:
        recorder.target = b.port
        f = Fixture(b, recorder)
        try:
            yield f
        finally:
            f.bystander.end()
            recorder.close()


run(setup)
