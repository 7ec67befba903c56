"""inspect of published data sets: the counts that their papers and files give."""
import unittest

from command import DATA, CommandTest, skip_all

# path: nodes, edges, features, classes; None where the source does not say.
GRAPHS = {
    "planetoid/cora.npz": (2708, None, 1433, 7),
    "planetoid/citeseer.npz": (3312, None, 3703, 6),
    "twitch/ES": (4648, 59382, 3170, 2),
    "twitch/RU": (4385, 37304, 3170, 2),
    "twitch/DE": (9498, 153138, 3170, 2),
    "twitch/FR": (6549, 112666, 3170, 2),
    "twitch/ENGB": (7126, 35324, 3170, 2),
    "facebook": (22470, 170823, 4714, 4),
    "structure/karate.pairs": (34, 78, 0, 0),
    "structure/polblogs.pairs": (1224, 16715, 0, 0),
    "structure/Wiki-Vote.pairs": (7115, 100762, 0, 0),
    "structure/CA-HepPh.pairs": (12006, 118489, 0, 0),
}
PPI = ([f"train_{i:02}" for i in range(20)] + ["valid_0", "valid_1", "test_0", "test_1"])


class RealData(CommandTest):
    def test_counts(self):
        for name, wanted in GRAPHS.items():
            with self.subTest(name):
                answer = self.json("inspect", DATA / name)
                found = [answer[key] for key in ("nodes", "edges", "features", "classes")]
                for value, expected in zip(found, wanted):
                    if expected is not None:
                        self.assertEqual(value, expected, (found, wanted))
                self.assertEqual(sum(label["nodes"] for label in answer["labels"]),
                                 wanted[0] if wanted[3] else 0)

    def test_ppi_files_have_three_marks_each(self):
        for name in PPI:
            with self.subTest(name):
                answer = self.json("inspect", DATA / "ppi" / f"{name}.csv")
                self.assertEqual(len(answer["private_columns"]), 3)
                counts = list(answer["private_columns"].values())
                self.assertEqual(counts, sorted(counts))
                for column, count in answer["private_columns"].items():
                    chosen = self.json("inspect", DATA / "ppi" / f"{name}.csv",
                                       "--private-column", column)
                    self.assertEqual(chosen["private_edges"], count)

    def test_first_ppi_graph(self):
        answer = self.json("inspect", DATA / "ppi/train_00.csv")
        self.assertEqual((answer["nodes"], answer["edges"]), (1767, 16159))
        self.assertEqual(list(answer["private_columns"].values()), [856, 1582, 3221])

    def test_ppi_folder_is_a_collection(self):
        answer = self.json("inspect", DATA / "ppi")
        self.assertEqual(answer["graphs"], 24)
        single = [self.json("inspect", DATA / "ppi" / f"{name}.csv") for name in PPI]
        self.assertEqual(answer["edges"], sum(one["edges"] for one in single))
        self.assertEqual(len(answer["private_columns"]), 3)


if __name__ == "__main__":
    if not (DATA / "planetoid/cora.npz").exists():
        skip_all(f"{DATA} has no data; set HETERORR_DATA to the folder that has it")
    unittest.main()
