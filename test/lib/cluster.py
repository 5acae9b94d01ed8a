"""cluster.py: a private PostgreSQL cluster with the broker, or a real Kafka broker, for one test.

Servers live in a temporary directory, listen on a socket in it, and let the system choose the broker's port.  As root they
run as an unprivileged user.  Nothing sleeps for a fixed time: everything waits for a condition.
"""
import ctypes
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import uuid

from tap import Failed, wait_for

BINDIR = os.environ.get("PG_BROKER_BINDIR", "/usr/lib/postgresql/15/bin")
DATABASE = "broker"


def server_user():
    """(uid, gid, name) that servers run as."""
    if os.getuid() != 0:
        return os.getuid(), os.getgid(), pwd.getpwuid(os.getuid()).pw_name
    entry = pwd.getpwnam(os.environ.get("PG_BROKER_USER", "postgres"))
    return entry.pw_uid, entry.pw_gid, entry.pw_name


def temp_dir(name):
    """A directory that the server's user owns."""
    path = tempfile.mkdtemp(prefix="pgb-%s-" % name, dir=os.environ.get("PG_BROKER_TMP"))
    uid, gid, _ = server_user()
    os.chown(path, uid, gid)
    os.chmod(path, 0o755)
    return path


# A postmaster's parent has ended, so it would become the child of process 1, which need not be quick to reap it; and
# PostgreSQL takes one that is dead but not reaped for a running one.  We adopt it instead.
PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def connection_lost(error):
    """Does this exception of psycopg tell that the server is gone?  If the connection breaks while results are
    expected psycopg may find none, and says so by an InternalError that has no SQLSTATE: no server sent it."""
    import psycopg
    return isinstance(error, psycopg.OperationalError) or type(error) is psycopg.InternalError and error.sqlstate is None


def alive(pid):
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass
    return os.path.exists("/proc/%d" % pid)


class Cluster:
    kind = "pg"

    # Lines that no test may leave in a server's log.
    SUSPICIOUS = re.compile(r"PANIC:|TRAP:|was terminated by signal (?!9\b)|server process .* was terminated|"
                            r"exited with exit code (?!1\b)|WARNING:.*(leak|buffer refcount)|corrupt")

    def __init__(self, name="test", settings=None, database=DATABASE, extension=True, initdb=()):
        self.dir = temp_dir(name)
        self.data = os.path.join(self.dir, "data")
        self.log = os.path.join(self.dir, "log")
        self.database = database
        self.expected = []          # patterns of log lines that this test provokes
        self.pid = None
        self.connections = []
        self.backends = {}          # {connection: its process}
        self._log_checked = 0
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8",
                  "--no-sync", *initdb)
        config = {
            "shared_preload_libraries": "pg_broker",
            "listen_addresses": "",
            "unix_socket_directories": self.dir,
            "port": "5432",
            "fsync": "off",
            "max_connections": "60",
            "shared_buffers": "64MB",
            "log_line_prefix": "%m [%p] %q%a ",
            "pg_broker.database": database,
            "pg_broker.port": "0",
            "pg_broker.listen_addresses": "127.0.0.1",
            "pg_broker.plaintext_role": "postgres",
        }
        config.update(settings or {})
        self.set(**{k: v for k, v in config.items() if v is not None})
        self._start_first(extension)

    def _start_first(self, extension):
        self.start()
        if self.database != "postgres":
            self.sql("CREATE DATABASE %s" % self.database, dbname="postgres")
        if extension:
            self.sql("CREATE EXTENSION pg_broker")

    # ----- settings and life -----

    def set(self, **settings):
        """Append settings to postgresql.conf; dots are written as two underscores or passed by a dict."""
        with open(os.path.join(self.data, "postgresql.conf"), "a") as f:
            for key, value in settings.items():
                f.write("%s = '%s'\n" % (key.replace("__", "."), str(value).replace("'", "''")))

    def _run(self, program, *args, check=True, timeout=120):
        uid, gid, _ = server_user()
        who = dict(user=uid, group=gid, extra_groups=[]) if os.getuid() == 0 else {}
        p = subprocess.run([os.path.join(BINDIR, program), *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, cwd=self.dir, timeout=timeout, text=True, **who)
        if check and p.returncode != 0:
            raise Failed("%s failed:\n%s\n%s" % (program, p.stdout, self.report()))
        return p

    def start(self, check=True):
        """Start the server, return when it takes SQL; False if it wouldn't start and check is off."""
        # Output goes to the log, else pg_ctl's pipe would stay open in the server.
        p = self._run("pg_ctl", "-D", self.data, "-l", self.log, "-w", "-t", "60", "start", check=check)
        if p.returncode != 0:
            return False
        with open(os.path.join(self.data, "postmaster.pid")) as f:
            self.pid = int(f.readline())
        return True

    def stop(self, mode="fast"):
        self.close_connections()
        if self.pid and alive(self.pid):
            self._run("pg_ctl", "-D", self.data, "-m", mode, "-w", "-t", "60", "stop")
        self.pid = None

    def restart(self, mode="fast"):
        self.stop(mode)
        self.start()

    def reload(self):
        os.kill(self.pid, signal.SIGHUP)

    def children(self):
        """{pid: title} of the server's processes."""
        found = {}
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                with open("/proc/%s/stat" % name) as f:
                    parent = int(f.read().rsplit(")", 1)[1].split()[1])
                if parent == self.pid:
                    with open("/proc/%s/cmdline" % name) as f:
                        found[int(name)] = f.read().replace("\0", " ").strip()
            except (OSError, ValueError):
                pass
        return found

    def workers(self, pattern="pg_broker"):
        """pids of the broker's processes whose title holds the pattern"""
        # A child that was just forked has the postmaster's title, with the path of its data.
        return [pid for pid, title in self.children().items() if title.startswith("postgres: ") and pattern in title]

    def kill(self, everything=True):
        """SIGKILL the postmaster, and with `everything` all of its children at the same instant."""
        children = list(self.children())
        os.kill(self.pid, signal.SIGKILL)
        if everything:
            for pid in children:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.gone(children)

    def gone(self, children):
        """Wait until the postmaster and these children of it have ended."""
        wait_for("the server's processes to end", lambda: not any(alive(p) for p in [self.pid, *children]))
        self.pid = None
        self.close_connections()

    def destroy(self):
        try:
            self.stop("immediate" if self.pid is None else "fast")
        finally:
            if self.pid and alive(self.pid):
                self.kill()
            if not os.environ.get("PG_BROKER_KEEP"):
                shutil.rmtree(self.dir, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        try:
            if kind is None:
                self.check_log()
        finally:
            self.destroy()

    # ----- the log -----

    def log_text(self):
        try:
            with open(self.log, errors="replace") as f:
                return f.read()
        except OSError:
            return ""

    def check_log(self):
        """No crash, leak or corruption has been logged but what the test expects."""
        bad = [line for line in self.log_text()[self._log_checked:].splitlines()
               if self.SUSPICIOUS.search(line) and not any(re.search(p, line) for p in self.expected)]
        if bad:
            raise Failed("the server's log says:\n" + "\n".join(bad[:20]))

    def wait_log(self, pattern, since=0, seconds=30):
        wait_for("log line " + pattern, lambda: re.search(pattern, self.log_text()[since:]), seconds)

    def report(self):
        return "last lines of the server's log:\n" + "\n".join(self.log_text().splitlines()[-25:])

    # ----- SQL -----

    def connect(self, dbname=None, autocommit=True, user="postgres"):
        import psycopg
        c = psycopg.connect(host=self.dir, port=5432, user=user, dbname=dbname or self.database, autocommit=autocommit)
        c.execute("SET client_min_messages = warning")
        if not autocommit:
            c.commit()
        self.connections.append(c)
        self.backends[c] = c.info.backend_pid
        return c

    def close_connections(self):
        for c in self.connections:
            c.close()
        self.connections = []
        self.backends = {}

    def sql(self, query, params=None, dbname=None, user="postgres"):
        """Run a query on a connection of its own; rows as a list of tuples."""
        import psycopg
        with psycopg.connect(host=self.dir, port=5432, user=user, dbname=dbname or self.database,
                             autocommit=True) as c:
            cursor = c.execute(query, params)
            return cursor.fetchall() if cursor.description else []

    def takes_sql(self):
        """Is it up, and through with recovery?"""
        try:
            return self.sql("SELECT true")
        except Exception as e:
            if not connection_lost(e):
                raise
            return False

    def comes_back(self, *killed, seconds=60):
        """Wait until the postmaster has noticed the death of these processes and of those whose connections broke, and the
        server is up again.  Before that it takes connections that do not last."""
        dead = [*killed, *(pid for c, pid in list(self.backends.items()) if c.broken)]
        wait_for("the postmaster to notice", lambda: not any(alive(pid) for pid in dead), seconds)
        wait_for("recovery", self.takes_sql, seconds)

    def value(self, query, params=None, **kw):
        return self.sql(query, params, **kw)[0][0]

    def psql(self, text, dbname=None, check=True):
        return self._run("psql", "-h", self.dir, "-U", "postgres", "-d", dbname or self.database, "-X", "-A", "-t",
                         "-v", "ON_ERROR_STOP=1", "-c", text, check=check).stdout

    # ----- the broker -----

    @property
    def port(self):
        def look():
            rows = self.sql("SELECT port FROM broker.listeners WHERE port > 0")
            return rows and rows[0][0]
        return wait_for("the broker to listen", look)

    @property
    def bootstrap(self):
        return "127.0.0.1:%d" % self.port

    def create_topic(self, name, partitions=1, config=None):
        import json
        self.sql("SELECT broker.create_topic(%s, partitions => %s, config => %s)",
                 (name, partitions, json.dumps(config or {})))


class Kafka:
    """A real Apache Kafka broker, to prove the tests and for comparisons."""
    kind = "kafka"

    def __init__(self, name="kafka", settings=None):
        self.dir = temp_dir(name)
        self.process = None
        self.settings = settings or {}
        ports = free_ports(2)
        self.port = ports[0]
        self.bootstrap = "127.0.0.1:%d" % self.port
        config = {
            "process.roles": "broker,controller", "node.id": "1",
            "controller.quorum.voters": "1@127.0.0.1:%d" % ports[1],
            "listeners": "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d" % tuple(ports),
            "advertised.listeners": "PLAINTEXT://127.0.0.1:%d" % ports[0],
            "controller.listener.names": "CONTROLLER", "log.dirs": os.path.join(self.dir, "logs"),
            "offsets.topic.replication.factor": "1", "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1", "group.initial.rebalance.delay.ms": "0",
        }
        config.update(self.settings)
        self.properties = os.path.join(self.dir, "server.properties")
        with open(self.properties, "w") as f:
            f.writelines("%s=%s\n" % item for item in config.items())
        with open(os.path.join(self.dir, "log4j2.properties"), "w") as f:
            f.write("rootLogger.level=WARN\nrootLogger.appenderRef.o.ref=O\nappender.o.type=Console\n"
                    "appender.o.name=O\nappender.o.layout.type=PatternLayout\n"
                    "appender.o.layout.pattern=%d %p %m%n\n")
        cluster_id = subprocess.run(self._java("kafka.tools.StorageTool", "random-uuid"),
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()
        if len(cluster_id) != 22:
            import base64
            cluster_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        p = subprocess.run(self._java("kafka.tools.StorageTool", "format", "-t", cluster_id, "-c", self.properties),
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if p.returncode != 0:
            raise Failed("formatting Kafka's storage failed:\n" + p.stdout)
        self.start()

    def _java(self, *args, heap="512m"):
        return ["java", "-Xmx" + heap, "-Dlog4j2.configurationFile=" + os.path.join(self.dir, "log4j2.properties"),
                "-cp", os.path.join(os.environ["PG_BROKER_JARS"], "*"), *args]

    def start(self):
        uid, gid, _ = server_user()
        who = dict(user=uid, group=gid, extra_groups=[]) if os.getuid() == 0 else {}
        self._chown()
        self.process = subprocess.Popen(self._java("kafka.Kafka", self.properties), cwd=self.dir,
                                        stdin=subprocess.DEVNULL, stdout=open(os.path.join(self.dir, "log"), "a"),
                                        stderr=subprocess.STDOUT, **who)
        wait_for("Kafka to listen", self._answers, 120)

    def _chown(self):
        uid, gid, _ = server_user()
        if os.getuid() == 0:
            for parent, _, files in os.walk(self.dir):
                for name in [".", *files]:
                    os.chown(os.path.join(parent, name), uid, gid)

    def _answers(self):
        if self.process.poll() is not None:
            raise Failed("Kafka ended:\n" + self.report())
        try:
            socket.create_connection(("127.0.0.1", self.port), 5).close()
            return True
        except OSError:
            return False

    def report(self):
        with open(os.path.join(self.dir, "log"), errors="replace") as f:
            return "last lines of Kafka's log:\n" + "\n".join(f.read().splitlines()[-20:])

    def stop(self):
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def restart(self):
        self.stop()
        self.start()

    def create_topic(self, name, partitions=1, config=None):
        from confluent_kafka.admin import AdminClient, NewTopic
        admin = AdminClient({"bootstrap.servers": self.bootstrap})
        admin.create_topics([NewTopic(name, partitions, 1, config=config or {})])[name].result(30)
        # Its brokers don't all know the topic yet.
        wait_for("the topic's metadata",
                 lambda: name in (topics := admin.list_topics(timeout=10).topics) and len(topics[name].partitions) == partitions)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.stop()
        if not os.environ.get("PG_BROKER_KEEP"):
            shutil.rmtree(self.dir, ignore_errors=True)


def free_ports(n):
    """n different ports that are free at the moment"""
    sockets = [socket.socket() for _ in range(n)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def broker(name="test", settings=None, kafka_settings=None):
    """The broker under test: ours, or with PG_BROKER_AGAINST=kafka the real one, to prove the test itself."""
    if os.environ.get("PG_BROKER_AGAINST") == "kafka":
        return Kafka(name, kafka_settings)
    return Cluster(name, settings)
