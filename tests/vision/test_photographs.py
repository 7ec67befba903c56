"""Faces in real photographs: found, masked, and what masking them does to a network with real weights.

Photographs: the demo of @vladmandic/face-api (groups) and python3-skimage (astronaut, and pictures without people). Where the faces
are was marked by eye: a point between the eyes and the mouth of each."""
import csv
import json
import pathlib
import shutil
import unittest

import fetched
from fetched import Image, numpy
from command import CommandTest, skip_all

try:
    import skimage
except ImportError as missing:
    skip_all(f"{missing}; install python3-skimage")

fetched.libvips()
fetched.runtime()
PACKAGES = fetched.packages()
DETECTOR = PACKAGES / "retinaface" / "mnet.25_v2.onnx"
SKIMAGE = pathlib.Path(skimage.__file__).parent / "data"

# In parts of 480 of the width and 320 of the height.
FACES = {
    "sample1.jpg": [(126, 122), (235, 137), (390, 90)],
    "sample2.jpg": [(108, 72), (247, 85), (388, 72)],
    "sample3.jpg": [(170, 118), (288, 92), (398, 112)],
    "sample4.jpg": [(88, 75), (187, 47), (266, 67), (332, 62)],
    "sample5.jpg": [(214, 47), (292, 77), (170, 128), (372, 122), (118, 238)],
    "sample6.jpg": [(97, 135), (193, 100), (313, 85), (397, 82)],
    "astronaut.png": [(211, 74)],
}
NOBODY = ["chelsea.png", "coffee.png", "rocket.jpg", "motorcycle_left.png", "coins.png", "grass.png", "gravel.png", "brick.png",
          "moon.png", "page.png", "text.png", "hubble_deep_field.jpg", "retina.jpg", "ihc.png", "clock_motion.png", "cell.png"]
# A real network of 32 features without training of our own: the detector's own third layer, averaged over the picture.
PROFILE = {"size": 640, "fit": "pad", "scale": 1, "mean": 0, "std": 1, "output": "conv_3_dw_relu"}


class Photographs(CommandTest):
    def setUp(self):
        super().setUp()
        self.photos = self.scratch / "photos"
        self.photos.mkdir()
        (self.scratch / "p.json").write_text(json.dumps(PROFILE))

    def embed(self, *words):
        said = self.json("embed", self.photos, "-o", self.scratch / "g", "--force", "--model", DETECTOR, "--profile", self.scratch / "p.json", *words)
        boxes = {}
        with open(self.scratch / "g" / "boxes.csv", newline="") as file:
            for row in csv.DictReader(file):
                boxes.setdefault(row["picture"], []).append([float(row[side]) for side in ("left", "top", "right", "bottom")])
        return said, boxes

    def take(self, names):
        for name in names:
            source = PACKAGES / "@vladmandic" / "face-api" / "demo" / name
            shutil.copy(source if source.exists() else SKIMAGE / name, self.photos)

    def test_every_face_is_found_and_nothing_else(self):
        self.take([*FACES, *NOBODY])
        said, boxes = self.embed("--faces", DETECTOR)
        found = wrong = 0
        for name in [*FACES, *NOBODY]:
            with Image.open(self.photos / name) as picture:
                width, height = picture.size
            points = [(x / 480 * width, y / 320 * height) for x, y in FACES.get(name, [])]
            for left, top, right, bottom in boxes.get(name, []):
                inside = [p for p in points if left < p[0] < right and top < p[1] < bottom]
                found += len(inside) == 1
                wrong += len(inside) != 1
        faces = sum(map(len, FACES.values()))
        print(f"faces: recall {found}/{faces}, precision {found}/{found + wrong}, on {len(FACES) + len(NOBODY)} photographs")
        self.assertGreaterEqual(found / faces, 0.95)
        self.assertGreaterEqual(found / (found + wrong), 0.95)
        self.assertEqual(said["boxes"], found + wrong)

    def test_a_pasted_face_is_found_where_it_was_pasted(self):
        """The box is known to the pixel: a face that was found in one photograph, pasted into another at other places and sizes."""
        self.take(["astronaut.png"])
        face = self.embed("--faces", DETECTOR)[1]["astronaut.png"][0]
        head = [int(face[0]) - 30, int(face[1]) - 40, int(face[2]) + 30, int(face[3]) + 30]
        cut = Image.open(self.photos / "astronaut.png").convert("RGB").crop(head)
        truth = {}
        for i, (x, y, scale) in enumerate([(10, 20, 1), (300, 150, 0.7), (150, 60, 1.3), (20, 10, 1.8)]):
            scene = Image.open(SKIMAGE / "coffee.png").convert("RGB")
            scene.paste(cut.resize((int(cut.width * scale), int(cut.height * scale)), Image.BICUBIC), (x, y))
            scene.save(self.photos / f"paste{i}.png")
            truth[f"paste{i}.png"] = [x + (face[0] - head[0]) * scale, y + (face[1] - head[1]) * scale,
                                      x + (face[2] - head[0]) * scale, y + (face[3] - head[1]) * scale]
        boxes = self.embed("--faces", DETECTOR)[1]
        for name, t in truth.items():
            self.assertEqual(len(boxes.get(name, [])), 1, name)
            b = boxes[name][0]
            common = max(0, min(t[2], b[2]) - max(t[0], b[0])) * max(0, min(t[3], b[3]) - max(t[1], b[1]))
            both = (t[2] - t[0]) * (t[3] - t[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common
            self.assertGreater(common / both, 0.7, name)

    def test_masked_faces_are_found_no_more(self):
        self.take(FACES)
        look = self.scratch / "look"
        first = self.embed("--faces", DETECTOR, "--masked-pictures", look)[0]
        shutil.rmtree(self.photos)
        shutil.copytree(look, self.photos)
        again = self.embed("--faces", DETECTOR)[0]
        self.assertGreaterEqual(first["boxes"], 22)
        self.assertLessEqual(again["boxes"], 1)

    def test_masking_a_face_changes_features_and_a_picture_without_one_has_none(self):
        self.take([*FACES, "coffee.png", "coins.png"])
        said, boxes = self.embed("--faces", DETECTOR)
        z, zhat = (numpy.load(self.scratch / "g" / f"{name}.npy") for name in ("z", "zhat"))
        with open(self.scratch / "g" / "ids.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        change = dict(zip((row["picture"] for row in rows), numpy.abs(z - zhat).max(axis=1)))
        for row in rows:
            self.assertEqual(change[row["picture"]] > 0, int(row["boxes"]) > 0, row["picture"])
        numpy.save(self.scratch / "y.npy", numpy.array([int(row["picture"] in FACES) for row in rows]))
        self.succeeds("scores", "--embeddings", self.scratch / "g" / "z.npy", "--masked", self.scratch / "g" / "zhat.npy",
                      "--labels", self.scratch / "y.npy", "--public", "-o", self.scratch / "s.npz")
        beta = numpy.load(self.scratch / "s.npz")["beta"]
        self.assertAlmostEqual(beta.sum(), 1, places=6)
        self.assertGreater(beta.max(), 1.5 / len(beta))  # some features are more sensitive than others


if __name__ == "__main__":
    unittest.main()
