"""The extension says what to do where it can't work: not preloaded, another database, another version."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

import psycopg

from cluster import Cluster
from tap import case, eq, ok, run


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


@case
def other_version(c):
    "a library that doesn't know the version of the installed SQL changes nothing"
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
    c.sql("UPDATE pg_extension SET extversion = '0.1' WHERE extname = 'pg_broker'")
    c.restart()
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
    c.set(shared_preload_libraries="pg_broker")
    c.restart()
    eq(c.sql("SELECT value FROM topic.kept"), [(b"x",)])


run(lambda: Cluster("install"))
