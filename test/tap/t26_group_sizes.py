"""Many groups, members and offsets.  GROUP_SIZES=groups,members of each,offsets,seconds; 1000,10,100000,60 are the real ones.

The figures are printed; what is checked holds on a busy machine, too: no member is thrown out, heartbeats are answered long
before a session ends, nothing is missing after a restart, and nobody is busy while nothing happens.
"""
import asyncio
import os
import resource
import struct
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from tap import case, diag, eq, ok, run, wait_for

GROUPS, MEMBERS, OFFSETS, SECONDS = (int(n) for n in os.environ.get("GROUP_SIZES", "20,5,5000,5").split(","))
SESSION_MS = 30000
HEARTBEAT_S = 3.0
PARTITIONS = 100
IDLE_SECONDS = 2          # over which it is measured


def text(s):
    return struct.pack(">h", len(s)) + s.encode()


def data(b):
    return struct.pack(">i", len(b)) + b


SUBSCRIPTION = struct.pack(">hi", 0, 1) + text("t") + data(b"")


class Connection:
    """Requests and answers as bytes, one after the other."""

    def __init__(self, b):
        self.port = b.port
        self.correlation = 0

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    def send(self, api, version, body):
        self.correlation += 1
        header = struct.pack(">hhi", api, version, self.correlation) + text("sizes")
        self.writer.write(data(header + body))

    async def receive(self):
        (length,) = struct.unpack(">i", await self.reader.readexactly(4))
        return (await self.reader.readexactly(length))[4:]

    async def call(self, api, version, body):
        self.send(api, version, body)
        return await self.receive()

    def close(self):
        self.writer.close()


class Member:
    def __init__(self, group, connection):
        self.group = group
        self.c = connection
        self.worst = 0.0
        self.beats = 0

    async def join(self):
        r = await self.c.call(11, 3, text(self.group) + struct.pack(">ii", SESSION_MS, 60000) + text("") + text("consumer") +
                              struct.pack(">i", 1) + text("range") + data(SUBSCRIPTION))
        _, error, self.generation = struct.unpack_from(">ihi", r)
        eq(error, 0, "join")
        at = 10
        names = []
        for _ in range(3):
            (n,) = struct.unpack_from(">h", r, at)
            names.append(r[at + 2:at + 2 + n].decode())
            at += 2 + n
        self.id = names[2]
        (n_members,) = struct.unpack_from(">i", r, at)
        at += 4
        members = []
        for _ in range(n_members):
            (n,) = struct.unpack_from(">h", r, at)
            members.append(r[at + 2:at + 2 + n].decode())
            at += 2 + n
            (n,) = struct.unpack_from(">i", r, at)
            at += 4 + n
        self.size = len(members)
        assignments = struct.pack(">i", len(members)) + b"".join(text(m) + data(b"\0\0\0\0\0\0\0\0\0\0") for m in members)
        r = await self.c.call(14, 2, text(self.group) + struct.pack(">i", self.generation) + text(self.id) + assignments)
        eq(struct.unpack_from(">ih", r)[1], 0, "sync")

    async def beat(self, until, offset):
        await asyncio.sleep(offset)
        while time.monotonic() < until:
            start = time.monotonic()
            r = await self.c.call(12, 2, text(self.group) + struct.pack(">i", self.generation) + text(self.id))
            self.worst = max(self.worst, time.monotonic() - start)
            self.beats += 1
            eq(struct.unpack(">ih", r)[1], 0, "heartbeat of %s" % self.group)
            await asyncio.sleep(HEARTBEAT_S)


def commit_body(group, first, n, offset):
    """Offsets of n partitions, by somebody who is no member."""
    return (text(group) + struct.pack(">i", -1) + text("") + struct.pack(">h", -1) + struct.pack(">i", 1) + text("t") +
            struct.pack(">i", n) + b"".join(struct.pack(">iqi", first + p, offset, -1) + text("") for p in range(n)))


def codes(answer):
    """Of an answer to a commit of one topic."""
    (n,) = struct.unpack_from(">h", answer, 8)
    (count,) = struct.unpack_from(">i", answer, 10 + n)
    return {struct.unpack_from(">ih", answer, 14 + n + 6 * i)[1] for i in range(count)}


def cpu(b, pattern):
    """Seconds of CPU time of the broker's processes of this kind."""
    total = 0
    for pid in b.workers(pattern):
        with open("/proc/%d/stat" % pid) as f:
            fields = f.read().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


@case(seconds=900)
def many_members(b):
    "many groups form at once, and their heartbeats are answered in time while a producer runs at full speed"
    b.create_topic("t", PARTITIONS)
    b.create_topic("busy", 2)

    async def everything():
        members = []
        for g in range(GROUPS):
            for _ in range(MEMBERS):
                members.append(Member("group-%d" % g, await Connection(b).open()))
        start = time.monotonic()
        await asyncio.gather(*(m.join() for m in members))
        diag("%d groups of %d members formed in %.1f s" % (GROUPS, MEMBERS, time.monotonic() - start))
        ok(all(m.size in (0, MEMBERS) for m in members), "all members are in one generation")
        p = await asyncio.create_subprocess_exec(
            sys.executable, "-c",
            "import sys, time\nfrom confluent_kafka import Producer\n"
            "p = Producer({'bootstrap.servers': sys.argv[1], 'linger.ms': 5, 'log_level': 0})\n"
            "end = time.monotonic() + float(sys.argv[2])\nn = 0\n"
            "while time.monotonic() < end:\n"
            "    try:\n        p.produce('busy', b'x' * 500); n += 1\n"
            "    except BufferError:\n        p.poll(0.05)\n"
            "print(n - p.flush(60))", b.bootstrap, str(SECONDS + HEARTBEAT_S), stdout=asyncio.subprocess.PIPE)
        before = cpu(b, "pg_broker coordinator")
        until = time.monotonic() + SECONDS + HEARTBEAT_S
        await asyncio.gather(*(m.beat(until, HEARTBEAT_S * i / len(members)) for i, m in enumerate(members)))
        produced = int((await p.communicate())[0])
        worst = max(m.worst for m in members)
        beats = sum(m.beats for m in members)
        diag("%d heartbeats answered within %.0f ms, coordinator %.2f s of CPU; %d records produced meanwhile" % (
            beats, worst * 1000, cpu(b, "pg_broker coordinator") - before, produced))
        ok(beats >= len(members) and produced > 0, "there were some of both")
        ok(worst < SESSION_MS / 3000, "the slowest took %.1f s" % worst)
        for m in members:
            m.c.close()
    asyncio.run(everything())


@case(seconds=600)
def commit_rate(b):
    "commits a second, of one offset each, on a few connections"
    async def some(n, k):
        c = await Connection(b).open()
        for i in range(n):
            eq(codes(await c.call(8, 7, commit_body("rate-%d" % k, i % PARTITIONS, 1, i))), {0})
        c.close()

    async def all_of_them(n):
        await asyncio.gather(*(some(n, k) for k in range(32)))
    asyncio.run(all_of_them(2))
    n = max(10, OFFSETS // 100)
    before, start = cpu(b, "pg_broker coordinator"), time.monotonic()
    asyncio.run(all_of_them(n))
    seconds = time.monotonic() - start
    used = cpu(b, "pg_broker coordinator") - before
    diag("%.0f commits a second by 32 connections, of a client in Python; the coordinator takes %.1f us of CPU for each" % (
        32 * n / seconds, used / (32 * n) * 1e6))
    eq(b.value("SELECT count(*) FROM broker.group_offsets WHERE group_id LIKE 'rate-%%'"), 32 * min(n, PARTITIONS))


@case(seconds=600)
def load(b):
    "after a restart the port opens when all offsets are there"
    async def fill():
        c = await Connection(b).open()
        for g in range(OFFSETS // PARTITIONS):
            eq(codes(await c.call(8, 7, commit_body("load-%d" % g, 0, PARTITIONS, g))), {0})
        c.close()
    asyncio.run(fill())
    b.stop("immediate")
    start = time.monotonic()
    b.start()
    started = time.monotonic()
    port = b.port
    diag("%d offsets: the port is open %.2f s after the server takes SQL (start: %.2f s)" % (
        OFFSETS, time.monotonic() - started, started - start))

    async def look():
        c = await Connection(b).open()
        last = OFFSETS // PARTITIONS - 1
        r = await c.call(9, 5, text("load-%d" % last) + struct.pack(">i", 1) + text("t") + struct.pack(">ii", 1, 7))
        eq(struct.unpack_from(">iqi", r, 4 + 4 + 3 + 4)[:2], (7, last), "the first answer")
        c.close()
    asyncio.run(look())
    ok(port > 0)
    eq(b.value("SELECT count(*) FROM broker.group_offsets WHERE group_id LIKE 'load-%%'"), OFFSETS // PARTITIONS * PARTITIONS)


@case(seconds=120)
def idle(b):
    "while nothing happens nobody is busy"
    def used():
        before, start = cpu(b, "pg_broker"), time.monotonic()
        time.sleep(IDLE_SECONDS)
        return (cpu(b, "pg_broker") - before) / (time.monotonic() - start)
    wait_for("rest", lambda: used() < 0.02)


_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
run(lambda: broker("sizes", {"pg_broker.group_initial_rebalance_delay": "1s", "fsync": "on",
                             "pg_broker.max_connections": str(GROUPS * MEMBERS + 200)}))
