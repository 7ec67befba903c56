"""ARCHITECTURE.md shows how data walks through the rooms for the main verbs. Rooms in the table come in
the order of the row, and every function is declared in the header of its room.

It tests itself first, on tables with a step back, a wrong room and a function that is not there.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def rooms_of(text):
    return re.findall(r"^src/(\w+)/", text, re.MULTILINE)


def table_of(text):
    """Rows of the table of walks, as (room, functions)."""
    section = text.split("## Four walks", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [(row[0].strip(), re.findall(r"`(\w+)`", "|".join(row[1:]))) for row in rows[2:]]


def faults(rooms, rows, header_of):
    if not rows:
        yield "there is no table of walks"
    last = 0
    for room, functions in rows:
        if room not in rooms:
            yield f"{room} is not a room"
            continue
        if rooms.index(room) < last:
            yield f"{room} comes after {rooms[last]}: a step back"
        last = rooms.index(room)
        for function in functions:
            if not re.search(rf"\b{function}\(", header_of(room)):
                yield f"{function} is not declared in {room}.h"


def self_test():
    header = {"io": "hrr_read(", "learn": "hrr_train("}.__getitem__
    assert not list(faults(["io", "learn"], [("io", ["hrr_read"]), ("learn", ["hrr_train"])], header))
    assert list(faults(["io", "learn"], [("learn", ["hrr_train"]), ("io", ["hrr_read"])], header))
    assert list(faults(["io", "learn"], [("io", ["hrr_train"])], header))
    assert list(faults(["io"], [("attic", [])], header))
    assert list(faults(["io"], [], header))


self_test()
architecture = (ROOT / "ARCHITECTURE.md").read_text()
bad = list(faults(rooms_of(architecture), table_of(architecture),
                  lambda room: (ROOT / f"include/heterorr/{room}.h").read_text()))
print("\n".join(bad) or "every walk goes one way")
sys.exit(1 if bad else 0)
