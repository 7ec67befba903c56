"""attack reconstruct: digits that a decoder never saw, guessed from their features, as they are and protected."""
import csv
import json
import unittest

import fetched
from command import CommandTest, heterorr, skip_all
from fetched import Image, numpy

try:
    import skimage.metrics
    import sklearn.datasets
except ImportError as missing:
    skip_all(f"{missing}; install python3-skimage and python3-sklearn")
from picture_graphs import digits, embed, homophilous_edges, save_graph

N_PUBLIC, N_PRIVATE = 400, 100


class Reconstruct(CommandTest):
    @classmethod
    def setUpClass(cls):
        pictures, classes = digits()
        order = numpy.random.default_rng(3).permutation(len(pictures))[:N_PUBLIC + N_PRIVATE]
        cls.pictures, cls.classes = pictures[order], classes[order]

    def setUp(self):
        super().setUp()
        z = embed(self.pictures)
        self.parts = {"public": slice(0, N_PUBLIC), "private": slice(N_PUBLIC, None)}
        for name, part in self.parts.items():
            save_graph(self.scratch / name, z[part], self.classes[part])
            numpy.save(self.scratch / f"{name}.npy", self.pictures[part])

    def words(self, *more):
        return ("attack", "reconstruct", self.scratch / "private", "--pictures", self.scratch / "private.npy", "--public",
                self.scratch / "public", "--public-pictures", self.scratch / "public.npy", *more)

    def attack(self, *more):
        return self.json(*self.words(*more))

    @staticmethod
    def rows(answer):
        return {(row["mechanism"], row["eps_features"]): row for row in answer["rows"]}

    def test_open_features_give_pictures_away_and_protected_ones_do_not(self):
        """Intervals are of 95 %, the seed is fixed. A guess reidentifies one picture in a hundred."""
        answer = self.attack("--epochs", 30, "--mechanisms", "featurerr,multibit", "--eps-features", "1")
        self.assertEqual((answer["public_pictures"], answer["private_pictures"], answer["side"], answer["channels"]),
                         (N_PUBLIC, N_PRIVATE, 8, 1))
        rows = self.rows(answer)
        self.assertEqual(list(rows), [("none", None), ("mean-picture", None), ("random-features", None), ("class", None),
                                      ("featurerr", "1"), ("multibit", "1")])
        bare = rows["none", None]
        self.assertGreater(bare["ssim"]["excess"] - bare["ssim"]["excess_half_width"], .3)
        self.assertGreater(bare["psnr"]["excess"] - bare["psnr"]["excess_half_width"], 3)
        self.assertGreater(bare["reidentified"]["low"], .5)
        self.assertEqual(bare["realised_eps_features"], "infinity")
        for name in (("random-features", None), ("featurerr", "1"), ("multibit", "1")):
            self.assertLess(rows[name]["ssim"]["excess"], .02, name)
            self.assertLess(abs(rows[name]["psnr"]["excess"]), .3, name)
            self.assertLess(rows[name]["reidentified"]["low"], .02, name)
            self.assertLessEqual(rows[name]["rank"]["low"], .5, name)
        self.assertLessEqual(rows["featurerr", "1"]["realised_eps_features"], 1)
        self.assertGreater(rows["class", None]["ssim"]["excess"], .1)

    def test_the_mean_picture_is_judged_as_scikit_image_judges_it(self):
        big = numpy.kron(self.pictures, numpy.ones((1, 2, 2), numpy.uint8))
        colour = numpy.stack([big, 255 - big, big // 2], axis=-1)
        for kind, pictures in (("grey", big), ("colour", colour)):
            for name, part in self.parts.items():
                numpy.save(self.scratch / f"{name}.npy", pictures[part])
            floor = self.rows(self.attack("--epochs", 1))["mean-picture", None]
            mean = pictures[self.parts["public"]].mean(0) / 255
            psnr, ssim = [], []
            for picture in pictures[self.parts["private"]] / 255:
                psnr.append(skimage.metrics.peak_signal_noise_ratio(picture, mean, data_range=1))
                ssim.append(skimage.metrics.structural_similarity(picture, mean, data_range=1, gaussian_weights=True,
                                                                  use_sample_covariance=False, sigma=1.5,
                                                                  channel_axis=-1 if kind == "colour" else None))
            self.assertAlmostEqual(floor["psnr"]["mean"], numpy.mean(psnr), places=5)
            self.assertAlmostEqual(floor["ssim"]["mean"], numpy.mean(ssim), places=5)
            half = 1.984217 * numpy.std(ssim, ddof=1) / len(ssim) ** .5  # Student's t, 99 degrees
            self.assertAlmostEqual(floor["ssim"]["high"] - floor["ssim"]["mean"], half, places=5)
            self.assertEqual((floor["ssim"]["excess"], floor["reidentified"]["mean"], floor["rank"]["mean"]), (0, 0, .5))

    def test_seed_decides_and_threads_do_not(self):
        told = [heterorr(*self.words("--epochs", 2, "--mechanisms", "featurerr", "--eps-features", "4", "--json", *more)).stdout
                for more in (("--threads", 1), ("--threads", 3), ("--seed", 2))]
        told = [{**json.loads(text)["result"], "seconds": 0} if "result" in json.loads(text) else
                {**json.loads(text), "seconds": 0} for text in told]
        self.assertEqual(told[0], told[1])
        self.assertNotEqual(told[0]["rows"][0], told[2]["rows"][0])

    def test_a_share_of_one_graph_can_be_the_public_part(self):
        answer = self.json("attack", "reconstruct", self.scratch / "public", "--pictures", self.scratch / "public.npy",
                           "--known", ".8", "--epochs", 20)
        self.assertEqual(answer["public_pictures"] + answer["private_pictures"], N_PUBLIC)
        self.assertAlmostEqual(answer["public_pictures"] / N_PUBLIC, .8, delta=.08)
        self.assertGreater(self.rows(answer)["none", None]["ssim"]["excess"], .1)

    def test_strips_show_originals_and_guesses(self):
        fetched.libvips()
        sheets, results = self.scratch / "sheets", self.scratch / "results.csv"
        said = self.succeeds(*self.words("--epochs", 3, "--mechanisms", "featurerr", "--eps-features", "2", "--sheets", sheets,
                                         "--sheet-pictures", 5, "-o", results)).stdout
        self.assertIn("unprotected", said)
        self.assertEqual(sorted(path.name for path in sheets.iterdir()),
                         ["00-originals.png", "01-none.png", "02-mean-picture.png", "03-random-features.png", "04-class.png",
                          "05-featurerr-eps-2.png"])
        strip = numpy.asarray(Image.open(sheets / "00-originals.png").convert("L"))
        self.assertEqual(strip.shape, (68, 5 * 68))
        for i, picture in enumerate(self.pictures[self.parts["private"]][:5]):
            numpy.testing.assert_array_equal(strip[0:64:8, 68 * i:68 * i + 64:8], picture)
        with open(results, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["mechanism"] for row in rows][:2], ["none", "mean-picture"])
        self.assertGreater(float(rows[0]["ssim"]), float(rows[1]["ssim"]))
        self.fails(2, *self.words("-o", results), says="exists already")
        self.json("report", results, "--images", sheets, "-o", self.scratch / "report")
        page = (self.scratch / "report" / "index.html").read_text()
        self.assertIn("05-featurerr-eps-2.png", page)
        self.assertIn("SSIM", page)

    def test_the_chain_ends_with_pictures(self):
        """Edges, then features, then pictures. Friends have the same class, so that edges tell of features, and these of pictures.
        The seed is fixed. A third of the features is known, three quarters of the edges are private."""
        part = self.parts["private"]
        pairs = numpy.array(homophilous_edges(self.classes[part], degree=6, homophily=.95)).T
        private = numpy.random.default_rng(4).random(pairs.shape[1]) < .75
        save_graph(self.scratch / "linked", embed(self.pictures)[part], self.classes[part], pairs, private)
        words = ("attack", "chain", self.scratch / "linked", "--mechanisms", "edgerr", "--eps-edges", "0.1", "--runs", 2, "--samples", 100,
                 "--epochs", 60, "--known", ".33")
        pictures = ("--pictures", self.scratch / "private.npy", "--public", self.scratch / "public", "--public-pictures",
                    self.scratch / "public.npy", "--picture-epochs", 10)
        answer = self.json(*words, *pictures, "-o", self.scratch / "chain.csv")
        rows = {row["mechanism"]: row for row in answer["rows"]}
        mean = lambda world, figure: rows[world][figure]["mean"]
        self.assertGreater(mean("none", "picture_over_mean"), .03)
        self.assertGreater(mean("none", "picture_rank"), .65)
        for floor in ("public-only", "edgerr", "guess"):
            self.assertGreater(mean("none", "picture_ssim"), mean(floor, "picture_ssim") + .02, floor)
        self.assertLess(abs(mean("guess", "picture_rank") - .5), .15)
        with open(self.scratch / "chain.csv", newline="") as file:
            first = next(csv.DictReader(file))
        self.assertIn("8 pixels:400 public:10:16", first["inference"])
        said = self.succeeds(*words, *pictures, "-o", self.scratch / "chain.csv").stdout  # goes on where it was: nothing to do
        self.assertIn("pictures: SSIM", said)
        self.assertIsNone(self.json(*words)["rows"][0]["picture_ssim"]["mean"])
        self.fails(2, *words, *pictures[:2], says="--pictures and --public must be given together")
        numpy.save(self.scratch / "public.npy", numpy.zeros((N_PUBLIC, 16, 16), numpy.uint8))
        self.fails(3, *words, *pictures, says="public pictures have 16 pixels per side")

    def test_what_can_be_wrong(self):
        self.fails(2, *self.words("--mechanisms", "nonsense"), says="no feature mechanism 'nonsense'")
        self.fails(2, *self.words("--mechanisms", "none"), says="protects nothing")
        self.fails(2, "attack", "reconstruct", self.scratch / "private", "--pictures", self.scratch / "private.npy",
                   "--public", self.scratch / "public", says="must be given together")
        self.fails(3, "attack", "reconstruct", self.scratch / "private", "--pictures", self.scratch / "public.npy",
                   says="contains 400 pictures, but the graph has 100 nodes")
        self.fails(2, *self.words("--side", 16), says="8 pixels per side")
        numpy.save(self.scratch / "private.npy", numpy.zeros((N_PRIVATE, 8, 9), numpy.uint8))
        self.fails(3, *self.words(), says="n x side x side")
        numpy.save(self.scratch / "private.npy", numpy.zeros((N_PRIVATE, 9, 9), numpy.uint8))
        numpy.save(self.scratch / "public.npy", numpy.zeros((N_PUBLIC, 9, 9), numpy.uint8))
        self.fails(2, *self.words(), says="cannot be reconstructed")
        numpy.save(self.scratch / "public.npy", numpy.zeros((N_PUBLIC, 8, 8), numpy.uint8))
        self.fails(3, *self.words(), says="public pictures have 8 x 8 pixels")
        self.fails(3, "attack", "reconstruct", self.scratch / "public", "--pictures", self.scratch / "public.npy",
                   "--known", "0.01", says="public pictures, but the attack needs at least 20")


if __name__ == "__main__":
    unittest.main()
