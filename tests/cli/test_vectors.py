"""The width of a processor's vectors changes the speed and nothing else: a release made with plain code has the same
bytes as one made with AVX2 or AVX-512."""
import os
import unittest

from command import CommandTest

WIDTHS = ("plain", "avx2", "avx512")
WAYS = (("--feature-mechanism", "featurerr", "--eps-features", "2", "--edge-mechanism", "edgerand", "--eps-edges", "1"),
        ("--eps-features", "4", "--eps-edges", "1"),
        ("--feature-mechanism", "multibit", "--eps-features", "1", "--edge-mechanism", "edgerr", "--eps-edges", "1"))


class Vectors(CommandTest):
    def bundle(self, graph, width, words):
        """The arrays of a release that was made with such vectors."""
        place = self.scratch / width
        self.succeeds("protect", graph, "-o", place, "--force", "--insecure-seed", "5", *words,
                      env={**os.environ, "HETERORR_VECTORS": width})
        return {path.name: path.read_bytes() for path in place.iterdir() if path.suffix == ".npy"}

    def test_release_is_the_same_for_every_width(self):
        graph = self.scratch / "graph"
        self.succeeds("generate", "--nodes", "700", "--features", "50", "--seed", "3", "-o", graph)
        for words in WAYS:
            with self.subTest(words=words):
                first, *others = (self.bundle(graph, width, words) for width in WIDTHS)
                self.assertIn("features.npy", first)
                for other in others:
                    self.assertEqual(first, other)


if __name__ == "__main__":
    unittest.main()
