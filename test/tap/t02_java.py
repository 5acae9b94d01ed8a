"""Kafka's own command line tools (Java): topics, configs, console producer and consumer, producer perf."""
import re
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import configs, console_consumer, console_producer, java, topics
from cluster import broker
from tap import case, eq, ok, run


@case
def topic_life(b):
    "topics are created, listed, described, altered and deleted"
    topics(b, "--create", "--topic", "java.one", "--partitions", "3", "--config", "retention.ms=123456789")
    topics(b, "--create", "--topic", "java-two")
    eq([t for t in topics(b, "--list").split() if t.startswith("java")], ["java-two", "java.one"])
    out = topics(b, "--describe", "--topic", "java.one")
    ok(re.search(r"PartitionCount: 3\b", out), out)
    ok(re.search(r"ReplicationFactor: 1\b", out), out)
    ok("retention.ms=123456789" in out, out)
    eq(len(re.findall(r"Partition: \d+\s+Leader: \d+", out)), 3, out)
    topics(b, "--alter", "--topic", "java.one", "--partitions", "5")
    ok(re.search(r"PartitionCount: 5\b", topics(b, "--describe", "--topic", "java.one")))
    topics(b, "--delete", "--topic", "java.one")
    eq([t for t in topics(b, "--list").split() if t.startswith("java")], ["java-two"])


@case
def topic_errors(b):
    "creating what exists or what is invalid is refused as Kafka does"
    topics(b, "--create", "--topic", "once")
    for arguments, message in [
            (["--topic", "once"], "already exists"),
            (["--topic", "one/bad/name"], "Exception"),
            (["--topic", "zero", "--partitions", "0"], "Exception"),
            (["--topic", "three", "--replication-factor", "3"], "InvalidReplicationFactor"),
            (["--topic", "setting", "--config", "retention.ms=soon"], "Exception")]:
        p = topics(b, "--create", *arguments, check=False)
        ok(p.returncode != 0, "refused: %s" % arguments)
        ok(message in (p.stdout + p.stderr).decode(), (p.stdout + p.stderr).decode()[-1500:])
    if b.kind == "pg":
        eq(b.sql("SELECT name FROM broker.topics WHERE name IN ('zero', 'three', 'setting')"), [])


@case
def settings(b):
    "settings of a topic are described, altered and deleted"
    topics(b, "--create", "--topic", "set", "--config", "max.message.bytes=2000000")
    name = ["--entity-type", "topics", "--entity-name", "set"]
    ok("max.message.bytes=2000000" in configs(b, "--describe", *name))
    configs(b, "--alter", *name, "--add-config", "retention.bytes=1000000,message.timestamp.type=LogAppendTime")
    out = configs(b, "--describe", *name)
    ok("retention.bytes=1000000" in out and "message.timestamp.type=LogAppendTime" in out, out)
    configs(b, "--alter", *name, "--delete-config", "max.message.bytes")
    out = configs(b, "--describe", *name)
    ok("max.message.bytes" not in out and "retention.bytes=1000000" in out, out)
    out = configs(b, "--describe", "--all", *name)
    for setting in ["cleanup.policy=delete", "compression.type=producer", "segment.bytes=1073741824",
                    "min.insync.replicas=1"]:
        ok(setting in out, setting + " in " + out)
    p = configs(b, "--alter", *name, "--add-config", "no.such.setting=1", check=False)
    ok(p.returncode != 0, "an unknown setting is refused")


@case
def console(b):
    "the console consumer reads what the console producer wrote, partition by partition"
    b.create_topic("console", 2)
    lines = ["key%d:value %d" % (i, i) for i in range(200)]
    console_producer(b, "console", lines, "--reader-property", "parse.key=true", "--reader-property",
                     "key.separator=:")
    from clients import read_partition
    counts = [len(read_partition(b, "console", p)) for p in range(2)]
    eq(sum(counts), 200)
    ok(min(counts) > 50, "keys are spread: %s" % counts)
    got = []
    for p in range(2):
        part = console_consumer(b, "console", p, counts[p], "--formatter-property", "print.key=true",
                                "--formatter-property", "key.separator=:")
        eq(len(part), counts[p])
        eq(part, sorted(part, key=lambda line: int(line[3:].split(":")[0])), "order in a partition")
        got += part
    eq(sorted(got), sorted(lines))


@case(seconds=240)
def perf(b):
    "producer perf runs, and all of its records are there"
    b.create_topic("perf", 2)
    out = java("org.apache.kafka.tools.ProducerPerformance", "--topic", "perf", "--num-records", "50000",
               "--record-size", "200", "--throughput", "-1", "--bootstrap-server", b.bootstrap,
               "--command-property", "acks=all")
    ok("50000 records sent" in out, out)
    out = java("org.apache.kafka.tools.GetOffsetShell", "--bootstrap-server", b.bootstrap, "--topic", "perf")
    eq(sum(int(line.split(":")[2]) for line in out.split()), 50000, out)
    if b.kind == "pg":
        eq(b.value("SELECT count(*) FROM topic.perf"), 50000)


@case
def delete_records(b):
    "delete-records moves the log start"
    import json
    import tempfile
    b.create_topic("cut")
    console_producer(b, "cut", ["r%d" % i for i in range(100)])
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump({"partitions": [{"topic": "cut", "partition": 0, "offset": 40}], "version": 1}, f)
        f.flush()
        java("org.apache.kafka.tools.DeleteRecordsCommand", "--bootstrap-server", b.bootstrap,
             "--offset-json-file", f.name)
    out = java("org.apache.kafka.tools.GetOffsetShell", "--bootstrap-server", b.bootstrap, "--topic", "cut", "--time",
               "earliest")
    eq(out.strip(), "cut:0:40")
    eq(console_consumer(b, "cut", 0, 3), ["r40", "r41", "r42"])
    if b.kind == "pg":
        eq(b.value("SELECT min(log_offset) FROM topic.cut"), 40)


@case
def log_dirs(b):
    "log-dirs shows the size of a partition"
    b.create_topic("sized")
    console_producer(b, "sized", ["x" * 1000 for i in range(100)])
    out = java("org.apache.kafka.tools.LogDirsCommand", "--bootstrap-server", b.bootstrap, "--describe",
               "--topic-list", "sized")
    sizes = [int(s) for s in re.findall(r'"size":(\d+)', out)]
    ok(len(sizes) == 1 and sizes[0] >= 100000, out)


@case
def api_versions(b):
    "broker-api-versions understands everything that is advertised"
    out = java("org.apache.kafka.tools.BrokerApiVersionsCommand", "--bootstrap-server", b.bootstrap)
    for line in ["Produce(0): 0 to", "Fetch(1): 4 to", "ListOffsets(2): 1 to", "Metadata(3): 0 to",
                 "ApiVersions(18): 0 to"]:
        ok(line in out, line + " in " + out)
    ok("UNKNOWN(" not in out, out)


run(lambda: broker("java"))
