"""generate: the directory appears whole, repeats itself for a seed, and never costs a file."""
import json
import unittest

from command import CommandTest, heterorr


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


class Generate(CommandTest):
    def test_fields(self):
        answer = self.json("generate", "--nodes", "1000", "-o", self.scratch / "g")
        self.assertEqual(set(answer), {"nodes", "edges", "private_edges", "public_edges",
                                       "features", "classes", "graphs", "output", "seconds",
                                       "peak_rss_bytes"})
        self.assertEqual(answer["output"], str(self.scratch / "g"))
        self.assertEqual(answer["edges"], answer["private_edges"] + answer["public_edges"])
        self.assertGreater(answer["peak_rss_bytes"], 1 << 20)
        self.assertEqual(self.names(), ["g"])

    def test_same_seed_same_files_whatever_the_threads(self):
        sizes = ["--nodes", "2000", "--features", "8"]
        for name, seed, threads in [("a", 7, 1), ("b", 7, 2), ("c", 8, 1)]:
            self.json("generate", *sizes, "--seed", seed, "--threads", threads,
                      "-o", self.scratch / name)
        a, b, c = (contents(self.scratch / name) for name in "abc")
        self.assertEqual(set(a), set(b))
        for name in a:
            if name != "truth.npz":  # an archive carries the time it was made
                self.assertEqual(a[name], b[name], name)
        self.assertNotEqual(a["edges.npy"], c["edges.npy"])

    def test_shards_give_the_same_bundle_byte_for_byte(self):
        sizes = ["--nodes", "6000", "--features", "3"]
        cut = ["--shard-rows", "4096", "--shard-edges", "8192"]
        self.json("generate", *sizes, "-o", self.scratch / "whole")
        self.json("generate", *sizes, *cut, "-o", self.scratch / "cut")
        self.json("convert", self.scratch / "whole", *cut, "-o", self.scratch / "converted")
        self.assertIn("edges-00003.npy", contents(self.scratch / "cut"))
        for mechanism in ["edgerr", "edgerand-private"]:
            bundles = []
            for graph in ["whole", "cut", "converted"]:
                bundle = self.scratch / f"{mechanism}-{graph}"
                self.json("protect", self.scratch / graph, "--eps-features", 1, "--eps-edges", 8,
                          "--edge-mechanism", mechanism, "--insecure-seed", 1, "-o", bundle)
                bundles.append(contents(bundle))
            self.assertEqual(bundles[0], bundles[1])
            self.assertEqual(bundles[0], bundles[2])

    def test_truth_is_written_with_features_only(self):
        self.json("generate", "--nodes", "100", "--features", "6", "-o", self.scratch / "with")
        self.json("generate", "--nodes", "100", "--features", "0", "-o", self.scratch / "without")
        self.assertTrue((self.scratch / "with/truth.npz").exists())
        self.assertFalse((self.scratch / "without/truth.npz").exists())
        self.assertFalse((self.scratch / "without/features.npy").exists())

    def test_existing_places_are_kept(self):
        place = self.scratch / "g"
        self.json("generate", "--nodes", "100", "-o", place)
        before = contents(place)
        self.fails(2, "generate", "--nodes", "200", "-o", place, says="exists already")
        self.assertEqual(contents(place), before)
        self.assertEqual(self.json("generate", "--nodes", "200", "-o", place,
                                   "--force")["nodes"], 200)
        self.assertEqual(self.json("inspect", place)["nodes"], 200)
        other = self.scratch / "precious"
        other.mkdir()
        (other / "letter.txt").write_text("mine")
        self.fails(2, "generate", "--nodes", "200", "-o", other, "--force",
                   says="does not replace it")
        self.assertEqual(self.names(), ["g", "precious"])

    def test_unwritable_place(self):
        self.fails(3, "generate", "--nodes", "100", "-o", "/proc/nowhere/graph",
                   says="/proc/nowhere/graph")

    def test_collections_and_several_labels(self):
        self.json("generate", "--nodes", "600", "--graphs", "4", "--multilabel", "--classes", "9",
                  "-o", self.scratch / "g")
        answer = self.json("inspect", self.scratch / "g")
        self.assertEqual((answer["graphs"], answer["classes"], answer["multilabel"]),
                         (4, 9, True))
        self.assertIsNone(answer["homophily"])

    def test_what_the_library_refuses_is_a_usage_error(self):
        words = ("generate", "--degree-exponent", "2", "-o", self.scratch / "g")
        self.fails(2, *words, says="--degree-exponent must be greater than 2")
        answer = json.loads(heterorr(*words, "--json").stdout)
        self.assertEqual(answer["error"]["field"], "degree_exponent")
        self.assertEqual(self.names(), [])
        answer = json.loads(heterorr("generate", "--json").stdout)
        self.assertEqual(sorted(answer["error"]), ["code", "message"])  # nothing of the library's


if __name__ == "__main__":
    unittest.main()
