"""Kafka's Java consumer in groups of both protocols: commit styles, positions, assignors, static members, migration."""
import contextlib
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import JavaCases
from cluster import broker
from tap import case, run

BOTH = ("classic", "consumer")

CASES = [
    ("Commits.autoCommit", BOTH, "auto-commit, in passing and when it closes"),
    ("Commits.commitSync", BOTH, "commitSync"),
    ("Commits.commitAsync", BOTH, "commitAsync and its callback"),
    ("Commits.both", BOTH, "commitAsync on the way, commitSync after a wakeup"),
    ("Commits.middle", BOTH, "offsets in the middle of a batch, with metadata, and back again"),
    ("Commits.listener", BOTH, "commits in a rebalance listener: the next owner goes on just there"),
    ("Commits.seeks", BOTH, "seek to the beginning, the end, a time, a stored offset"),
    ("Commits.wakeup", BOTH, "wakeup ends a long poll; who closes leaves at once"),
    ("Commits.pattern", BOTH, "subscribe with a pattern, and a topic that comes to match"),
    ("Commits.brokersPattern", ("consumer",), "subscribe with a pattern that the broker evaluates"),
    ("Commits.standalone", BOTH, "assign after partitionsFor, commits without members, none without a group"),
    ("Groups.range", BOTH, "assignor range"),
    ("Groups.roundRobin", ("classic",), "assignor RoundRobin"),
    ("Groups.sticky", ("classic",), "assignor Sticky: who stays keeps what he has"),
    ("Groups.cooperativeSticky", ("classic",), "assignor CooperativeSticky: who stays isn't interrupted"),
    ("Groups.uniform", ("consumer",), "assignor uniform: who stays isn't interrupted"),
    ("Groups.upgrade", ("classic",), "rolling change from Range to CooperativeSticky"),
    ("Groups.staticMembers", BOTH, "static members: restarts unnoticed, doubles fenced"),
    ("Groups.grows", BOTH, "new partitions and a new topic are taken in"),
    ("Groups.migration", BOTH, "migration to the other protocol and back, with mixed members"),
]


CALLS = ["%s %s" % (name, protocol) for name, protocols, _ in CASES for protocol in protocols]


def register(name, protocol, what):
    def call(fixture):
        fixture.cases.result("%s %s" % (name, protocol))
    call.__name__ = "%s_%s" % (name.split(".")[1], protocol)
    call.__doc__ = "%s: %s" % (protocol, what)
    case(call)


for name, protocols, what in CASES:
    for protocol in protocols:
        register(name, protocol, what)


@contextlib.contextmanager
def setup():
    with broker("java-groups", {
            "pg_broker.group_initial_rebalance_delay": "100ms", "pg_broker.group_consumer_heartbeat_interval": "300ms"}) as b:
        b.cases = JavaCases(b, CALLS)
        try:
            yield b
        finally:
            b.cases.end()


run(setup)
