"""checker: consumers that write to PostgreSQL, disturbed in every way; each record must be there exactly once.  Prints TAP.

	test/checker [--seconds N] [--seed N] [--only FAULT,FAULT] [--groups NAME,NAME] [--controls]

Run it by test/run, which builds everything and sets the environment:  CHECKER_SECONDS=3600 ./test/run checker

Producers (Kafka, idempotent, and SQL transactions) number their records.  Groups of consumers write a row for each record: the
programs of examples/exactly_once as they are shown in the documentation, and sessions that use broker.consume.  Between the
programs and PostgreSQL there are proxies that cut the connection at some COMMITs, before they are sent, at once afterwards, or
when the answer is on its way; other COMMITs fail by a constraint.  Meanwhile faults.py kills, pauses, resets and recreates.

At any time the rows of a group must be the log of its topic from the beginning up to some offset, each record once, in order;
at the end, all of the log, with all that was acknowledged to the producers.

--controls runs programs of which a part was taken out (see groups.py); the checker must find every one of them wrong.
"""
import argparse
import os
import random
import re
import sys
import threading
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../lib"))
sys.path.insert(0, HERE)

from cluster import Cluster, free_ports
from faults import Faults
from groups import CONTROLS, GROUPS
from load import AgainLoad, KafkaProducer, SqlProducer
from tap import Failed, diag, wait_for

PARTITIONS = 4
TOPIC = "flow"


class Violation(Exception):
    def __init__(self, group, what):
        super().__init__("%s: %s" % (group, what))
        self.group = group


class Checker:
    def __init__(self, options):
        self.options = options
        self.rnd = random.Random(options.seed)
        self.port, = free_ports(1)
        self.bootstrap = "127.0.0.1:%d" % self.port
        self.ending = threading.Event()
        self.enough = threading.Event()     # for the producers
        self.disturbing = threading.Event()
        self.counts = {}
        self.cluster = Cluster("checker", {
            "pg_broker.port": str(self.port), "restart_after_crash": "on", "log_line_prefix": "%m [%p] %e ",
            "pg_broker.group_initial_rebalance_delay": "0", "checkpoint_timeout": "30s", "max_connections": "100",
            "pg_broker.group_consumer_session_timeout": "6s", "pg_broker.group_consumer_heartbeat_interval": "1s",
            "pg_broker.auto_create_topics": "off"})
        with open(os.path.join(HERE, "schema.sql")) as f:
            self.cluster.sql(f.read())
        self.topics = [TOPIC] if options.controls else [TOPIC, AgainLoad.topic]
        for topic in self.topics:
            self.cluster.create_topic(topic, PARTITIONS if topic == TOPIC else 1)
        self.found = {}             # group -> what was found wrong with it
        self.groups = {g.name: g for g in (CONTROLS if options.controls else GROUPS) if wanted(options, g.name)}
        self.consumers = [c for g in self.groups.values() for c in g.consumers(self)]
        self.sessions = [t for g in self.groups.values() for t in g.threads(self)]
        self.again = AgainLoad(self.bootstrap, 20)
        self.producers = [KafkaProducer(self.bootstrap, TOPIC, PARTITIONS, self.enough, options.rate),
                          SqlProducer(self.cluster, TOPIC, PARTITIONS, self.enough, options.rate)]

    def count(self, what, n=1):
        self.counts[what] = self.counts.get(what, 0) + n

    def members(self, group):
        return [c for c in self.consumers if c.group == group]

    # ----- waiting, while looking for violations -----

    def sql(self, query, *params):
        return self.cluster.sql(query, params)

    def await_sql(self):
        wait_for("the server to take connections", self.cluster.takes_sql, 60)

    def last(self, group):
        return self.sql("SELECT coalesce(max(id), 0) FROM received WHERE grp = %s", group)[0][0]

    def waits(self, what, condition, seconds=120):
        def look():
            self.complain()
            return condition()
        wait_for(what, look, seconds, 0.1)

    def moves(self, what, groups):
        """Each of the groups writes rows."""
        before = {g: self.last(g) for g in groups}
        self.waits(what, lambda: all(self.last(g) > before[g] for g in groups))

    def tops(self, group):
        return dict(self.sql("SELECT partition, max(log_offset) FROM received WHERE grp = %s AND topic = %s GROUP BY 1",
                             group, TOPIC))

    def passes_every_partition(self, group):
        before = self.tops(group)
        self.waits("%s to go on in every partition" % group, lambda: all(
            self.tops(group).get(p, -1) > before.get(p, -1) for p in range(PARTITIONS)))

    def has_all(self, group, topic, acked):
        """The group has written what was acknowledged."""
        def there():
            rows = self.sql("SELECT partition, log_offset, value FROM received WHERE grp = %s AND topic = %s", group, topic)
            return set(acked.items()) <= {((p, o), v) for p, o, v in rows}
        try:
            self.waits("%s to have all of %s" % (group, topic), there, 90)
        except Failed as e:
            raise Violation(group, str(e))

    def complain(self):
        for p in self.producers:
            if p.failure:
                raise Failed("a producer: %s" % p.failure)
        if len(self.topics) > 1:
            self.again.complain()
        for s in self.sessions:
            if s.failure:
                raise Violation(s.group, "a session: %s" % s.failure)
        for c in self.consumers:
            c.complain()

    # ----- checks -----

    def check(self):
        """What every group has written until now"""
        self.complain()
        for group in self.groups:
            for topic in self.topics:
                wrong = self.sql("SELECT * FROM wrong(%s, %s)", group, topic)
                if wrong:
                    raise Violation(group, "in %s: %s" % (topic, "; ".join("%s: %d/%d %.20s" % w for w in wrong[:4])))

    def trim(self, keep=2000):
        """What was checked goes, lest a run of hours gets slower and slower."""
        with self.cluster.connect(autocommit=False) as c:
            c.execute("LOCK TABLE received IN EXCLUSIVE MODE")
            c.execute("INSERT INTO checked SELECT grp, topic, partition, max(log_offset) - %s FROM received WHERE topic = %s "
                      "GROUP BY 1, 2, 3 HAVING max(log_offset) > %s "
                      "ON CONFLICT (grp, topic, partition) DO UPDATE SET upto = greatest(checked.upto, EXCLUDED.upto)",
                      (keep, TOPIC, keep))
            c.execute("DELETE FROM received r USING checked k WHERE r.grp = k.grp AND r.topic = k.topic "
                      "AND r.partition = k.partition AND r.log_offset <= k.upto")
            c.commit()

    def finish(self):
        """The producers end, everybody reads what there is, and everything is compared."""
        self.disturbing.clear()
        self.sql("UPDATE chaos SET failing_commits = 0")
        if len(self.topics) > 1:
            self.again.stop()
        acked = [(AgainLoad.topic, at, value) for at, value in self.again.acked().items()] if len(self.topics) > 1 else []
        self.enough.set()
        for p in self.producers:
            p.join(150)
        self.complain()
        kafka, sql = self.producers
        acked += [(TOPIC, at, value) for at, value in kafka.acked.items()]
        logs = {t: {(p, o): v.decode() for p, o, v in self.sql('SELECT partition, log_offset, value FROM topic."%s"' % t)}
                for t in self.topics}
        for topic, at, value in acked:
            if logs[topic].get(at) != value:
                raise Violation("log", "acknowledged %r at %s of %s, now there is %r" % (value, at, topic, logs[topic].get(at)))
        missing = sql.committed - set(logs[TOPIC].values())
        if missing:
            raise Violation("log", "committed by SQL and gone: %s" % list(missing)[:5])
        upto = {(g, t, p): u for g, t, p, u in self.sql("SELECT * FROM checked")}
        for group in self.groups:
            for topic in self.topics:
                self.has_all(group, topic, {(p, o): v for (p, o), v in logs[topic].items()
                                            if o > upto.get((group, topic, p), -1)})
        self.check()
        self.count("records", sum(len(log) for log in logs.values()))

    # ----- the run -----

    def start(self):
        for t in [*self.producers, *self.sessions]:
            t.start()
        for c in self.consumers:
            c.start()
        if len(self.topics) > 1:
            self.again.start()
        self.moves("everybody to begin", self.groups)
        self.disturbing.set()
        self.sql("UPDATE chaos SET failing_commits = 0.05")

    def run(self):
        kinds = Faults(self).kinds()
        if self.options.only:
            kinds = [k for k in kinds if k.__name__ in self.options.only.split(",")]
        self.start()
        deadline = time.monotonic() + self.options.seconds
        trimmed = time.monotonic()
        order = []
        while time.monotonic() < deadline:
            # Each kind once before any comes again.
            order = order or self.rnd.sample(kinds, len(kinds))
            fault = order.pop()
            self.count(fault.__name__)
            began = time.monotonic()
            fault()
            self.moves("everybody to go on after " + fault.__name__, self.groups)
            if self.options.verbose:
                diag("%s: %.1f s" % (fault.__name__, time.monotonic() - began))
            self.check()
            if time.monotonic() > trimmed + 300:
                self.trim()
                trimmed = time.monotonic()
        self.finish()

    def run_controls(self):
        """Until every group was found wrong"""
        faults = Faults(self)
        kinds = [faults.zombie, faults.kill_consumer, faults.kill_session]
        self.start()
        deadline = time.monotonic() + self.options.seconds
        while self.groups and time.monotonic() < deadline:
            fault = kinds.pop(0)
            kinds.append(fault)
            self.count(fault.__name__)
            fault()
            self.await_wrong()

    def await_wrong(self):
        """Give them time to go on; groups that were found wrong leave the run."""
        self.moves("everybody to go on", self.groups)
        while True:
            try:
                return self.check()
            except Violation as e:
                self.found[e.group] = str(e)
                for c in self.members(e.group):
                    c.close()
                self.consumers = [c for c in self.consumers if c.group != e.group]
                del self.groups[e.group]

    def close(self):
        self.ending.set()
        self.enough.set()
        for c in self.consumers:
            c.close()
        self.cluster.destroy()

    def summary(self):
        """What happened, for the reader of the run's output"""
        for c in self.consumers + self.sessions:
            for fate, n in c.proxy.counts.items():
                self.count("COMMITs %s" % fate, n)
        log = self.cluster.log_text()
        self.count("refused by commit_offsets or consume", len(re.findall(
            "ERROR:  (the offsets of group .* can't be committed|the member does not have partition)", log)))
        self.count("gaps in the log", self.producers[1].gaps)
        diag(", ".join("%s %d" % item for item in sorted(self.counts.items())))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=75)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--rate", type=float, default=150, help="records a second, roughly, of each of two producers")
    parser.add_argument("--cut", type=float, default=0.08, help="how many of the COMMITs have their connection cut")
    parser.add_argument("--only", help="kinds of faults, e.g. zombie,reset")
    parser.add_argument("--groups", help="names of groups, e.g. mixed,sql")
    parser.add_argument("--controls", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    diag("--seed %d --seconds %g" % (options.seed, options.seconds))
    h = Checker(options)
    failure = None
    try:
        h.run_controls() if options.controls else h.run()
    except Exception as e:
        failure = "%s: %s" % (type(e).__name__, e)
        if not isinstance(e, (Violation, Failed)):
            failure = traceback.format_exc()
    finally:
        h.summary()
        if failure:
            diag(failure)
            for c in h.consumers:
                diag("---- %s\n%s" % (c, c.said()))
            diag(h.cluster.report())
        h.close()
    if options.controls:
        results = [("%s is found wrong" % c.name, c.name in h.found) for c in CONTROLS if wanted(options, c.name)]
        for found in h.found.values():
            diag(found)
    else:
        results = [("every record once and in order in each group: " + ", ".join(h.groups), not failure)]
    report(results + [("nothing unexpected happened", not failure)])


def wanted(options, name):
    return not options.groups or name in options.groups.split(",")


def report(results):
    print("1..%d" % len(results))
    for number, (what, good) in enumerate(results, 1):
        print("%s %d - %s" % ("ok" if good else "not ok", number, what))
    sys.stdout.flush()
    os._exit(0 if all(good for _, good in results) else 1)


main()
