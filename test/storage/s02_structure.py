"""Finding offsets and times, slices, retention and the use of space, in logs whose contents are known."""
import os
import random

from storage import bounds, by_slices, fsck, records, storage_cluster
from tap import case, diag, eq, ok, run, wait_for

import psycopg


def fill(c, topic, sizes, **kw):
    """append batches; [(base, last, seed)]"""
    connection = c.connect()
    out = []
    for seed, (n, size, ts) in enumerate(sizes, 1):
        row = connection.execute(
            "SELECT base_offset, last_offset FROM log_test.append(%s, 0, %s, %s, ts => %s, seed => %s, segment_bytes => %s)",
            (topic, n, size, ts, seed, kw.get("segment_bytes", 0))).fetchone()
        out.append((*row, seed))
    connection.execute("SELECT log_test.flush()")
    connection.close()
    return out


def blocks_read(c, topic, query, params=()):
    """The rows of a query, and how many pages of the topic it looked at."""
    with psycopg.connect(host=c.dir, port=5432, user="postgres", dbname=c.database, autocommit=True) as s:
        s.execute("SELECT 1")
        count = ("SELECT pg_stat_get_blocks_fetched(%s::regclass::oid) + pg_stat_get_xact_blocks_fetched(%s::regclass::oid)")
        s.execute("BEGIN")
        before = s.execute(count, (topic, topic)).fetchone()[0]
        rows = s.execute(query, params).fetchall()
        after = s.execute(count, (topic, topic)).fetchone()[0]
        s.execute("COMMIT")
    return rows, after - before


@case
def find_offsets(c):
    "every offset is found by readers and slices, in batches of all sizes, from one page to the next"
    c.create_topic("offsets", 1)
    rnd = random.Random(1)
    sizes = [(rnd.randrange(1, 5), rnd.choice([0, 10, 500, 8075, 8136, 8136 - 61, 20000, 3 * 8136 - 61]), 0)
             for _ in range(400)]
    want = fill(c, "topic.offsets", sizes, segment_bytes=200000)
    eq(records(c, "topic.offsets", 0), want)
    fsck(c, "topic.offsets")
    connection = c.connect()
    for offset in range(0, want[-1][1] + 1, 29):
        expected = [w for w in want if w[1] >= offset]
        row = connection.execute("SELECT base_offset, last_offset, seed FROM log_test.read('topic.offsets', 0, %s, %s)",
                                 (offset, offset + 1)).fetchall()
        eq(row, [e for e in expected if e[0] <= offset][:1], "offset %d" % offset)
        got, _ = by_slices(connection, "topic.offsets", 0, 30000, offset)
        eq(got, expected, "from offset %d" % offset)
    for end in range(1, want[-1][1] + 2, 31):
        eq([r[0] for r in connection.execute(
            "SELECT base_offset FROM log_test.read('topic.offsets', 0, 0, %s, backward => true)", (end,))],
           [w[0] for w in want if w[0] < end][::-1], "backward from %d" % end)


@case
def slices_are_bounded(c):
    "slices take whole batches only, as many as fit, at least one on request, and end where they are told"
    c.create_topic("limits", 1)
    want = fill(c, "topic.limits", [(1, s, 0) for s in [100, 5000, 9000, 40000, 100, 100]])
    connection = c.connect()

    def slices(offset, **kw):
        args = "".join(", %s => %s" % item for item in kw.items())
        rows = connection.execute("SELECT block, position, length, next_offset FROM log_test.slices('topic.limits', 0, %s%s)"
                                  % (offset, args)).fetchall()
        return sum(r[2] for r in rows), rows[0][3] if rows else None

    total = sum(61 + s for s in [100, 5000, 9000, 40000, 100, 100])
    eq(slices(0), (total, 6))
    eq(slices(0, max_bytes=161), (161, 1))
    eq(slices(0, max_bytes=161 + 5060), (161, 1))
    eq(slices(0, max_bytes=161 + 5061), (161 + 5061, 2))
    eq(slices(3, max_bytes=1), (40061, 4))
    eq(slices(3, max_bytes=1, at_least_one="false"), (0, None))
    eq(slices(0, end_offset=2), (161 + 5061, 2))
    eq(slices(6), (0, None))
    for offset in (-1, 7):
        try:
            slices(offset)
            ok(False, "an error for offset %d" % offset)
        except psycopg.errors.InternalError as e:
            ok("out of range" in str(e))


@case
def find_times(c):
    "a time is found as by looking at every batch, whatever the order of timestamps, before and after retention"
    c.create_topic("times", 1)
    rnd = random.Random(2)
    now = 0
    sizes = []
    for _ in range(600):
        now += rnd.randrange(5)
        sizes.append((2, rnd.choice([50, 3000, 9000]), now - (rnd.randrange(200) if rnd.random() < 0.2 else 0)))
    want = fill(c, "topic.times", sizes, segment_bytes=300000)
    connection = c.connect()
    for step in range(3):
        start = bounds(c, "topic.times", 0)["log_start"]
        live = [(w[0], sizes[w[2] - 1][2]) for w in want if w[1] >= start]
        for ts in range(0, now + 10, 11):
            expected = next((base for base, t in live if t >= ts), -1)
            eq(connection.execute("SELECT log_test.find_time('topic.times', 0, %s)", (ts,)).fetchone()[0], expected,
               "time %d" % ts)
        newest = max(t for _, t in live)
        eq(connection.execute("SELECT log_test.find_max_time('topic.times', 0)").fetchone()[0],
           next(base for base, t in live if t == newest), "the largest time")
        c.sql("SELECT log_test.delete_records('topic.times', 0, %s)", (start + 333,))
        fsck(c, "topic.times")


@case
def few_pages(c):
    "finding an offset and a time, and opening a log after a restart, reads a few pages of thousands"
    # STORAGE_LONG_MB makes the log longer; what is read grows with its logarithm.
    n = int(os.environ.get("STORAGE_LONG_MB", "60")) * 500
    c.create_topic("long", 1)
    c.sql("SELECT log_test.append_many('topic.long', 0, %s, 1, 2000, ts => 1000)", (n,))
    c.sql("SELECT log_test.flush()")
    pages = c.value("SELECT pg_relation_size('topic.long') / 8192")
    ok(pages > n / 5, "%d pages" % pages)
    for what, query, limit in (
            ("an offset", "SELECT base_offset FROM log_test.read('topic.long', 0, %d, %d)" % (n // 3, n // 3 + 1), 60),
            ("the last offset", "SELECT base_offset FROM log_test.read('topic.long', 0, %d, %d, backward => true)" % (n - 1, n), 40),
            ("slices of 1 MB", "SELECT count(*) FROM log_test.slices('topic.long', 0, %d, max_bytes => 1000000)" % (n * 2 // 3), 60),
            ("a time", "SELECT log_test.find_time('topic.long', 0, %d)" % (n // 2), 60),
            ("the largest time", "SELECT log_test.find_max_time('topic.long', 0)", 40)):
        rows, read = blocks_read(c, "topic.long", query)
        ok(rows and 0 < read <= limit, "%s took %d pages" % (what, read))
        diag("%s: %d of %d pages" % (what, read, pages))
    c.restart("immediate")
    rows, read = blocks_read(c, "topic.long", "SELECT end_offset FROM log_test.bounds('topic.long', 0)")
    eq(rows, [(n,)])
    ok(0 < read < 1024 + 20, "opening took %d pages" % read)
    diag("opening: %d pages" % read)


@case
def empty_partitions(c):
    "an empty partition takes a page; ten thousand are well under 1 GB"
    c.create_topic("wide", 10000)
    size = c.value("SELECT pg_relation_size('topic.wide')")
    ok(size < 100 * 1000 * 1000, "%d bytes" % size)
    c.sql("DROP TABLE topic.wide")


@case
def bounded_size(c):
    "with retention by size, a log that is written without end keeps a bounded file, whose space is used again"
    c.create_topic("endless", 2)
    sizes = []
    for i in range(40):
        for partition in (0, 1):
            c.sql("SELECT log_test.append_many('topic.endless', %s, 300, 1, 3000, ts => 1)", (partition,))
            c.sql("SELECT log_test.flush()")
            c.sql("SELECT log_test.retention('topic.endless', %s, retention_bytes => 2000000)", (partition,))
        sizes.append(c.value("SELECT pg_relation_size('topic.endless')"))
    fsck(c, "topic.endless")
    ok(bounds(c, "topic.endless", 0)["end_offset"] == 12000)
    ok(max(sizes[5:]) <= 8000000, "the file grows up to %d" % max(sizes[5:]))
    ok(max(sizes[20:]) <= max(sizes[:20]), "the file goes on growing: %s" % sizes)
    # all expires by time; VACUUM gives the tail of the file back
    for partition in (0, 1):
        c.sql("SELECT log_test.retention('topic.endless', %s, retention_ms => 1000, now_ms => 1000000)", (partition,))
        b = bounds(c, "topic.endless", partition)
        eq((b["log_start"], b["high_watermark"]), (12000, 12000))
    before = c.value("SELECT pg_relation_size('topic.endless')")
    c.sql("VACUUM topic.endless")
    ok(c.value("SELECT pg_relation_size('topic.endless')") < before / 2, "VACUUM gives the tail back")
    fsck(c, "topic.endless")
    c.restart("immediate")
    fsck(c, "topic.endless")
    eq(bounds(c, "topic.endless", 0)["end_offset"], 12000)


@case
def scattered_space(c):
    "free space in more pieces than the metapage has room for is used later, and none is lost"
    c.create_topic("scattered", 2000)
    s = c.connect()
    for _ in range(2):
        s.execute("SELECT count(log_test.append('topic.scattered', p, 1, 50, segment_bytes => 10))"
                  " FROM generate_series(0, 1999) p")
    s.execute("SELECT log_test.flush()")
    fsck(c, "topic.scattered")
    s.execute("SELECT count(log_test.delete_records('topic.scattered', p, 1)) FROM generate_series(0, 1999, 2) p")
    fsck(c, "topic.scattered")
    size = c.value("SELECT pg_relation_size('topic.scattered')")
    # a thousand extents are free, eight hundred of them known to be: new ones are taken from there
    for _ in range(3):
        s.execute("SELECT count(log_test.append('topic.scattered', p, 1, 50, segment_bytes => 10))"
                  " FROM generate_series(0, 499, 2) p")
        s.execute("SELECT log_test.flush()")
        s.execute("SELECT count(log_test.retention('topic.scattered', p)) FROM generate_series(0, 1999, 2) p")
        fsck(c, "topic.scattered")
    eq(c.value("SELECT pg_relation_size('topic.scattered')"), size, "the size")
    s.execute("SELECT count(log_test.delete_records('topic.scattered', p, 2)) FROM generate_series(0, 1999) p")
    fsck(c, "topic.scattered")
    c.restart("immediate")
    fsck(c, "topic.scattered")
    c.sql("DROP TABLE topic.scattered")


@case
def slow_reader(c):
    "a reader in the middle of an answer whose extent is freed and used again is told so, and never gets other bytes"
    c.create_topic("slow", 2)
    c.sql("SELECT log_test.append_many('topic.slow', 0, 100, 1, 3000, ts => 1)")
    c.sql("SELECT log_test.flush()")
    slices = c.sql("SELECT block, position, length FROM log_test.slices('topic.slow', 0, 0, max_bytes => 200000)")
    ok(len(slices) > 1)

    def copy(block, position, length, skip):
        return c.value("SELECT log_test.copy('topic.slow', 0, %s, %s, %s, %s, %s)",
                       (block, position, length, skip, length - skip))

    whole = [bytes(copy(*s, 0)) for s in slices]
    c.sql("SELECT log_test.delete_records('topic.slow', 0, 90)")
    for s, w in zip(slices, whole):
        got = copy(*s, 5000)
        ok(got is None or bytes(got) == w[5000:], "freed, not yet used again")
    gone = 0
    for i in range(30):
        c.sql("SELECT log_test.append_many('topic.slow', 1, 20, 1, 3000, ts => 1)")
        for s, w in zip(slices, whole):
            got = copy(*s, 5000)
            ok(got is None or bytes(got) == w[5000:], "another partition's bytes")
            gone += got is None
    ok(gone > 0, "the space was used again")
    # the same for a reader by batches under an old snapshot: it moves on
    eq(records(c, "topic.slow", 0)[0][0] <= 90, True)
    fsck(c, "topic.slow")


@case
def huge_batches(c):
    "batches of many megabytes, cut by errors and restarts, and small ones after them"
    c.create_topic("huge", 1)
    want = fill(c, "topic.huge", [(1, 20, 0), (5, 5000000, 0), (1, 20, 0), (2, 30000000, 0), (1, 20, 0)])
    eq(records(c, "topic.huge", 0), want)
    fsck(c, "topic.huge")
    with psycopg.connect(host=c.dir, port=5432, user="postgres", dbname=c.database, autocommit=True) as s:
        s.execute("SET pg_broker.stop_point = 'append-mid-batch'")
        try:
            s.execute("SELECT log_test.append('topic.huge', 0, 1, 3000000)")
            ok(False, "stopped")
        except psycopg.OperationalError:
            pass
    wait_up(c)
    eq(records(c, "topic.huge", 0), want)
    want += [tuple(r) for r in c.sql("SELECT base_offset, last_offset, 9::int8 FROM"
                                     " log_test.append('topic.huge', 0, 3, 100, seed => 9)")]
    c.sql("SELECT log_test.flush()")
    eq(records(c, "topic.huge", 0), want)
    fsck(c, "topic.huge")
    c.restart("immediate")
    eq(records(c, "topic.huge", 0), want)
    fsck(c, "topic.huge")


@case
def torn(c):
    "what an error leaves in the middle of an append is wiped, while others' transactions are undecided"
    c.create_topic("torn", 1)

    def fail(s, point, size, transactional=False):
        s.execute("SET pg_broker.error_point = '%s'" % point)
        try:
            s.execute("SELECT log_test.append('topic.torn', 0, 1, %s, seed => 666, transactional => %s)",
                      (size, transactional))
            ok(False, "an error")
        except psycopg.errors.InternalError as e:
            ok("error point" in str(e), str(e))
        s.execute("ROLLBACK")
        s.execute("SET pg_broker.error_point = ''")

    def append(s, size, seed, **kw):
        names = "".join(", %s => %s" % item for item in kw.items())
        return s.execute("SELECT result, base_offset FROM log_test.append('topic.torn', 0, 1, %s, seed => %s%s)"
                         % (size, seed, names)).fetchone()

    a, b = c.connect(), c.connect()
    append(a, 500, 1, producer_id=5, sequence=0)
    a.execute("BEGIN")
    append(a, 500, 2, transactional=True)
    for seed, (point, size) in enumerate([("append-mid-batch", 1000000), ("append-indexed", 100),
                                          ("append-mid-batch", 270000), ("roll-summary-written", 3000000)], 3):
        if point != "append-indexed":
            fail(b, point, size)
        fail(b, point, size, True)
        eq(append(b, 700, seed), (0, seed - 1))
    eq(append(b, 500, 1, producer_id=5, sequence=0), (1, 0), "a producer's retry is still recognised")
    b.execute("SELECT log_test.flush()")
    eq([r[2] for r in records(c, "topic.torn", 0)], [1], "the transaction is still undecided")
    append(a, 500, 9, transactional=True)
    a.execute("COMMIT")
    eq([r[2] for r in records(c, "topic.torn", 0)], [1, 2, 3, 4, 5, 6, 9])
    fail(b, "append-mid-batch", 3000000, True)
    fsck(c, "topic.torn")
    c.restart("immediate")
    eq([r[2] for r in records(c, "topic.torn", 0)], [1, 2, 3, 4, 5, 6, 9])
    fsck(c, "topic.torn")


@case
def producers(c):
    "retries of idempotent producers are recognised after rolls, restarts and retention; epochs and sequences are checked"
    c.create_topic("producers", 1)

    def append(producer, sequence, epoch=0, n=2, **kw):
        names = "".join(", %s => %s" % item for item in kw.items())
        s = c.connections[-1] if c.connections else c.connect()
        return s.execute("SELECT result, base_offset FROM log_test.append('topic.producers', 0, %d, 100, producer_id => %d,"
                         " sequence => %d, epoch => %d, ts => 5%s), log_test.flush()"
                         % (n, producer, sequence, epoch, names)).fetchone()

    OK, DUPLICATE, OUT_OF_ORDER, FENCED = range(4)
    first = [append(p, s) for s in range(0, 14, 2) for p in range(150)]
    eq({r[0] for r in first}, {OK})
    where = [[first[i * 150 + p][1] for i in range(7)] for p in range(150)]

    def retries(what):
        for p in (0, 77, 149):
            for i in range(2, 7):
                eq(append(p, 2 * i), (DUPLICATE, where[p][i]), what)
            eq(append(p, 2)[0], OUT_OF_ORDER, "the window is five batches")
            eq(append(p, 16)[0], OUT_OF_ORDER, "a gap")
        eq(append(3, 12, n=1)[0], OUT_OF_ORDER, "another batch with the sequence of a stored one")

    retries("at once")
    c.restart("immediate")
    retries("after a restart")
    eq(append(200, 40, segment_bytes=100)[0], OK)      # begins an extent, with a summary
    retries("after a new extent")
    c.restart("immediate")
    retries("from the summary")
    eq(append(0, 0, epoch=1)[0], OK)
    eq(append(0, 14, epoch=0)[0], FENCED)
    eq(append(0, 4, epoch=2)[0], OUT_OF_ORDER, "a new epoch begins with 0")
    end = bounds(c, "topic.producers", 0)["end_offset"]
    c.sql("SELECT log_test.delete_records('topic.producers', 0, %s)", (end,))
    c.restart("immediate")
    eq(append(77, 12), (DUPLICATE, where[77][6]), "after retention")
    eq(append(77, 14)[0], OK)
    fsck(c, "topic.producers")


def wait_up(c):
    wait_for("the server to come back", c.takes_sql)


def setup():
    c = storage_cluster("structure", {"shared_buffers": "16MB", "wal_consistency_checking": ""})
    c.expected += [r"terminat", "stopped at"]
    return c


run(setup)
