#!/usr/bin/env python3
"""Plant privacy mistakes one at a time and see whether a test notices.

The tree is copied to build/mutants/tree and built there, so that nothing planted can stay behind.
First every test in question must pass without a mistake; then each mutant is planted, built and
handed to its tests, the fastest first, until one fails. A mutant that no test notices, or that its
audit does not call broken, makes this program fail.

    tests/mutants/run.py [--only WORDS]... [--no-audit] [--list]
"""
import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from mutants import MUTANTS

ROOT = Path(__file__).resolve().parents[2]
TREE = ROOT / "build/mutants/tree"
BUILD = TREE / "build/dev"
COMMAND = BUILD / "src/cli/heterorr"
AUDIT_TRIALS = {"lapgraph": "200000"}  # what shows the mistakes; an audit as users run it has a million
USUAL_TRIALS = "50000"
TEST_SECONDS = 600


def copy_tree():
    """Tracked files and new ones, as they are now; times are kept, so that little is built again."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, capture_output=True, text=True).stdout
    wanted = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for name in wanted:
        source, target = ROOT / name, TREE / name
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        os.utime(target)
    for old in [path for path in TREE.rglob("*") if path.is_file()]:
        name = old.relative_to(TREE)
        if name.parts[0] != "build" and str(name) not in wanted:
            old.unlink()


def targets_of(test):
    """The programs that a test needs, as ninja calls them."""
    if test.startswith("cluster/"):
        return {"heterorr_command", "heterorr_mpi", "cluster_operations", "cluster_held_engine"}
    return {"heterorr_command" if test.endswith(".py") else test.replace("/", "_")}


def build(targets):
    """None, or what the compiler said."""
    done = subprocess.run(["ninja", "-C", str(BUILD), *sorted(targets)], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stdout[-2000:]


def configure():
    os.environ.setdefault("HETERORR_DATA", str(ROOT.parent / "shared/data"))
    done = subprocess.run(["cmake", "--preset", "dev", "-S", str(TREE)], cwd=TREE, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def passes(test):
    done = subprocess.run(["ctest", "--test-dir", str(BUILD), "-R", f"^{test}$", "--no-tests=error",
                           "--timeout", str(TEST_SECONDS)], capture_output=True, text=True)
    return done.returncode == 0


def audit_holds(name):
    done = subprocess.run([COMMAND, "audit", name, "--trials", AUDIT_TRIALS.get(name, USUAL_TRIALS)], capture_output=True, text=True)
    return done.returncode == 0


def check_baseline(mutants, with_audit):
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    audits = sorted({mutant.audit for mutant in mutants if mutant.audit}) if with_audit else []
    problem = build({"heterorr_command"}.union(*map(targets_of, tests)))
    if problem:
        sys.exit(problem)
    failing = [test for test in tests if not passes(test)]
    failing += [f"audit {name}" for name in audits if not audit_holds(name)]
    if failing:
        sys.exit("these fail without a mistake, so they prove nothing: " + ", ".join(failing))
    print(f"{len(tests)} tests and {len(audits)} audits pass without a mistake", flush=True)


def judge(mutant, with_audit):
    """(caught, by what)."""
    path = TREE / mutant.file
    text = path.read_text()
    path.write_text(mutant.planted(text))
    try:
        with_audit = with_audit and mutant.audit
        for test in mutant.tests:
            problem = build(targets_of(test))
            if problem:
                return False, "does not build:\n" + problem
            if not passes(test):
                caught = test
                break
        else:
            return False, "no test noticed"
        if with_audit:
            problem = build({"heterorr_command"})
            if problem:
                return False, "does not build:\n" + problem
            if audit_holds(mutant.audit):
                return False, f"{caught}, but audit {mutant.audit} holds"
            caught += f", audit {mutant.audit}"
        return True, caught
    finally:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="WORDS",
                        help="mutants whose name or file has these words; may be repeated")
    parser.add_argument("--no-audit", action="store_true", help="tests alone, without audits")
    parser.add_argument("--list", action="store_true", help="name the mutants and stop")
    args = parser.parse_args()
    chosen = [m for m in MUTANTS if not args.only or any(words in m.name or words in m.file for words in args.only)]
    if not chosen:
        sys.exit(f"no mutant is called {' or '.join(args.only)}; --list names them")
    if args.list:
        for mutant in chosen:
            print(f"{mutant.file:40} {mutant.name}")
        return 0
    copy_tree()
    configure()
    check_baseline(chosen, not args.no_audit)
    n_caught = 0
    for mutant in chosen:
        began = time.monotonic()
        caught, by = judge(mutant, not args.no_audit)
        n_caught += caught
        print(f"{'caught' if caught else 'MISSED':7} {mutant.name:60} {by} ({time.monotonic() - began:.0f} s)",
              flush=True)
    print(f"{n_caught} of {len(chosen)} mistakes caught: {100 * n_caught // len(chosen)} %")
    return 0 if n_caught == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
