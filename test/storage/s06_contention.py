"""Many sessions append to one partition with hardly any buffers, so that pages are evicted between the steps of an append."""
import threading

from storage import bounds, fsck, records, storage_cluster
from tap import case, eq, ok, run, wait_for

SESSIONS = 6
ROUNDS = 200


@case
def contention(c):
    "no page is lost when sessions pin, write and evict the same pages"
    c.create_topic("hot", 1)
    errors = []

    def work(number):
        try:
            s = c.connect()
            for i in range(ROUNDS):
                n, size = [(40, 100), (10, 9000), (10, 20000), (4, 90000), (20, 8075)][(i + number) % 5]
                s.execute("SELECT log_test.append_many('topic.hot', 0, %s, 1, %s)", (n, size))
                if i % 10 == 9:
                    s.execute("SELECT log_test.retention('topic.hot', 0, retention_bytes => 6000000)")
        except Exception as e:      # told to the main thread
            errors.append(e)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(SESSIONS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if errors:
        raise errors[0]
    c.sql("SELECT log_test.flush()")
    fsck(c, "topic.hot")
    b = bounds(c, "topic.hot", 0)
    eq(b["end_offset"], SESSIONS * ROUNDS * 84 // 5, "batches")
    got = [r[0] for r in records(c, "topic.hot", 0)]
    eq(got, list(range(got[0], b["end_offset"])))
    ok(got[0] <= b["log_start"])
    c.restart("immediate")
    fsck(c, "topic.hot")
    eq([r[0] for r in records(c, "topic.hot", 0)], got, "after recovery")


@case
def pinned_late(c):
    "a page that was written and evicted while another session was about to pin it as a new one is not taken for empty"
    c.create_topic("late", 2)
    c.sql("SELECT log_test.append_many('topic.late', 1, 400, 1, 8000)")
    # up to the end of a page
    c.sql("SELECT log_test.append('topic.late', 0, 1, 8136 - 61)")
    for others in ("SELECT log_test.append('topic.late', 0, 1, 3000, seed => 1)",
                   "SELECT log_test.append('topic.late', 0, 1, 8136 * 2 - 61 - 3061, seed => 2)"):
        holder, late = c.connect(), c.connect()
        holder.execute("SELECT pg_advisory_lock(42)")
        late.execute("SET pg_broker.pause_point = 'append-looked'")
        thread = threading.Thread(target=late.execute, args=(
            "SELECT log_test.append('topic.late', 0, 1, 40000, seed => 3)",))
        thread.start()
        wait_for("the late session", lambda: c.value("SELECT count(*) FROM pg_locks WHERE NOT granted"))
        c.sql(others)
        # all buffers are used for other pages
        for _ in range(3):
            c.sql("SELECT log_test.flush()")
            eq(c.value("SELECT count(*) FROM log_test.read('topic.late', 1)"), 400)
            c.sql("CHECKPOINT")
        holder.execute("SELECT pg_advisory_unlock(42)")
        thread.join()
        c.sql("SELECT log_test.append('topic.late', 0, 1, 30)")
        c.sql("SELECT log_test.flush()")
        fsck(c, "topic.late")
        c.close_connections()
    got = records(c, "topic.late", 0)
    eq([r[0] for r in got], list(range(7)))
    eq([r[2] for r in got], [0, 1, 3, 0, 2, 3, 0])


def setup():
    # 128 buffers, which the background writer cleans at once
    return storage_cluster("contention", {"shared_buffers": "1MB", "bgwriter_lru_maxpages": "1000", "bgwriter_delay": "10ms",
                                          "wal_consistency_checking": ""})


run(setup)
