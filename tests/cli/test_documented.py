"""Every command that the documentation shows is run: the examples of --help, and the code blocks of README.md and
docs/, in a directory that has the files they speak of. Only sizes are made smaller; a document's commands run in
its order.
"""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import numpy

from command import CommandTest, HETERORR, heterorr

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "mechanisms").glob("*.md")])

# What would take too long for a test, what stands for a number, and what wants another shell than bash.
SMALLER = [(r"heterorr demo$", "heterorr demo --nodes 200"), (r"--nodes 1e6", "--nodes 1000"), (r"--nodes 6e4", "--nodes 6000"), (r"--nodes 1e4", "--nodes 500"),
           (r"source <\((.* zsh)\)", r"\1 > zsh-completion"), (r"--trials 1e7", "--trials 1e4"),
           (r"audit (--all|[a-z-]+)$", r"audit \1 --trials 10000"),
           (r"--features 2048", "--features 16"), (r"--runs \d+", "--runs 2"), (r"(--eps-[a-z]+) E\b", r"\1 1"),
           (r"for s in [\d ]+;", "for s in 1 2;"), (r"(compare .*[^,])$", r"\1 --threads 1")]


def commands(text):
    """The commands in the code blocks of a document, continued lines joined, comments cut off."""
    found, fenced = [], False
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            line = re.sub(r"\s+#.*", "", line.strip()).removeprefix("$ ")
            if re.match(r"(heterorr|for \w+ in .*heterorr) ", line):
                found.append(line)
    return found


def make_world(at):
    """The files that examples speak of, small."""
    def run(*words):
        done = heterorr(*words, cwd=at)
        if done.returncode:
            raise RuntimeError(f"{words}: {done.stderr}")

    run("generate", "--nodes", 300, "--features", 8, "--seed", 1, "-o", "graph")
    run("generate", "--nodes", 300, "--features", 8, "--private-fraction", 0, "-o", "unmarked")
    run("convert", "unmarked", "-o", "cora.npz")
    run("protect", "graph", "-o", "bundle", "--eps-features", 2, "--eps-edges", 1)
    shutil.copytree(at / "bundle", at / "released")
    run("train", "bundle", "-o", "model", "--epochs", 5)
    features = numpy.load(at / "graph" / "features.npy").astype(numpy.float32)
    labels = numpy.load(at / "graph" / "labels.npy")
    numpy.save(at / "z.npy", features)
    numpy.save(at / "zhat.npy", numpy.load(at / "graph" / "masked_features.npy").astype(numpy.float32))
    numpy.save(at / "y.npy", labels)
    numpy.save(at / "sample.npy", features[:100])
    weight = numpy.random.default_rng(1).standard_normal((8, int(labels.max()) + 1)).astype(numpy.float32)
    numpy.savez(at / "head.npz", weight=weight, bias=weight[0])
    run("scores", "--embeddings", "z.npy", "--masked", "zhat.npy", "--labels", "y.npy", "--public", "-o", "s.npz")
    (at / "friends.csv").write_text("src,dst,hidden\n" + "".join(f"{i},{(i * 7 + 1) % 50},{i % 2}\n"
                                                                for i in range(50)))
    (at / "twitch").mkdir()
    (at / "twitch" / "ES_edges.csv").write_text("from,to\n0,1\n1,2\n")
    (at / "twitch" / "ES_features.json").write_text('{"0": [1, 2], "1": [0], "2": []}')
    (at / "twitch" / "ES_target.csv").write_text("id,days,mature,views,partner,new_id\n7,1,True,1,False,0\n"
                                                "8,1,False,1,False,1\n9,1,True,1,False,2\n")
    shutil.copy(pathlib.Path(os.environ["XDG_DATA_HOME"]) / "heterorr" / "ledger.sqlite", at / "copy.sqlite")


class Documented(CommandTest):
    already_run = set()  # commands that read no file: once is enough

    def setUp(self):
        super().setUp()
        self.world = self.scratch / "world"
        self.world.mkdir()
        make_world(self.world)
        path = f"{pathlib.Path(HETERORR).resolve().parent}:{os.environ['PATH']}"
        self.environment = dict(os.environ, PATH=path, HOME=str(self.scratch))

    def run_in_world(self, command, world):
        for pattern, smaller in SMALLER:
            command = re.sub(pattern, smaller, command)
        if re.search(r" audit | --expected-error", command):
            if command in self.already_run:
                return
            self.already_run.add(command)
        for output in re.findall(r" (?:-o|--output) (\S+)", command):
            shutil.rmtree(world / output, ignore_errors=True)
            (world / output).unlink(missing_ok=True)
        for directory in re.findall(r"> ~/(\S+)/", command):
            (self.scratch / directory).mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["bash", "-c", command], cwd=world, env=self.environment, capture_output=True,
                              text=True, timeout=300)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout[-500:]}{done.stderr}")

    def test_examples_of_help(self):
        verbs = re.findall(r"^  ([a-z]+) ", self.succeeds("help").stdout.split("Verbs:\n")[1], re.M)
        for verb in verbs:
            text = self.succeeds(verb, "--help").stdout
            found = re.findall(r"^  ((?:heterorr|source) .*)$", text.split("Usage:")[0], re.M)
            self.assertTrue(found, verb)
            for number, command in enumerate(found):
                with self.subTest(command):
                    world = self.scratch / f"{verb}-{number}"
                    shutil.copytree(self.world, world)
                    self.run_in_world(command.split(" | ")[0], world)

    def test_documents(self):
        n_run = 0
        for document in DOCUMENTS:
            world = self.scratch / f"document-{document.stem}"
            shutil.copytree(self.world, world)
            for command in commands(document.read_text()):
                n_run += 1
                with self.subTest(f"{document.name}: {command}"):
                    self.run_in_world(command, world)
        self.assertGreater(n_run, 15)


if __name__ == "__main__":
    unittest.main()
