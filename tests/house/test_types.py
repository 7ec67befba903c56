"""A private graph cannot be handed to what consumes released data: it does not compile.

Each function of takes_release.c is compiled with a release, which must work, and with a graph, which must not.
The argument is the C compiler.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests" / "house" / "takes_release.c"


def compiles(compiler, consumer, given):
    """Whether it does, and what was said."""
    done = subprocess.run([compiler, "-std=c17", "-fsyntax-only", "-Wall", "-Wextra",
                           "-Werror=incompatible-pointer-types", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}",
                           f"-DCONSUMER={consumer}_", f"-DGIVEN={given}", str(SOURCE)], capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def main(compiler):
    consumers = re.findall(r"^#define (hrr_\w+)_\(given\)", SOURCE.read_text(), re.M)
    bad = []
    for consumer in consumers:
        for given in ("const hrr_release", "hrr_release"):
            works, said = compiles(compiler, consumer, given)
            if not works or said:
                bad.append(f"{consumer}() does not take a release:\n{said}")
        for given in ("const hrr_graph", "hrr_graph"):
            works, said = compiles(compiler, consumer, given)
            if works:
                bad.append(f"{consumer}() takes a private graph")
            elif "incompatible" not in said:
                bad.append(f"{consumer}() refuses a private graph for another reason:\n{said}")
    if len(consumers) < 7:
        bad.append(f"only {len(consumers)} functions were tried")
    print("\n".join(bad) or f"{len(consumers)} functions take releases, and no private graph")
    return 1 if bad else 0


sys.exit(main(sys.argv[1]))
