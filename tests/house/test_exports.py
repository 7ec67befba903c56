"""The shared library exports what the public headers declare, each in the tier of its declaration, and nothing else.

Takes the path of libheterorr.so.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NODE = {"HRR_API": "HETERORR_0", "HRR_EXPERIMENTAL": "HETERORR_EXPERIMENTAL"}
DECLARED = re.compile(r"^(HRR_API|HRR_EXPERIMENTAL)\b[^;(]*?\b(hrr_\w+)\(", re.M)


def main(library):
    declared = {}
    for header in sorted((ROOT / "include" / "heterorr").glob("*.h")):
        for tier, name in DECLARED.findall(header.read_text()):
            declared[name] = NODE[tier]
    listed = subprocess.run(["nm", "--dynamic", "--defined-only", "--with-symbol-versions", library], check=True,
                            text=True, capture_output=True).stdout
    exported = {}
    for line in listed.splitlines():
        name, _, node = line.split()[2].partition("@@")
        if node:  # the nodes themselves are symbols without one
            exported[name] = node
        elif name.split("@")[0] not in NODE.values():
            exported[name] = "no node"
    wrong = [f"{name}: declared for {declared.get(name, 'nobody')}, exported in {exported.get(name, 'nothing')}"
             for name in sorted(declared.keys() | exported.keys()) if declared.get(name) != exported.get(name)]
    if wrong or len(declared) < 100:
        sys.exit("\n".join([f"{len(declared)} functions are declared", *wrong]))
    print(f"{len(declared)} functions are declared and exported, "
          f"{sum(node == NODE['HRR_EXPERIMENTAL'] for node in exported.values())} of them experimental")


main(sys.argv[1])
