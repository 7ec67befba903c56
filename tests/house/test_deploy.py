"""deploy/: what the Dockerfile copies and installs is there, the packages of its image have every library that the command needs, manifests
confine their pods, and the commands in manifests and in batch scripts run (one machine, no cluster)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError as missing:
    print(f"SKIPPED: {missing}; install python3-yaml", file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
HETERORR = os.environ["HETERORR"]


def packages(name):
    lines = (ROOT / "tools/packages" / f"{name}.txt").read_text().splitlines()
    return {line.lstrip("?!") for line in lines if line and not line.startswith("#")}


def instructions():
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    return [line.split(None, 1) for line in text.splitlines() if line and not line.startswith("#")]


class Dockerfile(unittest.TestCase):
    def test_what_is_copied_is_there(self):
        for word, rest in instructions():
            if word == "COPY" and "--from=" not in rest:
                for source in rest.split()[:-1]:
                    self.assertTrue((ROOT / source).exists(), source)

    def test_what_is_installed_has_a_list(self):
        used = {name for word, rest in instructions() if word == "RUN"
                for names in re.findall(r"install-packages ([a-z ]+)", rest) for name in names.split()}
        self.assertEqual(used, {"build", "mpi", "run"})
        for name in used:
            self.assertTrue(packages(name), name)

    def test_two_stages_and_no_root(self):
        words = instructions()
        bases = [rest.split()[0] for word, rest in words if word == "FROM"]
        self.assertEqual(len(bases), 2)
        for base in bases:
            self.assertNotIn("/", base, "the name of an image, without a host")
        user = [rest for word, rest in words if word == "USER"][-1]
        self.assertRegex(user, r"^[1-9]\d*:[1-9]\d*$")

    def test_the_image_has_every_library(self):
        # Of a build without sanitizers on the image's own distribution.
        about = pathlib.Path("/etc/os-release").read_text() if pathlib.Path("/etc/os-release").exists() else ""
        if "HETERORR_SANITIZED" in os.environ or "VERSION_CODENAME=bookworm" not in about or not shutil.which("dpkg-query"):
            self.skipTest("libraries are looked up on Debian 12, in a plain build")
        listed = subprocess.run(["ldd", HETERORR], text=True, capture_output=True, check=True).stdout
        direct = subprocess.run(["objdump", "-p", HETERORR, *re.findall(r"=> (\S*libheterorr\S*)", listed)], text=True,
                                capture_output=True, check=True).stdout
        needed = set(re.findall(r"NEEDED\s+(\S+)", direct))
        wanted = packages("run") | {"libc6", "libgcc-s1", "libstdc++6"}
        for name, path in re.findall(r"(\S+) => (/\S+)", listed):
            if name not in needed or "libheterorr" in name:
                continue
            real = os.path.realpath(path)
            owner = ""
            for candidate in (real, real.replace("/usr/lib", "/lib"), path):
                found = subprocess.run(["dpkg-query", "-S", candidate], text=True, capture_output=True)
                owner = owner or found.stdout.split(":")[0]
            self.assertIn(owner, wanted, f"{name} comes from {owner or real}")


def pods():
    for path in sorted((DEPLOY / "kubernetes").glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text()):
            if document["kind"] in ("Job", "Deployment"):
                yield path.name, document, document["spec"]["template"]["spec"]


class Kubernetes(unittest.TestCase):
    def test_pods_are_confined(self):
        seen = 0
        for name, document, pod in pods():
            with self.subTest(file=name, job=document["metadata"]["name"]):
                seen += 1
                self.assertTrue(pod["securityContext"]["runAsNonRoot"])
                self.assertEqual(pod["securityContext"]["runAsUser"], 10001)
                self.assertFalse(pod["automountServiceAccountToken"])
                mounted = {volume["name"] for volume in pod["volumes"]}
                for container in pod["containers"]:
                    held = container["securityContext"]
                    self.assertTrue(held["readOnlyRootFilesystem"])
                    self.assertFalse(held["allowPrivilegeEscalation"])
                    self.assertEqual(held["capabilities"], {"drop": ["ALL"]})
                    for bound in ("requests", "limits"):
                        self.assertEqual(set(container["resources"][bound]), {"cpu", "memory"})
                    self.assertLessEqual({mount["name"] for mount in container["volumeMounts"]}, mounted)
        self.assertEqual(seen, 3)

    def test_the_service_is_found_and_asked_for_its_health(self):
        documents = list(yaml.safe_load_all((DEPLOY / "kubernetes/serve.yaml").read_text()))
        deployment, service = documents
        pod = deployment["spec"]["template"]
        self.assertEqual(service["spec"]["selector"], pod["metadata"]["labels"])
        self.assertEqual(deployment["spec"]["selector"]["matchLabels"], pod["metadata"]["labels"])
        container = pod["spec"]["containers"][0]
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            self.assertRegex(container[probe]["httpGet"]["path"], "^/v2/health/(live|ready)$")
        words = container["args"]
        known = subprocess.run([HETERORR, words[0], "--help"], text=True, capture_output=True, check=True).stdout
        for word in words:
            if word.startswith("--"):
                self.assertIn(f"{word} ", known)
        self.assertIn(service["metadata"]["name"], words[words.index("--also-called") + 1])


class Commands(unittest.TestCase):
    """Manifests and batch scripts, with a directory for the volume and a program for srun."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="heterorr-deploy-")
        self.addCleanup(place.cleanup)
        self.data = pathlib.Path(place.name)
        (self.data / "bin").mkdir()
        (self.data / "bin/heterorr").symlink_to(HETERORR)
        srun = self.data / "bin/srun"
        srun.write_text('#!/bin/sh\nwhile case "$1" in --*) true;; *) false;; esac; do shift; done\nexec "$@"\n')
        srun.chmod(0o755)
        self.run_in({}, "heterorr", "generate", "--nodes", "60", "--avg-degree", "4", "--features", "4", "--classes", "2",
                    "--private-fraction", ".3", "-o", "graph")

    def run_in(self, more, *words, code=0):
        done = subprocess.run(words, cwd=self.data, text=True, capture_output=True, env={
            **os.environ, "PATH": f"{self.data}/bin:{os.environ['PATH']}", "OMP_NUM_THREADS": "1", **more})
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_the_indexed_job_and_its_merge(self):
        jobs = {document["metadata"]["name"]: (document, pod) for _, document, pod in pods()}
        shards, pod = jobs["heterorr-compare"]
        n = shards["spec"]["completions"]
        self.assertEqual(shards["spec"]["completionMode"], "Indexed")

        def commands(pod):
            text = pod["containers"][0]["args"][0].replace("/data", str(self.data)).replace("--runs 10", "--runs 1")
            return [*pod["containers"][0]["command"], f"{text} --epochs 2".replace("1,4", "1")]

        shell = commands(pod)
        for i in range(n):
            self.run_in({"JOB_COMPLETION_INDEX": str(i)}, *shell)
        self.run_in({}, *commands(jobs["heterorr-merge"][1]))
        rows = (self.data / "results.csv").read_text().splitlines()
        self.assertGreater(len(rows), n)
        self.assertEqual(len(set(rows)), len(rows))

    def test_the_job_array_and_its_merge(self):
        words = ["sh", str(DEPLOY / "slurm/compare.sbatch"), "structure", "graph", "--mechanisms", "lapgraph", "--eps-edges",
                 "1", "--runs", "3", "-o", "r.csv"]
        for i in (1, 2):
            self.run_in({"SLURM_ARRAY_TASK_ID": str(i), "SLURM_ARRAY_TASK_COUNT": "2"}, *words)
        self.run_in({"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "1", "HETERORR_SHARDS": "2"}, *words)
        self.run_in({}, *words, "--merge", "2")
        self.assertEqual(len((self.data / "r.csv").read_text().splitlines()), 1 + 6)

    def test_one_command_by_several_processes(self):
        self.run_in({"SLURM_CPUS_PER_TASK": "1"}, "sh", str(DEPLOY / "slurm/mpi.sbatch"), "train", "graph", "-o", "model",
                    "--non-private", "--epochs", "2")
        self.assertTrue((self.data / "model/model.json").exists())


if __name__ == "__main__":
    unittest.main()
