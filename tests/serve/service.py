"""What the tests of the service share: a release and models, made once; a service that is always stopped; questions."""
import atexit
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import HETERORR, for_a_service, heterorr, skip_all

try:
    import numpy
except ImportError as missing:
    skip_all(f"{missing}; install python3-numpy")

N_NODES, N_FEATURES, N_CLASSES = 120, 6, 3


def run(*words):
    done = heterorr(*words)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done


class World:
    """A graph, its release, and a model trained on each; in a directory that goes when the tests are over."""

    def __init__(self):
        self._scratch = tempfile.TemporaryDirectory(prefix="heterorr-serve-")
        atexit.register(self._scratch.cleanup)
        self.path = pathlib.Path(self._scratch.name)
        os.environ["XDG_DATA_HOME"] = str(self.path / "data")
        self.graph, self.bundle, self.model, self.open = (self.path / name for name in
                                                          ("graph", "bundle", "model", "open"))
        run("generate", "--nodes", N_NODES, "--features", N_FEATURES, "--classes", N_CLASSES, "--avg-degree", 6,
            "--private-fraction", .3, "--seed", 5, "-o", self.graph)
        run("protect", self.graph, "-o", self.bundle, "--eps-features", 4, "--eps-edges", 4, "--eps-labels", 4,
            "--edge-mechanism", "edgerr")
        self.train(self.bundle, self.model)
        self.train(self.graph, self.open, "--non-private")

    @staticmethod
    def train(graph, model, *more, epochs=20):
        run("train", graph, "-o", model, "--epochs", epochs, "--hidden", 8, "--seed", 3, "--threads", 1, *more)

    def predict(self, model, graph, *more):
        out = self.path / "predicted.npy"
        run("predict", model, graph, "-o", out, "--force", *more)
        return numpy.load(out)


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        assert list(self.json) == ["error"], self.body
        return self.json["error"]

    def output(self, name):
        """A tensor of the answer, whichever way it came."""
        size = self.headers.get("Inference-Header-Content-Length")
        at = int(size) if size else len(self.body)
        for tensor in json.loads(self.body[:at])["outputs"]:
            width = tensor.get("parameters", {}).get("binary_data_size")
            kind = {"INT64": "<i8", "UINT8": "u1", "FP64": "<f8"}[tensor["datatype"]]
            data = tensor["data"] if width is None else numpy.frombuffer(self.body[at:at + width], kind)
            at += width or 0
            if tensor["name"] == name:
                return numpy.array(data).astype(kind).reshape(tensor["shape"])
        raise KeyError(name)


def tensor(name, values, kind="INT64", shape=None):
    array = numpy.asarray(values, dtype=object if kind == "BYTES" else None)
    return {"name": name, "datatype": kind, "shape": shape or list(array.shape), "data": array.ravel().tolist()}


class ServiceTest(unittest.TestCase):
    world = None

    @classmethod
    def setUpClass(cls):
        ServiceTest.world = ServiceTest.world or World()

    def serve(self, *words, listen=0, **options):
        """Start a service on a free port, or on that one; the end of the test is its end, whatever happens."""
        options.setdefault("stderr", subprocess.PIPE)
        options.setdefault("env", for_a_service())
        process = subprocess.Popen([HETERORR, "serve", *map(str, words), "--listen", f"127.0.0.1:{listen}", "--json"],
                                   stdout=subprocess.PIPE, text=True, **options)

        def end():
            process.kill()
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream:
                    stream.close()

        self.addCleanup(end)
        line = process.stdout.readline()
        if not line.startswith('{"url"'):
            self.fail(f"{words}: {line} {process.stdout.read()} {process.stderr.read() if process.stderr else ''}")
        process.said = json.loads(line)
        process.port = process.said["port"]
        return process

    def stop(self, process, how=signal.SIGTERM):
        """What it wrote to stderr; it must end well."""
        process.send_signal(how)
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 0, said)
        return said

    def ask(self, process, path, body=None, method=None, sent=lambda: None, **headers):
        """The answer; `sent` is called when the question is on its way."""
        connection = http.client.HTTPConnection("127.0.0.1", process.port, timeout=60)
        try:
            if body is not None and not isinstance(body, (bytes, str)):
                body = json.dumps(body)
            connection.request(method or ("GET" if body is None else "POST"), path, body,
                               {name.replace("_", "-"): value for name, value in headers.items()})
            sent()
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def metric_becomes(self, process, name, least):
        """A count is made after the answer has left: the client may be faster."""
        for _ in range(200):
            metrics = self.ask(process, "/metrics").body.decode()
            value = int(metrics.split(f"\n{name} ")[1].split()[0])
            if value >= least:
                return value
            time.sleep(.02)
        self.fail(f"{name} stays {value}")

    def infer(self, process, *inputs, model="model", outputs=None, **more):
        request = {"inputs": list(inputs), **more}
        if outputs:
            request["outputs"] = [{"name": name} for name in outputs]
        return self.ask(process, f"/v2/models/{model}/infer", request)
