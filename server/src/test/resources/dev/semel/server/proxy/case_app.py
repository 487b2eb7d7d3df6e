# SPDX-License-Identifier: Apache-2.0
"""The application of the HTTP cases, in Python: http/cases describes it. Prints its port once it listens."""
import base64
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

runs = {}
gates = {}
lock = threading.Lock()


def gate(name):
    with lock:
        return gates.setdefault(name, threading.Event())


def count(path):
    with lock:
        runs[path] = runs.get(path, 0) + 1
        return runs[path]


class Query:
    def __init__(self, text):
        self.pairs = parse_qsl(text, keep_blank_values=True)

    def all(self, name):
        return [value for key, value in self.pairs if key == name]

    def one(self, name, otherwise=None):
        return next(iter(self.all(name)), otherwise)

    def status(self, run):
        statuses = (self.one("error") or self.one("status", "200")).split(",")
        return int(statuses[min(run, len(statuses)) - 1])

    def body(self, run):
        if self.one("base64") is not None:
            text = self.one("base64")
            return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        body = self.one("body", "run {n}").replace("{n}", str(run)).encode()
        if self.one("repeat") is None:
            return body
        size = int(self.one("repeat"))
        return (body * (size // max(1, len(body)) + 1))[:size]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "cases"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def received(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            body += self.rfile.read(size)
            self.rfile.readline()
            if size == 0:
                return body

    def answer(self, status, headers, body):
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        bodiless = status in (204, 304)
        if not bodiless:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not bodiless and self.command != "HEAD":
            self.wfile.write(body)

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def serve(self):
        body = self.received()
        path, _, text = self.path.partition("?")
        query = Query(text)
        if path == "/_control/open":
            gate(query.one("gate")).set()
            return self.answer(204, [], b"")
        if path == "/_control/runs":
            return self.answer(200, [], str(runs.get(query.one("path"), 0)).encode())
        run = count(path)
        headers = [tuple(line.split(":", 1)) for line in query.all("header")]
        headers += [("Set-Cookie", cookie) for cookie in query.all("cookie")]
        echo = query.one("echo") is not None
        if query.one("type") or echo:
            headers.append(("Content-Type", query.one("type", "application/json")))
        content = query.body(run)
        if echo:
            lines = ["%s: %s" % (name.lower(), value) for name, value in self.headers.items()]
            content = json.dumps({"method": self.command, "path": path, "query": text, "headers": lines,
                                  "body": base64.b64encode(body).decode()}, separators=(",", ":")).encode()
        flush = query.one("flush")
        if flush is not None:
            self.send_response_only(query.status(run))
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.chunk(flush.encode())
        if query.one("hold") is not None:
            gate(query.one("hold")).wait(30)
        if flush is not None:
            if content:
                self.chunk(content)
            self.wfile.write(b"0\r\n\r\n")
        elif run <= int(query.one("throw", "0")):
            self.answer(500, [], b"")
        else:
            self.answer(query.status(run), headers, content)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = serve


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
server.request_queue_size = 256
print(server.server_address[1], flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()
