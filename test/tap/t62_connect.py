"""Kafka Connect in distributed mode: two workers, lines from a file to a topic to a file, everything restarted on the way."""
import contextlib
import os
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import configs, java
from cluster import broker, free_ports
from connect import Worker
from tap import case, eq, ok, run, wait_for

LINES = int(os.environ.get("CONNECT_LINES", 500))


class Pipe:
    """The file that lines are appended to, and the one where they arrive"""

    def __init__(self, b):
        self.source = os.path.join(b.dir, "in.txt")
        self.sink = os.path.join(b.dir, "out.txt")
        self.written = 0
        for name in (self.source, self.sink):
            open(name, "w").close()

    def write(self):
        with open(self.source, "a") as f:
            f.writelines("line %d\n" % i for i in range(self.written, self.written + LINES))
        self.written += LINES

    def arrived(self):
        with open(self.sink) as f:
            return f.read().splitlines()

    def wait(self, report):
        """All lines have come, in the order in which they were written; some may have come again."""
        want = ["line %d" % i for i in range(self.written)]
        try:
            wait_for("%d lines" % self.written, lambda: set(want) <= set(self.arrived()), 120)
        except Exception:
            print("# %d arrived\n# %s" % (len(self.arrived()), report().replace("\n", "\n# ")))
            raise
        eq(list(dict.fromkeys(self.arrived())), want)


def running(name):
    return {"until": lambda a: a["connector"]["state"] == "RUNNING" and [t["state"] for t in a["tasks"]] == ["RUNNING"]}


@case
def starts(b):
    "two workers start, make their compacted topics, and run a file source and a file sink"
    b.workers = [Worker(b, n) for n in range(2)]
    b.pipe = Pipe(b)
    b.pipe.write()
    w = b.workers[0]
    w.ask("PUT", "/connectors/source/config", {"connector.class": "org.apache.kafka.connect.file.FileStreamSourceConnector",
                                               "tasks.max": "1", "file": b.pipe.source, "topic": "lines"})
    w.ask("PUT", "/connectors/sink/config", {"connector.class": "org.apache.kafka.connect.file.FileStreamSinkConnector",
                                             "tasks.max": "1", "file": b.pipe.sink, "topics": "lines"})
    b.workers[1].ask("GET", "/connectors", until=lambda a: sorted(a) == ["sink", "source"])
    for name in ("source", "sink"):
        w.ask("GET", "/connectors/%s/status" % name, **running(name))
    b.pipe.wait(w.report)
    for topic in ("connect-configs", "connect-offsets", "connect-status"):
        ok("cleanup.policy=compact" in configs(b, "--describe", "--entity-type", "topics", "--entity-name", topic, "--all"), topic)
    listed = {line.split()[0]: line.split()[1:] for line in
              java("org.apache.kafka.tools.GroupsCommand", "--bootstrap-server", b.bootstrap, "--list").splitlines() if line}
    eq(listed["connect"], ["Classic", "connect"])
    eq(listed["connect-sink"], ["Classic", "consumer"])


@case
def worker_restarts(b):
    "a worker is stopped, its tasks go to the other; it comes back; the other is killed"
    first, second = b.workers
    b.pipe.write()
    first.stop()
    second.ask("GET", "/connectors/source/status", **running("source"))
    b.pipe.write()
    b.pipe.wait(second.report)
    first.start()
    first.ask("GET", "/connectors", until=lambda a: sorted(a) == ["sink", "source"])
    b.pipe.write()
    second.kill()
    b.pipe.write()
    b.pipe.wait(first.report)


@case
def broker_restarts(b):
    "the broker is restarted, then it crashes; Connect goes on"
    b.pipe.write()
    b.restart()
    b.pipe.write()
    b.pipe.wait(b.workers[0].report)
    if b.kind == "pg":
        b.pipe.write()
        b.kill()
        b.start()
        b.pipe.write()
        b.pipe.wait(b.workers[0].report)


@case
def offsets(b):
    "offsets of connectors are shown, changed and reset"
    w = b.workers[0]
    size = os.path.getsize(b.pipe.source)
    shown = w.ask("GET", "/connectors/source/offsets",
                  until=lambda a: a["offsets"] and a["offsets"][0]["offset"]["position"] == size)
    eq(shown["offsets"][0]["partition"], {"filename": b.pipe.source})
    w.ask("PUT", "/connectors/sink/stop")
    w.ask("GET", "/connectors/sink/status", until=lambda a: a["connector"]["state"] == "STOPPED" and not a["tasks"])
    eq([o["partition"] for o in w.ask("GET", "/connectors/sink/offsets")["offsets"]], [{"kafka_topic": "lines", "kafka_partition": 0}])
    before = b.pipe.arrived()
    w.ask("PATCH", "/connectors/sink/offsets",
          {"offsets": [{"partition": {"kafka_topic": "lines", "kafka_partition": 0}, "offset": {"kafka_offset": LINES}}]})
    eq(w.ask("GET", "/connectors/sink/offsets")["offsets"][0]["offset"], {"kafka_offset": LINES})
    w.ask("DELETE", "/connectors/sink/offsets")
    eq(w.ask("GET", "/connectors/sink/offsets"), {"offsets": []})
    w.ask("PUT", "/connectors/sink/resume")
    wait_for("everything again", lambda: b.pipe.arrived().count("line %d" % (b.pipe.written - 1)) >
             before.count("line %d" % (b.pipe.written - 1)), 60)
    for name in ("source", "sink"):
        w.ask("DELETE", "/connectors/" + name)
    w.ask("GET", "/connectors", until=lambda a: a == [])


@contextlib.contextmanager
def setup():
    with broker("connect", {"pg_broker.port": str(free_ports(1)[0]), "pg_broker.group_initial_rebalance_delay": "500ms"}) as b:
        b.workers = []
        try:
            yield b
        finally:
            for w in b.workers:
                w.kill()


run(setup)
