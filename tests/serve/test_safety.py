"""Safe by default: what is refused, what is said, what is logged, and who may ask."""
import hashlib
import http.client
import json
import os
import shutil
import signal
import ssl
import subprocess
import unittest

from service import Answer, ServiceTest, heterorr, tensor


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


class Promise(ServiceTest):
    def refused(self, *words, says):
        done = heterorr("serve", *words, "--listen", "127.0.0.1:0", timeout=60)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn(says, done.stderr)
        self.assertIn("--non-private" if "another release" not in says else "", done.stderr)

    def test_only_private_releases_are_served(self):
        w = self.world
        self.refused(w.open, says="is a graph, not a release")
        self.refused(w.open, "--release", w.bundle, says="not trained on a private release")
        self.refused(w.model, "--release", w.graph, says="is a graph, not a release")

    def test_a_model_answers_on_its_own_release_alone(self):
        other = self.world.path / "other-bundle"
        if not other.exists():
            self.assertEqual(heterorr("protect", self.world.graph, "-o", other, "--eps-features", 3, "--eps-edges", 1,
                                      "--eps-labels", 4, "--edge-mechanism", "edgerr").returncode, 0)
        self.refused(self.world.model, "--release", other, says="trained on another release")

    def test_releases_with_the_same_promise_are_told_apart(self):
        w, twin, old = self.world, self.world.path / "twin", self.world.path / "old-model"
        if not twin.exists():
            self.assertEqual(heterorr("protect", w.graph, "-o", twin, "--eps-features", 4, "--eps-edges", 4,
                                      "--eps-labels", 4, "--edge-mechanism", "edgerr").returncode, 0)
        self.assertEqual(*(json.loads((bundle / "certificate.json").read_text())["statement"]
                           for bundle in (w.bundle, twin)))
        self.refused(w.model, "--release", twin, says="trained on another release than")
        out = w.path / "twin.npy"
        for words in (("predict", w.model, twin, "-o", out, "--force"),
                      ("attack", "linkteller", w.model, twin, "--truth", w.graph, "--samples", 20, "--runs", 1)):
            self.assertIn("trained on another release with the same guarantee", heterorr(*words).stderr, words)
        self.assertNotIn("another release", heterorr("predict", w.model, w.bundle, "-o", out, "--force").stderr)
        # A model of an older version does not say: its promise is all that can be compared.
        shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(w.model, old)
        about = json.loads((old / "model.json").read_text())
        self.assertEqual(about["training"]["provenance"].pop("release_sha256"),
                         sha256((w.bundle / "certificate.json").read_text()))
        (old / "model.json").write_text(json.dumps(about))
        s = self.serve(old, "--release", twin)
        self.assertIn("does not say which release", self.ask(s, "/privacy").body.decode())
        self.assertIn("does not say which release", self.stop(s))
        self.assertIn("does not say which release", heterorr("predict", old, w.bundle, "-o", out, "--force").stderr)
        s = self.serve(w.model)
        self.assertNotIn("does not say which", self.ask(s, "/privacy").body.decode())
        self.assertNotIn("does not say which", self.stop(s))

    def test_a_changed_bundle_is_refused(self):
        damaged = self.world.path / "damaged"
        shutil.rmtree(damaged, ignore_errors=True)
        shutil.copytree(self.world.bundle, damaged)
        (damaged / "split.npy").write_bytes((damaged / "split.npy").read_bytes()[:-1] + b"\1")
        done = heterorr("serve", self.world.model, "--release", damaged, "--listen", "127.0.0.1:0", timeout=60)
        self.assertEqual(done.returncode, 5, done.stderr)

    def test_what_is_not_private_says_so_and_tells_little(self):
        s = self.serve(self.world.open, "--name", "model", "--non-private")
        self.assertFalse(s.said["private"])
        about = self.ask(s, "/v2")
        self.assertEqual((about.json["private"], about.json["privacy"]), (False, "NOT PRIVATE"))
        for path in ("/", "/v2", "/privacy", "/metrics", "/v2/models/model", "/nowhere"):
            self.assertEqual(self.ask(s, path).headers["Heterorr-Privacy"], "NOT PRIVATE", path)
        said = self.infer(s, tensor("nodes", [0]))
        self.assertEqual(said.headers["Heterorr-Privacy"], "NOT PRIVATE")
        self.assertEqual([t["name"] for t in said.json["outputs"]], ["labels"])
        self.assertEqual([t["name"] for t in self.ask(s, "/v2/models/model").json["inputs"]], ["nodes"])
        changed = self.infer(s, tensor("nodes", [0]), tensor("changed_node", [1]),
                             tensor("changed_features", [[0.] * 6], "FP64"))
        self.assertEqual(changed.status, 400)
        self.assertIn("does not answer about changed features", changed.error)
        self.assertEqual(self.ask(s, "/v2/models/model/neighbours", {"node": 0}).status, 403)
        self.assertIn("Nothing is guaranteed", self.ask(s, "/privacy").body.decode())
        self.assertIn("heterorr_private 0", self.ask(s, "/metrics").body.decode())
        self.assertIn("NOT PRIVATE", self.stop(s))

    @unittest.skipUnless(os.geteuid() == 0, "only root is refused")
    def test_root_does_not_serve_strangers(self):
        done = heterorr("serve", self.world.model, "--listen", "0.0.0.0:0", timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("loopback addresses only", done.stderr)

    def test_wrong_addresses_are_usage_errors(self):
        for listen in ("", ":8080", "127.0.0.1:99999", "127.0.0.1:x", "[::1", "[::1]8080", "example.org:80"):
            done = heterorr("serve", self.world.model, "--listen", listen, timeout=60)
            self.assertEqual(done.returncode, 2, (listen, done.stderr))

    def test_a_taken_port_is_said(self):
        s = self.serve(self.world.model)
        done = heterorr("serve", self.world.model, "--listen", f"127.0.0.1:{s.port}", timeout=60)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("cannot listen", done.stderr)


class Callers(ServiceTest):
    def tokens(self, *lines):
        path = self.world.path / "tokens.txt"
        path.write_text("# who may ask\n" + "".join(f"{line}\n" for line in lines))
        return path

    def ask_as(self, process, token, *nodes, path="/v2/models/model/infer"):
        body = {"inputs": [tensor("nodes", nodes)]} if nodes else None
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.ask(process, path, body, **headers)

    def test_tokens_open_the_door(self):
        s = self.serve(self.world.model, "--tokens", self.tokens(f"ann {sha256('secret')}"))
        for token in (None, "", "Secret", sha256("secret"), "secret2"):
            refused = self.ask_as(s, token, 1)
            self.assertEqual(refused.status, 401, token)
            self.assertEqual(refused.headers["WWW-Authenticate"], 'Bearer realm="heterorr"')
            self.assertIn("token", refused.error)
        self.assertEqual(self.ask_as(s, "secret", 1).status, 200)
        for path in ("/v2/models/model", "/metrics"):
            self.assertEqual(self.ask_as(s, None, path=path).status, 401, path)
            self.assertEqual(self.ask_as(s, "secret", path=path).status, 200, path)
        for path in ("/", "/v2", "/v2/health/live", "/privacy", "/openapi.json"):
            self.assertEqual(self.ask_as(s, None, path=path).status, 200, path)
        said = self.stop(s)
        self.assertIn('"token":"ann"', said)
        self.assertNotIn("secret", said)

    def test_rates_are_limited_for_each_token(self):
        s = self.serve(self.world.model, "--rate", .01,
                       "--tokens", self.tokens(f"ann {sha256('a')}", f"bob {sha256('b')} rate=1000"))
        self.assertEqual(self.ask_as(s, "a", 1).status, 200)
        refused = self.ask_as(s, "a", 1)
        self.assertEqual(refused.status, 429)
        self.assertIn(int(refused.headers["Retry-After"]), range(90, 101))
        self.assertEqual([self.ask_as(s, "b", 1).status for _ in range(5)], [200] * 5)
        metrics = self.ask_as(s, "b", path="/metrics").body.decode()
        self.assertIn('heterorr_caller_requests_total{token="bob"} 5', metrics)

    def test_callers_do_not_see_one_another(self):
        s = self.serve(self.world.model, "--tokens", self.tokens(
            f"ann {sha256('a')} limit=1", f"bob {sha256('b')}", f"operator {sha256('o')} metrics=all"))
        self.assertEqual(self.ask_as(s, "a", 1, 2).status, 403)
        own, all_of_them = (self.ask_as(s, who, path="/metrics").body.decode() for who in ("b", "o"))
        self.assertNotIn("ann", own)
        self.assertNotIn("operator", own)
        self.assertIn('heterorr_caller_refused_total{token="bob"} 0', own)
        self.assertIn('heterorr_caller_refused_total{token="ann"} 1', all_of_them)

    def test_neighbours_count_as_answers_do(self):
        s = self.serve(self.world.model, "--tokens", self.tokens(f"ann {sha256('a')} limit=2"))
        near = "/v2/models/model/neighbours"
        self.assertEqual(self.ask(s, near, {"node": -1}, Authorization="Bearer a").status, 400)
        for status in (200, 200, 403, 403):
            self.assertEqual(self.ask(s, near, {"node": 1}, Authorization="Bearer a").status, status)
        self.assertEqual(self.ask_as(s, "a", 1).status, 403)

    def test_answers_are_counted_and_a_reload_does_not_forget(self):
        path = self.tokens(f"ann {sha256('a')} limit=5")
        s = self.serve(self.world.model, "--tokens", path, "--log", "none")
        self.assertEqual(self.ask_as(s, "a", 1, 2, 3).status, 200)
        self.assertEqual(self.ask_as(s, "a", 1, 2, 3).status, 403)
        self.tokens(f"ann {sha256('a')} limit=5", f"bob {sha256('b')}")
        s.send_signal(signal.SIGHUP)
        self.assertTrue(any("reloaded" in line for line in s.stderr), "the service ended")
        self.assertEqual(self.ask_as(s, "b", 1).status, 200)
        self.assertEqual(self.ask_as(s, "a", 1, 2).status, 200)
        refused = self.ask_as(s, "a", 1)
        self.assertEqual(refused.status, 403)
        self.assertNotIn("Retry-After", refused.headers)

    def test_a_wrong_file_of_tokens_is_named(self):
        for text, code in (("ann secret\n", 3), ("", 3)):
            path = self.world.path / "wrong-tokens"
            path.write_text(text)
            done = heterorr("serve", self.world.model, "--tokens", path, "--listen", "127.0.0.1:0", timeout=60)
            self.assertEqual(done.returncode, code, done.stderr)

    def test_pages_of_other_sites_cannot_ask(self):
        s = self.serve(self.world.model, "--also-called", "graphs.example,other")
        for host, status in (("localhost", 200), (f"localhost:{s.port}", 200), (f"127.0.0.1:{s.port}", 200),
                             ("[::1]:7", 200), ("graphs.example:80", 200), ("OTHER", 200),
                             ("127.0.0.2", 200), ("127.0.0.1.evil.example", 421),
                             ("evil.example", 421), ("localhost.evil.example", 421), ("graphs.example.evil", 421)):
            self.assertEqual(self.ask(s, "/v2", Host=host).status, status, host)
        infer = "/v2/models/model/infer"
        for origin, status in ((f"http://127.0.0.1:{s.port}", 200), ("https://graphs.example", 200),
                               ("http://evil.example", 403), ("http://127.0.0.1:1", 403), ("null", 403)):
            said = self.ask(s, infer, {"inputs": [tensor("nodes", [1])]}, Origin=origin)
            self.assertEqual(said.status, status, origin)
            self.assertNotIn("Access-Control-Allow-Origin", said.headers)


class Process(ServiceTest):
    def log_of(self, *words):
        log = self.world.path / "access.log"
        log.unlink(missing_ok=True)
        s = self.serve(self.world.model, "--log", log, *words)
        self.infer(s, tensor("nodes", [17, 23]))
        self.ask(s, "/v2/models/model/neighbours", {"node": 17})
        self.ask(s, "/v2?node=17")
        self.stop(s)
        self.assertEqual(log.stat().st_mode & 0o777, 0o600)
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        return sorted(lines, key=lambda line: -line["nodes"])  # threads may log one before the other

    def test_the_log_has_no_nodes_unless_asked(self):
        lines = self.log_of()
        self.assertEqual([line["status"] for line in lines], [200] * 3)
        self.assertEqual(lines[0]["nodes"], 2)
        self.assertEqual(lines[0]["path"], "/v2/models/{model}/infer")
        for line in lines:
            self.assertLessEqual(set(line), {"time", "method", "path", "model", "status", "nodes", "bytes_in",
                                             "bytes_out", "seconds"})
            for key in ("path", "model"):
                self.assertNotIn("17", line.get(key, ""))
        self.assertEqual(self.log_of("--log-nodes")[0]["node_ids"], ["17", "23"])

    def test_a_full_disk_stops_the_log_and_not_the_service(self):
        s = self.serve(self.world.model, "--log", "/dev/full")
        for _ in range(3):
            self.assertEqual(self.infer(s, tensor("nodes", [0])).status, 200)
        self.metric_becomes(s, "heterorr_log_lost_total", 3)

    def test_nobody_reads_the_log(self):
        """A pipe that is full does not hold up answers."""
        read, write = os.pipe()
        s = self.serve(self.world.model, stderr=write)
        os.close(write)
        self.addCleanup(os.close, read)
        connection = http.client.HTTPConnection("127.0.0.1", s.port, timeout=60)
        self.addCleanup(connection.close)
        for _ in range(1000):  # more than 64 KiB of lines
            connection.request("GET", "/v2/health/live")
            self.assertEqual(Answer(connection.getresponse()).status, 200)
        self.metric_becomes(s, "heterorr_log_lost_total", 1)

    def test_it_can_neither_write_nor_start_programs(self):
        """As the kernel says: no new privileges, a filter, and what the note says is missing."""
        s = self.serve(self.world.model)
        about = open(f"/proc/{s.pid}/status").read()
        if "NoNewPrivs:\t1" not in about:
            self.fail(about)
        said = self.stop(s)
        if "no seccomp" not in said:
            self.assertIn("Seccomp:\t2", about)

    def test_tls(self):
        if not shutil.which("openssl"):
            self.skipTest("openssl makes the certificate")
        cert, key = self.world.path / "cert.pem", self.world.path / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert], check=True,
                       capture_output=True)
        s = self.serve(self.world.model, "--tls-cert", cert, "--tls-key", key)
        self.assertTrue(s.said["url"].startswith("https://"))
        trusted = ssl.create_default_context(cafile=str(cert))
        connection = http.client.HTTPSConnection("127.0.0.1", s.port, timeout=60, context=trusted)
        self.addCleanup(connection.close)
        connection.request("GET", "/v2")
        self.assertEqual(Answer(connection.getresponse()).json["name"], "heterorr")
        for words, code in ((["--tls-cert", cert], 2), (["--tls-cert", cert, "--tls-key", "/nowhere"], 3),
                            (["--tls-cert", self.world.model / "model.json", "--tls-key", key], 3)):
            done = heterorr("serve", self.world.model, "--listen", "127.0.0.1:0", *words, timeout=60)
            self.assertEqual(done.returncode, code, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
