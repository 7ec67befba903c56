"""Every command that the documentation shows is run: the examples of --help, and the code blocks of README.md and
docs/, in a directory that has the files they speak of. Only sizes are made smaller; a document's commands run in
its order.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import numpy

from command import SANITIZED, CommandTest, HETERORR, heterorr

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(page for place in ("", "guides", "mechanisms") for page in (ROOT / "docs" / place).glob("*.md"))])

# What would take too long for a test, what stands for a number, and what wants another shell than bash.
SMALLER = [(r"^curl -s ", "curl -sf "), (r"heterorr demo$", "heterorr demo --nodes 100"), (r"--nodes 1e[67]", "--nodes 1000"),
           (r"--nodes 3000", "--nodes 300"), (r"--nodes 6e4", "--nodes 6000"), (r"--nodes (1e4|5e4|14445|4e5)", "--nodes 500"),
           (r"source <\((.* zsh)\)", r"\1 > zsh-completion"), (r"--trials 1e7", "--trials 1e4"),
           (r"audit (--all|[a-z-]+)$", r"audit \1 --trials 10000"),
           (r"--features (2048|256|128)", "--features 16"), (r"--runs \d+", "--runs 2"),
           (r"--samples \d+", "--samples 100"), (r" --epochs \d+", ""),
           (r"(--eps-[a-z]+) E\b", r"\1 1"), (r"(--eps-[a-z]+ [\d.]+)(?:,[\d.]+)+", r"\1"),
           (r"for s in [\d ]+;", "for s in 1 2;"), (r"for r in [\d ]+;", "for r in 2;"),
           (r"(twitch/\w+ .*--label-rate) [\d.,]+", r"\1 .3"),
           (r"(heterorr train [^;]*|compare learning [^;]*|attack chain [^;]*)(;|$)",
            r"\1 --epochs 3\2"),
           (r"((?:compare (?:learning|structure)|advise) [^;]*[^,;])(; done)?$", r"\1 --threads 1\2"),
           (r"(attack reconstruct [^;]*)$", r"\1 --epochs 2 --threads 1"), (r"(attack release [^;]*)$", r"\1 --trials 200"), (r"(advise [^;]*)$", r"\1 --runs 2")]


# Documents show these many times, with other options and sizes; under the sanitizers the examples of --help and the verbs' own
# tests are enough of them.
LONG = re.compile(r"heterorr (compare (learning|structure)|attack (chain|release)|advise|audit|demo) ")

USUAL_ADDRESS = "http://127.0.0.1:8080"


def commands(text):
    """The commands in the code blocks of a document, continued lines joined, comments cut off, with the variables
    that were set before. A line with placeholders is a form, no command."""
    found, fenced, variables = [], False, ""
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            line = re.sub(r"\s+#.*", "", line.strip()).removeprefix("$ ")
            if re.match(r"[A-Z]+=\S+$", line):
                variables += f"{line}; "
            elif re.match(r"(heterorr|curl -s|for \w+ in .*heterorr) ", line) and not re.search(r"\[--|\.\.\. ", line):
                found.append(variables + line)
    return found


def write_scores(at):
    features = numpy.load(at / "graph" / "features.npy").astype(numpy.float32)
    labels = numpy.load(at / "graph" / "labels.npy")
    numpy.save(at / "z.npy", features)
    numpy.save(at / "zhat.npy", numpy.load(at / "graph" / "masked_features.npy").astype(numpy.float32))
    numpy.save(at / "y.npy", labels)
    numpy.save(at / "sample.npy", features[:100])
    weight = numpy.random.default_rng(1).standard_normal((8, int(labels.max()) + 1)).astype(numpy.float32)
    for head in ("head.npz", "digits/head.npz"):
        numpy.savez(at / head, weight=weight, bias=weight[0])


def write_collections(at):
    """Twitch as MUSAE ships it, and graphs of PPI as lists of pairs."""
    random = numpy.random.default_rng(2)
    (at / "twitch").mkdir()
    for country in ("ES", "RU", "FR", "ENGB", "DE"):
        pairs = {tuple(sorted(pair)) for pair in random.integers(0, 60, (200, 2)).tolist() if pair[0] != pair[1]}
        (at / "twitch" / f"{country}_edges.csv").write_text(
            "from,to\n" + "".join(f"{u},{v}\n" for u, v in sorted(pairs)))
        (at / "twitch" / f"{country}_features.json").write_text(
            json.dumps({str(i): sorted({0, 11, *random.integers(0, 12, 3).tolist()}) for i in range(60)}))
        (at / "twitch" / f"{country}_target.csv").write_text(
            "id,days,mature,views,partner,new_id\n" + "".join(f"{i + 900},1,{i % 3 == 0},1,False,{i}\n"
                                                             for i in range(60)))
    (at / "ppi").mkdir()
    for name in ("train_00", "train_01", "valid_0", "test_0"):
        (at / "ppi" / f"{name}.csv").write_text(
            "src,dst,private_005,private_01,private_02\n" +
            "".join(f"{i},{(i * 7 + 1) % 50},{int(i % 20 == 0)},{int(i % 10 == 0)},{int(i % 5 == 0)}\n"
                    for i in range(50)))


def can_embed():
    """Whether heterorr embed has what it needs here; says what is missing otherwise."""
    import ctypes
    import importlib.util
    missing = [name for name in ("onnx", "PIL") if not importlib.util.find_spec(name)]
    try:
        ctypes.CDLL("libvips.so.42")
    except OSError:
        missing.append("libvips42")
    place = pathlib.Path(os.environ.get("HETERORR_VISION") or "/tmp/heterorr-vision") / "runtime"
    if not missing and subprocess.run([ROOT / "tools" / "onnxruntime", place], capture_output=True).returncode:
        missing.append("ONNX Runtime")
    os.environ["HETERORR_ONNXRUNTIME"] = str(place)
    if missing:
        print(f"examples of embed are not run: {', '.join(missing)} missing")
    return not missing


CAN_EMBED = can_embed()


def write_pictures(at):
    """Pictures, and networks of the shapes that examples speak of: 2,048 features, RetinaFace's outputs; without training."""
    sys.path.insert(0, str(ROOT / "tests" / "vision"))
    from fetched import PIXELS, helper, pixel_network, save, save_network
    random = numpy.random.default_rng(3)
    names = [f"p{i}.png" for i in range(48)]  # a half of them is enough for a decoder
    for name in names:
        save(at / "photos" / name, random.integers(0, 256, (40, 50, 3), dtype=numpy.uint8))
    pool = helper.make_node("GlobalAveragePool", ["x"], ["p"])
    save_network(at / "resnet50.onnx", [pool, helper.make_node("Conv", ["p", "w"], ["y"]), helper.make_node("Flatten", ["y"], ["z"])],
                 [("x", ["N", 3, 224, 224])], [("z", ["N", 2048])],
                 [("w", random.random((2048, 3, 1, 1)).astype(numpy.float32))])
    nodes, outputs, constants = [], [], []
    for stride in (32, 16, 8):
        for kind, width in (("cls_prob_reshape", 4), ("bbox_pred", 8)):
            name = f"face_rpn_{kind}_stride{stride}"
            nodes.append(helper.make_node("Conv", ["x", name + ".w"], [name], strides=[stride] * 2))
            outputs.append((name, [1, width, 64 // stride, 64 // stride]))
            constants.append((name + ".w", numpy.full((width, 3, stride, stride), 1e-4 / stride, numpy.float32)))
    save_network(at / "retinaface.onnx", nodes, [("x", [1, 3, 64, 64])], outputs, constants)
    pixel_network(at / "m.onnx")
    (at / "m.json").write_text(PIXELS)
    (at / "boxes.csv").write_text("picture,left,top,right,bottom\np1.png,1,2,30,30\n")
    (at / "tags.csv").write_text("source,target,private\np0.png,p1.png,1\np2.png,p3.png,0\n")
    (at / "classes.csv").write_text("id,class\n" + "".join(f"{name},{i % 2}\n" for i, name in enumerate(names)))


def make_world(at):
    """The files that examples speak of, small."""
    def run(*words):
        done = heterorr(*words, cwd=at)
        if done.returncode:
            raise RuntimeError(f"{words}: {done.stderr}")

    run("generate", "--nodes", 300, "--features", 8, "--seed", 1, "-o", "graph")
    shutil.copytree(at / "graph", at / "flickr-shaped")
    shutil.copytree(at / "graph", at / "facebook")
    run("generate", "--nodes", 600, "--graphs", 4, "--features", 8, "--multilabel", "--classes", 3, "-o", "ppi-shaped")
    shutil.copy(at / "ppi-shaped" / "features.npy", at / "ppi-valid.npy")
    (at / "ppi-parts").mkdir()
    for part in ("valid", "test"):
        run("generate", "--nodes", 200, "--features", 8, "--multilabel", "--classes", 6, "-o", f"ppi-parts/{part}")
    shutil.copytree(at / "graph", at / "digits" / "graph")
    shutil.copytree(at / "graph", at / "unmarked")
    (at / "unmarked" / "private.npy").unlink()
    for city in ("berlin", "hamburg"):
        shutil.copytree(at / "unmarked", at / city)
    shutil.copytree(at / "graph", at / "munich")
    run("convert", "unmarked", "-o", "cora.npz")
    (at / "planetoid").mkdir()
    shutil.copy(at / "cora.npz", at / "planetoid")
    shutil.copy(at / "cora.npz", at / "citeseer.npz")
    run("keys", "new", "-o", "hospital")
    run("protect", "graph", "-o", "bundle", "--eps-features", 2, "--eps-edges", 1, "--sign", "hospital.key")
    shutil.copytree(at / "bundle", at / "released")
    run("train", "bundle", "-o", "model", "--epochs", 5)
    run("compare", "learning", "graph", "--mechanisms", "edgerr", "--eps-edges", 1, "--runs", 2, "--epochs", 3, "-o", "utility.csv")
    run("compare", "structure", "graph", "--mechanisms", "edgerr", "--eps-edges", 1, "--runs", 2, "-o",
        "structure.csv")
    run("attack", "chain", "graph", "--runs", 2, "--epochs", 3, "--eps-edges", 1, "-o", "attack.csv")
    shutil.copy(at / "utility.csv", at / "results.csv")
    write_scores(at)
    run("scores", "--embeddings", "z.npy", "--masked", "zhat.npy", "--labels", "y.npy", "--public", "-o", "s.npz")
    (at / "friends.csv").write_text("src,dst,hidden\n" + "".join(f"{i},{(i * 7 + 1) % 50},{i % 2}\n"
                                                                for i in range(50)))
    (at / "age.csv").write_text("id,age\n" + "".join(f"{i},{i / 50}\n" for i in range(50)))
    numpy.save(at / "classes.npy", numpy.arange(50) % 3)
    (at / "polblogs.pairs").write_text("".join(f"{i}\t{(i * 7 + 1) % 50}\n" for i in range(50)))
    for name in ("CA-HepPh.pairs", "Wiki-Vote.pairs", "Facebook.txt"):
        shutil.copy(at / "polblogs.pairs", at / name)
    (at / "published.csv").write_text("graph,query,mechanism,eps,value\nCA-HepPh,triangles,DGG,1,0.5\n")
    write_collections(at)
    if CAN_EMBED:
        write_pictures(at)
        run("embed", "photos", "-o", "pictures", "--model", "m.onnx", "--regions", "boxes.csv", "--edges", "tags.csv", "--labels",
            "classes.csv")
        for graph, photos in (("others", "photos-of-others"), ("private", "private-pictures"), ("public", "public-pictures")):
            shutil.copytree(at / "pictures", at / graph)
            shutil.copytree(at / "photos", at / photos)
    (at / "tokens.txt").write_text(f"ann {'0' * 64}\n")
    shutil.copy(pathlib.Path(os.environ["XDG_DATA_HOME"]) / "heterorr" / "ledger.sqlite", at / "copy.sqlite")


class Documented(CommandTest):
    # Commands that read no file: once is enough, and test_audit.py is the one for the longest.
    already_run = {"heterorr audit --all --trials 10000"}

    def setUp(self):
        super().setUp()
        self.world = self.scratch / "world"
        self.world.mkdir()
        make_world(self.world)
        path = f"{pathlib.Path(HETERORR).resolve().parent}:{os.environ['PATH']}"
        self.environment = dict(os.environ, PATH=path, HOME=str(self.scratch))

    service = None  # (world, process, address) of the service that runs

    def serve(self, command, world):
        """A service does not end by itself. It gets a port that is free, and runs until the next one starts or the test
        is over."""
        if self.service:
            self.service[1].kill()
        command = command.removesuffix(" &") + ("" if " --log " in command else " --log none")
        process = subprocess.Popen(["bash", "-c", f"exec {command} --listen 127.0.0.1:0 --json"], cwd=world,
                                   env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        said = process.stdout.readline()
        self.assertIn('"url"', said, command)
        self.service = (world, process, json.loads(said)["url"])

    def run_in_world(self, command, world):
        if not CAN_EMBED and re.search(r"heterorr embed |attack reconstruct | pictures[ /]", command):
            return
        if command.startswith("heterorr serve "):
            self.serve(command, world)
            return
        if USUAL_ADDRESS in command:
            if not self.service or self.service[0] != world:
                self.serve("heterorr serve model --release bundle", world)
            command = command.replace(USUAL_ADDRESS, self.service[2])
        for pattern, smaller in SMALLER:
            command = re.sub(pattern, smaller, command)
        if re.search(r" audit | compare errors", command):
            itself = re.sub(r"^(\w+=\S*; )+", "", command)
            if itself in self.already_run:
                return
            self.already_run.add(itself)
        for output in re.findall(r" (?:-o|--output) (\S+)", command):
            shutil.rmtree(world / output, ignore_errors=True)
            for suffix in ("", ".key", ".pub"):
                (world / (output + suffix)).unlink(missing_ok=True)
        for directory in re.findall(r"> ~/(\S+)/", command):
            (self.scratch / directory).mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["bash", "-c", command], cwd=world, env=self.environment, capture_output=True,
                              text=True, timeout=300)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout[-500:]}{done.stderr}")
        if " --url " in command and " linkteller " in command:  # the verdict, before what it took
            self.assertRegex(done.stdout, r"leak.*\n.*\d questions\.$", command)

    def test_examples_of_help(self):
        verbs = re.findall(r"^  ([a-z]+) ", self.succeeds("help").stdout.split("Verbs:\n")[1], re.M)
        for verb in list(verbs):  # and their subcommands
            _, _, listing = self.succeeds(verb, "--help").stdout.partition("Subcommands:\n")
            verbs += [f"{verb} {part}" for part in re.findall(r"^  ([a-z]+) ", listing.partition("\n\n")[0], re.M)]
        for verb in verbs:
            text = self.succeeds(*verb.split(), "--help").stdout
            found = re.findall(r"^  ((?:heterorr|source) .*)$", text.split("Usage:")[0], re.M)
            self.assertTrue(found, verb)
            for number, command in enumerate(found):
                with self.subTest(command):
                    world = self.scratch / f"{verb}-{number}"
                    shutil.copytree(self.world, world)
                    self.run_in_world(command.split(" | ")[0], world)

    def test_documents(self):
        n_run = 0
        for i, document in enumerate(DOCUMENTS):
            world = self.scratch / f"document-{i}"
            shutil.copytree(self.world, world)
            for command in commands(document.read_text()):
                if SANITIZED and LONG.search(command):
                    continue
                n_run += 1
                with self.subTest(f"{document.name}: {command}"):
                    self.run_in_world(command, world)
        self.assertGreater(n_run, 15)


if __name__ == "__main__":
    unittest.main()
