"""faults.py: what the checker does to consumers, sessions, workers, groups, topics and the server."""
import os
import signal


class Faults:
    """Each method is one kind of fault; when it returns, everything it stopped runs again."""

    def __init__(self, harness):
        self.h = harness
        self.rnd = harness.rnd

    def kinds(self):
        names = ["kill_consumer", "kill_session", "end_worker", "kill_worker", "stop_server", "kill_server", "rebalance",
                 "zombie", "reset", "recreate"]
        return [getattr(self, n) for n in names if getattr(self, "can_" + n, lambda: True)()]

    # ----- consumers and sessions -----

    def can_kill_consumer(self):
        return self.h.consumers

    def kill_consumer(self):
        for c in self.h.consumers:
            if self.rnd.random() < 0.4:
                c.kill()
                c.start()

    def kill_session(self):
        self.h.cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                           "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND random() < 0.5")

    def can_rebalance(self):
        return self.h.consumers

    def rebalance(self):
        """A member leaves, and comes back when the others have its partitions."""
        leaving = [c for c in self.h.consumers if self.rnd.random() < 0.4]
        for c in leaving:
            c.leave()
        self.h.moves("the others to go on", [g for g in self.h.groups if any(
            c.group == g and c not in leaving for c in self.h.consumers)])
        for c in leaving:
            c.start()

    def can_zombie(self):
        return any(len(self.h.members(g)) > 1 for g in self.h.groups)

    def zombie(self):
        """One is stopped while its COMMIT is on the way, which arrives when others have its partitions."""
        victims = []
        for group in self.h.groups:
            members = self.h.members(group)
            if len(members) > 1:
                victims.append(self.rnd.choice(members))
        for c in victims:
            c.proxy.hold_at = self.rnd.choice(self.h.groups[c.group].hold_at)
            c.proxy.held.clear()
            c.proxy.open.clear()
        try:
            held = []
            for c in victims:
                # One that has no partition, or whose connection breaks just now, commits nothing.
                if c.proxy.held.wait(10):
                    held.append(c)
                    c.pause()
            for c in held:
                # What the group wrote before doesn't count: it has to go on from where the zombie took over.
                self.h.passes_every_partition(c.group)
                self.h.count("zombies whose COMMIT came late")
        finally:
            for c in victims:
                c.proxy.open.set()
                c.resume()

    # ----- the server -----

    def end_worker(self):
        """A worker ends, and the postmaster starts another."""
        workers = [p for what in ("coordinator", "network") for p in self.h.cluster.workers("pg_broker " + what)]
        if workers:
            os.kill(self.rnd.choice(workers), signal.SIGTERM)

    def kill_worker(self):
        """A worker crashes, and with it everything."""
        workers = self.h.cluster.workers()
        since = len(self.h.cluster.log_text())
        if workers:
            os.kill(self.rnd.choice(workers), signal.SIGKILL)
            self.h.cluster.wait_log("all server processes terminated", since)
            self.h.await_sql()

    def stop_server(self):
        self.h.cluster.close_connections()
        self.h.cluster.stop(self.rnd.choice(("immediate", "fast")))
        self.h.cluster.start()

    def kill_server(self):
        self.h.cluster.kill(everything=True)
        self.h.cluster.start()

    # ----- groups and topics -----

    def reset(self):
        """A group goes back some records, and what it wrote of them is deleted."""
        self.rnd.choice(list(self.h.groups.values())).reset(self.h)

    def can_recreate(self):
        return len(self.h.topics) > 1

    def recreate(self):
        """A topic is dropped and created again while everybody consumes it."""
        again = self.h.again
        again.stop()
        for group in self.h.groups:
            self.h.has_all(group, again.topic, again.acked())
        self.h.sql("DELETE FROM received WHERE topic = %s", again.topic)
        self.h.cluster.sql("SELECT broker.drop_topic(%s)", (again.topic,))
        for group in self.h.groups.values():
            group.forget(self.h, again.topic)
        self.h.cluster.create_topic(again.topic, 1)
        # One record first: who still goes by an old position finds it out of range, and doesn't pass records.
        again.first()
        for group in self.h.groups:
            self.h.has_all(group, again.topic, again.acked())
        again.start()
