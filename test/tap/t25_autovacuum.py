"""Autovacuum takes care of topics as of tables: it freezes them before xids run out."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import Cluster
from tap import case, eq, ok, run, wait_for

AGE = "SELECT age(relfrozenxid) FROM pg_class WHERE oid = 'topic.aging'::regclass"
VALUES = "SELECT array_agg(value ORDER BY log_offset) FROM topic.aging"


@case(seconds=300)
def freezes(c):
    "a topic's relfrozenxid is advanced when it is old; what committed stays visible, what failed stays hidden"
    c.sql("SELECT broker.create_topic('aging', value_type => 'text')")
    s = c.connect(autocommit=False)
    for value, end in (("first", s.commit), ("gone", s.rollback), ("second", s.commit)):
        s.execute("INSERT INTO topic.aging (value) VALUES (%s)", (value,))
        end()
    # One whose COMMIT fails has written its records by then.
    c.sql("CREATE TABLE once (a int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
    try:
        s.execute("INSERT INTO topic.aging (value) VALUES ('failed')")
        s.execute("INSERT INTO once VALUES (1), (1)")
        s.commit()
        ok(False, "the COMMIT fails")
    except Exception as e:
        eq(getattr(e, "sqlstate", None), "23505")
        s.rollback()
    s.close()
    before = int(str(c.value("SELECT relfrozenxid FROM pg_class WHERE oid = 'topic.aging'::regclass")))
    c.sql("DO $$ BEGIN FOR i IN 1 .. 110000 LOOP PERFORM txid_current(); COMMIT; END LOOP; END $$")
    wait_for("autovacuum to freeze the topic", lambda: c.value(AGE) < 100000, 120, 0.2)
    ok(int(str(c.value("SELECT relfrozenxid FROM pg_class WHERE oid = 'topic.aging'::regclass"))) > before)
    eq(c.value(VALUES), ["first", "second"])
    c.restart()
    eq(c.value(VALUES), ["first", "second"])


run(lambda: Cluster("autovacuum", {"autovacuum_naptime": "1s", "autovacuum_freeze_max_age": "100000",
                                   "vacuum_freeze_min_age": "0", "autovacuum_vacuum_cost_delay": "0"}))
