"""storage.py: clusters for tests of the storage layer, which is driven by the functions of test/modules/log_test.

The broker's processes are off: nothing flushes or applies retention but what a test does.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from cluster import Cluster, connection_lost, temp_dir  # noqa: E402
from tap import wait_for  # noqa: E402

SETTINGS = {
    "pg_broker.enabled": "off",
    "wal_consistency_checking": "all",
    "shared_buffers": "2MB",
    "max_prepared_transactions": "20",
    "autovacuum": "off",
    "log_autovacuum_min_duration": "-1",
}


def storage_cluster(name="storage", settings=None, **kw):
    c = Cluster(name, {**SETTINGS, **(settings or {})}, initdb=("--data-checksums",), **kw)
    c.sql("CREATE EXTENSION log_test")
    return c


class Standby(Cluster):
    """A copy of a running cluster by pg_basebackup; with `standby` it follows it, else it is a server of its own."""

    def __init__(self, primary, standby=True, settings=None):
        self.dir = temp_dir("standby")
        self.data = os.path.join(self.dir, "data")
        self.log = os.path.join(self.dir, "log")
        self.database = primary.database
        self.expected = []
        self.pid = None
        self.connections = []
        self.backends = {}
        self._log_checked = 0
        self._run("pg_basebackup", "-h", primary.dir, "-p", "5432", "-U", "postgres", "-D", self.data, "-c", "fast",
                  "-X", "stream", "--no-sync", *(["-R"] if standby else []))
        os.chmod(self.data, 0o700)
        self.set(unix_socket_directories=self.dir, **(settings or {}))
        self.start()

    def catch_up(self, primary):
        # A checkpoint tells it which transactions a crash has ended.
        primary.sql("CHECKPOINT")
        lsn = primary.value("SELECT pg_current_wal_insert_lsn()")
        primary.sql("SELECT pg_switch_wal()")
        wait_for("the standby to replay", lambda: self.value("SELECT pg_last_wal_replay_lsn() >= %s", (lsn,)))

    def promote(self):
        self._run("pg_ctl", "-D", self.data, "-w", "promote")


def records(c, topic, partition, how="", connection=None):
    """[(base, last, seed)] of the batches that a reader returns; all of them are intact"""
    query = ("SELECT base_offset, last_offset, seed, intact FROM log_test.read(%%s, %%s%s)" % (", " + how if how else ""))
    rows = (connection.execute(query, (topic, partition)).fetchall() if connection
            else c.sql(query, (topic, partition)))
    bad = [r for r in rows if not r[3]]
    assert not bad, "damaged batches: %s" % bad[:3]
    return [r[:3] for r in rows]


def bounds(c, topic, partition):
    names = ("log_start", "high_watermark", "end_offset", "flushed", "size_bytes", "undecided", "scan_end")
    return dict(zip(names, c.sql("SELECT * FROM log_test.bounds(%s, %s)", (topic, partition))[0]))


def by_slices(connection, topic, partition, max_bytes, start=None):
    """The batches up to the high watermark as a consumer gets them: by slices, copied in two pieces."""
    found = []
    offset = start
    if offset is None:
        offset = connection.execute("SELECT log_start FROM log_test.bounds(%s, %s)", (topic, partition)).fetchone()[0]
    while True:
        rows = connection.execute("SELECT block, position, length, next_offset FROM log_test.slices(%s, %s, %s,"
                                  " max_bytes => %s)", (topic, partition, offset, max_bytes)).fetchall()
        if not rows:
            return found, offset
        for block, position, length, _ in rows:
            half = length // 2
            pieces = [connection.execute("SELECT log_test.copy(%s, %s, %s, %s, %s, %s, %s)",
                                         (topic, partition, block, position, length, skip, n)).fetchone()[0]
                      for skip, n in ((0, half), (half, length - half))]
            if None in pieces:
                return found, offset        # freed meanwhile
            batch = connection.execute("SELECT base_offset, last_offset, seed, intact FROM log_test.batches(%s)",
                                       (b"".join(pieces),)).fetchall()
            bad = [b for b in batch if not b[3]]
            assert not bad, "damaged batches: %s" % bad[:3]
            found += [b[:3] for b in batch]
        offset = rows[0][3]


def fsck(c, topic):
    problems = [r[0] for r in c.sql("SELECT problem FROM log_test.fsck(%s)", (topic,))]
    assert not problems, "the file is damaged:\n" + "\n".join(problems[:20])
