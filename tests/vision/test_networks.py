"""Networks as people have them: MobileNet-v2 with real weights, converted and compared layer by layer with a second implementation; the built-in profile on a network of ResNet-50's
shape; and the converter on damaged files."""
import json
import shutil
import unittest

import fetched
from fetched import Image, numpy, save
from command import CommandTest, skip_all
from npm import install

fetched.libvips()
fetched.runtime()
if not shutil.which("node"):
    skip_all("node is not installed")
import keras_network
import resnet_shape

NSFWJS = install(fetched.HERE / "npm_mobilenet", "nsfwjs", home=fetched.HOME / "mobilenet") / "node_modules" / "nsfwjs"


def smooth(side, seed):
    """A picture with large and small structure."""
    draw = numpy.random.default_rng(seed)
    coarse = Image.fromarray(draw.integers(0, 256, (9, 9, 3), dtype=numpy.uint8)).resize((side, side), Image.BICUBIC)
    return numpy.clip(numpy.asarray(coarse) + draw.normal(0, 12, (side, side, 3)), 0, 255).astype(numpy.uint8)


class Networks(CommandTest):
    def embed(self, model, *words):
        self.succeeds("embed", self.scratch / "photos", "-o", self.scratch / "g", "--force", "--model", model, *words)
        return numpy.load(self.scratch / "g" / "z.npy")

    def test_every_layer_of_mobilenet_is_that_of_a_second_implementation(self):
        model, data = keras_network.read(NSFWJS)
        save(self.scratch / "photos" / "a.png", smooth(224, 5))
        seen = keras_network.run(model, data, smooth(224, 5)[None])
        path = keras_network.save_keras_network(self.scratch / "mobilenet.onnx", model, data, watch=True)
        means = numpy.concatenate([maps.mean(axis=(1, 2)) for maps in seen.values() if maps.ndim == 4], axis=1)
        self.assertEqual(sum(maps.ndim == 4 for maps in seen.values()), 156)
        for output, expected in (("layers", means), ("flatten_1", seen["flatten_1"])):
            (self.scratch / "mobilenet.json").write_text(json.dumps({**keras_network.PROFILE, "output": output, "features": expected.shape[1]}))
            numpy.testing.assert_allclose(self.embed(path), expected, rtol=1e-3, atol=1e-4, err_msg=output)

    def test_the_profile_of_resnet50_fits_a_network_of_its_shape(self):
        picture = smooth(256, 6)  # no resizing: what is left is the crop, the scale and the order of channels
        save(self.scratch / "photos" / "a.png", picture)
        path = resnet_shape.save_resnet_shape(self.scratch / "shape.onnx")
        self.fails(3, "embed", self.scratch / "photos", "-o", self.scratch / "g", "--model", path, "--profile", "resnet50-torchvision", says="2048")
        (self.scratch / "shape.json").write_text('{"like": "resnet50-torchvision", "output": "/Flatten_output_0"}')
        z, expected = self.embed(path), resnet_shape.run(picture)
        self.assertEqual(z.shape, (1, 2048))
        numpy.testing.assert_allclose(z[0], expected, rtol=1e-3, atol=1e-4 * expected.max())
        self.assertGreater(expected.std() / expected.mean(), .1)  # features that differ

    def test_the_converter_refuses_what_it_does_not_know(self):
        model, data = keras_network.read(NSFWJS)
        draw = numpy.random.default_rng(7)
        for _ in range(40):
            damaged, cut = json.loads(json.dumps(model)), data
            own = damaged["modelTopology"]["model_config"]["config"]["layers"]
            at = int(draw.integers(1, 150))
            kind = int(draw.integers(4))
            if kind == 0:
                cut = data[:int(draw.integers(len(data)))]
            elif kind == 1:
                own[at]["class_name"] = "Lambda"
            elif kind == 2:
                del own[at]
            else:
                damaged["weightsManifest"][0]["weights"][at]["shape"][0] += int(draw.integers(1, 9))
            with self.assertRaises(keras_network.BadNetwork, msg=(kind, at)):
                keras_network.save_keras_network(self.scratch / "damaged.onnx", damaged, cut)
        self.assertFalse((self.scratch / "damaged.onnx").exists())


if __name__ == "__main__":
    unittest.main()
