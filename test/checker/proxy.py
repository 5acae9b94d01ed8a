"""proxy.py: between a consumer and PostgreSQL, to cut or hold a connection at the moment of COMMIT."""
import re
import socket
import struct
import threading

# What can happen to a COMMIT.  The consumer lives on and doesn't know which it was.
FATES = ("not sent", "sent", "answer lost")


def messages(data):
    """(whole messages as [(type, bytes)], the rest)"""
    found = []
    while len(data) >= 5:
        n = 1 + struct.unpack_from(">I", data, 1)[0]
        if len(data) < n:
            break
        found.append((data[:1], data[:n]))
        data = data[n:]
    return found, data


class Statements:
    """Notices BEGIN and COMMIT, in simple queries and in prepared statements."""

    def __init__(self):
        self.prepared = {}

    def word(self, kind, message):
        """b"begin", b"commit" or None"""
        if kind == b"Q":
            return self.first_word(message[5:])
        if kind == b"P":
            name, query, _ = message[5:].split(b"\0", 2)
            self.prepared[name] = self.first_word(query)
        if kind == b"B":
            _, name, _ = message[5:].split(b"\0", 2)
            return self.prepared.get(name)
        return None

    @staticmethod
    def first_word(query):
        found = re.match(rb"\s*(begin|commit)\b", query, re.I)
        return found and found.group(1).lower()


class Proxy:
    """Listens on a port of the system's choice; `fate` says for each COMMIT what happens to it (one of FATES, or None)."""

    def __init__(self, path, fate):
        self.path, self.fate = path, fate
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.counts = dict.fromkeys(FATES, 0)
        self.hold_at = b"commit"            # while `open` is cleared these are held, and `held` is set when one is
        self.open = threading.Event()
        self.open.set()
        self.held = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self.path)
            except OSError:
                server.close()
                client.close()
                continue
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(self, client, server)
            threading.Thread(target=connection.upwards, daemon=True).start()
            threading.Thread(target=connection.downwards, daemon=True).start()

    def close(self):
        self.listener.close()


class Connection:
    def __init__(self, proxy, client, server):
        self.proxy, self.client, self.server = proxy, client, server
        self.swallow = False                # the next answer is lost, and the connection with it

    def upwards(self):
        statements = Statements()
        started = False
        data = b""
        try:
            while True:
                more = self.client.recv(65536)
                if not more:
                    break
                data += more
                if not started:
                    data, started = self.start(data)
                    if not started:
                        continue
                found, data = messages(data)
                for kind, message in found:
                    word = statements.word(kind, message)
                    if word and word == self.proxy.hold_at and not self.proxy.open.is_set():
                        self.proxy.held.set()
                        self.proxy.open.wait()
                    if word == b"commit" and not self.commit(message):
                        return
                    self.server.sendall(message)
        except OSError:
            pass
        finally:
            self.end()

    def start(self, data):
        """Startup messages have no type; requests for encryption come before and are answered with a byte."""
        while len(data) >= 8:
            n, code = struct.unpack_from(">II", data)
            if len(data) < n:
                break
            self.server.sendall(data[:n])
            data = data[n:]
            if code >> 16 == 3:
                return data, True
        return data, False

    def commit(self, message):
        """False when the connection ends here."""
        fate = self.proxy.fate()
        if fate is None:
            return True
        self.proxy.counts[fate] += 1
        if fate == "not sent":
            return False
        self.swallow = fate == "answer lost"
        self.server.sendall(message if message[:1] == b"Q" else message + self.rest_of_extended())
        if fate == "sent":
            return False
        return True

    @staticmethod
    def rest_of_extended():
        """Execute and Sync behind a Bind, so that the server carries it out."""
        return b"E" + struct.pack(">I", 9) + b"\0" + struct.pack(">I", 0) + b"S" + struct.pack(">I", 4)

    def downwards(self):
        try:
            while True:
                data = self.server.recv(65536)
                if not data or self.swallow:
                    break
                self.client.sendall(data)
        except OSError:
            pass
        self.end()

    def end(self):
        for s in (self.client, self.server):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
