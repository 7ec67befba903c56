"""Hours of traffic, in seconds: questions of every kind, wrong ones, half ones, slow clients, tokens and their limits, reloads
with good and with broken files, all at once. Nothing but expected statuses and right answers, no memory that grows, a stop
without a word of the sanitizers.

    HETERORR_SOAK_SECONDS=3600 HETERORR=build/asan/src/cli/heterorr python3 tests/serve/test_soak.py

lets it run for an hour; the rate is bounded (HETERORR_SOAK_RATE, 200 requests a second), so that others can work."""
import collections
import hashlib
import itertools
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
IDLE, REQUEST_TIME = 6, 10  # seconds: --idle, --request-time
TOKENS = {"ann": "metrics=all", "bob": "rate=1", "eve": "limit=20"}
INFER = "/v2/models/model/infer"


def bearer(name):
    return {"Authorization": f"Bearer token of {name}"}


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
        what, allowed, path, body, headers = rng.choice([
            *[("few nodes", {200}, INFER, one, {})] * 5,
            ("binary", {200}, INFER, head + struct.pack(f"<{len(nodes)}i", *nodes),
             {"Inference_Header_Content_Length": str(len(head))}),
            ("changed features", {200, 503}, INFER, {"inputs": [*one["inputs"], tensor("changed_node", [nodes[0]]),
                                                               tensor("changed_features", x, "FP64")]}, {}),
            ("unseen nodes", {200, 503}, INFER, {"inputs": [tensor("features", x, "FP64"),
                                                           tensor("edges", [[0, nodes[0]]])]}, {}),
            ("neighbours", {200}, "/v2/models/model/neighbours", {"node": nodes[0]}, {}),
            *[(f"few nodes, {name}", {200, refused}, INFER, one, bearer(name))
              for name, refused in (("bob", 429), ("eve", 403))],
            ("few nodes, nobody", {401}, INFER, one, bearer("nobody")),
            ("metrics", {200}, "/metrics", None, {}), ("page", {200}, "/", None, {}),
            ("model", {200}, "/v2/models/model", None, {}),
            ("garbage", {400}, INFER, garbage, {}), ("cut", {400}, INFER, cut, {}),
            ("unknown node", {400}, INFER, {"inputs": [tensor("nodes", [N_NODES])]}, {}),
            ("large", {200, 503}, INFER, {"inputs": [tensor("nodes", nodes * (40000 // len(nodes)))]}, {})
            if rng.random() < .1 else ("nowhere", {404}, "/nowhere", None, {})])
        return what, allowed, path, body, {**bearer("ann"), **headers}, nodes

    def be_slow(self, process, until, seen):
        """A client that sends a byte a second, then one that does not read a large answer: both are cut off."""
        head = f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {bearer('ann')['Authorization']}\r\n"
        large = json.dumps({"inputs": [tensor("nodes", list(range(N_NODES)) * 800)]})
        for sends in itertools.cycle((True, False)):
            if time.monotonic() > until:
                return
            with socket.socket() as slow:
                slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                slow.settimeout(60)
                slow.connect(("127.0.0.1", process.port))
                try:
                    if not sends:
                        slow.sendall(f"{head}Content-Length: {len(large)}\r\n\r\n{large}".encode())
                    for byte in head if sends else "." * (REQUEST_TIME + 4):
                        if sends:
                            slow.send(byte.encode())
                        time.sleep(1)
                    answer = b"".join(iter(lambda: slow.recv(1 << 20), b""))
                    whole = not sends and answer.startswith(b"HTTP/1.1 200") and answer.endswith(b"}")
                except (BrokenPipeError, ConnectionResetError):
                    whole = False
                except TimeoutError:
                    whole = True
            seen["slow to send" if sends else "slow to read", "NOT cut off" if whole else "cut off"] += 1

    def ask_for_a_while(self, process, seed, until, seen, n_threads):
        rng = random.Random(seed)
        while time.monotonic() < until:
            began = time.monotonic()
            if rng.random() < .02:  # a request that never ends
                with socket.create_connection(("127.0.0.1", process.port), 60) as half:
                    half.sendall(f"POST {INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{{".encode())
                seen["half", "closed"] += 1
            what, allowed, path, body, headers, nodes = self.questions(rng)
            times = [time.monotonic()]
            try:
                answer = self.ask(process, path, body, sent=lambda: times.append(time.monotonic()), **headers)
                status = answer.status
                if status == 200 and (what == "binary" or what.startswith("few nodes")):
                    right = answer.output("labels").tolist() == [self.labels[node] for node in nodes]
                    status = status if right else "right"
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
        tokens = self.world.path / "soak-tokens.txt"
        tokens.write_text("".join(f"{name} {hashlib.sha256(f'token of {name}'.encode()).hexdigest()} {more}\n"
                                  for name, more in TOKENS.items()))
        log = open(self.world.path / "soak.log", "w+")
        self.addCleanup(log.close)
        # Freed memory goes back soon, so that growth can be told from a sanitizer's quarantine.
        env = for_a_service()
        env["ASAN_OPTIONS"] += ":quarantine_size_mb=4"
        s = self.serve(model, "--name", "model", "--release", self.world.bundle, "--log", "/dev/full", "--threads", 2,
                       "--idle", IDLE, "--request-time", REQUEST_TIME, "--stop-time", 1, "--tokens", tokens,
                       stderr=log, env=env)
        every = self.ask(s, INFER, {"inputs": [tensor("nodes", list(range(N_NODES)))]}, **bearer("ann"))
        self.labels = every.output("labels").tolist()
        seen, began, n_threads = collections.Counter(), time.monotonic(), 3
        askers = [threading.Thread(target=self.ask_for_a_while, args=(s, i, began + SECONDS, seen, n_threads))
                  for i in range(n_threads)]
        askers.append(threading.Thread(target=self.be_slow, args=(s, began + SECONDS, seen)))
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
            left = self.ask(s, "/metrics", **bearer("ann")).body.decode().split("\nheterorr_body_bytes ")[1].split()[0]
            if left == "0":
                break
            time.sleep(.1)
        s.send_signal(signal.SIGTERM)
        s.wait(timeout=60)
        log.seek(0)
        said = log.read()
        quarters = [max(sizes[k * len(sizes) // 4:(k + 1) * len(sizes) // 4 + 1]) for k in range(4)]
        early, late = quarters[0], quarters[-1]
        print(f"{sum(seen.values())} requests, {n_reloads} reloads in {SECONDS:g} s; most resident memory in each quarter "
              f"{', '.join(f'{size:.0f}' for size in quarters)} MB; {dict(sorted(seen.items(), key=str))}", file=sys.stderr)
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
