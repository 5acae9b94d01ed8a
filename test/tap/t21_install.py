"""The extension says what to do where it can't work: not preloaded, another database, another version."""
import contextlib
import os
import subprocess
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

import psycopg

from cluster import BINDIR, Cluster
from tap import case, diag, eq, ok, run


def failure(c, query, **kw):
    """(SQLSTATE, message, hint) of a query that must fail"""
    try:
        c.sql(query, **kw)
    except psycopg.Error as e:
        return e.sqlstate, e.diag.message_primary, e.diag.message_hint or ""
    ok(False, "%s did not fail" % query)


@case
def other_database(c):
    "in another database than pg_broker.database"
    state, message, hint = failure(c, "CREATE EXTENSION pg_broker", dbname="postgres")
    eq((state, message), ("55000", 'pg_broker serves database "broker", not "postgres"'))
    ok("pg_broker.database" in hint, hint)
    eq(c.sql("SELECT 1 FROM pg_namespace WHERE nspname IN ('broker', 'topic')", dbname="postgres"), [])


def scripts():
    return os.path.join(subprocess.check_output([os.path.join(BINDIR, "pg_config"), "--sharedir"], text=True).strip(), "extension")


@contextlib.contextmanager
def script(versions, text):
    "A script of the extension, as a package of another version would bring it"
    path = os.path.join(scripts(), "pg_broker--%s.sql" % versions)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, 0o644)
    try:
        yield
    finally:
        os.unlink(path)


@case
def other_script(c):
    "scripts of a version that the library doesn't know are refused before they have made anything"
    with open(os.path.join(scripts(), "pg_broker--0.1.sql")) as f:
        text = f.read()
    with script("0.0", text.replace("check_install('0.1')", "check_install('0.0')")):
        c.sql("DROP EXTENSION pg_broker")
        state, message, hint = failure(c, "CREATE EXTENSION pg_broker VERSION '0.0'")
        eq(state, "55000")
        ok("version 0.0" in message, message)
        ok("Install the library of that version" in hint, hint)
    c.sql("CREATE EXTENSION pg_broker")


@case
def other_version(c):
    "a library that doesn't know the version of the installed SQL changes nothing; an update lets it serve, without a restart"
    c.sql("SELECT broker.create_topic('known')")
    c.sql("UPDATE pg_extension SET extversion = '0.0' WHERE extname = 'pg_broker'")
    for query in ("SELECT broker.create_topic('new')", "SELECT broker.alter_topic('known', 2)",
                  "SELECT broker.drop_topic('known')"):
        state, message, hint = failure(c, query)
        eq(state, "55000")
        ok("version 0.0" in message, message)
        ok("ALTER EXTENSION pg_broker UPDATE" in hint, hint)
    since = len(c.log_text())
    c.restart()
    c.wait_log("can't serve the version of pg_broker's SQL objects", since)
    eq(c.sql("SELECT name FROM broker.topics"), [("known",)], "SQL still reads")
    with script("0.0--0.1", "COMMENT ON FUNCTION broker.drop_topic(text) IS 'updated';"):
        c.sql("ALTER EXTENSION pg_broker UPDATE")
    eq(c.value("SELECT extversion FROM pg_extension WHERE extname = 'pg_broker'"), "0.1")
    ok(c.port, "and serves again")
    c.sql("SELECT broker.alter_topic('known', 2)")


@case
def drop_and_create(c):
    "DROP EXTENSION takes everything with it, and it can be created again"
    c.sql("SELECT broker.create_topic('gone', config => '{\"retention.ms\": 5}')")
    state, message, hint = failure(c, "DROP EXTENSION pg_broker")
    eq(state, "2BP01")
    c.sql("DROP EXTENSION pg_broker CASCADE")
    eq(c.sql("SELECT 1 FROM pg_namespace WHERE nspname IN ('broker', 'topic')"), [])
    c.sql("CREATE EXTENSION pg_broker")
    eq(c.sql("SELECT name FROM broker.topics"), [])


@case
def other_encoding(_):
    "in a database whose encoding is not UTF8 topics are of bytes"
    with Cluster("latin1", initdb=("-E", "LATIN1", "--locale=C")) as c:
        columns = "(partition int, log_offset bigint, ts timestamptz, key bytea, value %s, headers broker.header[])"
        for query in ("SELECT broker.create_topic('t', key_type => 'text')", "SELECT broker.create_topic('t', value_type => 'json')",
                      "CREATE TABLE topic.t %s USING broker_log" % (columns % "text")):
            state, message, hint = failure(c, query)
            eq((state, hint), ("0A000", "Use type bytea."), query)
        c.sql("SELECT broker.create_topic('t')")
        c.sql("INSERT INTO topic.t (value) VALUES ('\\xff00')")
        eq(c.sql("SELECT value FROM topic.t"), [(b"\xff\x00",)])


@case
def no_longer_served(c):
    "in a database that was served before: topics are tables as ever, groups are refused"
    c.sql("SELECT broker.create_topic('left')")
    c.sql("CREATE DATABASE next")
    c.set(**{"pg_broker.database": "next"})
    c.restart()
    c.sql("INSERT INTO topic.left (value) VALUES ('x')")
    eq(c.sql("SELECT value FROM topic.left"), [(b"x",)])
    for query in ["SELECT broker.commit_offsets('g', 'left', 0, 0, 0)", "SELECT * FROM broker.consume('g', 'left')",
                  "SELECT * FROM broker.groups", "SELECT * FROM broker.committed('g', 'left')"]:
        state, message, hint = failure(c, query)
        eq((state, message), ("55000", 'consumer groups are kept in database "next"'), query)
        ok("pg_broker.database" in hint, hint)
    c.set(**{"pg_broker.database": "broker"})
    c.restart()
    c.sql("SELECT broker.drop_topic('left')")


VALUES = {"text": "'kept'", "integer": "0", "bigint": "0", "boolean": "true", "regclass": "'topic.kept'::regclass", "interval": "'0'",
          "timestamp with time zone": "now()", "bytea": "'x'::bytea", "jsonb": "'{}'::jsonb", "json": "'{}'::json",
          "anyelement": "NULL::topic.kept", "uuid": "gen_random_uuid()", "regrole": "'postgres'::regrole"}


def value(type_name):
    if type_name.endswith("[]"):
        return "ARRAY[%s]::%s" % (VALUES.get(type_name[:-2], "NULL"), type_name)
    return VALUES.get(type_name, "NULL::" + type_name)


def every_function(c):
    "A call of each function of the extension that SQL can call"
    for name, types in c.sql("""SELECT oid::regproc::text, (SELECT array_agg(format_type(t, NULL) ORDER BY n)
            FROM unnest(proargtypes::oid[]) WITH ORDINALITY AS a (t, n)) FROM pg_proc
            WHERE pronamespace = 'broker'::regnamespace AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'c')
            AND NOT EXISTS (SELECT 1 FROM unnest(proargtypes::oid[]) t WHERE t = 'internal'::regtype)
            AND prorettype NOT IN ('event_trigger'::regtype, 'trigger'::regtype) ORDER BY 1"""):
        yield "SELECT * FROM %s(%s)" % (name, ", ".join(value(t) for t in types or []))


@case
def not_preloaded(c):
    "without shared_preload_libraries"
    c.sql("SELECT broker.create_topic('kept')")
    c.sql("INSERT INTO topic.kept (value) VALUES ('x')")
    c.sql("CREATE DATABASE fresh")
    c.set(shared_preload_libraries="")
    c.restart()
    for query, dbname in (("CREATE EXTENSION pg_broker", "fresh"), ("SELECT * FROM topic.kept", None),
                          ("INSERT INTO topic.kept (value) VALUES ('y')", None), ("DROP TABLE topic.kept", None),
                          ("SELECT broker.create_topic('new')", None), ("SELECT * FROM broker.topics", None)):
        state, message, hint = failure(c, query, dbname=dbname)
        eq((state, message), ("55000", "pg_broker must be loaded when the server starts"), query)
        ok("shared_preload_libraries" in hint, hint)
    calls = list(every_function(c))
    ok(len(calls) > 15, "%d functions" % len(calls))
    for query in calls:
        try:
            c.sql(query)
            diag("works: " + query)
        except psycopg.errors.InvalidDatetimeFormat:
            pass                            # its arguments come first
        except psycopg.Error as e:
            eq((e.sqlstate, e.diag.message_primary), ("55000", "pg_broker must be loaded when the server starts"), query)
    c.set(shared_preload_libraries="pg_broker")
    c.restart()
    eq(c.sql("SELECT value FROM topic.kept"), [(b"x",)])


run(lambda: Cluster("install"))
