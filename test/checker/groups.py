"""groups.py: where each kind of group keeps its offsets, and how they are moved back."""
from consumers import Consumer, SqlConsumer, changed


class Group:
    """Consumers of one kind that share a group."""

    hold_at = (b"begin", b"commit")     # where a zombie may be held up

    def __init__(self, name, programs=(), sessions=0):
        self.name, self.programs, self.sessions = name, programs, sessions

    def consumers(self, h):
        return [Consumer(h, self.name, h.topics, program, h.options.cut) for program in self.programs]

    def threads(self, h):
        return [SqlConsumer(h, self.name, h.topics, h.options.cut) for _ in range(self.sessions)]

    def reset(self, h):
        """Some records back, and what was written of them is deleted."""
        topic = h.rnd.choice(h.topics)
        if self.programs:
            self.reset_empty(h, topic)
        else:
            self.take_back(h, topic, self.move)

    def reset_empty(self, h, topic):
        """Kafka's groups can be reset while they have no members: with Kafka's tools, or by SQL."""
        members = h.members(self.name)
        for c in members:
            c.leave()
        # Members that were killed are members until their sessions time out.
        if h.rnd.random() < 0.5:
            h.waits("the group to be empty", lambda: self.moved(h, topic))
        else:
            offsets = {}
            self.take_back(h, topic, lambda _, topic, partition, to: offsets.update({partition: to}))
            h.waits("the group to be empty", lambda: self.altered(h, topic, offsets))
        for c in members:
            c.start()

    def moved(self, h, topic):
        import psycopg
        try:
            self.take_back(h, topic, self.move)
            return True
        except psycopg.errors.ObjectInUse:
            return False

    def altered(self, h, topic, offsets):
        from confluent_kafka import ConsumerGroupTopicPartitions, KafkaException, TopicPartition
        from confluent_kafka.admin import AdminClient
        admin = AdminClient({"bootstrap.servers": h.bootstrap, "log_level": 0})
        partitions = [TopicPartition(topic, p, to) for p, to in offsets.items()]
        try:
            answer = admin.alter_consumer_group_offsets([ConsumerGroupTopicPartitions(self.name, partitions)])
            return not any(p.error for p in answer[self.name].result(30).topic_partitions)
        except KafkaException:
            return False

    def take_back(self, h, topic, move):
        """In one transaction; consumers may live"""
        with h.cluster.connect(autocommit=False) as c:
            # Who has written rows finishes first, so that none is missed by the DELETE.
            c.execute("SET LOCAL lock_timeout = '20s'")
            c.execute("LOCK TABLE received IN EXCLUSIVE MODE")
            tops = c.execute("SELECT r.partition, max(r.log_offset), coalesce(max(k.upto), -1) FROM received r "
                             "LEFT JOIN checked k USING (grp, topic, partition) "
                             "WHERE grp = %s AND topic = %s GROUP BY 1", (self.name, topic)).fetchall()
            for partition, top, upto in tops:
                to = max(upto + 1, top - h.rnd.choice((0, 3, 300)))
                c.execute("DELETE FROM received WHERE grp = %s AND topic = %s AND partition = %s AND log_offset >= %s",
                          (self.name, topic, partition, to))
                move(c, topic, partition, to)
            c.commit()

    def move(self, c, topic, partition, to):
        c.execute("SELECT broker.seek(%s, %s, %s, %s::bigint)", (self.name, topic, partition, to))

    def forget(self, h, topic):
        """The topic was dropped, and the broker has forgotten the offsets with it."""


class OwnOffsets(Group):
    """The offsets are in a table of the application."""

    # It holds the lock of the offset's row at its COMMIT, and everybody waits for it.
    hold_at = (b"begin",)

    def reset(self, h):
        self.take_back(h, h.rnd.choice(h.topics), self.move)

    def move(self, c, topic, partition, to):
        c.execute("UPDATE consumer_offset SET next_offset = %s WHERE consumer_group = %s AND topic = %s AND partition = %s",
                  (to, self.name, topic, partition))

    def forget(self, h, topic):
        h.cluster.sql("DELETE FROM consumer_offset WHERE consumer_group = %s AND topic = %s", (self.name, topic))


class Changed(Group):
    """A program of which a part is another."""

    def __init__(self, name, program, *changes, members=2):
        super().__init__(name, (program,) * members)
        self.changes = changes

    def consumers(self, h):
        target = "%s/%s.py" % (h.cluster.dir, self.name)
        changed(self.programs[0], target, self.changes)
        self.programs = (target,) * len(self.programs)
        return super().consumers(h)


class Broken(Changed):
    """A control: a part of the program was taken out."""

    hold_at = (b"begin",)


# ./test/run checker: what must hold
GROUPS = [
    Group("mixed", ("python/commit_offsets.py", "go/commit_offsets", "java/CommitOffsets")),
    OwnOffsets("own", ("python/own_offsets.py", "go/own_offsets", "java/OwnOffsets")),
    Changed("next", "python/commit_offsets.py", ('"session.timeout.ms": 6000', '"group.protocol": "consumer"')),
    Group("sql", sessions=3),
]

COMMIT_OFFSETS = """            db.execute("SELECT broker.commit_offsets(%s, %s, %s, %s, %s, member_id => %s)",
                       (group, topic, partition, first, last, consumer.memberid()))
"""
NO_COMMIT_OFFSETS = (COMMIT_OFFSETS, "            pass\n")
NO_SEEK = ("                seek_to_committed(consumer)\n", "")
WRITE = "                write(db, consumer, messages)\n"
KAFKA_COMMIT = "                consumer.commit(asynchronous=False)\n"

# And what must not, or the checker is blind.
CONTROLS = [
    Broken("after", "python/commit_offsets.py", NO_COMMIT_OFFSETS, (WRITE, WRITE + KAFKA_COMMIT)),
    Broken("before", "python/commit_offsets.py", NO_COMMIT_OFFSETS, (WRITE, KAFKA_COMMIT + WRITE)),
    Broken("no-seek", "python/commit_offsets.py", NO_SEEK, ("member_id => %s)", "member_id => %s, allow_skip => true)")),
    Broken("unfenced", "python/own_offsets.py", ('"AND partition = %s AND next_offset = %s",', '"AND partition = %s",'),
           ("(next_offset, group, topic, partition, position[topic, partition])", "(next_offset, group, topic, partition)")),
]
