"""C code looks as .clang-format says: `clang-format -i` on a file that is named here mends it.

Skipped, aloud, where clang-format is not installed. Other versions of it break lines in other places: only the one
that Debian 12 has is asked, or the one that CLANG_FORMAT names.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = "14."
FOLDERS = ("include", "src", "tests", "bench", "fuzz", "examples")


def unformatted(program, files):
    """What clang-format would change: a line for each place."""
    done = subprocess.run([program, "--dry-run", "-Werror", *map(str, files)], capture_output=True, text=True,
                          cwd=ROOT)
    places = re.findall(r"^(\S+?:\d+):\d+: error:", done.stderr, re.M)
    if done.returncode and not places:
        sys.exit(done.stderr)
    return sorted(set(places))


def self_test(program):
    for code, is_well in (("int x;\n", True), ("int  x ;\n", False)):
        done = subprocess.run([program, "--dry-run", "-Werror", "--assume-filename=x.c"], input=code, text=True,
                              capture_output=True, cwd=ROOT)
        assert (done.returncode == 0) == is_well, done.stderr


def main():
    program = os.environ.get("CLANG_FORMAT") or shutil.which("clang-format-14") or shutil.which("clang-format")
    version = program and subprocess.run([program, "--version"], check=True, text=True, capture_output=True).stdout
    if not program or ("CLANG_FORMAT" not in os.environ and f"version {VERSION}" not in version):
        print(f"SKIPPED: needs clang-format {VERSION}x, and there is {version.strip() if program else 'none'}")
        sys.exit(77)
    self_test(program)
    files = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.[ch]"))
    bad = unformatted(program, [path.relative_to(ROOT) for path in files])
    print("\n".join(f"{place}: clang-format -i would change it" for place in bad) or
          f"{len(files)} files are as .clang-format says")
    sys.exit(1 if bad or len(files) < 500 else 0)


main()
