"""The page of the service in a real browser, on a phone and a desk, in the light and in the dark."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))
from service import ServiceTest, skip_all
from npm import install
from test_browser import CHROMIUM
from test_browser import HERE as BROWSER

HERE = pathlib.Path(__file__).resolve().parent / "browser"


class Page(ServiceTest):
    def test_the_page_is_as_it_should_be(self):
        w = self.world
        tokens = w.path / "page-tokens"
        tokens.write_text(f"ann {hashlib.sha256(b'sesame').hexdigest()}\n")
        home = install(BROWSER, "playwright-core", "check.js")
        shutil.copy(HERE / "check_page.js", home / "check_page.js")
        services = [self.serve(w.model), self.serve(w.open, w.open, "--name", "first,second", "--non-private"),
                    self.serve(w.model, "--tokens", tokens)]
        urls = [s.said["url"] + "/" for s in services]
        pictures = pathlib.Path(os.environ.get("HETERORR_PICTURES") or w.path)
        done = subprocess.run(["node", home / "check_page.js", CHROMIUM, pictures, *urls, "sesame"], cwd=home,
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        for check, problems in json.loads(done.stdout).items():
            with self.subTest(check):
                self.fail(f"{len(problems)} problems:\n" + "\n".join(problems[:12]))


if __name__ == "__main__":
    for program in ("node", "npm"):
        if not shutil.which(program):
            skip_all(f"there is no {program}; install nodejs and npm")
    if not CHROMIUM:
        skip_all("there is no chromium; install it")
    unittest.main()
