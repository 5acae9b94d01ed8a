"""messages.py: Kafka requests and answers of any version as dicts, for tests of the less common APIs.

A layout is a line of fields, name:type, with the versions that have the field behind it (@8+, @8-10) and the tag
of an optional one (~0).  Types: b (boolean), 1 2 4 8 (integers of so many bytes), s (string), r (records), u (uuid),
[fields] (array of structures), [type] (array), {fields} (structure that can be null).
"""
import re
import struct

from wire import Connection, Reader

NULL = object()

# name: (key, first flexible version, request, response)
LAYOUTS = {
    "Produce": (0, 9,
                "transactional_id:s acks:2 timeout:4 topics:[topic:s@0-12 id:u@13+ partitions:[partition:4 records:r]]",
                "topics:[topic:s@0-12 id:u@13+ partitions:[partition:4 error:2 base:8 append_time:8 log_start:8@5+ "
                "errors:[index:4 message:s]@8+ message:s@8+]] throttle:4"),
    "Fetch": (1, 12,
              "replica:4@0-14 max_wait:4 min_bytes:4 max_bytes:4 isolation:1 session:4@7+ session_epoch:4@7+ "
              "topics:[topic:s@0-12 id:u@13+ partitions:[partition:4 leader_epoch:4@9+ offset:8 last_epoch:4@12+ "
              "log_start:8@5+ max_bytes:4]] forgotten:[topic:s@0-12 id:u@13+ partitions:[4]]@7+ rack:s@11+",
              "throttle:4 error:2@7+ session:4@7+ topics:[topic:s@0-12 id:u@13+ partitions:[partition:4 error:2 high:8 "
              "stable:8 log_start:8@5+ aborted:[producer:8 first:8] replica:4@11+ records:r]]"),
    "ListOffsets": (2, 6,
                    "replica:4 isolation:1@2+ topics:[name:s partitions:[partition:4 epoch:4@4+ timestamp:8]] "
                    "timeout:4@10+",
                    "throttle:4@2+ topics:[name:s partitions:[partition:4 error:2 timestamp:8 offset:8 epoch:4@4+]]"),
    "Metadata": (3, 9,
                 "topics:[id:u@10+ name:s] create:b@4+ cluster_operations:b@8-10 topic_operations:b@8+",
                 "throttle:4@3+ brokers:[id:4 host:s port:4 rack:s@1+] cluster:s@2+ controller:4@1+ "
                 "topics:[error:2 name:s id:u@10+ internal:b@1+ partitions:[error:2 partition:4 leader:4 "
                 "epoch:4@7+ replicas:[4] isr:[4] offline:[4]@5+] operations:4@8+] cluster_operations:4@8-10 error:2@13+"),
    "ApiVersions": (18, 3,
                    "name:s@3+ version:s@3+ cluster:s@5+ node:4@5+",
                    "error:2 apis:[key:2 min:2 max:2] throttle:4@1+"),
    "CreateTopics": (19, 5,
                     "topics:[name:s partitions:4 replication:2 assignments:[partition:4 brokers:[4]] "
                     "configs:[name:s value:s]] timeout:4 validate_only:b",
                     "throttle:4 topics:[name:s id:u@7+ error:2 message:s partitions:4@5+ replication:2@5+ "
                     "configs:[name:s value:s read_only:b source:1 sensitive:b]@5+]"),
    "DeleteTopics": (20, 4, "topics:[name:s id:u]@6+ names:[s]@0-5 timeout:4",
                     "throttle:4 topics:[name:s id:u@6+ error:2 message:s@5+]"),
    "DeleteRecords": (21, 2,
                      "topics:[name:s partitions:[partition:4 offset:8]] timeout:4",
                      "throttle:4 topics:[name:s partitions:[partition:4 low:8 error:2]]"),
    "InitProducerId": (22, 2, "transactional_id:s timeout:4 producer:8@3+ epoch:2@3+",
                       "throttle:4 error:2 producer:8 epoch:2"),
    "OffsetForLeaderEpoch": (23, 4,
                             "replica:4@3+ topics:[topic:s partitions:[partition:4 current:4 epoch:4]]",
                             "throttle:4 topics:[topic:s partitions:[error:2 partition:4 epoch:4 end:8]]"),
    "DescribeConfigs": (32, 4,
                        "resources:[type:1 name:s keys:[s]] synonyms:b documentation:b@3+",
                        "throttle:4 resources:[error:2 message:s type:1 name:s configs:[name:s value:s read_only:b "
                        "source:1 sensitive:b synonyms:[name:s value:s source:1] type:1@3+ documentation:s@3+]]"),
    "AlterConfigs": (33, 2,
                     "resources:[type:1 name:s configs:[name:s value:s]] validate_only:b",
                     "throttle:4 resources:[error:2 message:s type:1 name:s]"),
    "DescribeLogDirs": (35, 2,
                        "topics:[topic:s partitions:[4]]",
                        "throttle:4 error:2@3+ dirs:[error:2 dir:s topics:[name:s partitions:[partition:4 size:8 "
                        "lag:8 future:b]] total:8@4+ usable:8@4+ cordoned:b@5+]"),
    "CreatePartitions": (37, 2,
                         "topics:[name:s count:4 assignments:[brokers:[4]]] timeout:4 validate_only:b",
                         "throttle:4 topics:[name:s error:2 message:s]"),
    "IncrementalAlterConfigs": (44, 1,
                                "resources:[type:1 name:s configs:[name:s operation:1 value:s]] validate_only:b",
                                "throttle:4 resources:[error:2 message:s type:1 name:s]"),
    "DescribeCluster": (60, 0,
                        "operations:b endpoint:1@1+ fenced:b@2+",
                        "throttle:4 error:2 message:s endpoint:1@1+ cluster:s controller:4 "
                        "brokers:[id:4 host:s port:4 rack:s fenced:b@2+] operations:4"),
    "DescribeProducers": (61, 0,
                          "topics:[name:s partitions:[4]]",
                          "throttle:4 topics:[name:s partitions:[partition:4 error:2 message:s producers:[producer:8 "
                          "epoch:4 sequence:4 timestamp:8 coordinator:4 start:8]]]"),
    "ListConfigResources": (74, 0, "types:[1]@1+", "throttle:4 error:2 resources:[name:s type:1@1+]"),
    "DescribeTopicPartitions": (75, 0,
                                "topics:[name:s] limit:4 cursor:{topic:s partition:4}",
                                "throttle:4 topics:[error:2 name:s id:u internal:b partitions:[error:2 partition:4 "
                                "leader:4 epoch:4 replicas:[4] isr:[4] elr:[4] last_elr:[4] offline:[4]] "
                                "operations:4] cursor:{topic:s partition:4}"),
}

NUMBERS = {"b": "?", "1": "b", "2": "h", "4": "i", "8": "q"}


class Field:
    def __init__(self, name, kind, inner, versions, tag):
        self.name, self.kind, self.inner, self.tag = name, kind, inner, tag
        low, high = re.match(r"(\d+)(?:\+|-(\d+))?$", versions or "0+").groups()
        self.low, self.high = int(low), int(high) if high else 9999

    def present(self, version):
        return self.low <= version <= self.high


def parse(text):
    """The fields of a layout."""
    tokens = re.findall(r"[\w]+:|[\[\]{}]|@\d+(?:\+|-\d+)?|~\d+|[b1248sru]", text)

    def fields(at, end):
        found = []
        while at < len(tokens) and tokens[at] != end:
            name, at = tokens[at][:-1], at + 1
            kind, inner = tokens[at], None
            if kind in "[{":
                if tokens[at + 1].endswith(":"):
                    inner, at = fields(at + 1, "]" if kind == "[" else "}")
                else:
                    inner, at = tokens[at + 1], at + 2
            at += 1
            versions = tag = None
            while at < len(tokens) and tokens[at][0] in "@~":
                if tokens[at][0] == "@":
                    versions = tokens[at][1:]
                else:
                    tag = int(tokens[at][1:])
                at += 1
            found.append(Field(name, kind, inner, versions, tag))
        return found, at
    return fields(0, None)[0]


def uvarint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def read_uvarint(r):
    n = shift = 0
    while True:
        byte = r.take(1)[0]
        n |= (byte & 127) << shift
        if byte < 128:
            return n
        shift += 7


def write_length(n, flexible, form):
    return uvarint(n + 1) if flexible else struct.pack(">" + form, n)


def write_value(kind, value, version, flexible):
    if kind in NUMBERS:
        return struct.pack(">" + NUMBERS[kind], value)
    if kind == "u":
        return value
    if value is None:
        return write_length(-1, flexible, "h" if kind == "s" else "i")
    value = value.encode() if isinstance(value, str) else value
    return write_length(len(value), flexible, "h" if kind == "s" else "i") + value


def write(fields, value, version, flexible):
    out = b""
    unknown = set(value) - {f.name for f in fields}
    assert not unknown, "no such fields: %s" % unknown
    for f in fields:
        if not f.present(version):
            continue
        x = value.get(f.name, {"[": [], "{": None, "s": None, "u": bytes(16)}.get(f.kind, 0))
        if f.kind == "[":
            out += write_length(-1 if x is None else len(x), flexible, "i")
            for item in x or []:
                out += (write(f.inner, item, version, flexible) if isinstance(f.inner, list) else
                        write_value(f.inner, item, version, flexible))
        elif f.kind == "{":
            out += b"\xff" if x is None else b"\1" + write(f.inner, x, version, flexible)
        else:
            out += write_value(f.kind, x, version, flexible)
    return out + (b"\0" if flexible else b"")


def read_value(kind, r, flexible):
    if kind in NUMBERS:
        return r.unpack(NUMBERS[kind])
    if kind == "u":
        return r.take(16)
    n = read_uvarint(r) - 1 if flexible else r.unpack("h" if kind == "s" else "i")
    if n < 0:
        return None
    return r.take(n).decode() if kind == "s" else r.take(n)


def read(fields, r, version, flexible):
    out = {}
    for f in fields:
        if not f.present(version):
            continue
        if f.kind == "[":
            n = read_uvarint(r) - 1 if flexible else r.unpack("i")
            out[f.name] = None if n < 0 else [
                read(f.inner, r, version, flexible) if isinstance(f.inner, list) else
                read_value(f.inner, r, flexible) for _ in range(n)]
        elif f.kind == "{":
            out[f.name] = None if r.unpack("b") < 0 else read(f.inner, r, version, flexible)
        else:
            out[f.name] = read_value(f.kind, r, flexible)
    if flexible:
        for _ in range(read_uvarint(r)):
            tag, length = read_uvarint(r), read_uvarint(r)
            out["tag %d" % tag] = r.take(length)
    return out


class Client(Connection):
    """call("DescribeCluster", 1, endpoint=1) gives the answer as a dict."""

    def ask(self, name, version, /, **request):
        """Send it, and return what reads its answer."""
        key, flexible_since, layout, answer = LAYOUTS[name]
        flexible = version >= flexible_since
        # a flexible header has tags behind the client id
        self.send(self.frame(key, version, (b"\0" if flexible else b"") + write(parse(layout), request, version, flexible)))
        return name, version, self.correlation

    def answer(self, asked):
        name, version, correlation = asked
        key, flexible_since, _, layout = LAYOUTS[name]
        flexible = version >= flexible_since
        r = Reader(self.receive())
        got = r.unpack("i")
        assert got == correlation, "correlation id %d, not %d" % (got, correlation)
        if flexible and name != "ApiVersions":
            assert read_uvarint(r) == 0, "tags in the header"
        out = read(parse(layout), r, version, flexible)
        assert r.at == len(r.data), "%d bytes too many" % (len(r.data) - r.at)
        return out

    def call(self, name, version, /, **request):
        return self.answer(self.ask(name, version, **request))
