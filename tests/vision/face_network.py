"""The face network of @vladmandic/face-api (128 numbers a face, after dlib's; MIT licence) as an ONNX file, made from the weights of the
npm package; and the same network a second time, in NumPy, to compare with.

Most weights are bytes: value = byte * scale + min, as the package's manifest says; the others are float32. A layer is a convolution, a bias, and a scale and shift of each
channel, which the ONNX file folds into the convolution and the NumPy version does not. A block is two layers beside a shortcut; a block
that halves the picture averages the shortcut, and fills up with zeros what its two layers are short of: channels or a row and a column."""
import json

from fetched import helper, numpy, save_network

BLOCKS = ["conv32_1", "conv32_2", "conv32_3", "conv64_down", "conv64_1", "conv64_2", "conv64_3", "conv128_down", "conv128_1", "conv128_2",
          "conv256_down", "conv256_1", "conv256_2", "conv256_down_out"]
SIDE = 150
# Pictures as the network was trained on them.
PROFILE = {"size": SIDE, "fit": "stretch", "scale": 1, "mean": [122.782, 117.001, 104.298], "std": 255, "features": 128}


def weights(package):
    manifest = json.loads((package / "model" / "face_recognition_model-weights_manifest.json").read_text())
    data = (package / "model" / "face_recognition_model.bin").read_bytes()
    tensors, at = {}, 0
    for weight in manifest[0]["weights"]:
        size = int(numpy.prod(weight["shape"]))
        packed = weight.get("quantization", {"dtype": "float32", "scale": 1.0, "min": 0.0})
        values = numpy.frombuffer(data, packed["dtype"], size, at)
        at += values.nbytes
        tensors[weight["name"]] = (values * packed["scale"] + packed["min"]).reshape(weight["shape"])
    assert at == len(data), "the manifest describes another file"
    return tensors


def layer(tensors, name):
    """Filters (height, width, in, out), bias, scale and shift."""
    return [tensors[f"{name}/{part}"] for part in ("conv/filters", "conv/bias", "scale/weights", "scale/biases")]


def save_face_network(path, package):
    tensors, nodes, constants = weights(package), [], []

    def convolve(x, name, stride, relu):
        filters, bias, scale, shift = layer(tensors, name)
        constants.append((name + ".w", (filters * scale).transpose(3, 2, 0, 1).astype(numpy.float32)))
        constants.append((name + ".b", (bias * scale + shift).astype(numpy.float32)))
        pad = 0 if stride == 2 else filters.shape[0] // 2
        nodes.append(helper.make_node("Conv", [x, name + ".w", name + ".b"], [name], strides=[stride] * 2, pads=[pad] * 4))
        if not relu:
            return name
        nodes.append(helper.make_node("Relu", [name], [name + ".relu"]))
        return name + ".relu"

    x, side, channels = convolve("face", "conv32_down", 2, True), 72, 32
    nodes.append(helper.make_node("MaxPool", [x], ["pooled"], kernel_shape=[3, 3], strides=[2, 2]))
    x, side = "pooled", 35
    for block in BLOCKS:
        down = "down" in block
        out = convolve(convolve(x, f"{block}/conv1", 2 if down else 1, True), f"{block}/conv2", 1, False)
        if down:
            nodes.append(helper.make_node("AveragePool", [x], [block + ".short"], kernel_shape=[2, 2], strides=[2, 2]))
            x = block + ".short"
            more = layer(tensors, f"{block}/conv2")[0].shape[3] - channels
            short = side // 2 - ((side - 3) // 2 + 1)
            for what, pads in ((x, [0, 0, 0, 0, 0, more, 0, 0]), (out, [0, 0, 0, 0, 0, 0, short, short])):
                constants.append((what + ".pads", numpy.array(pads, numpy.int64)))
                nodes.append(helper.make_node("Pad", [what, what + ".pads"], [what + ".padded"]))
            x, out, side, channels = x + ".padded", out + ".padded", side // 2, channels + more
        nodes.append(helper.make_node("Add", [x, out], [block + ".sum"]))
        nodes.append(helper.make_node("Relu", [block + ".sum"], [block]))
        x = block
    constants.append(("fc", tensors["fc"].astype(numpy.float32)))
    nodes += [helper.make_node("GlobalAveragePool", [x], ["mean"]), helper.make_node("Flatten", ["mean"], ["flat"]),
              helper.make_node("MatMul", ["flat", "fc"], ["descriptor"])]
    return save_network(path, nodes, [("face", ["N", 3, SIDE, SIDE])], [("descriptor", ["N", 128])], constants)


def run(package, pictures):
    """The same in NumPy, in double precision: the output of every block, n x height x width x channels, and the descriptor."""
    tensors = weights(package)

    def windows(x, size, stride):
        seen = numpy.lib.stride_tricks.sliding_window_view(x, (size, size), axis=(1, 2))[:, ::stride, ::stride]
        return seen  # n, rows, cols, channels, size, size

    def convolve(x, name, stride):
        filters, bias, scale, shift = layer(tensors, name)
        size = filters.shape[0]
        if stride == 1:
            x = numpy.pad(x, ((0, 0), (size // 2,) * 2, (size // 2,) * 2, (0, 0)))
        out = numpy.tensordot(windows(x, size, stride), filters, axes=([3, 4, 5], [2, 0, 1]))
        return (out + bias) * scale + shift

    relu = lambda x: numpy.maximum(x, 0)
    x = (numpy.asarray(pictures, float) - [122.782, 117.001, 104.298]) / 255
    x = windows(relu(convolve(x, "conv32_down", 2)), 3, 2).max(axis=(4, 5))
    seen = {"pooled": x}
    for block in BLOCKS:
        down = "down" in block
        out = convolve(relu(convolve(x, f"{block}/conv1", 2 if down else 1)), f"{block}/conv2", 1)
        if down:
            x = windows(x, 2, 2).mean(axis=(4, 5))
            whole = numpy.zeros((*x.shape[:3], out.shape[3]))
            whole[..., :x.shape[3]] += x
            whole[:, :out.shape[1], :out.shape[2]] += out
            x = relu(whole)
        else:
            x = relu(x + out)
        seen[block] = x
    return seen, x.mean(axis=(1, 2)) @ tensors["fc"]
