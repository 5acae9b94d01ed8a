"""consumers.py: the consumers, each a process that runs a program of examples/ as it is, or changed for a control."""
import os
import random
import signal
import subprocess
import sys
import threading

from proxy import FATES, Proxy
from tap import Failed

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
EXAMPLES = os.path.join(TOP, "examples/exactly_once")
CACHE = os.environ.get("PG_BROKER_CACHE", "/var/cache/pg_broker")


def changed(source, target, changes):
    """A copy of a program with some of its words replaced, each of which is there once."""
    with open(os.path.join(EXAMPLES, source)) as f:
        text = f.read()
    for old, new in changes:
        if text.count(old) != 1:
            raise Failed("%s has %d times: %s" % (source, text.count(old), old))
        text = text.replace(old, new)
    with open(target, "w") as f:
        f.write(text)
    return target


def command(program):
    """How the program (a path below examples/exactly_once, or of a changed copy) is run"""
    if program.endswith(".py"):
        return [sys.executable, os.path.join(EXAMPLES, program)]
    language, name = program.split("/")
    if language == "go":
        return [os.path.join(CACHE, "exactly_once_go", name)]
    return ["java", "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
            os.path.join(CACHE, "exactly_once_java", "classes") + ":" + os.path.join(CACHE, "exactly_once_java", "jars/*"), name]


def fate(harness, rnd, cut):
    """What decides whether the connection is cut at a COMMIT"""
    return lambda: rnd.choice(FATES) if harness.disturbing.is_set() and rnd.random() < cut else None


class Consumer:
    """One member of a group, which is started again whenever it was killed."""

    def __init__(self, harness, group, topics, program, cut):
        self.h, self.group, self.program = harness, group, program
        rnd = random.Random("%s %s" % (harness.options.seed, program))
        self.proxy = Proxy(os.path.join(harness.cluster.dir, ".s.PGSQL.5432"), fate(harness, rnd, cut))
        self.log = os.path.join(harness.cluster.dir, "consumer-%d" % self.proxy.port)
        database = "postgresql://127.0.0.1:%d/%s?user=postgres&options=-c%%20checker.grp%%3D%s" % (
            self.proxy.port, harness.cluster.database, group)
        if program.startswith("java"):
            database = "jdbc:" + database
        self.command = [*command(program), harness.bootstrap, group, ",".join(topics), database]
        self.process = None
        self.away = False           # it has left, as it was told

    def start(self):
        self.away = False
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def leave(self):
        """Ends as it does on an ordinary stop."""
        self.away = True
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            raise Failed("%s doesn't stop\n%s" % (self, self.said()))
        if self.process.returncode not in (0, -signal.SIGTERM, 128 + signal.SIGTERM):
            raise Failed("%s ended with %s\n%s" % (self, self.process.returncode, self.said()))

    def complain(self):
        """A program goes on through everything."""
        if not self.away and self.process.poll() is not None:
            raise Failed("%s ended by itself with %s\n%s" % (self, self.process.returncode, self.said()))

    def said(self):
        with open(self.log, errors="replace") as f:
            return "".join(f.readlines()[-15:])

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.proxy.open.set()
        self.proxy.close()

    def __str__(self):
        return "%s of %s" % (self.program, self.group)


class SqlConsumer(threading.Thread):
    """A session that consumes with broker.consume, as shown in the documentation."""

    def __init__(self, harness, group, topics, cut):
        super().__init__(daemon=True)
        self.h, self.group, self.topics = harness, group, topics
        self.rnd = random.Random("%s %s %s" % (harness.options.seed, group, self.name))
        self.proxy = Proxy(os.path.join(harness.cluster.dir, ".s.PGSQL.5432"), fate(harness, self.rnd, cut))
        self.failure = None
        with open(os.path.join(EXAMPLES, "sql/consume.sql")) as f:
            self.statement = f.read()

    def run(self):
        import psycopg
        from cluster import connection_lost
        # A topic may be dropped, or be created just now.
        expected = (psycopg.errors.SerializationFailure, psycopg.errors.CheckViolation, psycopg.errors.UndefinedTable,
                    psycopg.errors.ObjectNotInPrerequisiteState)
        while not self.h.ending.is_set():
            try:
                with psycopg.connect(host="127.0.0.1", port=self.proxy.port, user="postgres", dbname=self.h.cluster.database,
                                     options="-c checker.grp=" + self.group) as c:
                    while not self.h.ending.is_set():
                        for topic in self.topics:
                            self.transaction(c, topic)
            except psycopg.Error as e:
                if not isinstance(e, expected) and not connection_lost(e):
                    self.failure = "%s: %s" % (type(e).__name__, e)
                    return
                self.h.ending.wait(0.05)

    def transaction(self, c, topic):
        c.execute(self.statement.replace(":'group'", "'%s'" % self.group).replace(":'topic'", "'%s'" % topic))
        if self.rnd.random() < 0.05:
            c.rollback()
        else:
            c.commit()
