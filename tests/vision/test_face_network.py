"""A network with real weights: the converter, layer by layer against a second implementation; whether it knows faces; and what masking a
face does to what it says."""
import csv
import json
import unittest

import fetched
from fetched import Image, numpy, save
from command import CommandTest

fetched.libvips()
fetched.runtime()
PACKAGES = fetched.packages()
import face_network  # after what it needs was found

FACE_API = PACKAGES / "@vladmandic" / "face-api"
DETECTOR = PACKAGES / "retinaface" / "mnet.25_v2.onnx"


class FaceNetwork(CommandTest):
    def setUp(self):
        super().setUp()
        self.model = face_network.save_face_network(self.scratch / "face.onnx", FACE_API)
        self.faces = self.scratch / "faces"
        self.profile()

    def profile(self, **members):
        (self.scratch / "face.json").write_text(json.dumps({**face_network.PROFILE, **members}))

    def embed(self, *words):
        self.succeeds("embed", self.faces, "-o", self.scratch / "g", "--force", "--model", self.model, *words)
        return numpy.load(self.scratch / "g" / "z.npy")

    def heads(self):
        """The faces of the demo's photographs: name, picture, box."""
        self.succeeds("embed", *(FACE_API / "demo" / f"sample{i}.jpg" for i in range(1, 7)), "-o", self.scratch / "found", "--model", DETECTOR,
                      "--profile", self.write("p.json", '{"size": 640, "fit": "pad", "output": "conv_3_dw_relu"}'), "--faces", DETECTOR)
        with open(self.scratch / "found" / "boxes.csv", newline="") as file:
            return [(row["picture"], [float(row[side]) for side in ("left", "top", "right", "bottom")]) for row in csv.DictReader(file)]

    def write(self, name, text):
        (self.scratch / name).write_text(text)
        return self.scratch / name

    def test_every_layer_is_that_of_a_second_implementation(self):
        draw = numpy.random.default_rng(5)
        pictures = numpy.stack([draw.integers(0, 256, (150, 150, 3), dtype=numpy.uint8),
                                numpy.asarray(Image.fromarray(draw.integers(0, 256, (9, 9, 3), dtype=numpy.uint8)).resize((150, 150)))])
        for i, picture in enumerate(pictures):
            save(self.faces / f"{i}.png", picture)
        seen, descriptor = face_network.run(FACE_API, pictures)
        numpy.testing.assert_allclose(self.embed(), descriptor, rtol=1e-3, atol=1e-4 * numpy.abs(descriptor).max())
        for tensor, maps in seen.items():  # the command averages maps over the picture
            self.profile(output=tensor, features=maps.shape[3])
            expected = maps.mean(axis=(1, 2))
            numpy.testing.assert_allclose(self.embed(), expected, rtol=1e-3, atol=1e-4 * numpy.abs(expected).max(), err_msg=tensor)

    def test_masking_a_face_changes_more_than_masking_beside_it(self):
        """Heads with as much around them: the face masked, and a box of the same size in the corner that has least of it."""
        faces, corners = ["picture,left,top,right,bottom"], ["picture,left,top,right,bottom"]
        for i, (name, (left, top, right, bottom)) in enumerate(self.heads()):
            width, height = right - left, bottom - top
            with Image.open(FACE_API / "demo" / name) as photo:
                x0, y0 = max(0, int(left - width)), max(0, int(top - height))
                head = photo.crop((x0, y0, min(photo.width, int(right + width)), min(photo.height, int(bottom + height))))
            save(self.faces / f"{i:02}.png", numpy.asarray(head))
            faces.append(f"{i:02}.png,{left - x0},{top - y0},{right - x0},{bottom - y0}")
            x, y = (0 if left - x0 > head.width - (right - x0) else head.width - width), (0 if top - y0 > head.height - (bottom - y0) else head.height - height)
            corners.append(f"{i:02}.png,{x},{y},{x + width},{y + height}")
        changes = []
        for rows in (faces, corners):
            z = self.embed("--regions", self.write("r.csv", "\n".join(rows) + "\n"), "--margin", 0)
            changes.append(numpy.linalg.norm(z - numpy.load(self.scratch / "g" / "zhat.npy"), axis=1))
        more = (changes[0] > changes[1]).sum()
        print(f"masking the face changes the descriptor more than masking beside it in {more} of {len(changes[0])} heads; "
              f"mean change {changes[0].mean():.3f} and {changes[1].mean():.3f}")
        # If the place did not matter, 18 or more of 22 would come with probability 0.0022.
        self.assertGreaterEqual(more / len(changes[0]), 18 / 22)

    def test_a_face_is_nearer_to_itself_than_to_others(self):
        n = 0
        for i, (name, (left, top, right, bottom)) in enumerate(self.heads()):
            with Image.open(FACE_API / "demo" / name) as photo:
                for j, (shift, light) in enumerate(((0, 1.0), (6, 0.8))):
                    face = photo.crop([int(v) + shift for v in (left, top, right, bottom)]).point(lambda v: int(v * light))
                    save(self.faces / f"{i:02}-{j}.png", numpy.asarray(face))
            n += 1
        z = self.embed()
        distance = numpy.linalg.norm(z[0::2, None] - z[None, 1::2], axis=2)
        nearest = (distance.argmin(axis=1) == numpy.arange(n)).sum()
        print(f"the shifted, darker copy is the nearest of {n} for {nearest} faces")
        self.assertGreaterEqual(nearest / n, 0.9)


if __name__ == "__main__":
    unittest.main()
