"""Privileges on consumer groups: whoever uses a group first owns it; grants, and topics within requests of groups."""
import sys

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/lib")

from cluster import broker
from tap import case, eq, ok, run, wait_for


def act_as(b, role):
    """Clients without a password are this role from now on."""
    b.sql("ALTER SYSTEM SET pg_broker.plaintext_role = '%s'" % role)
    b.reload()

    probe = consumer(b, "probe")

    def in_force():
        probe.list_topics(timeout=10)
        return {r[0] for r in b.sql("SELECT role FROM broker.connections WHERE client_id = 'probe'")} == {role}
    wait_for("clients to be %s" % role, in_force)
    probe.close()


def consumer(b, group, **settings):
    from confluent_kafka import Consumer
    return Consumer({"bootstrap.servers": b.bootstrap, "group.id": group, "auto.offset.reset": "earliest",
                     "enable.auto.commit": False, "log_level": 0,
                     "client.id": "probe" if group.startswith("probe") else group,
                     **{k if k == "on_commit" else k.replace("_", "."): v for k, v in settings.items()}})


def admin(b):
    from confluent_kafka.admin import AdminClient
    return AdminClient({"bootstrap.servers": b.bootstrap, "log_level": 0})


def code(function, *args, **kw):
    """The name of the Kafka error, or None."""
    from confluent_kafka import KafkaException
    try:
        function(*args, **kw)
        return None
    except KafkaException as e:
        return e.args[0].name()


def commit(b, group, **offsets):
    """{topic: error} of a commit of partition 0 of each topic, from outside of the group."""
    from confluent_kafka import TopicPartition
    done = []
    c = consumer(b, group, on_commit=lambda error, partitions: done.append((error, partitions)))
    try:
        c.commit(offsets=[TopicPartition(t, 0, o) for t, o in offsets.items()], asynchronous=True)
        wait_for("the commit to be answered", lambda: c.poll(0.1) or done)
        names = {p.topic: p.error.name() if p.error else None for p in done[0][1]}
        # Refused as a whole: all of them are.
        return names["t"] if names["t"] else names
    finally:
        c.close()


def committed(b, group, *names):
    from confluent_kafka import KafkaException, TopicPartition
    c = consumer(b, group)
    try:
        return {p.topic: p.error.name() if p.error else p.offset
                for p in c.committed([TopicPartition(t, 0) for t in names], timeout=30)}
    except KafkaException as e:
        return e.args[0].name()
    finally:
        c.close()


def join_error(b, group, **settings):
    """The error that a consumer gets that subscribes, or None when it has its partitions."""
    c = consumer(b, group, **settings)
    c.subscribe(["t"])
    seen = []

    def settled():
        m = c.poll(0.1)
        if m is not None and m.error():
            seen.append(m.error().name())
        return seen or c.assignment()
    try:
        wait_for("group %s to be joined or refused" % group, settled)
        return seen[0] if seen else None
    finally:
        c.close()


def listed(b):
    a = admin(b)
    return sorted(g.group_id for g in a.list_consumer_groups().result().valid)


def describe(b, group):
    a = admin(b)
    return code(a.describe_consumer_groups([group])[group].result)


def delete(b, group):
    a = admin(b)
    return code(a.delete_consumer_groups([group])[group].result)


@case(seconds=300)
def others_are_refused(b):
    "whoever uses a group first owns it: others can't commit, join, look, reset or delete"
    b.sql("CREATE ROLE alice; CREATE ROLE bob; CREATE ROLE team; CREATE ROLE lead IN ROLE alice")
    b.sql("SELECT broker.create_topic('t'), broker.create_topic('hidden')")
    b.sql("GRANT SELECT ON topic.t TO alice, bob; GRANT SELECT ON topic.hidden TO alice")
    act_as(b, "alice")
    eq(commit(b, "hers", t=3, hidden=4), {"t": None, "hidden": None})
    eq(join_error(b, "joined"), None)
    eq(join_error(b, "new", group_protocol="consumer"), None)
    act_as(b, "bob")
    for group in ("hers", "joined", "new"):
        eq(commit(b, group, t=1), "GROUP_AUTHORIZATION_FAILED", "commit to %s" % group)
        eq(join_error(b, group), "GROUP_AUTHORIZATION_FAILED", "join %s" % group)
        eq(committed(b, group, "t"), "GROUP_AUTHORIZATION_FAILED", "offsets of %s" % group)
        eq(describe(b, group), "GROUP_AUTHORIZATION_FAILED", "describe %s" % group)
        eq(delete(b, group), "GROUP_AUTHORIZATION_FAILED", "delete %s" % group)
    eq(listed(b), [])
    eq(commit(b, "his", t=1), {"t": None})
    eq(listed(b), ["his"])
    act_as(b, "lead")
    eq(committed(b, "hers", "t", "hidden"), {"t": 3, "hidden": 4}, "a member of the owner's role")
    act_as(b, "postgres")
    eq(listed(b), ["hers", "his", "joined", "new"])


@case
def grants(b):
    "broker.grant_group lets others in, and reserves names; it lasts over a restart and is in a dump"
    b.sql("SELECT broker.grant_group('hers', 'bob', '{describe}'), broker.grant_group('team.', 'team', is_prefix => true)")
    b.sql("GRANT team TO bob")
    act_as(b, "bob")
    eq(committed(b, "hers", "t"), {"t": 3})
    eq(commit(b, "hers", t=1), "GROUP_AUTHORIZATION_FAILED", "describe is not use")
    b.sql("SELECT broker.grant_group('hers', 'bob', '{use}')")
    eq(commit(b, "hers", t=5), {"t": None})
    eq(delete(b, "hers"), "GROUP_AUTHORIZATION_FAILED", "use is not delete")
    eq(commit(b, "team.one", t=1), {"t": None}, "a member of the role")
    act_as(b, "alice")
    eq(commit(b, "team.two", t=1), "GROUP_AUTHORIZATION_FAILED", "the name is reserved")
    eq(committed(b, "hers", "t"), {"t": 5})
    b.restart()
    eq(committed(b, "hers", "t"), {"t": 5}, "the owner after a restart")
    act_as(b, "bob")
    eq(commit(b, "hers", t=6), {"t": None}, "a grant after a restart")
    b.sql("SELECT broker.revoke_group('hers', 'bob')")
    eq(commit(b, "hers", t=7), "GROUP_AUTHORIZATION_FAILED")
    eq(committed(b, "hers", "t"), "GROUP_AUTHORIZATION_FAILED")
    ok("team." in b._run("pg_dump", "-h", b.dir, "-U", "postgres", b.database).stdout, "the dump has grants")
    b.sql("SELECT broker.grant_group('open', 'public')")
    eq(commit(b, "open", t=1), {"t": None})
    act_as(b, "alice")
    eq(commit(b, "open", t=2), {"t": None}, "a group for everybody")


@case
def topics_in_requests(b):
    "one topic that is forbidden is refused alone; offsets of topics that one can't see are not shown"
    from confluent_kafka import ConsumerGroupTopicPartitions
    act_as(b, "bob")
    b.sql("SELECT broker.grant_group('hers', 'bob')")
    # librdkafka gives one topic's error to all; what is stored tells them apart.
    ok("TOPIC_AUTHORIZATION_FAILED" in str(commit(b, "hers", t=8, hidden=9)), "refused")
    eq(committed(b, "hers", "t", "hidden"), {"t": 8, "hidden": "TOPIC_AUTHORIZATION_FAILED"})
    a = admin(b)
    every = a.list_consumer_group_offsets([ConsumerGroupTopicPartitions("hers")])["hers"].result()
    eq({p.topic: p.offset for p in every.topic_partitions}, {"t": 8})
    eq(delete(b, "hers"), None)
    act_as(b, "alice")
    eq(commit(b, "hers", t=1), "GROUP_AUTHORIZATION_FAILED", "the group is gone, its name is reserved")


@case
def only_administrators_grant(b):
    "ordinary roles can't grant; what isn't a privilege or a role is refused"
    b.sql("CREATE ROLE app LOGIN")
    c = b.connect(user="app")
    import psycopg
    for query in ("SELECT broker.grant_group('x', 'app')", "SELECT broker.revoke_group('x', 'app')",
                  "INSERT INTO broker.group_grants VALUES ('x', false, 'app', 'use')"):
        try:
            c.execute(query)
            ok(False, query)
        except psycopg.errors.InsufficientPrivilege:
            pass
    for query, error in (("SELECT broker.grant_group('x', 'nobody')", psycopg.errors.UndefinedObject),
                         ("SELECT broker.grant_group('x', 'app', '{own}')", psycopg.errors.CheckViolation)):
        try:
            b.sql(query)
            ok(False, query)
        except error:
            pass
    b.sql("GRANT EXECUTE ON FUNCTION broker.grant_group TO app")
    c.execute("SELECT broker.grant_group('x', 'app')")
    eq(b.value("SELECT count(*) FROM broker.group_grants WHERE group_name = 'x'"), 3)
    c.close()


@case
def the_brokers_own(b):
    "nobody writes to __consumer_offsets by SQL, it can't be dropped, and a dump leaves it out; offsets are carried over by seek"
    import psycopg
    act_as(b, "postgres")
    for query, error in (("INSERT INTO topic.__consumer_offsets (value) VALUES ('x')", psycopg.errors.FeatureNotSupported),
                         ("SELECT broker.produce('__consumer_offsets', 'x'::text)", psycopg.errors.FeatureNotSupported),
                         ("TRUNCATE topic.t, topic.__consumer_offsets", psycopg.errors.FeatureNotSupported),
                         ("SELECT broker.drop_topic('__consumer_offsets')", psycopg.errors.DependentObjectsStillExist)):
        try:
            b.sql(query)
            ok(False, query)
        except error:
            pass
    c = b.connect()
    try:
        with c.cursor().copy("COPY topic.__consumer_offsets (value) FROM STDIN") as copy:
            copy.write(b"x\n")
        ok(False, "COPY")
    except psycopg.errors.FeatureNotSupported:
        pass
    c.close()
    eq(commit(b, "carried", t=2), {"t": None})
    dump = b._run("pg_dump", "-h", b.dir, "-U", "postgres", b.database).stdout
    ok("topic.t " in dump and "__consumer_offsets" not in dump, "the dump")
    b.sql("INSERT INTO topic.t (value) VALUES ('1'), ('2'), ('3')")
    statements = [r[0] for r in b.sql(
        "SELECT format('SELECT broker.seek(%L, %L, %s, %s);', group_id, topic, partition, committed_offset) "
        "FROM broker.group_offsets WHERE group_id = 'carried'")]
    eq(statements, ["SELECT broker.seek('carried', 't', 0, 2);"])
    b.sql("SELECT broker.delete_group('carried')")
    eq(committed(b, "carried", "t"), {"t": -1001})
    for statement in statements:
        b.sql(statement)
    eq(committed(b, "carried", "t"), {"t": 2})


run(lambda: broker("groups", settings={"pg_broker.group_initial_rebalance_delay": "0"}))
