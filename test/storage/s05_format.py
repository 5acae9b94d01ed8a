"""The format on disk: the pages of a small log, byte for byte as they are in format.golden.

If this fails, files that exist can't be read any more: raise LOG_FORMAT_VERSION and keep reading the old, or undo it.
STORAGE_GOLDEN=write writes the file anew.
"""
import os

from storage import fsck, storage_cluster
from tap import case, eq, run

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "format.golden")


def mask(data, start, length):
    return data[:start] + b"\0" * length + data[start + length:]


def page_text(c, topic, block):
    row = c.sql("SELECT * FROM log_test.page(%s, %s)", (topic, block))[0]
    if row[0] is None:
        return "%d unused" % block
    kind, partition, position, first_offset, max_ts, first_batch, lower, content = row
    content = bytes(content)
    if kind == "meta":
        content = mask(content, 8, 20)          # topic id, database
    if kind == "txn":
        for entry in range(16, len(content), 32):
            content = mask(content, entry + 16, 8)      # xid
    head = "%d %s partition=%d position=%d first_offset=%d max_timestamp=%d first_batch=%d lower=%d" % (
        block, kind, partition, position, first_offset, max_ts, first_batch, lower)
    text = content.hex()
    return "\n".join([head] + ["  " + text[i:i + 96] for i in range(0, len(text), 96)])


def dump(c, topic):
    blocks = c.value("SELECT pg_relation_size(%s) / 8192", (topic,))
    return "\n".join(page_text(c, topic, b) for b in range(blocks)) + "\n"


@case
def golden(c):
    "the pages of a small log are what they always were"
    c.create_topic("golden", 3)
    s = c.connect()

    def append(*args, **kw):
        names = "".join(", %s => %s" % item for item in kw.items())
        s.execute("SELECT log_test.append('topic.golden', %s, %s, %s%s)" % (*args, names))

    append(0, 3, 40, ts=1000, seed=1)
    append(0, 2, 40, ts=900, seed=2, producer_id=4711, epoch=2, sequence=0)
    for seed, end in ((3, "COMMIT"), (4, "ROLLBACK")):
        s.execute("BEGIN")
        append(0, 1, 30, ts=1100 + seed, seed=seed, transactional="true")
        s.execute(end)
    append(0, 1, 50, ts=2000, seed=5, segment_bytes=100)        # begins an extent, which has a summary
    append(1, 1, 8200, ts=5, seed=6)                            # spans pages
    append(1, 1, 10, ts=6, seed=7)
    s.execute("SELECT log_test.flush()")
    s.execute("SELECT log_test.append('topic.golden', 2, 1, 20, ts => 7, seed => 8, explicit_offset => 500)")
    s.execute("SELECT log_test.append('topic.golden', 2, 1, 20, ts => 8, seed => 9, segment_bytes => 10)")
    s.execute("SELECT log_test.flush()")
    s.execute("SELECT log_test.delete_records('topic.golden', 2, 501)")         # frees an extent
    s.execute("SELECT pg_switch_wal()")         # flushes that, too
    fsck(c, "topic.golden")
    got = dump(c, "topic.golden")
    if os.environ.get("STORAGE_GOLDEN") == "write":
        with open(GOLDEN, "w") as f:
            f.write(got)
    with open(GOLDEN) as f:
        want = f.read()
    for a, b in zip(got.splitlines(), want.splitlines()):
        eq(a, b)
    eq(len(got), len(want))
    c.restart("immediate")
    eq(dump(c, "topic.golden"), got, "after recovery")


def setup():
    return storage_cluster("format")


run(setup)
