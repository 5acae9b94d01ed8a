"""common.py: what the benchmarks share: settings, the client program, what a broker uses, tables."""
import argparse
import contextlib
import os
import signal
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../test/lib"))

from cluster import BINDIR, Cluster, Kafka  # noqa: F401

CLIENT = os.environ["PG_BROKER_BENCH_CLIENT"]

# What a user with a machine for this would set; everything is flushed.
SETTINGS = {"fsync": "on", "shared_buffers": "2GB", "max_wal_size": "8GB", "checkpoint_timeout": "15min",
            "wal_buffers": "64MB", "min_wal_size": "2GB"}


def arguments(doc, **defaults):
    """Numbers that can be set, each with its default; and --busy."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in defaults.items():
        parser.add_argument("--" + name, type=type(value), default=value)
    parser.add_argument("--busy", action="store_true", help="measure even if others use the machine")
    options = parser.parse_args()
    if not options.busy:
        refuse_if_busy()
    return options


def refuse_if_busy():
    """Figures from a machine that does other things are worth nothing."""
    def used():
        with open("/proc/stat") as f:
            ticks = [int(x) for x in f.readline().split()[1:9]]
        return sum(ticks) - ticks[3] - ticks[4], sum(ticks)
    for _ in range(5):
        busy, total = used()
        time.sleep(1)           # interval of measurement
        busy, total = used()[0] - busy, used()[1] - total
        if busy < 0.1 * total:
            return
    raise SystemExit("others use %d %% of this machine: figures would mean nothing (--busy measures all the same)"
                     % (100 * busy / total))


def run_in(b):
    """Files for WAL are there to be used again, as on a server that has run for a while: making one means writing zeros."""
    for _ in range(128):
        b.sql("SELECT pg_logical_emit_message(false, 'bench', 'x')")
        b.sql("SELECT pg_switch_wal()")
    b.sql("CHECKPOINT")


# ---------- the client ----------

def start_client(mode, b, topic, partitions, size, records):
    return subprocess.Popen([CLIENT, mode, b.bootstrap, topic, str(partitions), str(size), str(records)],
                            stdout=subprocess.PIPE, text=True)


def finish_client(p, stop=False, timeout=900):
    """The numbers that it printed; `stop` has it end now."""
    if stop:
        p.send_signal(signal.SIGTERM)
    out, _ = p.communicate(timeout=timeout)
    if p.returncode:
        raise SystemExit("the client failed")
    return [float(x) for x in out.split()]


def client(mode, b, topic, partitions, size, records):
    """(seconds, records, megabytes, p50, p99, max)"""
    return finish_client(start_client(mode, b, topic, partitions, size, records))


@contextlib.contextmanager
def again_and_again(action):
    """Another thread does it, over and over."""
    done = threading.Event()

    def work():
        while not done.is_set():
            action()
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


# ---------- what a broker uses ----------

def processes(b):
    return [b.process.pid] if b.kind == "kafka" else [b.pid, *b.children()]


def cpu_seconds(b):
    """Of all its processes, and of those that have ended."""
    ticks = 0
    for pid in processes(b):
        with contextlib.suppress(OSError), open("/proc/%d/stat" % pid) as f:
            fields = f.read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
            if pid == getattr(b, "pid", None):
                ticks += int(fields[13]) + int(fields[14])
    return ticks / os.sysconf("SC_CLK_TCK")


def written_bytes(b):
    """To the disk, or meant for it; of the processes that live."""
    total = 0
    for pid in processes(b):
        with contextlib.suppress(OSError), open("/proc/%d/io" % pid) as f:
            total += next(int(line.split()[1]) for line in f if line.startswith("write_bytes"))
    return total


def private_megabytes(b):
    """Memory that is no cache: neither shared_buffers nor the system's."""
    total = 0
    for pid in processes(b):
        with contextlib.suppress(OSError), open("/proc/%d/status" % pid) as f:
            total += next(int(line.split()[1]) for line in f if line.startswith("RssAnon"))
    return total / 1024


def data_dir(b):
    return os.path.join(b.dir, "logs") if b.kind == "kafka" else os.path.join(b.data, "base")


def forget_cached(b):
    """The system's cache gives up the broker's data; what isn't written yet is written first."""
    if b.kind == "pg":
        b.sql("CHECKPOINT")
    os.sync()
    for parent, _, names in os.walk(data_dir(b)):
        for name in names:
            with contextlib.suppress(OSError):
                fd = os.open(os.path.join(parent, name), os.O_RDONLY)
                os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(fd)


# ---------- tables ----------

def median(values):
    return statistics.median(values)


def spread(values, form="%.1f"):
    """median (least to most)"""
    return "%s (%s to %s)" % tuple(form % v for v in (median(values), min(values), max(values)))


def table(head, rows):
    """Columns as wide as what is in them; the first is text."""
    rows = [head] + [[str(x) for x in row] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    print()
    for row in rows:
        print("  ".join([row[0].ljust(widths[0])] + [x.rjust(w) for x, w in zip(row[1:], widths[1:])]))
    sys.stdout.flush()
