"""connect.py: workers of Kafka Connect in distributed mode, and their REST interface."""
import json
import os
import subprocess
import urllib.error
import urllib.request

from clients import CACHE
from cluster import free_ports
from tap import Failed, wait_for

CONFIG = """
bootstrap.servers=%(bootstrap)s
group.id=connect
listeners=http://127.0.0.1:%(port)d
plugin.discovery=service_load
key.converter=org.apache.kafka.connect.storage.StringConverter
value.converter=org.apache.kafka.connect.storage.StringConverter
config.storage.topic=connect-configs
offset.storage.topic=connect-offsets
status.storage.topic=connect-status
config.storage.replication.factor=1
offset.storage.replication.factor=1
status.storage.replication.factor=1
offset.storage.partitions=5
status.storage.partitions=2
offset.flush.interval.ms=500
session.timeout.ms=6000
heartbeat.interval.ms=500
rebalance.timeout.ms=5000
scheduled.rebalance.max.delay.ms=500
consumer.session.timeout.ms=6000
"""


class Worker:
    def __init__(self, broker, number):
        self.port = free_ports(1)[0]
        self.log = os.path.join(broker.dir, "connect%d.log" % number)
        self.properties = os.path.join(broker.dir, "connect%d.properties" % number)
        with open(self.properties, "w") as f:
            f.write(CONFIG % {"bootstrap": broker.bootstrap, "port": self.port})
        self.start()

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                                             "-Dlog4j2.level=ERROR", "-cp", CACHE + "/connect-4.3.1/*",
                                             "org.apache.kafka.connect.cli.ConnectDistributed", self.properties],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def call(self, method, path, body=None):
        """The answer of the REST interface; None while the worker isn't there or a rebalance is on."""
        request = urllib.request.Request("http://127.0.0.1:%d%s" % (self.port, path), method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as e:
            if e.code in (404, 409, 503):
                return None
            raise Failed("%s %s: %d %s\n%s" % (method, path, e.code, e.read().decode(), self.report()))
        except (urllib.error.URLError, OSError):
            if self.process.poll() is not None:
                raise Failed("the worker ended:\n" + self.report())
            return None

    def ask(self, method, path, body=None, until=lambda answer: True, seconds=30):
        """Call until there is an answer that is as wanted; returns it."""
        answers = []

        def look():
            answers.append(self.call(method, path, body))
            return answers[-1] is not None and until(answers[-1])
        try:
            wait_for("%s %s" % (method, path), look, seconds, 0.1)
        except Failed as e:
            raise Failed("%s; the last answer was %s\n%s" % (e, answers[-1:], self.report()))
        return answers[-1]

    def report(self):
        with open(self.log, errors="replace") as f:
            return "last of Connect's log:\n" + f.read()[-3000:]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failed("the worker doesn't end:\n" + self.report())

    def kill(self):
        self.process.kill()
        self.process.wait()
