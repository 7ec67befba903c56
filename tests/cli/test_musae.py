"""MUSAE graphs as their publishers pack them: which column is the label, how wide the features are."""
import json
import unittest

import numpy

from command import CommandTest

NODES = 40


class Musae(CommandTest):
    def put(self, name, largest):
        """A graph of the authors' repository whose largest feature id is `largest`."""
        files = {f"edges/{name}_edges.csv": "from,to\n" + "".join(
                     f"{i},{(i + 1) % NODES}\n" for i in range(NODES)),
                 f"features/{name}.json": json.dumps(
                     {str(i): [i % 3, largest] if i == 7 else [i % 3] for i in range(NODES)}),
                 f"target/{name}_target.csv": "id,days,mature,views,partner,new_id\n" + "".join(
                     f"{900 - i},{i * 31},{i % 2 == 0},{i * 1000},{i < 20},{i}\n" for i in range(NODES))}
        for path, text in files.items():
            (self.scratch / path).parent.mkdir(exist_ok=True)
            (self.scratch / path).write_text(text)
        return self.scratch / name

    def test_graphs_of_one_family_fit_together(self):
        widths = set()
        for name, largest in (("ES", 8), ("PTBR", 7)):
            graph = self.put(name, largest)
            self.assertEqual(self.json("inspect", graph)["features"], largest + 1)
            widths.add(self.json("inspect", graph, "--n-features", "9")["features"])
            self.json("convert", graph, "--n-features", "9", "-o", self.scratch / ("of " + name))
        self.assertEqual(widths, {9})
        self.fails(3, "inspect", self.scratch / "ES", "--n-features", "8",
                   says="ES.json:1: a feature id is not between 0 and 7, the range that --n-features gives")
        self.fails(3, "inspect", self.scratch / "of ES", "--n-features", "8",
                   says="has 9 features, but --n-features is 8")

    def test_a_declared_width_is_public(self):
        words = ["protect", self.put("ES", 8), "--eps-features", "1", "--public", "edges", "-o"]
        self.fails(2, *words, self.scratch / "asked", says="--public columns")
        answer = self.json(*words, self.scratch / "told", "--n-features", "9")
        self.assertTrue(answer["private"])
        self.assertEqual(numpy.load(self.scratch / "told" / "features.npy").shape, (NODES, 9))
        # In another graph of the family nobody has feature 8: the bundle looks the same.
        self.json(*words[:1], self.put("RU", 5), *words[2:], self.scratch / "less", "--n-features", "9")
        self.assertEqual(numpy.load(self.scratch / "less" / "features.npy").shape, (NODES, 9))

    def test_the_label_column_is_said_and_chosen(self):
        graph = self.put("ES", 8)
        done = self.succeeds("inspect", graph)
        self.assertIn("column mature was read as the labels; --label-column selects another of days, mature, "
                      "views and partner.", done.stderr)
        for column, first in (("mature", [1, 0]), ("partner", [1, 1])):
            done = self.succeeds("convert", graph, "--label-column", column, "--force", "-o",
                                 self.scratch / "copy")
            self.assertNotIn("the labels are", done.stderr)
            self.assertEqual(numpy.load(self.scratch / "copy" / "labels.npy")[:2].tolist(), first)
        self.fails(3, "inspect", graph, "--label-column", "views", says="column 4 (views) looks like a count")
        self.fails(3, "inspect", graph, "--label-column", "View", says="(days, mature, views and partner)")

    def test_other_labels_take_their_place(self):
        labels = self.scratch / "labels.csv"
        labels.write_text("id,kind\n" + "".join(f"{i},{i % 5}\n" for i in range(NODES)))
        done = self.succeeds("inspect", self.put("ES", 8), "--node-labels", labels, "--json")
        self.assertEqual(json.loads(done.stdout)["classes"], 5)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
