#!/usr/bin/env python3
"""Mechanisms are asked for what they are, never compared by name.

A mechanism's name stands in its own file, as part of the row that describes it. Everybody else finds the row
(hrr_edge_mechanism_find() and the like) and asks for a trait. So no string in src/ is the name of a mechanism, a tree or
an experiment's own treatment, or a list of such names, but in the files that hold rows and in those listed here, which put names
in tables of their own. Some names are words that other things have, too; those places are listed with what they mean there."""
import os
import re
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))

# What a row is called by, its page, and the names of other forms of it, which its file may say.
ROW = re.compile(r'\.about\.name = "([^"]+)"|hrr_\w+_name\[\] = "([^"]+)"')
PAGE = re.compile(r'\.about\.name = "([^"]+)"(?:(?!\.about\.name).)*?\.about\.page = "([^"]+)"', re.S)
FORM = re.compile(r'\.about\.\w+_form = "[^"]+"')

# Comparing with a row's name is comparing names.
COMPARISON = re.compile(r'strn?cmp\([^;{]*(?:\.about\.name|_mechanism_with\(\w+\)->name)')

# Tables that name rows of others, and why they do not point at them.
TABLES = {
    "src/experiment/references.c": "what results files call the series that spend nothing",
    "src/certificate/words.c": "sentences that pages of older certificates keep",
    "src/cli/cmd_demo.c": "commands as a user would type them",
}

# Names that are words for something else there.
MODE, DECODING, SCALE = "a mode", "a decoding", "a scale of features"
OTHER_MEANINGS = {
    "src/certificate/certificate_json.c": {"paper": MODE},
    "src/certificate/grounds.c": {"paper": MODE},
    "src/certificate/terms.c": {"none": "what is published has no mechanism"},
    "src/certificate/verify_claims.c": {"paper": MODE},
    "src/cli/cmd_advise.c": {"public": "an option"},
    "src/cli/cmd_attack_attributes.c": {"public": "edges"},
    "src/attack/reconstruct.c": {"public": "pictures"},
    "src/cli/attack_pictures.c": {"public": "an option"},
    "src/cli/cmd_audit.c": {"none": "no epsilon"},
    "src/cli/cmd_convert.c": {"none": "no compression"},
    "src/report/chart_draw.c": {"none": "a line without dashes"},
    "src/io/write.c": {"none": "no compression"},
    "src/cli/cmd_head.c": {"public": "an option"},
    "src/cli/cmd_scores.c": {"public": "an option"},
    "src/cli/cmd_train.c": {"none": SCALE, "non-private": "an option", "mlp": "an architecture",
                            "majority": "a line of results"},
    "src/cli/cmd_compare_learning.c": {"none": SCALE, "paper": DECODING, "volunteers": "an option"},
    "src/cli/protect_args.c": {"none": "no synthetic edges", "paper": MODE, "public": "an option"},
    "src/cli/protect_request.c": {"none": "no ledger", "paper": MODE},
    "src/cli/serve_args.c": {"none": "no log", "non-private": "an option"},
    "src/cli/cmd_export.c": {"non-private": "an option"},
    "src/cli/scores_file.c": {"public": "a part of the file"},
    "src/experiment/chain_settings.c": {"none": SCALE, "mlp": "an architecture"},
    "src/experiment/network_words.c": {"none": "an aggregation"},
    "src/experiment/training_settings.c": {"none": SCALE},
    "src/feature/decoding.c": {"paper": DECODING},
    "src/io/header.c": {"paper": "a column of nodes"},
    "src/io/node_rows.c": {"none": "a missing value"},
    "src/learn/model_file.c": {"none": "an aggregation", "mlp": "an architecture"},
    "src/release/certify.c": {"paper": MODE},
    "src/report/scores.c": {"public": "a part of a file"},
}


def strings(code):
    """The string literals of C code, in order, without those of comments and #include lines."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|#include[^\n]*|\'(?:\\.|[^\'\\])+\'|"((?:\\.|[^"\\])*)"', re.S)
    return [m[1] for m in token.finditer(code) if m[1] is not None]


def sources(root):
    for folder, _, files in os.walk(os.path.join(root, "src")):
        for name in sorted(files):
            if name.endswith((".c", ".h")):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as f:
                    yield os.path.relpath(path, root), f.read()


def rows(root):
    """{name: the files whose rows have it}."""
    found = {}
    for path, code in sources(root):
        for name in re.findall(ROW, code):
            found.setdefault(name[0] or name[1], set()).add(path)
    return found


def names_in(text, names):
    """The names that a string is, or is a list of: "edgerr", "featfree+edgerr,edgerr-node"."""
    parts = re.split(r"[+,]", text)
    return parts if all(part in names for part in parts) else []


def faults(root, tables, other_meanings):
    names, out, used = rows(root), [], set()
    for path, code in sources(root):
        out += [f"{path}: {m[0]}: find the row and ask for a trait" for m in COMPARISON.finditer(code)]
        for text in strings(FORM.sub("", code)):
            for name in names_in(text, names):
                if path in names[name]:
                    continue
                if path in tables:
                    used.add(path)
                elif name in other_meanings.get(path, {}):
                    used.add((path, name))
                else:
                    out.append(f'{path}: "{text}": find the row and ask for a trait')
    out += [f"{path} names no mechanism: take it off the list" for path in tables if path not in used]
    out += [f'{path} has no "{name}": take it off the list' for path, meanings in other_meanings.items()
            for name in meanings if (path, name) not in used]
    return sorted(set(out))


def pages(root):
    """{name: its page}."""
    return {name: page for _, code in sources(root) for name, page in PAGE.findall(code)}


class MechanismNames(unittest.TestCase):
    def test_names_stand_in_rows_and_tables_only(self):
        self.assertEqual(faults(ROOT, TABLES, OTHER_MEANINGS), [])

    def test_rows_are_found(self):
        found = rows(ROOT)
        for name in ("edgerr", "edgerr-node", "featurerr", "pm-sub-sampled", "none", "barker", "mlp", "majority"):
            self.assertIn(name, found)
        self.assertEqual(found["none"], {"src/edge/public_only.c", "src/feature/none.c"})

    def test_each_mechanism_has_a_page_that_names_it(self):
        found = pages(ROOT)
        for name, files in rows(ROOT).items():
            if any(path.startswith(("src/edge/", "src/feature/")) for path in files):
                self.assertIn(name, found)
        for name, page in found.items():
            with self.subTest(name=name), open(os.path.join(ROOT, page), encoding="utf-8") as f:
                self.assertRegex(f.read(), r"(?<![\w-])" + re.escape(name) + r"(?![\w-])")


class TheRule(unittest.TestCase):
    """The rule sees what it is for."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.write("src/edge/deer.c", '.about.name = "deer", .about.private_form = "roe", .about.page = "d.md"')
        self.write("src/edge/roe.c", '.about.name = "roe"')

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def faults(self, tables=(), other_meanings=None):
        return faults(self.root, tables, other_meanings or {})

    def test_a_row_may_name_itself_and_its_form(self):
        self.assertEqual(self.faults(), [])
        self.assertEqual(pages(self.root), {"deer": "d.md"})

    def test_a_comparison_elsewhere_is_a_fault(self):
        self.write("src/cli/a.c", 'if (strcmp(name, "deer") == 0) {}')
        self.assertEqual(len(self.faults()), 1)

    def test_a_list_of_names_is_a_fault(self):
        self.write("src/cli/a.c", 'run("roe+deer,roe");')
        self.assertEqual(len(self.faults()), 1)

    def test_a_row_of_another_file_is_a_fault(self):
        self.write("src/edge/roe.c", '.about.name = "roe", x = "deer"')
        self.assertEqual(len(self.faults()), 1)

    def test_a_name_behind_an_identifier_is_a_fault(self):
        self.write("src/cli/a.c", "if (strcmp(name, hrr_edge_deer.about.name) == 0) {}")
        self.assertEqual(len(self.faults()), 1)
        self.write("src/cli/a.c", "if (strcmp(name, hrr_edge_mechanism_with(HRR_EFFECT_KEEP)->name)) {}")
        self.assertEqual(len(self.faults()), 1)

    def test_prose_comments_and_includes_are_none(self):
        self.write("src/cli/a.c", '#include "deer"\n/* "deer" */ say("the deer is here"); // "roe"\nx = \'"\';')
        self.assertEqual(self.faults(), [])

    def test_what_is_listed_must_be_there(self):
        self.write("src/cli/a.c", 'x = "deer";')
        self.assertEqual(self.faults(tables=("src/cli/a.c",)), [])
        self.assertEqual(self.faults(other_meanings={"src/cli/a.c": {"deer": "venison"}}), [])
        self.assertEqual(len(self.faults(tables=("src/cli/a.c", "src/cli/b.c"))), 1)
        self.assertEqual(len(self.faults(("src/cli/a.c",), {"src/cli/b.c": {"roe": "eggs"}})), 1)


if __name__ == "__main__":
    unittest.main()
