"""A room may use the rooms above it, never one below; the command uses the public headers only.

Reads the #include lines of src/ and include/. The order of ROOMS is the order in which data walks.
Run with --self-test to see that a violation is caught.
"""
import pathlib
import re
import sys

ROOMS = ["base", "random", "matrix", "graph", "structure", "generate", "io", "privacy", "feature",
         "edge", "certificate", "learn", "release", "audit", "vision", "attack", "experiment", "report", "serve", "cluster"]
SIBLINGS = {("feature", "edge"), ("edge", "feature")}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def violations(path, room, text):
    """Yield one sentence for each #include of text that room may not have."""
    for quote, name in INCLUDE.findall(text):
        if name.startswith("heterorr/"):
            used = name[len("heterorr/"):-len(".h")]
            if used == "heterorr" and room == "cli":
                continue
        elif quote == '"':
            used = name.split("/")[0]
            if "/" not in name:
                yield f'{path}: "{name}" does not name its room'
                continue
        else:
            continue
        if room == "cli":
            if quote == '"' and used != "cli":
                yield f'{path}: the command uses the public headers only, not "{name}"'
        elif used not in ROOMS:
            yield f"{path}: {name} is in no room"
        elif ROOMS.index(used) > ROOMS.index(room) or (room, used) in SIBLINGS:
            yield f"{path}: {room}/ may not use {used}/ ({name})"


def check(root):
    found = []
    for path in sorted(root.glob("src/*/*.[ch]")):
        found += violations(path.relative_to(root), path.parent.name, path.read_text())
    for path in sorted(root.glob("include/heterorr/*.h")):
        if path.stem != "heterorr":
            found += violations(path.relative_to(root), path.stem, path.read_text())
    return found


def self_test():
    assert list(violations("x", "base", '#include <heterorr/io.h>'))
    assert list(violations("x", "graph", '#include "io/npy.h"'))
    assert list(violations("x", "feature", '#include "edge/tree.h"'))
    assert list(violations("x", "cli", '#include "base/memory.h"'))
    assert list(violations("x", "io", '#include "npy.h"'))
    assert not list(violations("x", "io", '#include "graph/graph.h"\n#include <stdio.h>'))
    assert not list(violations("x", "cli", '#include <heterorr/heterorr.h>\n#include "cli/options.h"'))


self_test()
bad = check(pathlib.Path(__file__).resolve().parents[2])
print("\n".join(bad) or "every include respects the order of the rooms")
sys.exit(1 if bad else 0)
