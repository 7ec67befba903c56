"""Whatever a client sends, it gets a clear answer or none, and the others are served. What is answered is what
openapi.json says."""
import json
import resource
import signal
import socket
import sys
import threading
import time
import unittest

from service import N_FEATURES, N_NODES, ServiceTest, numpy, tensor

INFER = "/v2/models/model/infer"


def resolve(api, schema):
    while "$ref" in schema:
        at = api
        for step in schema["$ref"].split("/")[1:]:
            at = at[step]
        schema = at
    return schema


KINDS = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}


def faults(api, schema, value, where="$"):
    """The part of JSON Schema that openapi.json uses; anything else in it is a fault, too."""
    schema = resolve(api, schema)
    unknown = set(schema) - {"type", "required", "properties", "additionalProperties", "items", "enum", "nullable",
                             "description"}
    if unknown:
        yield f"{where}: this test does not know {unknown}"
    if value is None and schema.get("nullable"):
        return
    kind = schema.get("type")
    if kind and (not isinstance(value, KINDS[kind]) or (isinstance(value, bool) and kind != "boolean")):
        yield f"{where}: {value!r} is no {kind}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is not one of {schema['enum']}"
    if isinstance(value, dict):
        for name in set(schema.get("required", [])) - set(value):
            yield f"{where}: {name} is missing"
        for name, item in value.items():
            if name in schema.get("properties", {}):
                yield from faults(api, schema["properties"][name], item, f"{where}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{where}: {name} is too much"
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from faults(api, schema.get("items", {}), item, f"{where}[{i}]")


class Described(ServiceTest):
    """Answers are as openapi.json says, for every path and every status that can be had."""

    def test_answers_are_as_described(self):
        token = "ab" * 16
        import hashlib
        tokens = self.world.path / "described-tokens"
        tokens.write_text(f"a {hashlib.sha256(token.encode()).hexdigest()} rate=1000\n"
                          f"slow {hashlib.sha256(b'slow').hexdigest()} rate=0.001\n"
                          f"poor {hashlib.sha256(b'poor').hexdigest()} limit=1\n")
        s = self.serve(self.world.model, "--tokens", tokens, "--return", "logits", "--most-body", 2000)
        api = self.ask(s, "/openapi.json").json
        one = {"inputs": [tensor("nodes", [1])]}
        binary = {**one, "id": "x", "parameters": {"binary_data_output": True}}
        asked = [("/", None, token, 200), ("/privacy", None, token, 200), ("/openapi.json", None, token, 200),
                 ("/metrics", None, token, 200), ("/metrics", None, "", 401), ("/v2", None, "", 200),
                 ("/v2/health/live", None, "", 200), ("/v2/health/ready", None, "", 200),
                 ("/v2/models/model", None, token, 200), ("/v2/models/model", None, "", 401),
                 ("/v2/models/none", None, token, 404), ("/v2/models/model/ready", None, "", 200),
                 ("/v2/models/none/ready", None, "", 404),
                 (INFER, one, token, 200), (INFER, {**one, "id": "x"}, token, 200), (INFER, binary, token, 200),
                 (INFER, {}, token, 400), (INFER, one, "", 401), ("/v2/models/none/infer", one, token, 404),
                 (INFER, {**one, "id": "x" * 3000}, token, 413), (INFER, one, "slow", 200), (INFER, one, "slow", 429),
                 (INFER, {"inputs": [tensor("nodes", [1, 2])]}, "poor", 403),
                 ("/v2/models/model/neighbours", {"node": 1}, token, 200),
                 ("/v2/models/model/neighbours", {"node": -1}, token, 400),
                 ("/v2/models/model/neighbours", {"node": 1}, "", 401),
                 ("/v2/models/model/neighbours", {"node": "x" * 3000}, token, 413),
                 ("/v2/models/none/neighbours", {"node": 1}, token, 404),
                 ("/v2/models/model/neighbours", {"node": 1}, "slow", 429)]
        seen = set()
        for path, body, who, status in asked:
            answer = self.ask(s, path, body, Authorization=f"Bearer {who}")
            self.assertEqual(answer.status, status, (path, body, answer.body))
            template = next(known for known in api["paths"] if path == known or (
                "{model}" in known and path.split("/")[:3] == known.split("/")[:3]
                and path.split("/")[4:] == known.split("/")[4:]))
            told = resolve(api, api["paths"][template]["get" if body is None else "post"]["responses"][str(status)])
            kind = answer.headers["Content-Type"].split(";")[0]
            self.assertIn(kind, told["content"], path)
            schema = told["content"][kind].get("schema")
            if schema:
                self.assertEqual(list(faults(api, schema, answer.json)), [], path)
            elif kind == "application/octet-stream":
                size = int(answer.headers["Inference-Header-Content-Length"])
                schema = told["content"]["application/json"]["schema"]
                self.assertEqual(list(faults(api, schema, json.loads(answer.body[:size]))), [])
            seen.add(template)
        self.assertEqual(seen, set(api["paths"]))

    def test_the_validator_can_say_no(self):
        schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}},
                  "additionalProperties": False}
        self.assertEqual(list(faults({}, schema, {"a": 1})), [])
        for wrong in ({}, {"a": "1"}, {"a": True}, {"a": 1, "b": 2}, [], None):
            self.assertTrue(list(faults({}, schema, wrong)), wrong)
        self.assertTrue(list(faults({}, {"type": "array", "items": {"type": "string"}}, ["a", 1])))
        self.assertTrue(list(faults({}, {"pattern": "x"}, "y")))


class BadInput(ServiceTest):
    def alive(self, process):
        self.assertEqual(self.infer(process, tensor("nodes", [0])).status, 200)
        self.assertIsNone(process.poll())

    def test_wrong_questions_are_named(self):
        s = self.serve(self.world.model, "--most-nodes", 1000)
        nodes, x = tensor("nodes", [0]), [0.] * N_FEATURES
        changed = [tensor("changed_node", [1]), tensor("changed_features", [x], "FP64")]
        new = tensor("features", [x], "FP64")
        for inputs, says in (
                ([], "'inputs'"),
                ([tensor("knots", [0])], "has no input 'knots'"),
                ([tensor("nodes", [N_NODES])], "not a node of the release"),
                ([tensor("nodes", [-1])], "not a node of the release"),
                ([tensor("nodes", [2**40])], "not a node of the release"),
                ([tensor("nodes", [0.5], "FP64")], "names nodes"),
                ([tensor("nodes", ["x"], "BYTES")], "not a node of the release"),
                ([tensor("nodes", [" 1"], "BYTES")], "not a node of the release"),
                ([tensor("nodes", [], shape=[0])], "at least one"),
                ([tensor("nodes", [1, 2], shape=[1, 2])], "one dimension"),
                ([tensor("nodes", [1] * 1001)], "at most 1000 nodes"),
                ([changed[0], nodes], "given together"),
                ([changed[1], nodes], "given together"),
                ([tensor("changed_node", [1, 2]), changed[1], nodes], "about one node"),
                ([changed[0], tensor("changed_features", [x, x], "FP64"), nodes], "about one node"),
                ([changed[0], tensor("changed_features", [x + [0.]], "FP64"), nodes], f"[N, {N_FEATURES}]"),
                ([changed[0], tensor("changed_features", [[0] * N_FEATURES]), nodes], "FP32 or FP64"),
                (changed, "'nodes'"),
                ([nodes, new], "either the input"),
                ([nodes, tensor("edges", [[0, 1]])], "needs 'features'"),
                ([new, *changed], "takes only"),
                ([new, tensor("edges", [0, 1])], "[E, 2]"),
                ([new, tensor("edges", [[1, 1]])], "edge 0"),
                ([new, tensor("edges", [[-1, 1]])], "edge 0"),
                ([new, tensor("edges", [[0, N_NODES]])], "not a node of the release")):
            said = self.infer(s, *inputs)
            self.assertEqual(said.status, 400, (inputs, said.body))
            self.assertIn(says, said.error)
        huge = [[1e308] * N_FEATURES]
        for inputs in ([changed[0], tensor("changed_features", huge, "FP64"), tensor("nodes", [1])],
                       [tensor("features", huge, "FP64")]):  # the weights are noise: the network may stay silent
            said = self.infer(s, *inputs)
            if said.status == 200:
                self.assertTrue(numpy.isfinite(said.output("probabilities")).all(), said.body)
            else:
                self.assertEqual(said.status, 400)
                self.assertIn("too large", said.error)
        self.assertEqual(self.infer(s, nodes, outputs=["opinions"]).status, 400)
        for body in (b"", b"{", b"\xff\xfe", b"[" * 100000, b'{"inputs": "\xc3\x28"}', b"null", b"0" * 1000):
            said = self.ask(s, INFER, body)
            self.assertEqual(said.status, 400, body[:20])
            self.assertTrue(said.error)
        for size in ("x", "-1", "1e3", "99999999999999999999", "7"):
            self.assertEqual(self.ask(s, INFER, b"{}", Inference_Header_Content_Length=size).status, 400, size)
        for path, body, status in (("/nowhere", None, 404), ("/v2/models/other/infer", {}, 404), (INFER, None, 405),
                                   ("/v2", {}, 405)):
            said = self.ask(s, path, body)
            self.assertEqual(said.status, status, path)
            self.assertTrue(said.error)
        self.alive(s)

    def test_large_bodies_are_refused(self):
        s = self.serve(self.world.model, "--most-body", 1000)
        self.assertEqual(self.ask(s, INFER, b" " * 1001).status, 413)
        with socket.create_connection(("127.0.0.1", s.port), 60) as c:  # without saying so first
            c.sendall(f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
            for _ in range(20):
                c.sendall(b"64\r\n" + b" " * 100 + b"\r\n")
            c.sendall(b"0\r\n\r\n")
            self.assertTrue(c.recv(100).startswith(b"HTTP/1.1 413 "))
        self.alive(s)

    def test_bodies_together_are_bounded(self):
        """Two requests that are never finished hold what room there is; a third is told to wait, and small ones pass."""
        s = self.serve(self.world.model, "--most-body", 200000, "--most-bodies", 450000, "--idle", 5)
        half = f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n".encode() + b" " * 150000
        held = [socket.create_connection(("127.0.0.1", s.port), 60) for _ in range(2)]
        try:
            for c in held:
                c.sendall(half)
            self.metric_becomes(s, "heterorr_body_bytes", 400000)
            refused = self.ask(s, INFER, b" " * 150000)
            self.assertEqual((refused.status, refused.headers["Retry-After"]), (503, "1"))
            self.alive(s)
        finally:
            for c in held:
                c.close()
        for _ in range(300):  # at the latest when they were idle for long enough
            held = self.ask(s, "/metrics").body.decode().split("\nheterorr_body_bytes ")[1].split()[0]
            if held == "0":
                break
            time.sleep(.1)
        else:
            self.fail("what was held is not given back")
        self.assertEqual(self.ask(s, INFER, b" " * 150000).status, 400)

    def test_large_questions_hold_up_nobody(self):
        """Beyond 256 KiB a question is read by the thread that computes; the answer is the same."""
        s = self.serve(self.world.model)
        nodes = [v % N_NODES for v in range(100000)]
        said = self.infer(s, tensor("nodes", nodes))
        self.assertEqual(said.status, 200)
        few = self.infer(s, tensor("nodes", nodes[:N_NODES]))
        self.assertEqual(said.output("labels").tolist()[:N_NODES], few.output("labels").tolist())
        self.assertEqual(len(said.output("labels")), len(nodes))
        self.assertGreaterEqual(self.metric_becomes(s, "heterorr_computed_total", 1), 1)
        self.assertEqual(self.ask(s, INFER, b"[" * 300000).status, 400)

    def test_broken_http_is_survived(self):
        s = self.serve(self.world.model, "--idle", 1)
        for text in (b"\r\n\r\n", b"GET\r\n\r\n", b"\0" * 100, b"GET / HTTP/9.9\r\n\r\n",
                     b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20000,
                     f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf".encode(),
                     f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n".encode()):
            with socket.create_connection(("127.0.0.1", s.port), 60) as c:
                try:
                    c.sendall(text)
                    c.shutdown(socket.SHUT_WR)
                    while c.recv(4096):
                        pass
                except OSError:  # it may hang up at any time
                    pass
        self.alive(s)

    def test_no_request_hides_in_another(self):
        """Where a proxy could see the end of a body elsewhere, the request is refused and the connection closed."""
        s = self.serve(self.world.model)
        one = json.dumps({"inputs": [tensor("nodes", [1])]}).encode()
        chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(one), one)
        hidden = b"GET /v2 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for headers, body in ((b"Content-Length: %d\r\nTransfer-Encoding: chunked" % len(chunks + hidden), chunks),
                              (b"Content-Length: %d\r\nX: a\rb" % len(one), one),
                              (b"Content-Length: %d\r\nContent-Length: 5" % len(one), one),
                              (b"Transfer-Encoding: xchunked", chunks), (b"Transfer-Encoding : chunked", chunks),
                              (b"Host: evil.example\r\nContent-Length: %d" % len(one), one)):
            with socket.create_connection(("127.0.0.1", s.port), 60) as c:
                c.sendall(f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\n".encode() + headers + b"\r\n\r\n" + body + hidden)
                said = b""
                try:
                    while more := c.recv(4096):
                        said += more
                except ConnectionResetError:  # what nobody read
                    pass
            self.assertTrue(said.startswith(b"HTTP/1.1 400 "), (headers, said))
            self.assertEqual(said.count(b"HTTP/1.1 "), 1, (headers, said))
        with socket.create_connection(("127.0.0.1", s.port), 60) as c:  # HTTP/1.0 has no chunks
            c.sendall(f"POST {INFER} HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"
                      .encode() + chunks + hidden)
            said = b""
            try:
                while more := c.recv(4096):
                    said += more
            except ConnectionResetError:
                pass
        self.assertEqual(said.count(b"HTTP/1.1 "), 1, said)
        self.assertTrue(said.startswith(b"HTTP/1.1 400 "), said)
        for path in ("/privacy%00", "/v2/models%2Fmodel", "/v2/models/model/../model", "//v2"):
            self.assertEqual(self.ask(s, path).status, 404, path)
        self.assertEqual(self.ask(s, "/v2/models/model/neighbours", b" " * 100000).status, 413)
        self.alive(s)

    def test_slow_clients_are_hung_up_on(self):
        s = self.serve(self.world.model, "--request-time", 1, "--idle", 60)
        with socket.create_connection(("127.0.0.1", s.port), 60) as header, \
                socket.create_connection(("127.0.0.1", s.port), 60) as body:
            body.sendall(f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n".encode())
            closed = set()
            for _ in range(600):  # a byte now and then is no idleness
                for c in (header, body):
                    try:
                        c.sendall(b"G")
                    except OSError:
                        closed.add(c)
                if len(closed) == 2:
                    break
                time.sleep(.05)
            self.assertEqual(len(closed), 2)
        self.assertEqual(self.metric_becomes(s, "heterorr_slow_closed_total", 2), 2)
        self.alive(s)

    def test_idle_connections_are_closed(self):
        """Those that never asked, and those that were answered; neither is called slow."""
        s = self.serve(self.world.model, "--idle", 1, "--request-time", 60)
        with socket.create_connection(("127.0.0.1", s.port), 60) as silent, \
                socket.create_connection(("127.0.0.1", s.port), 60) as answered:
            answered.sendall(b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertIn(b"200 OK", answered.recv(1000))
            for c in (silent, answered):
                self.assertEqual(c.recv(1000), b"")
        self.assertEqual(self.metric_becomes(s, "heterorr_slow_closed_total", 0), 0)
        self.alive(s)

    def test_a_service_that_was_stopped_answers(self):
        """The time in which it did not run is not the client's idleness. Large questions, so that it is likely to be stopped
        in the middle of one."""
        s = self.serve(self.world.model, "--idle", 2, "--log", "none")
        body = json.dumps({"inputs": [tensor("nodes", [i % N_NODES for i in range(40000)])]})
        until, seen = [], []

        def ask():
            while not until:
                times = [time.monotonic()]
                try:
                    status = self.ask(s, INFER, body, sent=lambda: times.append(time.monotonic())).status
                except OSError as lost:
                    status = "slow" if len(times) == 1 or times[1] - times[0] > 1 else type(lost).__name__
                seen.append(status)

        askers = [threading.Thread(target=ask) for _ in range(3)]
        for asker in askers:
            asker.start()
        for _ in range(2):
            time.sleep(.2)
            s.send_signal(signal.SIGSTOP)
            time.sleep(2.4)
            s.send_signal(signal.SIGCONT)
        until.append(True)
        for asker in askers:
            asker.join()
        self.assertLessEqual(set(seen), {200, "slow"})
        self.assertIn(200, seen)

    def test_idle_connections_harm_nobody(self):
        room = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        n = min(10000, room - 300 if room != resource.RLIM_INFINITY else 10000)
        if n < 10000:
            print(f"the system allows {n} idle connections, not 10,000", file=sys.stderr)
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(n + 200, room) if room > 0 else n + 200, room))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        s = self.serve(self.world.model, "--most-connections", n + 100)
        idle = []
        try:
            for _ in range(n):
                idle.append(socket.create_connection(("127.0.0.1", s.port), 60))
            self.alive(s)
            self.metric_becomes(s, "heterorr_connections", n)
        finally:
            for c in idle:
                c.close()
        self.alive(s)

    def test_too_many_connections_wait_or_fail_and_pass(self):
        s = self.serve(self.world.model, "--most-connections", 4, "--idle", 1)
        held = [socket.create_connection(("127.0.0.1", s.port), 60) for _ in range(20)]
        time.sleep(.1)
        for c in held:
            c.close()
        self.alive(s)


if __name__ == "__main__":
    unittest.main(verbosity=2)
