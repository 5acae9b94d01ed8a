"""kcat (Debian's librdkafka): what it produces SQL reads, and the other way round."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from clients import kcat_consume, kcat_produce, run
from cluster import broker
from tap import case, eq, ok, run as run_cases


@case
def kcat_to_kcat(b):
    "kcat reads back what kcat produced, in order"
    b.create_topic("kk", 3)
    for p in range(3):
        kcat_produce(b, "kk", ["k%d=v%d-%d" % (i % 7, p, i) for i in range(500)], "-K=", "-p", str(p))
    for p in range(3):
        eq(kcat_consume(b, "kk", partition=p), ["%d %d k%d=v%d-%d" % (p, i, i % 7, p, i) for i in range(500)])


@case(sql=True)
def kcat_to_sql(b):
    "SQL reads what kcat produced: keys, values, headers, nulls"
    b.create_topic("ks")
    kcat_produce(b, "ks", ["a=1", "=2", "b="], "-K=", "-p", "0", "-Z", "-H", "h1=x", "-H", "h2=y", "-H", "h1=z")
    rows = b.sql("SELECT log_offset, key, value, (SELECT array_agg(h.key || '=' || convert_from(h.value, 'UTF8')) "
                 "FROM unnest(headers) h) FROM topic.ks ORDER BY log_offset")
    eq(rows, [(0, b"a", b"1", ["h1=x", "h2=y", "h1=z"]), (1, None, b"2", ["h1=x", "h2=y", "h1=z"]),
              (2, b"b", None, ["h1=x", "h2=y", "h1=z"])])


@case(sql=True)
def sql_to_kcat(b):
    "kcat reads what INSERT, COPY and broker.produce produced"
    b.create_topic("sk", 2)
    b.sql("INSERT INTO topic.sk (partition, key, value) SELECT 0, 'k' || i, 'v' || i FROM "
          "(SELECT i, i::text FROM generate_series(0, 99) i) t(i, x)".replace("'k' || i", "convert_to('k' || i, 'UTF8')")
          .replace("'v' || i", "convert_to('v' || i, 'UTF8')"))
    c = b.connect()
    with c.cursor().copy("COPY topic.sk (partition, key, value) FROM STDIN") as copy:
        for i in range(100, 200):
            copy.write_row((0, b"k%d" % i, b"v%d" % i))
    b.sql("SELECT broker.produce('sk', convert_to('v200', 'UTF8'), key => convert_to('k200', 'UTF8'), partition => 0)")
    eq(kcat_consume(b, "sk"), ["0 %d k%d=v%d" % (i, i, i) for i in range(201)])
    eq(kcat_consume(b, "sk", partition=1), [])


@case
def long_names(b):
    "topics whose names are as long as they may be, and alike but for their ends"
    names = ["a.%s-%s" % ("Long_name" * 27, end) for end in ("one", "two")]
    eq({len(n) for n in names}, {249})
    for n in names:
        b.create_topic(n)
        kcat_produce(b, n, ["in " + n[-3:]], "-p", "0")
    for n in names:
        eq(kcat_consume(b, n, format="%s\\n"), ["in " + n[-3:]])
        if b.kind == "pg":
            table = b.value('SELECT "table"::text FROM broker.topics WHERE name = %s', [n])
            eq(b.sql("SELECT value FROM %s" % table), [(("in " + n[-3:]).encode(),)])


@case(sql=True)
def row_and_event(b):
    "a row and a record of one transaction appear together or not at all"
    b.create_topic("events")
    b.sql("CREATE TABLE orders (id int PRIMARY KEY)")
    c = b.connect(autocommit=False)
    for i, end in enumerate([c.commit, c.rollback, c.commit]):
        c.execute("INSERT INTO orders VALUES (%s)", (i,))
        c.execute("SELECT broker.produce('events', convert_to('order ' || %s, 'UTF8'))", (i,))
        end()
    eq(b.sql("SELECT id FROM orders ORDER BY id"), [(0,), (2,)])
    eq(kcat_consume(b, "events", format="%s\\n"), ["order 0", "order 2"])


@case
def every_codec(b):
    "records come back from each of the five codecs"
    b.create_topic("codecs")
    want = []
    for codec in ["none", "gzip", "snappy", "lz4", "zstd"]:
        lines = ["%s-%d-%s" % (codec, i, "x" * (i % 100)) for i in range(300)]
        kcat_produce(b, "codecs", lines, "-p", "0", "-z", codec, "-X", "linger.ms=50")
        want += lines
    eq(kcat_consume(b, "codecs", format="%s\\n"), want)
    if b.kind == "pg":
        eq([v.decode() for v, in b.sql("SELECT value FROM topic.codecs ORDER BY log_offset")], want)


@case
def long_values(b):
    "values larger than many pages survive"
    b.create_topic("large")
    line = "".join(chr(97 + i % 26) for i in range(900000))
    kcat_produce(b, "large", [line, "small", line[::-1]], "-p", "0")
    eq(kcat_consume(b, "large", format="%s\\n"), [line, "small", line[::-1]])
    if b.kind == "pg":
        eq(b.sql("SELECT length(value) FROM topic.large ORDER BY log_offset"), [(900000,), (5,), (900000,)])


@case
def from_the_middle(b):
    "reading starts at any offset, also inside a batch"
    b.create_topic("middle")
    kcat_produce(b, "middle", ["m%d" % i for i in range(1000)], "-p", "0", "-X", "linger.ms=100")
    for start in [0, 1, 499, 998, 999]:
        eq(kcat_consume(b, "middle", "-o", str(start), format="%o %s\\n"),
           ["%d m%d" % (i, i) for i in range(start, 1000)])
    eq(kcat_consume(b, "middle", "-o", "-3", format="%s\\n"), ["m997", "m998", "m999"])
    eq(kcat_consume(b, "middle", "-o", "end"), [])


@case
def metadata(b):
    "kcat -L lists brokers, topics and partitions"
    b.create_topic("listed", 4)
    out = run(["kcat", "-b", b.bootstrap, "-L", "-t", "listed"])
    ok('topic "listed" with 4 partitions:' in out, out)
    ok("127.0.0.1:%d" % b.port in out or "localhost:%d" % b.port in out, out)


@case
def offsets_by_time(b):
    "kcat -Q finds the first record at or after a time"
    b.create_topic("times")
    now = 1700000000000
    # kcat can't set timestamps; one record per call is enough to know that times increase.
    from clients import deliver, producer
    p = producer(b)
    deliver(p, "times", [(None, b"t%d" % i, {"timestamp": now + i * 1000}) for i in range(10)])
    for t, want in [(now, 0), (now + 1, 1), (now + 5000, 5), (now + 8500, 9), (now + 9001, -1)]:
        eq(run(["kcat", "-b", b.bootstrap, "-Q", "-t", "times:0:%d" % t]).split()[-1], str(want), "time %d" % t)


run_cases(lambda: broker("kcat"))
