"""docs/limits.md says what the table of refusals in the code says."""
import contextlib
import os
import re
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from tap import case, eq, ok, run

TOP = __file__.rsplit("/", 3)[0]


def read(name):
    with open(os.path.join(TOP, name)) as f:
        return f.read()


@case
def same_refusals(_):
    "every refusal has a row in docs/limits.md, in the same order"
    code = re.findall(r'\[TOPIC_NO_\w+\] = \{(?:NULL|"((?:[^"\\]|\\.)*)"),', read("src/topic/refusal.c"))
    ok(len(code) > 20, "%d refusals" % len(code))
    rows = [line.split("|")[1].replace("`", "") for line in read("docs/limits.md").split("\n## ")[1].splitlines()
            if line.startswith("| ") and not line.startswith("| Refused")]
    for what, row in zip(code, rows):
        ok(what.replace('\\"', "") in row.replace('"', "") or not what, "%s: %s" % (what, row))
    eq(len(rows), len(code) + 1, "and the one that src/am refuses")


@case
def enum_and_table(_):
    "every kind of refusal is used by a guard and stands in the regress test"
    kinds = re.findall(r"^\t(TOPIC_NO_\w+)", read("src/topic/refusal.h"), re.M)
    guards = "".join(read("src/topic/guard_%s.c" % n) for n in ("utility", "object", "query"))
    for kind in kinds:
        ok(kind in guards, kind)
    expected = read("expected/refused.out") + read("expected/using_groups.out")
    for what in re.findall(r'\[TOPIC_NO_\w+\] = \{"((?:[^"\\]|\\.)*)"', read("src/topic/refusal.c")):
        ok("support " + what.replace('\\"', '"') in expected, what)


@case
def settings(_):
    "docs/topics.md lists the settings that have an effect"
    table = read("src/wire/config_table.c").split("config_broker[]")[0]
    doc = read("docs/topics.md")
    listed = set(re.findall(r"`([a-z]+(?:\.[a-z]+)*)`", "".join(
        line.split("|")[1] for line in doc.splitlines() if line.startswith("| `"))))
    for name in listed - {"partition", "log_offset", "ts", "key", "value", "headers"}:
        ok('{"%s",' % name in table, name)
    for name in ("retention.ms", "retention.bytes", "segment.ms", "segment.bytes", "max.message.bytes", "compression.type",
                 "min.insync.replicas", "message.timestamp.type", "partitioner"):
        ok(name in listed, name)


run(contextlib.nullcontext)
