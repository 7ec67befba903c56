"""The C API's pages can be made, without a warning, and every exported function is on them.

The comments of the headers are plain C; docs/api/comments shows them to doxygen. Skipped, loudly, where doxygen
is missing.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def main():
    if not shutil.which("doxygen"):
        print("SKIPPED: doxygen is not installed (apt-get install doxygen)")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as scratch:
        settings = (ROOT / "docs" / "api" / "Doxyfile").read_text()
        done = subprocess.run(["doxygen", "-"], cwd=ROOT, capture_output=True, text=True,
                              input=f"{settings}\nOUTPUT_DIRECTORY = {scratch}\nGENERATE_HTML = NO\n"
                                    "GENERATE_XML = YES\n")
        if done.returncode or done.stderr:
            sys.exit(f"doxygen complains:\n{done.stdout}{done.stderr}")
        pages = "".join(page.read_text() for page in pathlib.Path(scratch, "xml").glob("*_8h.xml"))
    missing, n_functions = [], 0
    for header in sorted((ROOT / "include" / "heterorr").glob("*.h")):
        for name in re.findall(r"^HRR_(?:API|EXPERIMENTAL)\b[^;(]*?\b(hrr_\w+)\(", header.read_text(), re.M):
            n_functions += 1
            if f"<name>{name}</name>" not in pages:
                missing.append(f"{header.name}: {name}")
    if missing or n_functions < 100:
        sys.exit(f"{n_functions} functions; not on the pages: {missing}")
    print(f"{n_functions} functions on the pages, no warning")


main()
