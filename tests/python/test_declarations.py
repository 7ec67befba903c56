"""Python's idea of the library is the compiler's: every size, offset, number and signature of the headers.

A C program is made from what the package declares; it prints sizes, offsets and numbers, which are compared, and asserts
the type of every function. That the comparison notices a difference is tried on headers that were changed.
"""
import ctypes
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import support

from heterorr import _declarations

sys.path.append(str(support.ROOT / "python"))
import declare  # noqa: E402

COMPILER = os.environ.get("HETERORR_CC", "cc")
INCLUDE = support.ROOT / "include"


def load(path):
    spec = importlib.util.spec_from_file_location("changed_declarations", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def members(kind):
    """(path in C, offset, size) of every member, through nameless unions."""
    for name, _ in kind._fields_:
        field = getattr(kind, name)
        if name in getattr(kind, "_anonymous_", ()):
            for inner, _ in dict(kind._fields_)[name]._fields_:
                yield inner, field.offset, getattr(dict(kind._fields_)[name], inner).size
        else:
            yield name, field.offset, field.size


def program(module, parser):
    lines = ["#include <heterorr/heterorr.h>", "#include <stdio.h>", "int main(void) {"]
    expected = []
    for name, fields in parser.structs.items():
        if fields is None or name.startswith("anonymous") or name[-1].isdigit():
            continue  # opaque, or nameless: reached through its owner
        kind = getattr(module, name)
        spelled = f"struct {name}"
        expected.append(f"{name} {ctypes.sizeof(kind)}")
        lines.append(f'printf("{name} %zu\\n", sizeof({spelled}));')
        for member, offset, size in members(kind):
            expected.append(f"{name}.{member} {offset} {size}")
            lines.append(f'printf("{name}.{member} %zu %zu\\n", offsetof({spelled}, {member}), '
                         f"sizeof((({spelled} *)0)->{member}));")
    for enum in parser.enums.values():
        for constant, number in enum.items():
            expected.append(f"{constant} {number}")
            lines.append(f'printf("{constant} %lld\\n", (long long){constant});')
    for name, (result, kinds, (before, after)) in parser.functions.items():
        lines.append(f"_Static_assert(__builtin_types_compatible_p(__typeof__({name}), {before} {after}), \"{name}\");")
        if name not in module.FUNCTIONS:
            continue  # of variable arguments
        parameters = [parameter for parameter in split(after) if parameter != "void"]
        restype, argtypes = module.FUNCTIONS[name]
        assert len(argtypes) == len(parameters), name
        if restype is not None:
            lines.append(f'_Static_assert(sizeof({before}) == {ctypes.sizeof(restype)}, "result of {name}");')
    return "\n".join([*lines, "return 0; }"]), expected


def split(parameters):
    """The parameters of "( a , b )"."""
    found, depth, word = [], 0, []
    for token in parameters.split()[1:-1]:
        depth += (token == "(") - (token == ")")
        if token == "," and not depth:
            found.append(" ".join(word))
            word = []
        else:
            word.append(token)
    return found + ([" ".join(word)] if word else [])


def differences(module, parser, include):
    source, expected = program(module, parser)
    with tempfile.TemporaryDirectory() as where:
        path = pathlib.Path(where) / "declared"
        built = subprocess.run([COMPILER, "-std=gnu17", f"-I{include}", "-x", "c", "-", "-o", path], input=source, text=True,
                               capture_output=True, env={**os.environ, "LD_PRELOAD": ""})
        if built.returncode:
            return [built.stderr]
        printed = subprocess.run([path], capture_output=True, text=True, check=True).stdout.splitlines()
    if len(printed) != len(expected):
        return [f"{len(printed)} lines were printed, and {len(expected)} expected"]
    return [f"the compiler says {said!r}, Python {believed!r}" for said, believed in zip(printed, expected) if said != believed]


class Declarations(unittest.TestCase):
    def test_every_size_offset_number_and_signature_is_the_compilers(self):
        parser, _ = declare.read(INCLUDE, COMPILER)
        self.assertGreater(len(parser.functions), 250)
        self.assertEqual(differences(_declarations, parser, INCLUDE), [])

    def test_the_package_was_made_from_these_headers(self):
        written = declare.write(*declare.read(INCLUDE, COMPILER))
        self.assertEqual(pathlib.Path(_declarations.__file__).read_text(), written)

    def test_a_header_that_changed_is_noticed(self):
        parser, _ = declare.read(INCLUDE, COMPILER)
        changes = [("base.h", "    HRR_ERANKS ", "    HRR_EMORE, HRR_ERANKS "),
                   ("io.h", "    bool replace;\n    const char *format;", "    double more; bool replace;\n    const char *format;"),
                   ("base.h", "int hrr_threads(int requested)", "int hrr_threads(long requested)")]
        for header, text, replacement in changes:
            with self.subTest(replacement), tempfile.TemporaryDirectory() as where:
                include = pathlib.Path(where) / "include"
                subprocess.run(["cp", "-r", INCLUDE, include], check=True, env={**os.environ, "LD_PRELOAD": ""})
                path = include / "heterorr" / header
                self.assertIn(text, path.read_text())
                path.write_text(path.read_text().replace(text, replacement))
                self.assertNotEqual(differences(_declarations, parser, include), [])

    def test_options_that_are_appended_arrive_by_themselves(self):
        with tempfile.TemporaryDirectory() as where:
            include = pathlib.Path(where) / "include"
            subprocess.run(["cp", "-r", INCLUDE, include], check=True, env={**os.environ, "LD_PRELOAD": ""})
            path = include / "heterorr" / "edge.h"
            path.write_text(path.read_text().replace("} hrr_edge_options;", "    double some_share; } hrr_edge_options;"))
            parser, numbers = declare.read(include, COMPILER)
            made = pathlib.Path(where) / "made.py"
            made.write_text(declare.write(parser, numbers))
            module = load(made)
            self.assertEqual(differences(module, parser, include), [])
            self.assertIn("some_share", dict(module.hrr_edge_options._fields_))


if __name__ == "__main__":
    support.main()
