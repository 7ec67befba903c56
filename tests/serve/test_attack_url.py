"""Attacks through the wire find what attacks on the model itself find, at our service and at others'."""
import hashlib
import http.server
import json
import signal
import socket
import subprocess
import threading
import unittest

from service import HETERORR, N_CLASSES, N_FEATURES, N_NODES, ServiceTest, heterorr, numpy

FEW = ["--samples", 40, "--runs", 2, "--seed", 3]
FIGURES = ["auc", "average_precision", "precision_at_k", "recall_at_k", "pairs", "samples", "at_k_hat", "verdict",
           "public_auc", "beside_public", "with_public", "delta", "returns"]


class Attack(ServiceTest):
    def attack(self, kind, *words):
        done = heterorr("attack", kind, *words, "--json", timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def open_service(self, *more):
        return self.serve(self.world.open, "--non-private", "--what-if", "yes", *more)

    def test_linkteller_finds_the_same_for_whatever_is_told(self):
        w = self.world
        for told in ("logits", "probabilities", "labels", "rounded"):
            s = self.open_service("--return", told, "--decimals", 3)
            far = self.attack("linkteller", "open", w.graph, "--url", s.said["url"], *FEW)
            near = self.attack("linkteller", w.open, w.graph, "--returns", told, "--decimals", 3, "--differences", *FEW)
            for figure in FIGURES:
                self.assertEqual(far[figure], near[figure], (told, figure))
            self.assertEqual(far["questions"], 2 * 41)
            self.assertEqual(far["requests"], far["questions"])
            self.stop(s)

    def test_linkteller_on_a_release(self):
        w = self.world
        s = self.serve(w.model, "--return", "logits")
        far = self.attack("linkteller", "model", w.bundle, "--truth", w.graph, "--url", s.said["url"] + "/", *FEW)
        near = self.attack("linkteller", w.model, w.bundle, "--truth", w.graph, "--differences", *FEW)
        for figure in FIGURES:
            self.assertEqual(far[figure], near[figure], figure)
        said = heterorr("attack", "linkteller", "model", w.bundle, "--truth", w.graph, "--url", s.said["url"], *FEW)
        self.assertIn("The service returns logits; it was asked 82 questions.", said.stdout)

    def test_links_and_membership_find_the_same(self):
        w = self.world
        s = self.open_service("--return", "logits")
        url = s.said["url"]
        far, near = (self.attack("links", *words, *FEW) for words in (
            ("open", w.graph, "--url", url), (w.open, w.graph, "--differences")))
        self.assertEqual(len(far["rows"]), len(near["rows"]))
        for a, b in zip(far["rows"], near["rows"]):
            self.assertEqual(a["attack"], b["attack"])
            self.assertAlmostEqual(a["auc"], b["auc"], 9, a["attack"])
        far, near = (self.attack("membership", *words) for words in (
            ("open", w.graph, "--url", url), (w.open, w.graph)))
        for figure in ("auc_label", "auc_confidence", "advantage"):
            self.assertAlmostEqual(far[figure], near[figure], 2)
        self.assertEqual(far["questions"], 1)

    def test_limits_are_respected(self):
        w = self.world
        tokens, token = w.path / "attack-tokens", w.path / "attack-token"
        tokens.write_text(f"eve {hashlib.sha256(b'open sesame').hexdigest()} rate=15\n")
        token.write_text("open sesame\n")
        s = self.open_service("--return", "logits", "--tokens", tokens)
        few = ["--samples", 20, "--runs", 1, "--seed", 3]
        words = ["linkteller", "open", w.graph, "--url", s.said["url"], *few]
        refused = heterorr("attack", *words, timeout=60)
        self.assertEqual(refused.returncode, 5, refused.stderr)
        self.assertIn("401", refused.stderr)
        far = self.attack(*words, "--token-file", token)
        near = self.attack("linkteller", w.open, w.graph, "--differences", *few)
        self.assertEqual(far["auc"], near["auc"])
        self.assertEqual(far["questions"], 21)
        self.assertGreaterEqual(far["refused"], 1)
        self.assertGreaterEqual(far["seconds_waited"], 1)

    def test_a_stopped_attack_goes_on(self):
        """After Ctrl-C, after the service was away, and after a stop in the middle of writing."""
        w, kept = self.world, self.world.path / "answers"
        kept.unlink(missing_ok=True)
        few = ["--samples", 30, "--runs", 1, "--seed", 3]
        s = self.open_service("--return", "logits", "--rate", 8)
        words = ["open", w.graph, "--url", s.said["url"], "--resume", kept, *few]
        process = subprocess.Popen([HETERORR, "attack", "linkteller", *map(str, words)], stderr=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL)
        self.metric_becomes(s, "heterorr_computed_total", 4)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertGreater(kept.stat().st_size, 1000)
        self.stop(s)
        gone = heterorr("attack", "linkteller", *words, timeout=60)
        self.assertEqual(gone.returncode, 3, gone.stderr)
        # The same address again, and without the limit: that is not part of the question.
        again = self.serve(w.open, "--non-private", "--what-if", "yes", "--return", "logits", listen=s.port)
        far = self.attack("linkteller", *words)
        near = self.attack("linkteller", w.open, w.graph, "--differences", *few)
        for figure in FIGURES:
            self.assertEqual(far[figure], near[figure], figure)
        self.assertEqual(far["questions"], 31)
        self.assertGreaterEqual(far["remembered"], 4)
        self.assertEqual(far["remembered"] + far["requests"], 31)
        for torn, asked in ((0, 0), (5, 1)):
            with open(kept, "r+b") as file:
                file.truncate(kept.stat().st_size - torn)
            far = self.attack("linkteller", *words)
            self.assertEqual((far["auc"], far["requests"], far["remembered"]), (near["auc"], asked, 31 - asked))
        # Nothing of another model, and nothing of another file.
        self.stop(again)
        other = self.serve(w.open, "--non-private", "--what-if", "yes", "--return", "probabilities", listen=s.port)
        self.assertEqual(self.attack("linkteller", *words)["remembered"], 0)
        self.stop(other)
        kept.write_text("mine\n")
        done = heterorr("attack", "linkteller", "open", w.graph, "--url", self.open_service().said["url"],
                        "--resume", kept, *few, timeout=60)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(kept.read_text(), "mine\n")

    def test_what_cannot_be_asked_is_said(self):
        w = self.world
        s = self.serve(w.open, "--non-private")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            nobody = f"http://127.0.0.1:{free.getsockname()[1]}"
            for words, code, says in (
                    (("open", w.graph, "--url", s.said["url"]), 3, "does not accept changed features"),
                    (("other", w.graph, "--url", s.said["url"]), 3, "no model has that name"),
                    (("open", w.graph, "--url", nobody), 3, "cannot be reached"),
                    (("open", w.graph, "--url", "ftp://127.0.0.1"), 2, "http://"),
                    ((w.open, w.graph, "--url", s.said["url"]), 2, "not a valid name of a model"),
                    (("open", w.graph, "--url", s.said["url"], "--token-file", "/nowhere"), 3, "/nowhere")):
                done = heterorr("attack", "linkteller", *words, *FEW, timeout=60)
                self.assertEqual(done.returncode, code, (words, done.stderr))
                self.assertIn(says, done.stderr)


class Foreign(http.server.BaseHTTPRequestHandler):
    """Another server of the protocol: a linear network of one layer, in numpy. Busy now and then."""
    protocol_version = "HTTP/1.1"
    asked = 0

    def reply(self, code, document, **headers):
        body = json.dumps(document).encode()
        self.send_response(code)
        for name, value in {"Content-Type": "application/json", "Content-Length": len(body), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply(200, {"name": "lin", "versions": [], "platform": "numpy",
                         "inputs": [{"name": name, "datatype": "INT64", "shape": [-1]}
                                    for name in ("nodes", "changed_node", "changed_features")],
                         "outputs": [{"name": "logits", "datatype": "FP64", "shape": [-1, N_CLASSES]}]})

    def do_POST(self):
        Foreign.asked += 1
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if Foreign.asked % 20 == 4:
            return self.reply(503, {"error": "busy"}, Retry_After=1)
        inputs = {t["name"]: numpy.array(t["data"]) for t in given["inputs"]}
        x = self.server.features.copy()
        if "changed_node" in inputs:
            x[inputs["changed_node"][0]] = inputs["changed_features"]
        logits = (self.server.adjacency @ x @ self.server.weights)[inputs["nodes"]]
        self.reply(200, {"model_name": "lin", "outputs": [{"name": "logits", "datatype": "FP64",
                                                           "shape": list(logits.shape), "data": logits.tolist()}]})

    def log_message(self, *_):
        pass


class OtherServers(ServiceTest):
    def test_a_service_that_is_not_ours_is_attacked(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
        self.addCleanup(server.server_close)
        edges = numpy.load(self.world.graph / "edges.npy")
        server.features = numpy.load(self.world.graph / "features.npy").astype(float)
        server.weights = numpy.random.default_rng(1).normal(size=(N_FEATURES, N_CLASSES))
        server.adjacency = numpy.eye(N_NODES)
        server.adjacency[edges[0], edges[1]] = server.adjacency[edges[1], edges[0]] = 1
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        done = heterorr("attack", "linkteller", "lin", self.world.graph, "--samples", 30, "--runs", 1, "--all-edges",
                        "--seed", 6, "--url", f"http://127.0.0.1:{server.server_port}", "--json", timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["auc"], 1)  # one layer: influence is there exactly where an edge is
        self.assertEqual(found["questions"], 31)
        self.assertGreaterEqual(found["refused"], 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
