"""The fault campaign: protect is killed, starved of disk, raced, and lied to; whatever happens,
no half-written bundle passes for a whole one and the ledger never counts less than was released.

It prints what it did, a line for each fault. Instants are drawn with a fixed seed; what the machine
does at an instant is not repeatable, and need not be: the claims hold at every instant."""
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import time
import unittest

import numpy

from command import SANITIZED, CommandTest, HETERORR, heterorr, ls

N_KILLS = 40 if SANITIZED else 200
STAGING = re.compile(r"^\.(.+)\.partial-[0-9a-f]{16}$")


def report(text):
    print(f"faults: {text}", file=sys.stderr, flush=True)


class Faults(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph = self.scratch / "graph"
        self.ledger = self.scratch / "ledger.sqlite"
        self.out = self.scratch / "out"
        self.out.mkdir()

    def generate(self, nodes=300, features=16):
        self.succeeds("generate", "--nodes", nodes, "--avg-degree", 6, "--features", features,
                      "--classes", 3, "--private-fraction", ".3", "--seed", 1, "-o", self.graph)

    def words(self, bundle, *more):
        """Edges, features and labels at once: three units of budget. Blocks that networks predict would take most of the time."""
        return ["protect", self.graph, "-o", bundle, "--eps-features", 1, "--eps-edges", 1,
                "--eps-labels", 1, "--blocks", "communities", "--ledger", self.ledger, "--threads", 1, *more]

    def charges(self):
        """Number and state of each entry; `show` refuses a ledger that is not whole."""
        if not self.ledger.exists():
            return []
        return self.json("ledger", "show", "--ledger", self.ledger)["charges"]

    def spent(self):
        inputs = self.json("ledger", "show", "--ledger", self.ledger)["inputs"]
        return sum(float(i["spent"]["eps_total"]) for i in inputs)

    def entry_of(self, bundle):
        return json.loads((bundle / "certificate.json").read_text())["ledger_entry"]["number"]

    def leftovers(self, bundle=None):
        """Hidden directories; those of one bundle alone, if it is named."""
        begin = f".{bundle.name}." if bundle else "."
        return [p for p in self.out.iterdir() if p.name.startswith(begin)]

    # ---- kill -9 --------------------------------------------------------------------------------

    def kill_at(self, process, stage, delay, bundle):
        """Kill after the delay, counted from the moment at which the stage is seen to be reached."""
        reached = {
            "start": lambda: True,
            "charge": lambda: os.path.exists(f"{self.ledger}-journal"),
            "draw": lambda: any(n.endswith(".npy") for p in self.leftovers(bundle) for n in ls(p)),
            "certify": lambda: any("CERTIFICATE.txt" in ls(p) for p in self.leftovers(bundle)),
            "rename": lambda: any("certificate.json" in ls(p) for p in self.leftovers(bundle)),
            "publish": lambda: bundle.exists(),
        }[stage]
        while process.poll() is None and not reached():
            time.sleep(1e-4)
        time.sleep(delay)
        process.kill()
        return process.wait() == -signal.SIGKILL

    def test_killed_at_any_instant(self):
        self.generate()
        began = time.perf_counter()
        self.succeeds(*self.words(self.out / "first"))
        length = time.perf_counter() - began
        self.ledger.unlink()
        pathlib.Path(f"{self.ledger}.key").unlink()
        draw = random.Random(20240607)
        whole, n_charges, n_killed, n_journals, n_next = set(), 0, 0, 0, 0
        n_partial, n_partial_whole, n_uncharged = 0, 0, 0
        stages = {"start": 0, "charge": 0, "draw": 0, "certify": 0, "rename": 0, "publish": 0}
        for i in range(N_KILLS):
            # Half of them anywhere in the run and a little after; half around the steps that matter,
            # which are short.
            stage = "start" if i % 2 else draw.choice(list(stages))
            delay = draw.uniform(0, 1.1 * length) if stage == "start" else draw.expovariate(500)
            bundle = self.out / f"b{i}"
            process = self.start(*self.words(bundle), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
            n_killed += self.kill_at(process, stage, delay, bundle)
            stages[stage] += 1
            n_journals += os.path.exists(f"{self.ledger}-journal")

            # The bundle is there whole, or not there.
            code = heterorr("verify", bundle).returncode
            if bundle.exists():
                self.assertEqual(code, 0, f"kill {i} ({stage}) left a bundle that is not whole")
                whole.add(self.entry_of(bundle))
            else:
                self.assertIn(code, (1, 3), "an absent bundle is no bundle")
            # What was left in the middle of it has a name that says so, and passes for a release
            # only if every file of it is there; then it was paid for like any other. It stays where
            # it is: later runs must not mind.
            for left in self.leftovers(bundle):
                self.assertRegex(left.name, STAGING)
                n_partial += 1
                if heterorr("verify", left).returncode == 0:
                    n_partial_whole += 1
                    whole.add(self.entry_of(left))
            # The ledger has a charge for each, and never fewer than before.
            entries = {c["entry"] for c in self.charges()}
            self.assertGreaterEqual(len(entries), n_charges)
            n_charges = len(entries)
            self.assertLessEqual(whole, entries, f"kill {i} ({stage}): released and not charged")
            n_uncharged += len(whole) > n_charges
            if i % 20 == 19:
                self.succeeds(*self.words(bundle, "--force"))
                self.succeeds("verify", bundle)
                whole.add(self.entry_of(bundle))
                n_next += 1
        self.succeeds("ledger", "check", "--ledger", self.ledger)
        self.assertGreaterEqual(self.spent(), 3 * len(whole))
        self.assertEqual(n_uncharged, 0)
        self.assertGreater(n_killed, N_KILLS / 4)
        report(f"{N_KILLS} runs of {1000 * length:.0f} ms, {n_killed} killed before they ended "
               f"(after {', '.join(f'{s} {n}' for s, n in stages.items())}); "
               f"{n_journals} left a journal, {n_partial} a staging directory "
               f"({n_partial_whole} of them whole); {len(whole)} whole bundles, {n_charges} charges, "
               f"0 bundles without a charge; {n_next} of {n_next} next runs worked")

    # ---- disk -----------------------------------------------------------------------------------

    def test_files_that_cannot_grow(self):
        """A limit on the size of files stands in for a disk that fills up at any byte."""
        self.generate()
        self.succeeds(*self.words(self.out / "first"))
        refused = written = 0
        sizes = sorted({p.stat().st_size for p in (self.out / "first").iterdir()}
                       | {self.ledger.stat().st_size})
        for room in [0] + [s + d for s in sizes for d in (-1, 0)] + [1 << 20]:
            before = self.charges()

            def limit(room=room):
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

            bundle = self.out / f"room{room}"
            done = heterorr(*self.words(bundle), preexec_fn=limit, restore_signals=False)
            after = self.charges()
            self.assertEqual(self.leftovers(), [])
            self.assertEqual(after[:len(before)], before)
            if done.returncode == 0:
                self.succeeds("verify", bundle)
                self.assertEqual(len(after), len(before) + 1)
                written += 1
            else:
                self.assertIn(done.returncode, (1, 3), done.stderr)
                self.assertIn("heterorr: error: ", done.stderr)
                self.assertEqual("and remains spent" in done.stderr,
                                 len(after) > len(before) and not bundle.exists(), done.stderr)
                if bundle.exists():  # published, and the ledger had no room to write down where
                    self.succeeds("verify", bundle)
                    self.assertEqual(len(after), len(before) + 1)
                refused += 1
        self.assertGreater(refused, 3)
        self.assertGreater(written, 0)
        self.succeeds(*self.words(self.out / "last"))
        report(f"files cut off at {refused + written} sizes: {refused} runs failed and left nothing, "
               f"{written} had room enough; the ledger lost nothing")

    def mount(self, size):
        """A file system of so many bytes, or the test is skipped."""
        disk = self.scratch / "disk"
        disk.mkdir(exist_ok=True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)],
                                 capture_output=True, text=True)
        if mounted.returncode != 0:
            report("SKIPPED full disk: a small file system cannot be mounted here "
                   f"({mounted.stderr.strip()}); the limit on file sizes stands in for it")
            self.skipTest("needs mount")
        return disk

    def test_full_disk(self):
        disk = self.mount(256 << 10)
        self.addCleanup(subprocess.run, ["umount", str(disk)])
        self.generate()
        n_failed = 0
        # The ledger beside the disk while bundles fill it; then on the disk, which is full.
        for on_disk in (self.out, disk):
            self.ledger = on_disk / "ledger.sqlite"
            for i in range(12):
                before = self.charges()
                bundle = disk / f"{on_disk.name}{i}"
                done = heterorr(*self.words(bundle))
                self.assertEqual(self.charges()[:len(before)], before)
                self.assertFalse([n for n in os.listdir(disk) if n.startswith(".")])
                if done.returncode == 0:
                    self.succeeds("verify", bundle)
                    continue
                self.assertIn("heterorr: error: ", done.stderr)
                self.assertFalse(bundle.exists())
                n_failed += 1
        self.assertGreater(n_failed, 0)
        report(f"full disk: {n_failed} runs failed, nothing half-written, the ledger lost nothing")

    def test_a_bundle_that_cannot_fit_costs_nothing(self):
        disk = self.mount(64 << 10)
        self.addCleanup(subprocess.run, ["umount", str(disk)])
        self.generate(nodes=300, features=100)
        self.fails(3, *self.words(disk / "bundle"), says="nothing was spent")
        self.assertEqual(self.charges(), [])
        self.assertEqual(os.listdir(disk), [])

    def test_ledger_made_on_a_nearly_full_disk(self):
        """With room for 0, 1, 2... pages there is no ledger afterwards or a whole one, and when
        there is room again the next run works."""
        self.generate()
        page, n_pages, n_failed = os.sysconf("SC_PAGE_SIZE"), 24, 0
        for free in range(0, n_pages, 4 if SANITIZED else 1):
            disk = self.mount(n_pages * page)
            try:
                filler = disk / "filler"
                filler.write_bytes(bytes((n_pages - free) * page))
                self.ledger = disk / "ledger.sqlite"
                done = heterorr(*self.words(self.out / f"first{free}"))
                n_failed += done.returncode != 0
                n_charges = len(self.charges())  # refuses a ledger that is not whole
                self.assertEqual(list(disk.glob(".*")), [])
                filler.unlink()
                self.succeeds(*self.words(self.out / f"second{free}"))
                self.assertEqual(len(self.charges()), n_charges + 1)
            finally:
                subprocess.run(["umount", str(disk)], check=True)
        self.assertTrue((0 if SANITIZED else 2) < n_failed < n_pages, n_failed)
        report(f"ledger first made with room for 0 to {n_pages - 1} pages: {n_failed} runs failed, "
               "none left half a ledger")

    # ---- the ledger -----------------------------------------------------------------------------

    def test_read_only_ledger(self):
        self.generate()
        place = self.scratch / "vault"
        place.mkdir()
        self.ledger = place / "ledger.sqlite"
        self.succeeds(*self.words(self.out / "first"))
        before = self.ledger.read_bytes()
        for path in (self.ledger, pathlib.Path(f"{self.ledger}.key")):
            path.chmod(0o444)
        place.chmod(0o555)
        self.addCleanup(place.chmod, 0o755)
        self.scratch.chmod(0o755)
        self.out.chmod(0o777)
        nobody = {"user": 65534} if os.geteuid() == 0 else {}
        try:
            done = heterorr(*self.words(self.out / "second"), **nobody)
        except PermissionError:
            report("SKIPPED read-only ledger: root may write it, and nobody else may run the command")
            self.skipTest("the command cannot be run by another user")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("read-only", done.stderr)
        self.assertEqual(sorted(os.listdir(self.out)), ["first"])
        self.assertEqual(self.ledger.read_bytes(), before)
        report("read-only ledger: refused, nothing drawn")

    def test_corrupted_ledger(self):
        self.generate()
        self.succeeds(*self.words(self.out / "first"))
        good, draw = self.ledger.read_bytes(), random.Random(7)
        refused = unharmed = 0
        n_damages = 15 if SANITIZED else 30
        for i in range(n_damages):
            bad = bytearray(good)
            if i < 3:
                bad = bad[:len(bad) * i // 3]
            else:
                # Pages are mostly empty: look for bytes that mean something.
                at = draw.choice([k for k, byte in enumerate(good) if byte])
                bad[at] ^= 1 << draw.randrange(8)
            self.ledger.write_bytes(bad)
            bundle = self.out / f"bad{i}"
            done = heterorr(*self.words(bundle))
            if done.returncode == 0:  # a byte that means nothing: all that was spent is there
                self.assertEqual(len(self.charges()), 2)
                unharmed += 1
            else:
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertFalse(bundle.exists())
                self.assertEqual(self.leftovers(), [])
                self.assertEqual(self.ledger.read_bytes(), bytes(bad), "a damaged ledger is evidence")
                refused += 1
        self.ledger.write_bytes(good)
        self.succeeds(*self.words(self.out / "last"))
        self.assertGreater(refused, n_damages / 3)
        report(f"corrupted ledger: {refused} of {n_damages} damages refused and left as they were, "
               f"{unharmed} touched nothing that counts")

    def test_two_runs_at_once(self):
        """Room for five, eight try: five pass, three are refused with exit code 4."""
        self.generate()
        started = [self.start(*self.words(self.out / f"b{i}", "--limit", 15),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                   for i in range(8)]
        codes = sorted(process.wait(timeout=120) for process in started)
        self.assertEqual(codes, [0] * 5 + [4] * 3)
        self.assertEqual(len(os.listdir(self.out)), 5)
        self.assertEqual(self.spent(), 15)
        report("8 runs at once under a limit for 5: 5 released, 3 refused, 15 of 15 spent")

    # ---- edits ----------------------------------------------------------------------------------

    def test_edited_bundles(self):
        self.generate()
        bundle, draw = self.out / "b", random.Random(3)
        self.succeeds(*self.words(bundle))
        n_edits = 0
        for path in sorted(bundle.iterdir()):
            if path.name == "certificate.json":
                continue
            good = path.read_bytes()
            for at in [0, len(good) - 1, draw.randrange(len(good))]:
                bad = bytearray(good)
                bad[at] ^= 1 << draw.randrange(8)
                path.write_bytes(bad)
                self.fails(5, "verify", bundle, says=path.name)
                n_edits += 1
            path.write_bytes(good)
        self.succeeds("verify", bundle)
        report(f"{n_edits} one-bit edits of the files of a bundle, all caught")

    def test_edited_certificate(self):
        self.generate()
        bundle = self.out / "b"
        self.succeeds(*self.words(bundle), "--feature-mechanism", "featurerr")  # it has bins
        path = bundle / "certificate.json"
        good = path.read_text()

        def change(certificate, where, value):
            *way, last = where.split("/")
            for name in way:
                certificate = certificate[name]
            self.assertNotEqual(certificate[last], value)
            certificate[last] = value

        edits = [("features/requested_eps", "0.5"), ("features/realised_eps", "0.5"),
                 ("edges/requested_eps", "0.5"), ("edges/realised_eps", "0.5"),
                 ("labels/requested_eps", "0.5"), ("labels/realised_eps", "0.5"),
                 ("statement", "eps_f = 0.1"), ("private", False), ("mode", "paper"),
                 ("features/mechanism", "laplace"), ("features/bins", 3),
                 ("features/bounds/lo", 0.25), ("features/n_features", 5),
                 ("edges/mechanism", "none"), ("edges/edges", 1),
                 ("input/nodes", 299), ("files/edges.npy/bytes", 3),
                 ("files/edges.npy/sha256", "0" * 64), ("format_version", 1),
                 ("not_private_because", ["no reason"]), ("generator", "dice")]
        missed = []
        for where, value in edits:
            certificate = json.loads(good)
            change(certificate, where, value)
            path.write_text(json.dumps(certificate))
            if heterorr("verify", bundle).returncode != 5:
                missed.append(where)
        path.write_text(good[:len(good) // 2])
        self.fails(5, "verify", bundle)
        path.write_text(good)
        self.succeeds("verify", bundle)
        self.assertEqual(missed, [])
        report(f"{len(edits)} edits of the certificate, all caught")

    # ---- an input that does not keep still ------------------------------------------------------

    def test_input_changes_under_the_run(self):
        """features.npy is mapped. The run is stopped when it has charged and begun to draw; then a
        value changes, and it goes on."""
        self.generate(nodes=4000, features=64)
        features = self.graph / "features.npy"
        n_stopped = 0
        for i in range(5):
            bundle = self.out / f"b{i}"
            process = self.start(*self.words(bundle), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
            while process.poll() is None and not any(ls(p) for p in self.leftovers(bundle)):
                pass
            process.send_signal(signal.SIGSTOP)
            published = bundle.exists()
            values = numpy.lib.format.open_memmap(features, mode="r+")
            values[7, 3] = .5 if values[7, 3] != .5 else .25
            values.flush()
            del values
            process.send_signal(signal.SIGCONT)
            said = process.communicate(timeout=120)[1]
            if published:
                continue
            n_stopped += 1
            self.assertEqual(process.returncode, 3, said)
            self.assertIn("the input changed while it was being protected,", said)
            self.assertIn("remains spent", said)
            self.assertFalse(bundle.exists())
            self.assertEqual(self.leftovers(), [])
            self.assertEqual(len(self.charges()), i + 1, "the charge stays")
        self.assertGreater(n_stopped, 0)
        report(f"input changed after the charge {n_stopped} times: nothing released, charges kept")


if __name__ == "__main__":
    unittest.main()
