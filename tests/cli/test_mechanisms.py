"""The tables of mechanisms as the command shows them, and the lists in docs/ that follow from them.

    HETERORR=path/to/heterorr python3 test_mechanisms.py --update    writes docs/mechanisms/README.md anew
"""
import json
import os
import re
import sys
import unittest

from command import CommandTest, heterorr

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
INDEX = os.path.join(DOCS, "mechanisms", "README.md")
HEAD = """# Mechanisms

The mechanisms for features and edges, as `heterorr help mechanisms` lists them. Each has a page with its claim, its proof,
pseudocode and cost. There is only one mechanism for [labels](labels.md), so it has no name.
"""


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def tables_of_command():
    return json.loads(heterorr("help", "mechanisms", "--json").stdout)


def remark(row):
    """What one must know before choosing it."""
    if row.get("effect") == "keep":
        return "NOT PRIVATE"
    if row.get("effect") == "leave out":
        return "spends nothing"
    return "" if row["certified"] else "NOT CERTIFIED"


def index_of(tables):
    """docs/mechanisms/README.md, from the tables."""
    lines = [HEAD]
    for title, table in (("Features", "features"), ("Edges", "edges"), ("Trees of edgerr", "trees")):
        lines += [f"## {title}\n", "| name | what it is | |", "|---|---|---|"]
        lines += [f"| [{row['name']}]({os.path.basename(row['page'])}) | {row['what']} | {remark(row)} |"
                  for row in tables[table]]
        lines.append("")
    return "\n".join(lines)


class TestMechanisms(CommandTest):
    def test_every_row_has_a_line(self):
        text = self.succeeds("help", "mechanisms").stdout
        for rows in tables_of_command().values():
            for row in rows:
                line = re.search(rf"^  {re.escape(row['name'])} +{re.escape(row['what'])}.*$", text, re.M)
                self.assertIsNotNone(line, row["name"])
                self.assertLess(len(line[0]), 80)

    def test_what_is_not_private_or_not_certified_is_said(self):
        text = self.succeeds("help", "mechanisms").stdout
        tables = tables_of_command()
        for table in ("features", "edges", "trees"):
            for row in tables[table]:
                if remark(row):
                    self.assertIn(f"{row['what']}; {remark(row)}\n", text)
        self.assertEqual([row["name"] for row in tables["edges"] if remark(row) == "NOT CERTIFIED"],
                         ["privhrg", "privhrg-private"])
        self.assertEqual([row["name"] for row in tables["trees"] if remark(row)], ["single", "paper"])

    def test_options_offer_the_rows(self):
        help_of_protect = " ".join(self.succeeds("help", "protect").stdout.split())
        help_of_learning = " ".join(self.succeeds("help", "compare", "learning").stdout.split())
        tables = tables_of_command()
        for table in ("features", "edges", "trees"):
            self.assertIn(": " + ", ".join(row["name"] for row in tables[table]), help_of_protect)
        self.assertIn("Not certified, and only in --mode paper: privhrg, privhrg-private", help_of_protect)
        self.assertIn("Not certified, and only in --mode paper: single, paper", help_of_protect)
        self.assertIn(", ".join(row["name"] for row in tables["treatments"]), help_of_learning)

    def test_the_index_of_the_pages_is_the_table(self):
        self.assertEqual(read(INDEX), index_of(tables_of_command()))

    def test_every_page_is_in_the_index(self):
        index = read(INDEX)
        for page in os.listdir(os.path.dirname(INDEX)):
            if page != "README.md":
                self.assertIn(f"({page})", index)

    def test_treatments_are_documented(self):
        text = read(os.path.join(DOCS, "experiments.md"))
        for row in tables_of_command()["treatments"]:
            self.assertIn(f"`{row['name']}`", text)

    def test_mechanisms_have_no_parts(self):
        self.fails(2, "help", "mechanisms", "learning", says="mechanisms have no subcommands")
        self.fails(2, "help", "mechanisms", "--manual", says="mechanisms have no manual page")


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        with open(INDEX, "w", encoding="utf-8") as f:
            f.write(index_of(tables_of_command()))
    else:
        unittest.main()
