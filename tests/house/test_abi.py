"""The stable interface is the one that abi/libheterorr.abi describes: within a major version it only grows.

The public headers are described as tools/abi-update does it, and abidiff compares the two descriptions; the library
must export every function that is described. Allowed are functions that come in addition, enumerators behind the
others, and members at the end of structs that may grow: options, whose size programs tell, and rows of tables, which
belong to the library. The arguments are the C compiler and the library. Skipped without abigail-tools.
"""
import importlib.machinery
import importlib.util
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
OPTIONS = re.compile(r"hrr_\w+_options")
ROWS = {"hrr_feature_mechanism", "hrr_edge_mechanism", "hrr_edge_tree"}
WHAT_TO_DO = """
Programs that were built before would break. Take the change back, or make another function or struct beside the old.
Where it is meant: before the first release run tools/abi-update and commit abi/libheterorr.abi; after it, raise the
major version in CMakeLists.txt as well (abi/README.md)."""


def load(path):
    """A tool as a module."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("abi_update", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def only_grows(block):
    """Whether a report about one type says no more than that a struct that may grow has more members. Those of options
    stand behind the size that older programs know; a row may have them anywhere if no other member moves."""
    name = (re.findall(r"\A'struct (\w+)", block) + [""])[0]
    size = [int(bits) for bits in re.findall(r"type size changed from (\d+) to \d+ \(in bits\)", block)]
    inserted = [int(offset) for offset in re.findall(r"^    '.*', at offset (\d+) \(in bits\)$", block, re.M)]
    said = re.findall(r"^  (\S.*?):?$", block, re.M)
    usual = re.compile(r"type size changed.*|type size hasn't changed|\d+ data member insertions?")
    if not inserted or not all(usual.fullmatch(line) for line in said):
        return False
    return name in ROWS or bool(OPTIONS.fullmatch(name) and size and min(inserted) >= size[0])


def breaks(report):
    """What of abidiff's report (leaf changes) breaks programs: parts of it as they stand."""
    parts = [part for part in re.split(r"\n(?=\S)", report) if not re.match(r"[\w/ ]*summary:", part)]
    kinds = ("Added function", "Added variable", "Added function symbol")
    return [part.strip() for part in parts if part.strip() and not only_grows(part)
            and not any(re.match(rf"\d+ {kind}", part) for kind in kinds)]


def compare(old, new):
    """(what breaks programs, whether anything changed at all)"""
    done = subprocess.run(["abidiff", "--leaf-changes-only", "--no-show-locs", str(old), str(new)],
                          capture_output=True, text=True)
    if done.returncode & 3:
        sys.exit(f"abidiff failed ({done.returncode}): {done.stderr}{done.stdout}")
    return (breaks(done.stdout), True) if done.returncode else ([], False)


# (what happens, header, text, its replacement, what is said of it; None: it shows and is allowed, "nothing": it does not show)
CONTROLS = [
    ("a function goes", "base.h", "HRR_API const char *hrr_version", "HRR_EXPERIMENTAL const char *hrr_version", "hrr_version"),
    ("a parameter changes", "base.h", "hrr_threads(int requested)", "hrr_threads(long requested)", "hrr_threads"),
    ("a status gets another number", "base.h", "    HRR_ERANKS ", "    HRR_EMORE, HRR_ERANKS ", "HRR_ERANKS"),
    ("a result grows", "base.h", "} hrr_progress_view;", "int more; } hrr_progress_view;", "hrr_progress_view"),
    ("a member moves", "io.h", "size_t size; /* set by hrr_write_options_init() */",
     "size_t size; uint64_t more;", "hrr_write_options"),
    ("a member changes while the struct grows", "io.h", "    bool replace;\n    const char *format;\n",
     "    uint32_t replace;\n    const char *format;\n    uint64_t more;\n", "replace"),
    ("a function comes", "base.h", "HRR_API const char *hrr_version", "HRR_API int hrr_more(void);\nHRR_API const char *hrr_version", None),
    ("a status comes", "base.h", "    HRR_ERANKS ", "    HRR_ERANKS, HRR_EMORE ", "nothing"),
    ("options grow", "io.h", "} hrr_write_options;", "uint64_t more; } hrr_write_options;", None),
    ("options inside options grow", "edge.h", "} hrr_edge_options;", "uint64_t more; } hrr_edge_options;", None),
    ("a row of a table grows", "edge.h", "} hrr_edge_tree;", "uint64_t more; } hrr_edge_tree;", None),
    ("options grow into a gap", "learn.h", "    int threads;\n} hrr_predict_options;",
     "    bool more; int threads;\n} hrr_predict_options;", "hrr_predict_options"),
    ("something experimental changes", "generate.h", "    uint64_t n_nodes; ", "    uint32_t n_nodes; ", "nothing"),
]


def control(abi, compiler, base, where, row):
    """What is wrong with the comparison, for headers with one change."""
    what, header, text, replacement, said = row
    include = pathlib.Path(where) / "include"
    shutil.copytree(ROOT / "include", include)
    path = include / "heterorr" / header
    before = path.read_text()
    assert text in before, f"{header} has no {text!r} any more: change CONTROLS of this test"
    path.write_text(before.replace(text, replacement, 1))
    new = pathlib.Path(where) / "changed.abi"
    abi.describe(new, include, compiler, abi.soname())
    found, changed = compare(base, new)
    shutil.rmtree(include)
    if said == "nothing":
        return [f"{what}: it should not show: {found}"] if changed else []
    if said is None:
        return [f"{what}: it should be allowed, and show: {found}"] if found or not changed else []
    return [] if any(said in part for part in found) else [f"{what}: it is not found: {found}"]


def exported(library):
    """The stable functions that the library has."""
    listed = subprocess.run(["nm", "--dynamic", "--defined-only", "--with-symbol-versions", library], check=True,
                            capture_output=True, text=True).stdout
    return set(re.findall(r"(hrr_\w+)@@HETERORR_\d+$", listed, re.M))


def main(compiler, library):
    if not shutil.which("abidiff") or not shutil.which("abidw"):
        print("abidiff and abidw (Debian: abigail-tools) are not installed: the interface is not compared")
        return SKIPPED
    if struct.calcsize("P") != 8:
        print("the description is one of a machine with 64 bits: the interface is not compared")
        return SKIPPED
    abi = load(ROOT / "tools" / "abi-update")
    with tempfile.TemporaryDirectory() as where:
        now = pathlib.Path(where) / "now.abi"
        functions = abi.describe(now, ROOT / "include", compiler, abi.soname())
        bad = [fault for row in CONTROLS for fault in control(abi, compiler, now, where, row)]
        found, changed = compare(abi.DESCRIPTION, now)
        described = set(re.findall(r"<elf-symbol name='(hrr_\w+)'", abi.DESCRIPTION.read_text()))
    bad += [f"{name}() is described, and the library does not export it as stable"
            for name in sorted(described - exported(library))]
    if len(functions) < 100:
        bad.append(f"only {len(functions)} stable functions were found")
    if found:
        bad.append("The stable interface is not what abi/libheterorr.abi says:\n\n" + "\n".join(found) + WHAT_TO_DO)
    print("\n".join(bad) or f"{len(functions)} stable functions are what they were")
    if changed and not bad:
        print("The stable interface has grown, as it may; record it: run tools/abi-update and commit abi/libheterorr.abi")
    return 1 if bad else 0


sys.exit(main(*sys.argv[1:]))
