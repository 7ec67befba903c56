"""The service speaks the Open Inference Protocol, and says what predict says."""
import ctypes
import json
import os
import shutil
import signal
import struct
import threading
import unittest

import service
from service import N_CLASSES, N_FEATURES, N_NODES, ServiceTest, numpy, tensor


class Protocol(ServiceTest):
    def test_describes_itself_and_its_models(self):
        s = self.serve(self.world.model)
        about = self.ask(s, "/v2")
        self.assertEqual(about.json["name"], "heterorr")
        self.assertEqual(about.json["extensions"], ["binary_tensor_data"])
        self.assertEqual(about.json["models"], ["model"])
        self.assertTrue(about.json["private"])
        self.assertEqual(about.headers["Heterorr-Privacy"], "private")
        for path in ("/v2/health/live", "/v2/health/ready", "/v2/models/model/ready"):
            self.assertEqual(self.ask(s, path).status, 200, path)
        model = self.ask(s, "/v2/models/model").json
        self.assertEqual([t["name"] for t in model["inputs"]],
                         ["nodes", "changed_node", "changed_features", "features", "edges"])
        self.assertEqual([t["name"] for t in model["outputs"]], ["labels", "probabilities"])
        self.assertEqual(model["parameters"]["nodes"], N_NODES)
        self.assertIn("eps_e = 4", model["parameters"]["statement"])
        self.assertIn("eps_e = 4", self.ask(s, "/privacy").body.decode())
        self.assertEqual(self.ask(s, "/v2", method="HEAD").body, b"")

    def test_says_what_predict_says(self):
        s = self.serve(self.world.model, "--return", "logits")
        nodes = [0, 7, 7, N_NODES - 1]
        said = self.infer(s, tensor("nodes", nodes), id="of mine \u00e4 \"")
        self.assertEqual(said.status, 200, said.body)
        self.assertEqual(said.json["model_name"], "model")
        self.assertEqual(said.json["id"], "of mine \u00e4 \"")
        logits = self.world.predict(self.world.model, self.world.bundle, "--logits")[nodes]
        numpy.testing.assert_allclose(said.output("logits"), logits, rtol=1e-4, atol=1e-4)
        numpy.testing.assert_array_equal(said.output("labels"), said.output("logits").argmax(1))
        odds = numpy.exp(said.output("logits"))
        numpy.testing.assert_allclose(said.output("probabilities"), odds / odds.sum(1, keepdims=True), rtol=1e-12)
        chosen = self.infer(s, tensor("nodes", nodes), outputs=["labels"])
        self.assertEqual([t["name"] for t in chosen.json["outputs"]], ["labels"])

    def test_speaks_binary(self):
        s = self.serve(self.world.model, "--return", "logits")
        plain = self.infer(s, tensor("nodes", [3, 4]))
        head = json.dumps({"inputs": [{"name": "nodes", "datatype": "INT32", "shape": [2],
                                       "parameters": {"binary_data_size": 8}}],
                           "parameters": {"binary_data_output": True}}).encode()
        said = self.ask(s, "/v2/models/model/infer", head + struct.pack("<ii", 3, 4),
                        Inference_Header_Content_Length=str(len(head)))
        self.assertEqual(said.headers["Content-Type"], "application/octet-stream")
        for name in ("labels", "logits", "probabilities"):
            numpy.testing.assert_array_equal(said.output(name), plain.output(name))
        both = self.infer(s, tensor("nodes", [3, 4]), outputs=None)
        mixed = self.ask(s, "/v2/models/model/infer",
                         {"inputs": [tensor("nodes", [3, 4])],
                          "outputs": [{"name": "labels"},
                                      {"name": "logits", "parameters": {"binary_data": True}}]})
        numpy.testing.assert_array_equal(mixed.output("labels"), both.output("labels"))
        numpy.testing.assert_array_equal(mixed.output("logits"), both.output("logits"))

    def test_tells_no_more_than_it_was_told_to(self):
        known = {}
        for told, outputs in (("labels", ["labels"]), ("probabilities", ["labels", "probabilities"]),
                              ("rounded", ["labels", "probabilities"]),
                              ("logits", ["labels", "probabilities", "logits"])):
            s = self.serve(self.world.model, "--return", told, "--decimals", 1)
            said = self.infer(s, tensor("nodes", range(N_NODES)))
            self.assertEqual(sorted(t["name"] for t in said.json["outputs"]), sorted(outputs))
            self.assertEqual([t["name"] for t in self.ask(s, "/v2/models/model").json["outputs"]], outputs)
            if "logits" not in outputs:
                refused = self.infer(s, tensor("nodes", [0]), outputs=["logits"])
                self.assertEqual((refused.status, refused.error), (400, "model 'model' has no output 'logits'"))
            if told in ("probabilities", "logits"):  # told from a table, and computed
                known[told] = said.output("probabilities")
            if told == "rounded":
                tenths = said.output("probabilities") * 10
                numpy.testing.assert_allclose(tenths, tenths.round(), atol=1e-9)
                self.assertRegex(said.body.decode(), r"0\.\d,")
                self.assertNotRegex(said.body.decode(), r"0\.\d\d")
            self.stop(s)
        numpy.testing.assert_array_equal(known["probabilities"], known["logits"])

    def test_serves_several_models_under_their_names(self):
        s = self.serve(self.world.model, self.world.model, "--name", "one,two", "--release", self.world.bundle)
        self.assertEqual(self.ask(s, "/v2").json["models"], ["one", "two"])
        one, two = (self.infer(s, tensor("nodes", [5]), model=name) for name in ("one", "two"))
        self.assertEqual((one.json["model_name"], two.json["model_name"]), ("one", "two"))
        self.assertEqual(one.json["outputs"], two.json["outputs"])
        self.assertEqual(self.infer(s, tensor("nodes", [5])).status, 404)


class Nodes(ServiceTest):
    """Nodes by name, with other features, and such as the release has not. The graph is written by numpy."""

    def graph(self, name, features=None, more_features=None, more_edges=(), names=None):
        """A copy of the world's graph, with changes."""
        path = self.world.path / name
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(self.world.graph, path, ignore=shutil.ignore_patterns("masked_features.npy"))
        x = numpy.load(path / "features.npy").copy()
        if features:
            x[features[0]] = features[1]
        if more_features is not None:
            x = numpy.vstack([x, numpy.asarray(more_features, x.dtype)])
            edges = numpy.load(path / "edges.npy")
            numpy.save(path / "private.npy", numpy.append(numpy.load(path / "private.npy"),
                                                          numpy.zeros(len(more_edges), "u1")))
            numpy.save(path / "edges.npy", numpy.hstack([edges, numpy.array(more_edges, edges.dtype).T]))
            for part in ("labels", "split"):
                old = numpy.load(path / f"{part}.npy")
                numpy.save(path / f"{part}.npy", numpy.append(old, numpy.zeros(len(more_features), old.dtype)))
            about = json.loads((path / "graph.json").read_text())
            about["n_nodes"] += len(more_features)
            about["n_edges"] += len(more_edges)
            (path / "graph.json").write_text(json.dumps(about))
        if names is not None:
            numpy.save(path / "node_ids.npy", names)
        numpy.save(path / "features.npy", x)
        return path

    def open_service(self, *more):
        return self.serve(self.world.open, "--name", "model", "--non-private", "--what-if", "yes",
                          "--return", "logits", *more)

    def test_changed_features_move_the_answers_as_they_move_predictions(self):
        s = self.open_service()
        x = numpy.linspace(-1, 1, N_FEATURES)
        said = self.infer(s, tensor("nodes", range(N_NODES)), tensor("changed_node", [9]),
                          tensor("changed_features", [x], "FP64"))
        self.assertEqual(said.status, 200, said.body)
        changed = self.graph("changed", features=(9, x))
        logits = self.world.predict(self.world.open, changed, "--logits")
        numpy.testing.assert_allclose(said.output("logits"), logits, rtol=1e-4, atol=1e-4)
        calm = self.infer(s, tensor("nodes", range(N_NODES))).output("logits")
        self.assertGreater(abs(said.output("logits") - calm).max(), .01)

    def test_unseen_nodes_are_answered_as_if_they_were_there(self):
        s = self.open_service()
        x = numpy.random.default_rng(1).normal(size=(2, N_FEATURES))
        edges = [(0, 4), (0, 17), (1, 17)]
        said = self.infer(s, tensor("features", x, "FP64"), tensor("edges", edges))
        self.assertEqual(said.status, 200, said.body)
        larger = self.graph("larger", more_features=x, more_edges=[(old, N_NODES + new) for new, old in edges])
        logits = self.world.predict(self.world.open, larger, "--logits")[N_NODES:]
        numpy.testing.assert_allclose(said.output("logits"), logits, rtol=1e-4, atol=1e-4)
        alone = self.infer(s, tensor("features", x, "FP64")).output("logits")
        self.assertGreater(abs(alone - logits).max(), .001)

    def test_nodes_go_by_their_names(self):
        for names, kind in ((numpy.arange(N_NODES) * 10 - 50, "INT64"),
                            (numpy.array([f"node {i}" for i in range(N_NODES)]), "BYTES")):
            graph = self.graph("named", names=names)
            s = self.open_service("--release", graph)
            self.assertEqual(self.ask(s, "/v2/models/model").json["inputs"][0]["datatype"], kind)
            logits = self.world.predict(self.world.open, graph, "--logits")
            said = self.infer(s, tensor("nodes", names[[3, 8]].tolist(), kind))
            numpy.testing.assert_allclose(said.output("logits"), logits[[3, 8]], rtol=1e-4, atol=1e-4)
            texts = self.infer(s, tensor("nodes", [str(name) for name in names[[3, 8]]], "BYTES"))
            numpy.testing.assert_array_equal(texts.output("logits"), said.output("logits"))
            unknown = self.infer(s, tensor("nodes", [7 if kind == "INT64" else "node 500"], kind))
            self.assertEqual((unknown.status, unknown.error),
                             (400, "element 0 of input 'nodes' is not a node of the release"))
            self.stop(s)

    def test_several_labels_a_node(self):
        graph, model = self.world.path / "several", self.world.path / "several-model"
        service.run("generate", "--nodes", 60, "--features", 4, "--classes", 4, "--multilabel", "--seed", 2,
                    "-o", graph)
        self.world.train(graph, model, "--non-private")
        s = self.serve(model, "--name", "model", "--non-private", "--return", "logits")
        said = self.infer(s, tensor("nodes", range(60)))
        self.assertEqual(said.output("labels").shape, (60, 4))
        numpy.testing.assert_array_equal(said.output("labels"), said.output("logits") > 0)
        numpy.testing.assert_allclose(said.output("probabilities"), 1 / (1 + numpy.exp(-said.output("logits"))))

    def test_neighbours_are_those_of_the_release(self):
        s = self.serve(self.world.model)
        edges = numpy.load(self.world.bundle / "edges.npy")
        node = int(edges[0, 0])
        said = self.ask(s, "/v2/models/model/neighbours", {"node": node}).json
        near = sorted(set(edges[1, edges[0] == node]) | set(edges[0, edges[1] == node]))
        self.assertEqual(said["neighbours"], near)
        between = {(near[i], near[j]) for i, j in said["edges_between"]}
        pairs = {tuple(pair) for pair in edges.T.tolist()}
        self.assertEqual(between, {(u, v) for u in near for v in near if u < v and (u, v) in pairs})
        for wrong in ({"node": -1}, {"node": "x"}, {"knot": 1}, [], {"node": N_NODES}):
            self.assertEqual(self.ask(s, "/v2/models/model/neighbours", wrong).status, 400, wrong)


class Reload(ServiceTest):
    def test_no_request_is_dropped_and_garbage_changes_nothing(self):
        model, other = self.world.path / "changing", self.world.path / "other.npz"
        shutil.rmtree(model, ignore_errors=True)
        self.world.train(self.world.bundle, model, "--counts", "ignore")  # they may give the network no weight
        with numpy.load(model / "weights.npz") as weights:
            numpy.savez(other, **{name: 2 * values for name, values in weights.items()})
        s = self.serve(model, "--name", "model", "--release", self.world.bundle)
        question = tensor("nodes", [0, 1, 2])
        before = self.infer(s, question).output("probabilities")
        done, seen = threading.Event(), []

        def ask():
            while not done.is_set():
                answer = self.infer(s, question)
                seen.append((answer.status, answer.output("probabilities").tolist()))

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            (model / "weights.npz").write_bytes(b"garbage")
            s.send_signal(signal.SIGHUP)
            self.assertIn("the old models stay", s.stderr_line("note"))
            shutil.copy(other, model / "weights.npz")
            s.send_signal(signal.SIGHUP)
            self.assertIn("reloaded", s.stderr_line("note"))
            after = self.infer(s, question).output("probabilities")
        finally:
            done.set()
            asking.join()
        self.assertGreater(abs(after - before).max(), 1e-6)
        self.assertEqual({status for status, _ in seen}, {200})
        self.assertLessEqual({str(said) for _, said in seen}, {str(before.tolist()), str(after.tolist())})
        self.assertEqual(self.metric_becomes(s, "heterorr_reloads_total", 1), 1)
        self.assertEqual(self.metric_becomes(s, "heterorr_reloads_failed_total", 1), 1)

    def test_any_thread_may_get_the_signal(self):
        """The kernel gives it to one that does not block it, and some threads are older than main()."""
        s = self.serve(self.world.model)
        for thread in sorted(map(int, os.listdir(f"/proc/{s.pid}/task"))):
            self.assertEqual(ctypes.CDLL(None).tgkill(s.pid, thread, signal.SIGHUP), 0)
            self.assertIn("reloaded", s.stderr_line("note"), "the service ended")
        self.assertEqual(self.infer(s, tensor("nodes", [0])).status, 200)

    def serve(self, *words, **options):
        process = super().serve(*words, "--log", "none", **options)

        def stderr_line(word):
            for line in process.stderr:
                if word in line:
                    return line
            return ""

        process.stderr_line = stderr_line
        return process

    def test_stops_after_the_last_answer(self):
        for how in (signal.SIGTERM, signal.SIGINT):
            s = self.serve(self.world.model)
            self.assertEqual(self.infer(s, tensor("nodes", [0])).status, 200)
            self.stop(s, how)
            with self.assertRaises(OSError):
                self.ask(s, "/v2")


if __name__ == "__main__":
    unittest.main(verbosity=2)
