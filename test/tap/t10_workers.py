"""The broker's processes: start, settings, limits, signals, shutdown, and what they cost while nothing happens."""
import contextlib
import os
import re
import resource
import signal
import socket
import struct
import sys
import time

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import Cluster, alive
from tap import case, diag, eq, ok, raises, run, wait_for
from wire import CREATE_TOPICS, FETCH, METADATA, Closed, Connection, Reader, array, string

IDLE_CONNECTIONS = 2000


def long_poll(wait_ms=600000):
    "The body of a Fetch at the end of an empty topic"
    return (struct.pack(">iiiibii", -1, wait_ms, 1, 1 << 20, 0, 0, -1) +
            array([string("quiet") + array([struct.pack(">iiqqi", 0, -1, 0, -1, 1 << 20)])]) + array([]) + string(""))


def served(b):
    "A request is answered."
    with Connection(b) as c:
        return 18 in c.api_versions()


def refused(b, port):
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
        return False
    except ConnectionRefusedError:
        return True


def is_closed(s):
    "The other side has closed the connection."
    s.setblocking(False)
    try:
        return s.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def private_kb(pid):
    with open("/proc/%d/smaps_rollup" % pid) as f:
        return sum(int(line.split()[1]) for line in f if line.startswith(("Private_Dirty:", "Private_Clean:")))


def cpu_ticks(pid):
    with open("/proc/%d/stat" % pid) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def switches(pid):
    "How often a process has gone to sleep"
    with open("/proc/%d/status" % pid) as f:
        return sum(int(line.split()[1]) for line in f if line.startswith("voluntary_ctxt_switches"))


@case
def before_extension(b):
    "without the extension, or the database, nothing listens; CREATE EXTENSION opens the port, DROP EXTENSION closes it"
    with Cluster("bare", {"pg_broker.database": "later"}, extension=False) as c:
        c.wait_log("waits for database \"later\"")
        c.sql("CREATE DATABASE later", dbname="postgres")
        c.database = "later"
        wait_for("the workers to find the database", lambda: c.value(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = 'later' AND backend_type LIKE 'pg_broker worker%'"))
        c.sql("CREATE EXTENSION pg_broker")
        port = c.port
        ok(served(c))
        with Connection(c) as client:
            client.api_versions()
            c.sql("DROP EXTENSION pg_broker CASCADE")
            wait_for("the client to be let go", lambda: is_closed(client.socket))
        wait_for("the port to be closed", lambda: refused(c, port))
        c.sql("BEGIN; CREATE EXTENSION pg_broker; ROLLBACK")
        c.sql("CREATE EXTENSION pg_broker")
        ok(served(c))


@case
def switched_off(b):
    "pg_broker.enabled = off starts no process; too few max_worker_processes neither, and the log says so; no address, no port"
    with Cluster("off", {"pg_broker.enabled": "off"}) as c:
        eq(c.workers(), [])
        eq(c.sql("SELECT * FROM broker.listeners"), [])
    with Cluster("deaf", {"pg_broker.listen_addresses": "", "pg_broker.network_workers": "1"}) as c:
        wait_for("the processes", lambda: len(c.workers()) == 4)
        eq(c.sql("SELECT * FROM broker.listeners"), [])
        c.create_topic("t")
        c.sql("INSERT INTO topic.t (value) VALUES ('x')")
    with Cluster("room", {"max_worker_processes": "2", "pg_broker.network_workers": "4"}) as c:
        eq(c.workers(), [])
        ok("the server needs 8 background workers" in c.log_text(), "the log says why")


@case
def activity(b):
    "the processes are in pg_stat_activity, the listener and the connections in their views"
    names = {r[0] for r in b.sql("SELECT backend_type FROM pg_stat_activity WHERE backend_type LIKE 'pg_broker%'")}
    eq(names, {"pg_broker flusher", "pg_broker controller", "pg_broker coordinator", "pg_broker worker 1",
               "pg_broker worker 2"})
    ok(("127.0.0.1", b.port) in b.sql("SELECT address, port FROM broker.listeners"))
    with Connection(b, client_id="shown") as c:
        c.api_versions()
        port = c.socket.getsockname()[1]
        row = b.sql("SELECT client_addr, client_id, role::text, requests, last_request, bytes_in > 0, bytes_out > 0, state "
                    "FROM broker.connections WHERE client_port = %s", [port])
        eq(row, [("127.0.0.1", "shown", "postgres", 1, "ApiVersions", True, True, "idle")])
        c.send(c.frame(FETCH, 11, long_poll()))
        wait_for("the long poll to be shown", lambda: b.value(
            "SELECT state FROM broker.connections WHERE client_port = %s", [port]) == "waiting")
    wait_for("the connection to be gone", lambda: not b.sql("SELECT 1 FROM broker.connections WHERE client_id = 'shown'"))
    b.sql("CREATE ROLE nobody_special LOGIN")
    raises(Exception, b.sql, "SELECT * FROM broker.connections", user="nobody_special")
    b.sql("SELECT * FROM broker.listeners", user="nobody_special")


@case
def documented(b):
    "docs/operations.md has every setting, with its default and when it takes effect"
    top = __file__.rsplit("/", 3)[0]
    with open(top + "/docs/operations.md") as f:
        rows = dict(re.findall(r"^\| `(pg_broker\.[a-z_]+)` \| (.*)$", f.read(), re.M))
    when = {"postmaster": "start", "sighup": "reload"}
    want = {}
    for name, default, unit, context, short in b.sql(
            "SELECT name, boot_val, unit, context, short_desc FROM pg_settings WHERE name LIKE 'pg_broker.%%' "
            "AND context IN ('postmaster', 'sighup') AND name <> 'pg_broker.debug_skip_flush'"):
        # The one left out, and those of other contexts, are of test builds.
        want[name] = when[context]
        ok(re.match(r"(Sets|Starts|Creates) .*\.$", short), "%s says what it does: %s" % (name, short))
        default_told, change, _ = rows.get(name, "||").split("|", 2)
        eq(change.strip(), when[context], name)
        if name != "pg_broker.network_workers":
            told = default_told.strip().strip("`")
            eq(b.value("SELECT CASE WHEN %s = 'empty' THEN '' ELSE %s END", [told, told]) if not unit else
               bytes_or_ms(told), default if not unit else bytes_or_ms(default + unit), name)
    eq(set(rows), set(want))


def bytes_or_ms(text):
    number, unit = re.fullmatch(r"(\d+)(\w+)", text).groups()
    return int(number) * {"B": 1, "kB": 1 << 10, "MB": 1 << 20, "ms": 1, "min": 60000}[unit]


@case
def pipelined(b):
    "requests that are sent ahead, in pieces of any size, are answered in order"
    with Connection(b) as c:
        frames = b"".join(c.frame(18, 0, b"") for _ in range(500))
        for i in range(0, len(frames), 777):
            c.send(frames[i:i + 777])
        for i in range(500):
            eq(struct.unpack(">i", c.receive()[:4])[0], i + 1)
        for byte in c.frame(18, 0, b""):
            c.send(bytes([byte]))
        eq(struct.unpack(">i", c.receive()[:4])[0], 501)
        c.send(c.frame(FETCH, 11, long_poll(200)) + c.frame(18, 0, b""))
        eq([struct.unpack(">i", c.receive()[:4])[0] for _ in range(2)], [502, 503])


@case
def half_closed(b):
    "a client that has closed its sending side still gets its answers, then the end"
    with Connection(b) as c:
        c.send(b"".join(c.frame(METADATA, 1, struct.pack(">i", 0)) for _ in range(3)))
        c.socket.shutdown(socket.SHUT_WR)
        for i in range(3):
            eq(struct.unpack(">i", c.receive()[:4])[0], i + 1)
        raises(Closed, c.receive)


@case
def long_poll_of_a_dead_client(b):
    "a long poll of a client that goes away ends with it"
    with Connection(b, client_id="dying") as c:
        c.send(c.frame(FETCH, 11, long_poll()))
        wait_for("the long poll", lambda: b.sql("SELECT 1 FROM broker.connections WHERE client_id = 'dying' AND state = 'waiting'"))
    wait_for("its end", lambda: not b.sql("SELECT 1 FROM broker.connections WHERE client_id = 'dying'"))


@case
def many_connections(b):
    "2,000 connections are served, more are turned away with a word in the log, and memory stays small"
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    want = IDLE_CONNECTIONS + 500
    if soft < want:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(want, hard), hard))
    with Connection(b) as c:
        c.api_versions()
    workers = b.workers("pg_broker worker")
    before = {pid: private_kb(pid) for pid in workers}
    since = len(b.log_text())
    clients = []
    try:
        while len(clients) < IDLE_CONNECTIONS:
            c = Connection(b.fixed)
            c.api_versions()
            clients.append(c)
        eq(b.value("SELECT count(*) FROM broker.connections"), IDLE_CONNECTIONS)
        with Connection(b.fixed) as more:
            raises(Closed, more.api_versions)
        b.wait_log("there are 2000 connections already", since)
        for pid in workers:
            diag("worker: %d kB, of them %d for connections" % (private_kb(pid), private_kb(pid) - before[pid]))
            ok(private_kb(pid) < 50 * 1024, "1,000 connections cost a worker %d kB" % private_kb(pid))
        for c in clients[::7]:
            c.api_versions()
        # Half of them wait for data, as consumers do.
        for c in clients[::2]:
            c.send(c.frame(FETCH, 11, long_poll()))
        wait_for("the long polls", lambda: b.value(
            "SELECT count(*) FROM broker.connections WHERE state = 'waiting'") == IDLE_CONNECTIONS // 2)
        for pid in workers:
            diag("with long polls: %d kB" % private_kb(pid))
            ok(private_kb(pid) < 50 * 1024, "1,000 connections cost a worker %d kB" % private_kb(pid))
    finally:
        for c in clients:
            c.close()
    wait_for("the connections to be gone", lambda: b.value("SELECT count(*) FROM broker.connections") == 0)
    ok(served(b))


@case
def idle_processes_sleep(b):
    "with connections open and nothing to do no process runs"
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(Connection(b)).api_versions()
        for _ in range(20):
            c = stack.enter_context(Connection(b))
            c.send(c.frame(FETCH, 11, long_poll()))
        wait_for("the long polls", lambda: b.value("SELECT count(*) FROM broker.connections WHERE state = 'waiting'") == 20)
        pids = b.workers()
        eq(len(pids), 5)

        # Statistics are reported some seconds after the last work; then there is nothing left.
        seen, since = None, 0

        def quiet():
            nonlocal seen, since
            now = [(cpu_ticks(pid), switches(pid)) for pid in pids]
            if now != seen:
                seen, since = now, time.monotonic()
            return time.monotonic() - since > 3
        wait_for("three seconds without a wake-up", quiet, 60)


@case
def idle_connections_end(b):
    "idle, half-open and slow connections are closed after the idle time; those that wait for us are not"
    b.alter("pg_broker.connections_max_idle", "500ms")
    try:
        idle = Connection(b)
        idle.api_versions()
        partial = Connection(b)
        partial.send(partial.frame(18, 0, b"")[:7])
        drip = Connection(b)
        waiting = Connection(b)
        waiting.send(waiting.frame(FETCH, 11, long_poll(2500)))
        slow = iter(drip.frame(18, 0, b"x" * 1000))

        def dripping():
            try:
                drip.socket.send(bytes([next(slow)]))
            except OSError:
                return True
            return is_closed(drip.socket)
        wait_for("the idle one to be closed", lambda: is_closed(idle.socket))
        wait_for("the half-open one to be closed", lambda: is_closed(partial.socket))
        wait_for("the slow one to be closed", dripping)
        waiting.socket.setblocking(True)
        waiting.socket.settimeout(20)
        eq(struct.unpack(">i", waiting.receive()[:4])[0], 1, "the long poll is answered")
    finally:
        b.alter("pg_broker.connections_max_idle", None)


@case
def request_limit(b):
    "SIGHUP takes the limit of a request's size; memory in flight is bounded, and everyone gets through"
    b.alter("pg_broker.socket_request_max_bytes", "100kB")
    with Connection(b) as c:
        c.send(c.frame(18, 0, b"x" * 200000))
        raises(Closed, c.receive)
    b.alter("pg_broker.socket_request_max_bytes", None)
    b.alter("pg_broker.queued_max_request_size", "8MB")
    try:
        # 20 requests of 3 MB, all half sent before any is completed: more than fits.
        clients = [Connection(b, timeout=60) for _ in range(20)]
        for c in clients:
            c.data = c.frame(METADATA, 1, struct.pack(">i", 1) + string("t")) + b""
            names = array([string("n" * 249)] * 12000)
            c.data = c.frame(METADATA, 4, names + b"\0")
            c.socket.setblocking(False)
            c.at = 0
        answered = set()

        def push(limit):
            for c in clients:
                try:
                    while c.at < limit(c):
                        c.at += c.socket.send(c.data[c.at:min(limit(c), c.at + 65536)])
                except BlockingIOError:
                    pass
        for _ in range(20):
            push(lambda c: len(c.data) * 2 // 3)

        def all_answered():
            push(lambda c: len(c.data))
            for c in clients:
                if c not in answered:
                    try:
                        if c.socket.recv(1 << 20):
                            answered.add(c)
                    except BlockingIOError:
                        pass
            return len(answered) == len(clients)
        wait_for("all of them to be answered", all_answered, 60)
        for pid in b.workers("pg_broker worker"):
            ok(private_kb(pid) < 120 * 1024, "memory of a worker: %d kB" % private_kb(pid))
        for c in clients:
            c.close()
    finally:
        b.alter("pg_broker.queued_max_request_size", None)


@case
def stalled_requests(b):
    "half-sent requests that hold all of the memory don't keep small ones away, and are closed for large ones"
    b.alter("pg_broker.queued_max_request_size", "8MB")
    try:
        since = len(b.log_text())
        big = METADATA, 4, array([string("n" * 249)] * 12000) + b"\0"
        stalled = [Connection(b) for _ in range(5)]
        for c in stalled:
            c.socket.setblocking(False)
            try:
                c.socket.send(c.frame(*big)[:2000000])
            except BlockingIOError:
                pass
        started = time.monotonic()
        for _ in range(50):
            ok(served(b))
        ok(time.monotonic() - started < 5, "small requests don't wait")
        with Connection(b, timeout=60) as c:
            c.send(c.frame(*big))
            eq(struct.unpack(">i", c.receive()[:4])[0], 1)
        ok(served(b))
        b.wait_log("doesn't arrive, and holds memory", since)
        for c in stalled:
            c.close()
    finally:
        b.alter("pg_broker.queued_max_request_size", None)


@case
def controller_queue(b):
    "more requests for the controller than its queue holds are all answered, and it may end in between"
    clients = [Connection(b, timeout=60) for _ in range(150)]
    for i, c in enumerate(clients):
        c.send(c.frame(CREATE_TOPICS, 2, array([string("q%d" % i) + struct.pack(">ih", 1, 1) + array([]) + array([])]) +
                       struct.pack(">ib", 30000, 0)))
    pid, = b.workers("pg_broker controller")
    os.kill(pid, signal.SIGTERM)
    created, closed = 0, 0
    for c in clients:
        try:
            r = Reader(c.receive())
            eq(r.unpack("ii"), (1, 0))
            eq(r.array(lambda: (r.string() is not None, r.unpack("h"), r.string()))[0][1], 0)
            created += 1
        except Closed:
            closed += 1         # it was being run: what became of it is not known
        c.close()
    diag("%d created, %d not known" % (created, closed))
    ok(closed <= 1, "all others are answered")
    ok(b.value("SELECT count(*) FROM broker.topics WHERE name ~ '^q[0-9]+$'") in (created, created + closed))
    wait_for("the controller's successor", lambda: set(b.workers("pg_broker controller")) - {pid})


@case
def port_taken(b):
    "who holds the port is not shared with: the log says so, and the broker listens when it is free again"
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with Cluster("taken", {"pg_broker.port": str(port)}) as c:
            c.wait_log("could not listen for Kafka clients.*Address already in use")
            eq(c.sql("SELECT * FROM broker.listeners"), [])
            holder.close()
            eq(c.port, port)
            ok(served(c))


@case
def plaintext_role(b):
    "without pg_broker.plaintext_role only the loopback interface is served; a role that doesn't exist serves nobody"
    b.alter("pg_broker.plaintext_role", "no_such_role")
    since = len(b.log_text())
    with Connection(b) as c:
        raises(Closed, c.api_versions)
    b.wait_log("role \"no_such_role\" of \"pg_broker.plaintext_role\" does not exist", since)
    b.alter("pg_broker.plaintext_role", "")
    ok(served(b), "loopback is")
    outside = outside_address()
    if outside:
        with Cluster("outside", {"pg_broker.listen_addresses": "*", "pg_broker.plaintext_role": ""}) as c:
            ok(served(c))
            with socket.create_connection((outside, c.port), 10) as s:
                wait_for("to be turned away", lambda: is_closed(s))
            c.wait_log("refused Kafka client .* not on this machine")
    b.alter("pg_broker.plaintext_role", "postgres")


def outside_address():
    "An address of this machine that is not loopback, if it has one"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return s.getsockname()[0]


@case
def advertised(b):
    "clients are told the address that they came by, or the advertised one"
    def told():
        with Connection(b) as c:
            r = c.request(METADATA, 1, struct.pack(">i", 0))
            eq(r.unpack("i"), 1, "one broker")
            r.unpack("i")
            return r.string(), r.unpack("i")
    eq(told(), ("127.0.0.1", b.port))
    b.alter("pg_broker.advertised_listeners", "PLAINTEXT://kafka.example:1234")
    eq(told(), ("kafka.example", 1234))
    raises(Exception, b.sql, "ALTER SYSTEM SET pg_broker.advertised_listeners = 'nonsense'")
    b.alter("pg_broker.advertised_listeners", None)


@case
def databases(b):
    "CREATE and DROP DATABASE elsewhere are not held up"
    with Connection(b) as c:
        c.send(c.frame(FETCH, 11, long_poll()))
        started = time.monotonic()
        b.sql("CREATE DATABASE elsewhere STRATEGY file_copy", dbname="postgres")
        b.sql("DROP DATABASE elsewhere", dbname="postgres")
        ok(time.monotonic() - started < 20, "it took long")


@case
def database_dropped(b):
    "DROP DATABASE ... WITH (FORCE) of the broker's own database stops it; it serves the next one of that name"
    with Cluster("dropped", {"pg_broker.database": "mine", "pg_broker.network_workers": "1"}, database="mine") as c:
        ok(served(c))
        raises(Exception, c.sql, "DROP DATABASE mine", dbname="postgres")
        since = len(c.log_text())
        c.sql("DROP DATABASE mine WITH (FORCE)", dbname="postgres")
        c.wait_log("waits for database \"mine\" to be created", since)
        c.sql("CREATE DATABASE mine", dbname="postgres")
        c.sql("CREATE EXTENSION pg_broker")
        c.create_topic("again")
        ok(served(c))


@case
def terminated(b):
    "a process that is terminated comes back, alone; clients of the other worker notice nothing"
    for kind in ("worker 1", "controller", "coordinator", "flusher"):
        pid, = b.workers("pg_broker " + kind)
        others = set(b.workers()) - {pid}
        os.kill(pid, signal.SIGTERM)
        wait_for("its successor", lambda: set(b.workers("pg_broker " + kind)) - {pid})
        eq(set(b.workers()) & others, others, "the others are the same")
        wait_for("to be served", lambda: served_or_not(b))
    pid, = b.workers("pg_broker worker 2")
    eq(b.value("SELECT pg_cancel_backend(%s)", [pid]), True)
    ok(served(b))
    eq(b.workers("pg_broker worker 2"), [pid], "cancelling doesn't end it")


def served_or_not(b):
    try:
        return served(b)
    except (Closed, OSError):
        return False


@case
def killed(b):
    "SIGKILL of a worker restarts the server, as for any process of PostgreSQL's; the broker comes back"
    b.expected.append("terminated by signal 9|server process|crash of another")
    pid = b.workers("pg_broker worker 1")[0]
    os.kill(pid, signal.SIGKILL)
    wait_for("the broker to be back", lambda: pid not in b.workers() and back(b))


def back(b):
    try:
        return len(b.workers()) == 5 and served(b)
    except Exception:
        return False


@case
def shutdowns(b):
    "every mode of shutdown is prompt, with long polls and half-sent requests open"
    for mode in ("smart", "fast", "immediate"):
        clients = [Connection(b) for _ in range(10)]
        for c in clients[:5]:
            c.send(c.frame(FETCH, 11, long_poll()))
        for c in clients[5:]:
            c.send(c.frame(18, 0, b"")[:9])
        wait_for("the long polls", lambda: b.value("SELECT count(*) FROM broker.connections WHERE state = 'waiting'") == 5)
        pids = b.workers()
        started = time.monotonic()
        b.stop(mode)
        took = time.monotonic() - started
        diag("%s: %.1f s" % (mode, took))
        ok(took < 10, "%s shutdown took %.1f s" % (mode, took))
        ok(not any(alive(p) for p in pids))
        b.start()
        wait_for("the broker to be back", lambda: back(b))
        for c in clients:
            c.close()


class Broker(Cluster):
    def __init__(self):
        super().__init__("workers", {"pg_broker.network_workers": "2"})
        self.create_topic("quiet")

    @property
    def fixed(self):
        "For many connections: the port, looked up once"
        port = self.port

        class Fixed:
            pass
        Fixed.port = port
        return Fixed

    def alter(self, name, value):
        "Change a setting by SIGHUP, and wait until it is in force everywhere."
        if value is None:
            self.sql("ALTER SYSTEM RESET %s" % name)
        else:
            self.sql("ALTER SYSTEM SET %s = '%s'" % (name, value))
        pids = self.workers()
        before = {pid: switches(pid) for pid in pids}
        self.reload()
        wait_for("the settings to be read", lambda: all(switches(pid) > before[pid] for pid in pids))


run(Broker)
