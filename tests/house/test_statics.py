"""The library keeps nothing between calls: no object of it can be written to but those listed here.

Takes the path of libheterorr.a, and reads the sections of its symbols: constants are in .rodata or .data.rel.ro,
which are read-only once a program runs.
"""
import re
import subprocess
import sys

ALLOWED = {
    ("memory.c", "installed"): "the allocator, which tests replace to make every allocation fail in turn",
    ("scratch.c", "scratch"): "where the allocator takes large blocks from, and which those are",
    ("vectors.c", "widest"): "the width of vectors, set once when the library is loaded",
}
OPENMP = re.compile(r"\.gomp_critical_user_|\.gomp_critical_default")  # the locks of `omp critical` sections
WRITABLE = re.compile(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)|\*COM\*")


def writable(library):
    """Yield (file, symbol, section) of each object that can be written to."""
    listed = subprocess.run(["nm", "--print-file-name", "--format=sysv", library], check=True, text=True,
                            capture_output=True).stdout
    for line in listed.splitlines():
        columns = [column.strip() for column in line.split("|")]
        if len(columns) == 7 and WRITABLE.match(columns[6]):
            _, file, symbol = columns[0].split(":", 2)
            if not OPENMP.match(symbol):
                yield file.removesuffix(".o"), symbol.strip(), columns[6]


def main(library):
    found = list(writable(library))
    wrong = [f"{file}: {symbol} is in {section}" for file, symbol, section in found if (file, symbol) not in ALLOWED]
    gone = set(ALLOWED) - {(file, symbol) for file, symbol, _ in found}
    if wrong or gone:
        sys.exit("\n".join(["the library keeps state; make it const, or give it to the caller:", *wrong] if wrong else
                           [f"listed here, and not in the library: {sorted(gone)}"]))
    print(f"the library writes to {len(found)} objects of its own: {', '.join(symbol for _, symbol, _ in found)}")


main(sys.argv[1])
