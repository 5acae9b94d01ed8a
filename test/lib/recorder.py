"""recorder.py: a relay between clients and a broker that keeps every request it passes on."""
import socket
import struct
import threading


class Recorder:
    """Listens on a port of the system's choice; `target` is set when the broker's port is known."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.bootstrap = "127.0.0.1:%d" % self.port
        self.target = None
        self.requests = {}          # (api, version) -> list of frames
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target), 10)
            except OSError:
                client.close()
                continue
            threading.Thread(target=self._requests, args=(client, server), daemon=True).start()
            threading.Thread(target=self._copy, args=(server, client), daemon=True).start()

    def _requests(self, client, server):
        data = b""
        try:
            while True:
                more = client.recv(65536)
                if not more:
                    break
                server.sendall(more)
                data += more
                while len(data) >= 4:
                    n, = struct.unpack_from(">i", data)
                    if len(data) < 4 + n:
                        break
                    self._keep(data[:4 + n])
                    data = data[4 + n:]
        except OSError:
            pass
        self._end(client, server)

    def _keep(self, frame):
        kept = self.requests.setdefault(struct.unpack_from(">hh", frame, 4), [])
        if len(kept) < 20:
            kept.append(frame)

    def _copy(self, source, target):
        try:
            while True:
                data = source.recv(65536)
                if not data:
                    break
                target.sendall(data)
        except OSError:
            pass
        self._end(source, target)

    @staticmethod
    def _end(*sockets):
        for s in sockets:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.close()
