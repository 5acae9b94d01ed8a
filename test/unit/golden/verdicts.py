"""Asks a real Kafka what it thinks of many good and bad record batches, for batch_test.c.

    test/unit/golden/verdicts.py >test/unit/golden/verdicts.txt

Each line: topic (plain, compact, append), name, the broker's clock in ms, error code, indexes of the records with an
error of their own (comma-separated, "-" for none), bytes of the records in hexadecimal.  Needs Kafka's jars (in
PG_BROKER_JARS, as test/run sets it) and the libraries of lz4, zstd and snappy.
"""
import ctypes
import gzip
import os
import struct
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "..", "lib"))
import cluster                          # noqa: E402
from wire import (Closed, Connection, Reader, batch, crc32c, record, string, array, varbytes, varint,  # noqa: E402
                  CREATE_TOPICS, PRODUCE)

GZIP, SNAPPY, LZ4, ZSTD = 1, 2, 3, 4
CONTROL, TRANSACTIONAL, APPEND_TIME, DELETE_HORIZON = 0x20, 0x10, 0x08, 0x40


def library(name, function, *args, size):
    out = ctypes.create_string_buffer(size)
    f = getattr(ctypes.CDLL(name), function)
    f.restype = ctypes.c_size_t
    used = f(out, ctypes.c_size_t(size), *args)
    assert used <= size, used
    return out.raw[:used]


def lz4(data, linked=False):
    # LZ4F_preferences_t: blockSizeID (4: 64 kB), blockMode (1: independent), ...
    prefs = struct.pack("iiii8x8x", 4, 0 if linked else 1, 0, 0) + bytes(32)
    return library("liblz4.so.1", "LZ4F_compressFrame", data, ctypes.c_size_t(len(data)), prefs, size=len(data) + 70000)


def zstd(data):
    return library("libzstd.so.1", "ZSTD_compress", data, ctypes.c_size_t(len(data)), 3, size=len(data) + 1000)


def raw_snappy(data):
    out = ctypes.create_string_buffer(len(data) * 2 + 100)
    size = ctypes.c_size_t(len(out))
    assert ctypes.CDLL("libsnappy.so.1").snappy_compress(data, ctypes.c_size_t(len(data)), out, ctypes.byref(size)) == 0
    return out.raw[:size.value]


def xerial(data, block=1000):
    out = b"\x82SNAPPY\0" + struct.pack(">ii", 1, 1)
    for at in range(0, len(data), block):
        packed = raw_snappy(data[at:at + block])
        out += struct.pack(">i", len(packed)) + packed
    return out


PACK = {GZIP: gzip.compress, SNAPPY: xerial, LZ4: lz4, ZSTD: zstd}
NAMES = {GZIP: "gzip", SNAPPY: "snappy", LZ4: "lz4", ZSTD: "zstd"}


def fixed(data):
    """With a right CRC"""
    return data[:17] + struct.pack(">I", crc32c(data[21:])) + data[21:]


def put(data, at, form, value):
    n = struct.calcsize(">" + form)
    return data[:at] + struct.pack(">" + form, value) + data[at + n:]


def headers(now):
    good = batch([b"one", b"two", b"three"], now)
    yield "good", good
    yield "empty", b""
    for n in (1, 11, 16, 17, 30, len(good) - 1):
        yield "good and %d bytes of a second" % n, good + good[:n]
        yield "only %d bytes" % n, good[:n]
    yield "two", good + good
    yield "good and zeros", good + bytes(100)
    for n in (-1, 0, 13, 14, 48, 49, 50, len(good) - 13, len(good) - 11, 2**31 - 1):
        yield "length %d" % n, fixed(put(good, 8, "i", n))
    for n in (-1, 0, 1, 3):
        yield "magic %d" % n, fixed(put(good, 16, "b", n))
    yield "base offset 1", put(good, 0, "q", 1)
    yield "base offset -1", put(good, 0, "q", -1)
    yield "leader epoch 5", put(good, 12, "i", 5)
    yield "crc", put(good, 17, "I", 1)
    for codec in (5, 6, 7):
        yield "codec %d" % codec, batch([b"x"], now, attributes=codec)
    for n in (-1, 0, 1, 3, 2**31 - 1):
        yield "last offset delta %d" % n, batch([b"one", b"two", b"three"], now, last_offset_delta=n)
    for n in (-1, 0, 1, 2, 4, 2**31 - 1):
        yield "count %d" % n, batch([b"one", b"two", b"three"], now, count=n)
        if n > 0:
            yield "count and last offset for %d" % n, batch([b"one", b"two", b"three"], now, count=n,
                                                           last_offset_delta=n - 1)
    yield "control", batch([b"x"], now, attributes=CONTROL)
    yield "no sequence", batch([b"x"], now, pid=77777, epoch=0)
    yield "sequence -2", batch([b"x"], now, pid=77777, epoch=0, sequence=-2)
    yield "delete horizon", batch([b"x"], now, attributes=DELETE_HORIZON)
    yield "unused attributes", batch([b"x"], now, attributes=0x7f80)
    yield "no max timestamp", batch([b"x"], now, max_timestamp=-1)


def times(now):
    for name, time_ in (("-1", -1), ("-2", -2), ("0", 0), ("in 59 minutes", now + 59 * 60000),
                        ("in 61 minutes", now + 61 * 60000), ("in 1,000 years", now + 31557600000000)):
        yield "time " + name, batch([b"x"], time_)
        yield "time " + name + ", keyed", batch([(b"k", b"x")], time_)
    yield "one time of three", batch([b"a", b"b", b"c"], now, records=record(b"a") +
                                     record(b"b", offset_delta=1, timestamp_delta=61 * 60000) + record(b"c", offset_delta=2))
    yield "append time", batch([b"x", b"y"], now, attributes=APPEND_TIME)
    yield "append time of the future", batch([b"x"], now, attributes=APPEND_TIME, max_timestamp=now + 61 * 60000)


def records(now):
    def of(data, n=1, **change):
        return batch([b""] * n, now, records=data, **change)

    yield "no records", of(b"")
    yield "a byte left over", of(record(b"x") + b"\0")
    yield "a record left over", of(record(b"x") + record(b"y", offset_delta=1))
    yield "deltas 0 0", of(record(b"x") + record(b"y"), 2)
    yield "deltas 1 0", of(record(b"x", offset_delta=1) + record(b"y"), 2)
    yield "delta -1", of(record(b"x", offset_delta=-1))
    for codec, pack in PACK.items():
        yield "deltas 0 0, " + NAMES[codec], of(pack(record(b"x") + record(b"y")), 2, attributes=codec)
    good = record(b"value", b"key", [(b"h", b"v")])
    body = good[1:]
    for n in (-1, 0, 1, len(body) - 1, len(body) + 1, 1000, 2**31 - 1):
        yield "record length %d" % n, of(varint(n) + body)
    yield "record attributes", of(good[:1] + b"\x7f" + good[2:])

    def raw(data):
        return of(varint(len(data)) + data)

    start = b"\0" + varint(0) + varint(0)
    yield "key -2", raw(start + varint(-2) + varbytes(b"v") + varint(0))
    yield "value -2", raw(start + varbytes(b"k") + varint(-2) + varint(0))
    yield "key too long", raw(start + varint(50) + varbytes(b"v") + varint(0))
    yield "headers -1", raw(start + varbytes(b"k") + varbytes(b"v") + varint(-1))
    yield "headers too many", raw(start + varbytes(b"k") + varbytes(b"v") + varint(3) + varbytes(b"h") + varbytes(b"v"))
    yield "headers too few", raw(start + varbytes(b"k") + varbytes(b"v") + varint(0) + varbytes(b"h") + varbytes(b"v"))
    yield "header key null", raw(start + varbytes(b"k") + varbytes(b"v") + varint(1) + varint(-1) + varbytes(b"v"))
    yield "header value null", raw(start + varbytes(b"k") + varbytes(b"v") + varint(1) + varbytes(b"h") + varint(-1))
    yield "header value -2", raw(start + varbytes(b"k") + varbytes(b"v") + varint(1) + varbytes(b"h") + varint(-2))
    yield "varint of 5 bytes", raw(start + b"\x82\x80\x80\x80\x00k" + varbytes(b"v") + varint(0))
    yield "varint of 6 bytes", raw(start + b"\x82\x80\x80\x80\x80\x00k" + varbytes(b"v") + varint(0))
    yield "one key of three", batch([(b"k", b"a"), b"b", (b"k", b"c")], now)


def packed(now):
    plain = b"".join(record(b"value %d of many that are alike" % i, offset_delta=i) for i in range(100))
    large = record(b"0123456789abcdef" * 20000)
    for codec, pack in PACK.items():
        name = NAMES[codec]
        data = pack(plain)
        yield name, batch([b""] * 100, now, records=data, attributes=codec)
        yield name + ", large", batch([b""], now, records=pack(large), attributes=codec)
        yield name + ", not packed", batch([b""] * 100, now, records=plain, attributes=codec)
        yield name + ", nothing", batch([b""], now, records=b"", attributes=codec)
        for n in (1, 4, 5, 10, len(data) // 2):
            yield name + ", %d bytes missing" % n, batch([b""] * 100, now, records=data[:-n], attributes=codec)
        yield name + ", damaged", batch([b""] * 100, now, attributes=codec,
                                        records=data[:len(data) // 2] + b"\xff\0\xff\0" + data[len(data) // 2 + 4:])
        yield name + ", a byte after", batch([b""] * 100, now, records=data + b"x", attributes=codec)
        yield name + ", two parts", batch([b""] * 100, now, records=pack(plain[:500]) + pack(plain[500:]),
                                          attributes=codec)
        for n in (99, 101):
            yield name + ", count %d" % n, batch([b""] * n, now, records=data, attributes=codec)
    yield "snappy, raw", batch([b""] * 100, now, records=raw_snappy(plain), attributes=SNAPPY)
    yield "snappy, raw, large", batch([b""], now, records=raw_snappy(large), attributes=SNAPPY)
    yield "snappy, only the header", batch([b""], now, records=xerial(b""), attributes=SNAPPY)
    yield "lz4, linked", batch([b""] * 100, now, records=lz4(plain, True), attributes=LZ4)
    for n in (65000, 65600):
        text = record((b"0123456789abcdef" * 5000)[:n])
        yield "lz4, linked, %d bytes" % n, batch([b""], now, records=lz4(text, True), attributes=LZ4)
        yield "lz4, independent, %d bytes" % n, batch([b""], now, records=lz4(text), attributes=LZ4)


def verdict(broker, topic, data):
    with Connection(broker) as c:
        r = c.request(PRODUCE, 8, c.produce_body(topic, data))
        r.unpack("i"), r.string(), r.unpack("i")
        partition, error, base, append_time, start = r.unpack("ihqqq")
        return error, [i for i, message in r.array(lambda: (r.unpack("i"), r.string()))]


def main():
    broker = cluster.Kafka("verdicts")
    try:
        topics = {"plain": {}, "compact": {"cleanup.policy": "compact"},
                  "append": {"message.timestamp.type": "LogAppendTime"}}
        with Connection(broker) as c:
            r = c.request(CREATE_TOPICS, 2, array([
                string(name) + struct.pack(">ih", 1, 1) + array([]) +
                array([string(k) + string(v) for k, v in config.items()]) for name, config in topics.items()]) +
                struct.pack(">i?", 20000, False))
            r.unpack("i")
            errors = r.array(lambda: (r.string(), r.unpack("h"), r.string()))
            assert all(error == 0 for _, error, _ in errors), errors
        cluster.wait_for("the topics to have leaders",
                         lambda: all(verdict(broker, topic, batch([(b"k", b"v")]))[0] == 0 for topic in topics), 30)
        for topic in topics:
            for cases in (headers, times, records, packed):
                now = int(time.time() * 1000)
                for name, data in cases(now):
                    if topic != "plain" and cases in (headers, packed) and name not in ("good", "lz4"):
                        continue
                    try:
                        error, indexes = verdict(broker, topic, data)
                    except Closed:
                        error, indexes = "closed", []
                    print(topic, name, now, error, ",".join(map(str, indexes)) or "-", data.hex() or "-", sep="\t")
    finally:
        broker.stop()


if __name__ == "__main__":
    main()
