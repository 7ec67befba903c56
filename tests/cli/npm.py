"""Packages that npm fetches for a test: into HETERORR_NPM, never into the source tree. Without a network the test says so and
is skipped."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from command import skip_all


def install(source, package, script=None, home=None):
    """The packages that source/package-lock.json names, and the script beside them, in home. Nothing is fetched if they are
    there. Scripts of packages are not run: some would fetch more, and no test needs them."""
    if not shutil.which("npm"):
        skip_all("npm is not installed")
    home = pathlib.Path(home or os.environ.get("HETERORR_NPM") or
                        os.path.join(tempfile.gettempdir(), "heterorr-npm-" + source.name))
    home.mkdir(parents=True, exist_ok=True)
    same = all((home / name).exists() and (home / name).read_bytes() == (source / name).read_bytes()
               for name in ("package.json", "package-lock.json"))
    if not same or not (home / "node_modules" / package).exists():
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(source / name, home / name)
        done = subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=home, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            skip_all(f"npm ci failed, is there a network? {done.stderr.strip()[-300:]}")
    if script:
        shutil.copy(source / script, home / script)
    return home
