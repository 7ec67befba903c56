"""`pip install ./python` needs no network and nothing but NumPy, and what it installs runs the first example."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import support

support.need("pip")
FIRST = (support.ROOT / "docs" / "python.md").read_text().split("```python\n")[1].split("```")[0]


def run(*words, cwd=None, **environment):
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PIP_INDEX_URL")}
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=cwd, env={**inherited, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Wheel(unittest.TestCase):
    def test_pip_installs_it_without_a_network_and_the_first_example_runs(self):
        with tempfile.TemporaryDirectory() as where:
            run(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--target", where,
                support.ROOT / "python", PIP_DISABLE_PIP_VERSION_CHECK="1")
            inherited = os.environ.pop("HETERORR_LIBRARY")  # the library that was installed
            try:
                said = run(sys.executable, "-c", FIRST + "\nprint(heterorr.__file__)", cwd=where, PYTHONPATH=where,
                           XDG_DATA_HOME=where)
            finally:
                os.environ["HETERORR_LIBRARY"] = inherited
            self.assertIn(where, said)
            self.assertIn("eps_f = 2 per node feature vector; eps_e = 1", said)

    def test_a_wheel_fits_every_python_3_and_is_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
            paths = [pathlib.Path(run(sys.executable, support.ROOT / "python" / "backend.py", "wheel", where).strip())
                     for where in (first, second)]
            self.assertIn("-py3-none-", paths[0].name)
            self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes())
            inside = zipfile.ZipFile(paths[0]).namelist()
            for name in ("heterorr/__init__.py", "heterorr/py.typed", "heterorr/_declarations.py", "heterorr/libheterorr.so"):
                self.assertIn(name, inside)

    @unittest.skipUnless(shutil.which("dpkg") and shutil.which("readelf"), "no Debian packages to compare with")
    def test_the_message_about_a_missing_library_names_all_packages(self):
        from heterorr._library import NEEDS
        linked = re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", os.environ["HETERORR_LIBRARY"]))
        owners = {line.split(":")[0] for name in linked for line in run("dpkg", "-S", f"*/{name}").splitlines() if "/lib/" in line}
        packages = {re.sub("(-pthread|t64)+$", "", owner) for owner in owners}
        self.assertEqual(set(NEEDS.split()), packages - {"libc6", "zlib1g"})  # every Debian system has these two
        installing = (support.ROOT / "docs" / "python.md").read_text().split("(on Debian:")[1].split(")")[0]
        self.assertEqual(installing.replace(",", "").split(), NEEDS.split())


if __name__ == "__main__":
    support.main()
