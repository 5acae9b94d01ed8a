"""Synchronous standbys: acks=all and consumers wait for them, and a failover loses nothing of what was acknowledged or read."""
import os
import signal
import socket
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import Cluster
from tap import case, eq, ok, run, wait_for
from wire import PRODUCE, Connection, Reader, batch

NONE, TIMED_OUT, NOT_ENOUGH_REPLICAS = 0, 7, 19


class Standby(Cluster):
    "A hot standby of another cluster, with a name for synchronous_standby_names"

    def __init__(self, primary, name):
        self.primary = primary
        self.application_name = name
        super().__init__(name)

    def _run(self, program, *args, **kw):
        if program != "initdb":
            return super()._run(program, *args, **kw)
        return super()._run("pg_basebackup", "-D", self.data, "-h", self.primary.dir, "-U", "postgres", "-R", "-X", "stream",
                            "-c", "fast", "--no-sync")

    def _start_first(self, extension):
        self.set(cluster_name=self.application_name, unix_socket_directories=self.dir)
        self.start()


class Pair:
    "A primary and its synchronous standby"

    def __init__(self):
        self.primary = Cluster("primary", {"wal_level": "replica", "max_wal_senders": "5", "pg_broker.network_workers": "2"})
        self.primary.create_topic("t")
        self.primary.create_topic("fresh")
        self.standby = Standby(self.primary, "s1")
        self.alter("synchronous_standby_names", "s1")
        wait_for("the standby to be synchronous", lambda: self.primary.sql(
            "SELECT 1 FROM pg_stat_replication WHERE application_name = 's1' AND sync_state = 'sync'"))

    def report(self):
        return self.primary.report() + "\n" + self.standby.report()

    def alter(self, name, value):
        self.primary.sql("ALTER SYSTEM SET %s = '%s'" % (name, value))
        self.primary.reload()

    def receiver(self):
        return self.standby.workers("walreceiver")[0]

    def freeze(self):
        "The standby is connected but takes nothing."
        os.kill(self.receiver(), signal.SIGSTOP)

    def thaw(self):
        os.kill(self.receiver(), signal.SIGCONT)

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.standby.__exit__(*args)
        self.primary.__exit__(*args)


def watermark(c, topic="t"):
    return c.value("SELECT high_watermark FROM broker.partitions WHERE topic = %s", [topic])


@case
def confirmed(p):
    "with a synchronous standby acks=all is answered, and the record is at the standby"
    with Connection(p.primary) as c:
        error, base, _, _ = c.produce("t", batch([b"a"]))
        eq(error, NONE)
        wait_for("the standby to have it", lambda: p.standby.value("SELECT count(*) FROM topic.t") == base + 1)
        eq(c.fetch("t", base)[0:2], (NONE, base + 1))
    p.primary.sql("INSERT INTO topic.t (partition, value) VALUES (0, 'by SQL')")
    eq(watermark(p.primary), base + 2)


@case
def frozen(p):
    "while the standby takes nothing, acks=all is not answered and nobody reads on; acks=1 is answered; then all goes on"
    before = watermark(p.primary)
    p.freeze()
    try:
        with Connection(p.primary) as one, Connection(p.primary) as everyone, Connection(p.primary) as reader:
            eq(one.produce("t", batch([b"one"]), acks=1)[0:2], (NONE, before))
            everyone.send(everyone.frame(PRODUCE, 7, everyone.produce_body("t", batch([b"all"]), timeout=60000)))
            error, high, _, _, _, data = reader.fetch("t", before, max_wait=300)
            eq((error, high, len(data)), (NONE, before, 0), "what the standby lacks isn't seen")
            eq(watermark(p.primary), before)
            # A session that doesn't wait for standbys doesn't show its records to consumers either.
            session = p.primary.connect()
            session.execute("SET synchronous_commit = local")
            session.execute("INSERT INTO topic.t (partition, value) VALUES (0, 'local')")
            eq(session.execute("SELECT high_watermark FROM broker.partitions WHERE topic = 't'").fetchone()[0], before)
            eq(reader.fetch("t", before)[1], before)
            ok(not answered(everyone), "acks=all is answered although the standby has confirmed nothing")
            p.thaw()
            r = Reader(everyone.receive())
            eq(r.unpack("i"), 1)
            eq(everyone.produce_answer(r)[0:2], (NONE, before + 1))
            wait_for("the watermark to follow", lambda: watermark(p.primary) == before + 3)
            eq(reader.fetch("t", before)[1], before + 3)
    finally:
        p.thaw()


def answered(c):
    "Has an answer come already?"
    c.socket.setblocking(False)
    try:
        return c.socket.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return False
    finally:
        c.socket.setblocking(True)
        c.socket.settimeout(30)


@case
def duplicate(p):
    "a retry of a batch that the standby lacks is not answered before the original"
    with Connection(p.primary) as c, Connection(p.primary) as retry:
        _, pid, epoch = c.init_producer_id()
        body = c.produce_body("t", batch([b"once"], pid=pid, epoch=epoch, sequence=0), timeout=60000)
        before = watermark(p.primary)
        p.freeze()
        try:
            for one in c, retry:
                one.send(one.frame(PRODUCE, 7, body))
            wait_for("the record to be stored", lambda: p.primary.value(
                "SELECT end_offset FROM broker.partitions WHERE topic = 't'") == before + 1)
            with Connection(p.primary) as other:
                eq(other.fetch("t", before, max_wait=300)[1], before)
            ok(not answered(c) and not answered(retry), "nobody hears that a record is safe which isn't")
        finally:
            p.thaw()
        for one in c, retry:
            r = Reader(one.receive())
            eq(r.unpack("i"), 1 if one is retry else 2)
            eq(one.produce_answer(r)[0:2], (NONE, before))
        wait_for("the watermark to follow", lambda: watermark(p.primary) == before + 1)


@case
def time_out(p):
    "acks=all ends with 7 when the standby doesn't confirm in the client's time; the record becomes visible later"
    before = watermark(p.primary)
    p.freeze()
    try:
        with Connection(p.primary) as c:
            started = time.monotonic()
            eq(c.produce("t", batch([b"late"]), timeout=300)[0], TIMED_OUT)
            ok(0.25 < time.monotonic() - started < 10, "after the time-out")
    finally:
        p.thaw()
    wait_for("the watermark to follow", lambda: watermark(p.primary) == before + 1)


@case
def too_few(p):
    "with fewer standbys connected than must confirm, acks=all is refused with 19, acks=1 is not"
    p.alter("synchronous_standby_names", "s1, s2")
    p.alter("synchronous_standby_names", "FIRST 2 (s1, s2)")
    with Connection(p.primary) as c:
        wait_for("the setting to be read", lambda: c.produce("fresh", batch([b"x"]), timeout=200)[0] == NOT_ENOUGH_REPLICAS)
        end = p.primary.value("SELECT end_offset FROM broker.partitions WHERE topic = 'fresh'")
        eq(c.produce("fresh", batch([b"x"]))[0], NOT_ENOUGH_REPLICAS)
        eq(p.primary.value("SELECT end_offset FROM broker.partitions WHERE topic = 'fresh'"), end, "nothing is stored")
        eq(c.produce("fresh", batch([b"x"]), acks=1)[0], NONE)
        p.alter("synchronous_standby_names", "s1")
        wait_for("to be served again", lambda: c.produce("fresh", batch([b"x"]), timeout=200)[0] == NONE)


@case
def min_insync(p):
    "min.insync.replicas counts this server and the standbys that must confirm; acks=all is refused with 19 when it asks for more"
    def produce(acks=-1):
        return c.produce("counted", batch([b"x"]), acks=acks)[0]

    p.primary.create_topic("counted", config={"min.insync.replicas": "2"})
    with Connection(p.primary) as c:
        wait_for("the standby to confirm", lambda: produce() == NONE)
        p.alter("synchronous_standby_names", "")
        wait_for("the setting to be read", lambda: produce() == NOT_ENOUGH_REPLICAS)
        end = p.primary.value("SELECT end_offset FROM broker.partitions WHERE topic = 'counted'")
        eq(produce(), NOT_ENOUGH_REPLICAS)
        eq(p.primary.value("SELECT end_offset FROM broker.partitions WHERE topic = 'counted'"), end, "nothing is stored")
        eq(produce(acks=1), NONE)
        eq(c.produce("fresh", batch([b"x"]))[0], NONE, "other topics don't ask for it")
        p.alter("synchronous_standby_names", "s1")
        wait_for("to be served again", lambda: produce() == NONE)
        p.primary.sql("SELECT broker.alter_topic('counted', config => '{\"min.insync.replicas\": 3}')")
        wait_for("three are too many", lambda: produce() == NOT_ENOUGH_REPLICAS)


@case
def switched_off(p):
    "when no standby has to confirm any more, those who wait go on"
    before = watermark(p.primary)
    p.freeze()
    try:
        with Connection(p.primary) as c:
            c.send(c.frame(PRODUCE, 7, c.produce_body("t", batch([b"waits"]), timeout=60000)))
            wait_for("the append", lambda: p.primary.value(
                "SELECT end_offset FROM broker.partitions WHERE topic = 't'") == before + 1)
            eq(watermark(p.primary), before)
            p.alter("synchronous_standby_names", "")
            r = Reader(c.receive())
            r.unpack("i")
            eq(c.produce_answer(r)[0:2], (NONE, before))
            eq(watermark(p.primary), before + 1)
    finally:
        p.thaw()
        p.alter("synchronous_standby_names", "s1")


@case
def failover(p):
    "after a failover everything acknowledged or read is there, and the log goes on behind it"
    with Connection(p.primary) as c:
        def synchronous():
            return c.produce("t", batch([b"last"]), timeout=5000)
        wait_for("the standby to be synchronous again", lambda: p.primary.sql(
            "SELECT 1 FROM pg_stat_replication WHERE application_name = 's1' AND sync_state = 'sync'"))
        error, base, _, _ = synchronous()
        eq(error, NONE)
        p.freeze()
        lost = c.produce("t", batch([b"lost"]), acks=1)[1]
        read = c.fetch("t", 0)[1]
        eq(read, base + 1)
    p.primary.kill()
    p.thaw()
    p.standby.sql("SELECT pg_promote(true)")
    wait_for("the new primary's broker", lambda: p.standby.sql("SELECT port FROM broker.listeners"))
    with Connection(p.standby) as c:
        error, high, _, _, _, data = c.fetch("t", 0)
        ok(error == NONE and high >= read, "what was read is there: %d, %d" % (high, read))
        error, base, _, _ = c.produce("t", batch([b"new"]))
        eq(error, NONE)
        ok(base >= read, "offsets go on: %d, %d; lost was %d" % (base, read, lost))


run(Pair)
