"""quickstart: makes a cluster, shows what it does, comes again without harm, says who holds the port, goes away.

It installs into the system's PostgreSQL, as its users' does, and works in a directory of its own.
"""
import contextlib
import os
import shlex
import shutil
import socket
import subprocess
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import deliver, producer, read_partition
from cluster import free_ports, temp_dir
from tap import Failed, case, eq, ok, run

TOP = os.environ["PG_BROKER_TOP"]


class Quickstart:
    def __init__(self):
        self.parent = temp_dir("quickstart")
        self.home = os.path.join(self.parent, "a home's")
        self.port, = free_ports(1)
        self.bootstrap = "127.0.0.1:%d" % self.port

    def run(self, *args, check=True, port=None):
        env = {**os.environ, "PG_BROKER_HOME": self.home, "PG_BROKER_PORT": str(port or self.port)}
        p = subprocess.run([os.path.join(TOP, "quickstart"), *args], env=env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=500)
        if check and p.returncode:
            raise Failed("quickstart %s: %d\n%s\n%s" % (args, p.returncode, p.stdout[-2000:], p.stderr[-2000:]))
        return p

    def env(self):
        return dict(shlex.split(line)[1].split("=", 1) for line in self.run("env").stdout.splitlines())

    def psql(self, query):
        return subprocess.run(["psql", "-XAtc", query], env={**os.environ, **self.env()}, stdout=subprocess.PIPE,
                              text=True, check=True).stdout.strip()


@case(seconds=600)
def first(q):
    "the first run makes a cluster, shows the demo, and leaves the broker running"
    out = q.run().stdout
    for part in ["topic.demo", "from a Kafka client", "from SQL", "ordered: tea", "bootstrap.servers", q.bootstrap]:
        ok(part in out, "%s in %s" % (part, out))
    demo = out[out.rindex("$ kcat"):]
    ok("a mistake" not in demo, "what was rolled back is not read: %s" % demo)
    eq(q.psql("SELECT count(*) FROM topic.demo"), "3")
    eq(len(read_partition(q, "demo")), 3)


@case
def privileges(q):
    "Kafka clients act as a role without special rights"
    eq(q.psql("SELECT rolsuper FROM pg_roles WHERE rolname = current_setting('pg_broker.plaintext_role')"), "f")
    deliver(producer(q), "made-by-a-client", [(None, b"auto-created")])
    eq(q.psql("SELECT owner FROM broker.topics WHERE name = 'made-by-a-client'"), "kafka")


@case
def second(q):
    "a second run changes nothing"
    before = q.psql("SELECT count(*), pg_postmaster_start_time() FROM topic.demo")
    out = q.run().stdout
    ok("bootstrap.servers" in out and "A topic is a table" not in out, out)
    eq(q.psql("SELECT count(*), pg_postmaster_start_time() FROM topic.demo"), before)


@case
def stop(q):
    "stop ends it, twice is no error, and a start brings everything back"
    q.run("stop")
    q.run("stop")
    with socket.socket() as s:
        ok(s.connect_ex(("127.0.0.1", q.port)) != 0, "nothing listens")
    q.run()
    eq(q.psql("SELECT count(*) FROM topic.demo"), "3")


@case
def held(q):
    "a port that is taken is named, with who holds it"
    q.run("stop")
    with socket.create_server(("127.0.0.1", 0)) as s:
        port = s.getsockname()[1]
        p = q.run(check=False, port=port)
        ok(p.returncode != 0, "refused")
        ok("port %d is held by process %d" % (port, os.getpid()) in p.stderr, p.stderr)


@case
def reset(q):
    "reset removes the directory; one that is not the quickstart's own is left alone"
    q.run()
    q.run("reset")
    ok(not os.path.exists(q.home), "gone")
    q.run("reset")
    os.mkdir(q.home)
    ok(q.run("reset", check=False).returncode != 0, "not mine")
    ok(os.path.exists(q.home), "left alone")


@contextlib.contextmanager
def setup():
    q = Quickstart()
    try:
        yield q
    finally:
        q.run("stop", check=False)
        shutil.rmtree(q.parent, ignore_errors=True)


run(setup)
