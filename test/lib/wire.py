"""wire.py: Kafka requests byte by byte, for tests that real clients would not send.

Only versions without compact fields are written here, which every broker since 0.11 takes.
"""
import socket
import struct
import time

PRODUCE, FETCH, LIST_OFFSETS, METADATA, API_VERSIONS, CREATE_TOPICS, DELETE_TOPICS = 0, 1, 2, 3, 18, 19, 20
INIT_PRODUCER_ID, OFFSET_FOR_LEADER_EPOCH = 22, 23


def _crc_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


_TABLE = _crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 255] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def varint(n):
    n = (n << 1) ^ (n >> 63)
    out = bytearray()
    while True:
        if n < 128:
            out.append(n)
            return bytes(out)
        out.append(n & 127 | 128)
        n >>= 7


def varbytes(data):
    return varint(-1) if data is None else varint(len(data)) + data


def record(value, key=None, headers=(), offset_delta=0, timestamp_delta=0):
    body = (b"\0" + varint(timestamp_delta) + varint(offset_delta) + varbytes(key) + varbytes(value) +
            varint(len(headers)) + b"".join(varbytes(k) + varbytes(v) for k, v in headers))
    return varint(len(body)) + body


def batch(values, timestamp=None, pid=-1, epoch=-1, sequence=-1, **change):
    """A record batch; `change` sets what a decent producer would have computed.

    values: bytes or (key, value) pairs.  change: crc, magic, attributes, count, last_offset_delta, base_offset,
    max_timestamp, length, records (the bytes of the records).
    """
    timestamp = int(time.time() * 1000) if timestamp is None else timestamp
    records = change.get("records")
    if records is None:
        records = b"".join(record(*((v[1], v[0]) if isinstance(v, tuple) else (v,)), offset_delta=i)
                           for i, v in enumerate(values))
    rest = struct.pack(">hiqqqhii", change.get("attributes", 0), change.get("last_offset_delta", len(values) - 1),
                       timestamp, change.get("max_timestamp", timestamp), pid, epoch, sequence,
                       change.get("count", len(values))) + records
    return (struct.pack(">qiibI", change.get("base_offset", 0), change.get("length", len(rest) + 9), -1,
                        change.get("magic", 2), change.get("crc", crc32c(rest))) + rest)


def string(s):
    if s is None:
        return struct.pack(">h", -1)
    s = s.encode() if isinstance(s, str) else s
    return struct.pack(">h", len(s)) + s


def array(items):
    return struct.pack(">i", -1) if items is None else struct.pack(">i", len(items)) + b"".join(items)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        if self.at + n > len(self.data):
            raise EOFError("response too short")
        self.at += n
        return self.data[self.at - n:self.at]

    def unpack(self, form):
        values = struct.unpack(">" + form, self.take(struct.calcsize(">" + form)))
        return values[0] if len(values) == 1 else values

    def string(self):
        n = self.unpack("h")
        return None if n < 0 else self.take(n).decode()

    def bytes(self):
        n = self.unpack("i")
        return None if n < 0 else self.take(n)

    def array(self, item):
        n = self.unpack("i")
        return None if n < 0 else [item() for _ in range(n)]


class Closed(Exception):
    """The broker closed the connection."""


class Connection:
    def __init__(self, broker, timeout=20, client_id="wire-test"):
        self.socket = socket.create_connection(("127.0.0.1", broker.port), timeout)
        self.client_id = client_id
        self.correlation = 0

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def frame(self, api, version, body):
        self.correlation += 1
        payload = struct.pack(">hhi", api, version, self.correlation) + string(self.client_id) + body
        return struct.pack(">i", len(payload)) + payload

    def send(self, data):
        try:
            self.socket.sendall(data)
        except (ConnectionError, BrokenPipeError):
            raise Closed()

    def receive(self):
        """One response, without its length"""
        def exactly(n):
            data = bytearray()
            while len(data) < n:
                try:
                    more = self.socket.recv(min(n - len(data), 1 << 20))
                except ConnectionError:
                    raise Closed()
                if not more:
                    raise Closed()
                data += more
            return bytes(data)
        return exactly(struct.unpack(">i", exactly(4))[0])

    def request(self, api, version, body):
        """Send a request, read its response; a Reader after the correlation id."""
        self.send(self.frame(api, version, body))
        r = Reader(self.receive())
        got = r.unpack("i")
        assert got == self.correlation, "correlation id %d, not %d" % (got, self.correlation)
        return r

    # ----- requests -----

    def api_versions(self):
        """{key: (min, max)}"""
        r = self.request(API_VERSIONS, 0, b"")
        error = r.unpack("h")
        assert error == 0, error
        return {k: (low, high) for k, low, high in r.array(lambda: r.unpack("hhh"))}

    def produce_body(self, topic, records, partition=0, acks=-1, timeout=10000):
        return (string(None) + struct.pack(">hi", acks, timeout) +
                array([string(topic) + array([struct.pack(">i", partition) +
                       (struct.pack(">i", -1) if records is None else struct.pack(">i", len(records)) + records)])]))

    def produce(self, topic, records, partition=0, acks=-1, version=7, timeout=10000):
        """(error, base offset, log append time, log start offset) of version 5 to 8 (8 also has errors, left out)"""
        r = self.request(PRODUCE, version, self.produce_body(topic, records, partition, acks, timeout))
        return self.produce_answer(r)

    @staticmethod
    def produce_answer(r):
        r.unpack("i"), r.string(), r.unpack("i")
        partition, error, base, append_time, start = r.unpack("ihqqq")
        return error, base, append_time, start

    def fetch(self, topic, offset, partition=0, max_wait=0, min_bytes=1, max_bytes=1 << 24, partition_max=1 << 24,
              isolation=0, version=11, epoch=-1, session_id=0, session_epoch=-1):
        """(error, high watermark, last stable, log start, aborted, records)"""
        body = (struct.pack(">iiiibii", -1, max_wait, min_bytes, max_bytes, isolation, session_id, session_epoch) +
                array([string(topic) + array([struct.pack(">iiqqi", partition, epoch, offset, -1, partition_max)])]) +
                array([]) + string(""))
        r = self.request(FETCH, version, body)
        throttle, top_error, session = r.unpack("ihi")
        assert top_error == 0, top_error
        topics = r.array(lambda: (r.string(), r.array(lambda: self._fetched(r))))
        return topics[0][1][0]

    @staticmethod
    def _fetched(r):
        partition, error, high, stable, start = r.unpack("ihqqq")
        aborted = r.array(lambda: r.unpack("qq"))
        r.unpack("i")
        return error, high, stable, start, aborted, r.bytes()

    def list_offset(self, topic, timestamp, partition=0, version=5, isolation=0):
        """(error, timestamp, offset)"""
        body = (struct.pack(">ib", -1, isolation) +
                array([string(topic) + array([struct.pack(">iiq", partition, -1, timestamp)])]))
        r = self.request(LIST_OFFSETS, version, body)
        r.unpack("i"), r.unpack("i"), r.string(), r.unpack("i")
        partition, error, ts, offset, epoch = r.unpack("ihqqi")
        return error, ts, offset

    def init_producer_id(self, transactional_id=None, version=1):
        """(error, producer id, epoch)"""
        while True:
            r = self.request(INIT_PRODUCER_ID, version, string(transactional_id) + struct.pack(">i", 60000))
            answer = r.unpack("ihqh")[1:]
            if answer[0] != 14:         # a Kafka that has just started is still fetching its first ids
                return answer

    def metadata(self, topics, version=4, create=False):
        """{topic: (error, partitions)}"""
        body = array(None if topics is None else [string(t) for t in topics]) + (b"\1" if create else b"\0")
        r = self.request(METADATA, version, body)
        r.unpack("i")
        r.array(lambda: (r.unpack("i"), r.string(), r.unpack("i"), r.string()))
        r.string(), r.unpack("i")

        def topic():
            error, name, internal = r.unpack("h"), r.string(), r.unpack("b")
            partitions = r.array(lambda: (r.unpack("hii"), r.array(lambda: r.unpack("i")), r.array(lambda: r.unpack("i"))))
            return name, (error, len(partitions))
        return dict(r.array(topic))


def batches(data):
    """[(base offset, last offset, bytes)] of what a fetch gave"""
    found, at = [], 0
    while at + 61 <= len(data):
        base, length = struct.unpack_from(">qi", data, at)
        if at + 12 + length > len(data):
            break
        delta, = struct.unpack_from(">i", data, at + 23)
        found.append((base, base + delta, data[at:at + 12 + length]))
        at += 12 + length
    return found
