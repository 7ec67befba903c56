"""Hours of traffic, in seconds: questions of every kind, wrong ones, half ones, reloads with good and with broken files, all at
once. Nothing but expected statuses, no memory that grows, a stop without a word of the sanitizers.

    HETERORR_SOAK_SECONDS=3600 HETERORR=build/asan/src/cli/heterorr python3 tests/serve/test_soak.py

lets it run for an hour; the rate is bounded (HETERORR_SOAK_RATE, 200 requests a second), so that others can work."""
import collections
import json
import os
import random
import shutil
import signal
import socket
import struct
import sys
import threading
import time
import unittest

from service import N_FEATURES, N_NODES, ServiceTest, for_a_service, tensor

SECONDS = float(os.environ.get("HETERORR_SOAK_SECONDS", "8"))
RATE = float(os.environ.get("HETERORR_SOAK_RATE", "200"))
IDLE = 6  # seconds: --idle
INFER = "/v2/models/model/infer"


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))


class Soak(ServiceTest):
    def questions(self, rng):
        """(what, statuses that it may have, path, body, headers)"""
        nodes = [rng.randrange(N_NODES) for _ in range(rng.choice((1, 1, 3, 50)))]
        x = [[rng.gauss(0, 1) for _ in range(N_FEATURES)]]
        one = {"inputs": [tensor("nodes", nodes)]}
        head = json.dumps({"inputs": [{"name": "nodes", "datatype": "INT32", "shape": [len(nodes)],
                                       "parameters": {"binary_data_size": 4 * len(nodes)}}],
                           "parameters": {"binary_data_output": True}}).encode()
        garbage = bytes(rng.randrange(256) for _ in range(rng.randrange(300)))
        cut = json.dumps(one)[:-rng.randrange(1, 20)]
        return rng.choice([
            *[("few nodes", {200}, INFER, one, {})] * 5,
            ("binary", {200}, INFER, head + struct.pack(f"<{len(nodes)}i", *nodes),
             {"Inference_Header_Content_Length": str(len(head))}),
            ("changed features", {200, 503}, INFER, {"inputs": [*one["inputs"], tensor("changed_node", [nodes[0]]),
                                                               tensor("changed_features", x, "FP64")]}, {}),
            ("unseen nodes", {200, 503}, INFER, {"inputs": [tensor("features", x, "FP64"),
                                                           tensor("edges", [[0, nodes[0]]])]}, {}),
            ("neighbours", {200}, "/v2/models/model/neighbours", {"node": nodes[0]}, {}),
            ("metrics", {200}, "/metrics", None, {}), ("page", {200}, "/", None, {}),
            ("model", {200}, "/v2/models/model", None, {}),
            ("garbage", {400}, INFER, garbage, {}), ("cut", {400}, INFER, cut, {}),
            ("unknown node", {400}, INFER, {"inputs": [tensor("nodes", [N_NODES])]}, {}),
            ("large", {200, 503}, INFER, {"inputs": [tensor("nodes", nodes * (40000 // len(nodes)))]}, {})
            if rng.random() < .1 else ("nowhere", {404}, "/nowhere", None, {})])

    def ask_for_a_while(self, process, seed, until, seen, n_threads):
        rng = random.Random(seed)
        while time.monotonic() < until:
            began = time.monotonic()
            if rng.random() < .02:  # a request that never ends
                with socket.create_connection(("127.0.0.1", process.port), 60) as half:
                    half.sendall(f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{{".encode())
                seen["half", "closed"] += 1
            what, allowed, path, body, headers = self.questions(rng)
            times = [time.monotonic()]
            try:
                status = self.ask(process, path, body, sent=lambda: times.append(time.monotonic()), **headers).status
            except OSError as lost:
                status = type(lost).__name__
                # A client that does not send for so long is told by a closed connection, and asks again.
                if (times[1:] or [time.monotonic()])[0] - times[0] > IDLE / 2:
                    allowed = {status}
                    what += ", by a client that stopped"
            seen[what, status if status in allowed else f"NOT {status}"] += 1
            time.sleep(max(0, n_threads / RATE - (time.monotonic() - began)))

    def test_a_service_lives_through_it(self):
        model = self.world.path / "soaked"
        shutil.rmtree(model, ignore_errors=True)
        shutil.copytree(self.world.model, model)
        good = (model / "weights.npz").read_bytes()
        log = open(self.world.path / "soak.log", "w+")
        self.addCleanup(log.close)
        # Freed memory goes back soon, so that growth can be told from a sanitizer's quarantine.
        env = for_a_service()
        env["ASAN_OPTIONS"] += ":quarantine_size_mb=4"
        s = self.serve(model, "--name", "model", "--release", self.world.bundle, "--log", "/dev/full", "--threads", 2,
                       "--idle", IDLE, "--request-time", 10, "--stop-time", 1, stderr=log, env=env)
        seen, began, n_threads = collections.Counter(), time.monotonic(), 3
        askers = [threading.Thread(target=self.ask_for_a_while, args=(s, i, began + SECONDS, seen, n_threads))
                  for i in range(n_threads)]
        for asker in askers:
            asker.start()
        sizes, n_reloads = [], 0
        try:
            while time.monotonic() < began + SECONDS:
                broken = n_reloads % 3 == 2
                (model / "weights.tmp").write_bytes(good[:200] if broken else good)
                os.replace(model / "weights.tmp", model / "weights.npz")
                s.send_signal(signal.SIGHUP)
                n_reloads += 1
                time.sleep(min(2, SECONDS / 8))
                sizes.append(resident(s.pid))
        finally:
            for asker in askers:
                asker.join()
        for _ in range(200):  # half requests are given up after --request-time
            left = self.ask(s, "/metrics").body.decode().split("\nheterorr_body_bytes ")[1].split()[0]
            if left == "0":
                break
            time.sleep(.1)
        s.send_signal(signal.SIGTERM)
        s.wait(timeout=60)
        log.seek(0)
        said = log.read()
        quarter = max(1, len(sizes) // 4)
        early, late = max(sizes[:quarter + 1]), max(sizes[-quarter:])
        print(f"{sum(seen.values())} requests, {n_reloads} reloads in {SECONDS:g} s; resident memory {early:.0f} MB in the first "
              f"quarter, {late:.0f} MB in the last; {dict(sorted(seen.items(), key=str))}", file=sys.stderr)
        self.assertEqual(s.returncode, 0, said[-2000:])
        self.assertNotIn("Sanitizer", said)
        self.assertNotIn("runtime error", said)
        self.assertEqual([key for key in seen if "NOT" in str(key[1])], [])
        self.assertEqual(left, "0")
        self.assertLess(late, 1.25 * early + 20)
        if n_reloads >= 3:
            self.assertIn("the old models stay", said)
            self.assertIn("reloaded", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
