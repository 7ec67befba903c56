"""MobileNet-v2 of npm nsfwjs (224 x 224 pixels, 1,280 pooled features, MIT licence) as an ONNX file, made from the Keras model that the package has as TFJS shards;
and the same network a second time, in NumPy, to compare with.

The package wraps its files in JavaScript, which Node unwraps. Weights are bytes: value = byte * scale + min. Layers keep their Keras names in the ONNX file,
so that a profile can name any of them as its output. Nothing is folded together: a layer there is a layer here."""
import base64
import json
import subprocess

from fetched import helper, numpy, save_network

# Pictures as nsfwjs gives them to the network, and its last layer before the classifier.
PROFILE = {"size": 224, "fit": "stretch", "scale": 1 / 255, "mean": 0, "std": 1, "output": "flatten_1", "features": 1280}
# Its sixth block on a grid of 4 x 4: 32 numbers for each place.
PLACES = {**PROFILE, "output": "places", "features": 512}


class BadNetwork(ValueError):
    """The files are not a network that this converter knows."""


def read(package, name="mobilenet_v2"):
    """The model's JSON and the bytes of its shards."""
    where = package / "dist" / "models" / name
    shards = sorted(where.glob("group1-shard*.min.js"))
    script = "console.log(JSON.stringify(process.argv.slice(1).map(f => require(f))))"
    done = subprocess.run(["node", "-e", script, where / "model.min.js", *shards], capture_output=True, check=True)
    model, *texts = json.loads(done.stdout)
    return model, b"".join(base64.b64decode(text) for text in texts)


def weights(model, data):
    tensors, at = {}, 0
    for weight in [w for group in model["weightsManifest"] for w in group["weights"]]:
        size = int(numpy.prod(weight["shape"]))
        packed = weight.get("quantization", {"dtype": "float32", "scale": 1.0, "min": 0.0})
        if size < 0 or at + size * numpy.dtype(packed["dtype"]).itemsize > len(data):
            raise BadNetwork(f"{weight['name']}: the shards end before it does")
        values = numpy.frombuffer(data, packed["dtype"], size, at)
        at += values.nbytes
        tensors[weight["name"]] = (values * packed["scale"] + packed["min"]).reshape(weight["shape"]).astype(numpy.float32)
    if at != len(data):
        raise BadNetwork(f"the shards have {len(data)} bytes, the manifest describes {at}")
    return tensors


def layers(model, last):
    """(class, name, settings, names of inputs) in order, up to the layer `last`."""
    listed = []
    for layer in model["modelTopology"]["model_config"]["config"]["layers"]:
        inputs = [node[0] for node in (layer["inbound_nodes"] or [[]])[0]]
        known = {name for _, name, _, _ in listed}
        if not known.issuperset(inputs):
            raise BadNetwork(f"{layer['name']}: its inputs {inputs} do not come before it")
        listed.append((layer["class_name"], layer["name"], layer["config"], inputs))
        if layer["name"] == last:
            return listed
    raise BadNetwork(f"there is no layer {last}")


def padding(settings):
    """Zeros at top, left, bottom, right of a convolution."""
    if settings["padding"] == "valid":
        return [0, 0, 0, 0]
    if settings["strides"] != [1, 1]:
        raise BadNetwork("padding 'same' with strides is not known")
    high, wide = settings["kernel_size"]
    return [(high - 1) // 2, (wide - 1) // 2, high // 2, wide // 2]


# ---- ONNX ------------------------------------------------------------------------------------------------------------------------


def save_keras_network(path, model, data, last="flatten_1", watch=False, pool=None):
    """watch: a second output, `layers`: means over the picture of every layer's channels, side by side. pool: a second output, `places`: means
    over squares of so many places of the last layer, so that features keep where in the picture something is."""
    tensors, nodes, constants = weights(model, data), [], []

    def add(kind, inputs, name, values=(), **attributes):
        named = [(f"{name}/{i}", value) for i, value in enumerate(values)]
        constants.extend(named)
        nodes.append(helper.make_node(kind, [*inputs, *(n for n, _ in named)], [name], **attributes))

    for kind, name, settings, inputs in layers(model, last):
        of = lambda part: tensors[f"{name}/{part}"]
        if kind == "InputLayer":
            nodes.append(helper.make_node("Identity", ["pixels"], [name]))
        elif kind == "ZeroPadding2D":
            (top, bottom), (left, right) = settings["padding"]
            add("Pad", inputs, name, [numpy.array([0, 0, top, left, 0, 0, bottom, right], numpy.int64)])
        elif kind == "Conv2D":
            add("Conv", inputs, name, [of("kernel").transpose(3, 2, 0, 1)], strides=settings["strides"], pads=padding(settings))
        elif kind == "DepthwiseConv2D":
            kernel = of("depthwise_kernel").transpose(2, 3, 0, 1)
            add("Conv", inputs, name, [kernel], strides=settings["strides"], pads=padding(settings), group=len(kernel))
        elif kind == "BatchNormalization":
            add("BatchNormalization", inputs, name, [of(part) for part in ("gamma", "beta", "moving_mean", "moving_variance")],
                epsilon=settings["epsilon"])
        elif kind == "ReLU":
            add("Clip", inputs, name, [numpy.float32(0), numpy.float32(settings["max_value"])])
        elif kind == "Add":
            add("Add", inputs, name)
        elif kind == "AveragePooling2D":
            add("AveragePool", inputs, name, kernel_shape=settings["pool_size"], strides=settings["strides"])
        elif kind == "Flatten":  # of 1 x 1 places, where the order of axes does not matter
            add("Flatten", inputs, name)
        else:
            raise BadNetwork(f"{name}: layers of class {kind} are not known")
    outputs = [(last, ["N", "features"] if kind == "Flatten" else ["N", "channels", "rows", "columns"])]
    if pool:
        add("AveragePool", [last], "pooled", kernel_shape=[pool, pool], strides=[pool, pool])
        add("Flatten", ["pooled"], "places")
        outputs.append(("places", ["N", "features"]))
    if watch:
        watched = [name for kind, name, _, _ in layers(model, last) if kind != "Flatten"]
        nodes += [helper.make_node("ReduceMean", [name], [name + "/mean"], axes=[2, 3], keepdims=0) for name in watched]
        nodes.append(helper.make_node("Concat", [name + "/mean" for name in watched], ["layers"], axis=1))
        outputs.append(("layers", ["N", "means"]))
    return save_network(path, nodes, [("pixels", ["N", 3, 224, 224])], outputs, constants)


# ---- NumPy -----------------------------------------------------------------------------------------------------------------------


def run(model, data, pictures, last="flatten_1"):
    """The output of every layer by name, n x height x width x channels, in double precision. pictures: from 0 to 255."""
    tensors, seen = weights(model, data), {}

    def windows(x, size, strides):
        return numpy.lib.stride_tricks.sliding_window_view(x, tuple(size), axis=(1, 2))[:, ::strides[0], ::strides[1]]

    def padded(x, settings):
        top, left, bottom, right = padding(settings)
        return numpy.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)))

    for kind, name, settings, inputs in layers(model, last):
        x = [seen[i] for i in inputs]
        of = lambda part: tensors[f"{name}/{part}"].astype(float)
        if kind == "InputLayer":
            y = numpy.asarray(pictures, float) / 255
        elif kind == "ZeroPadding2D":
            y = numpy.pad(x[0], ((0, 0), *settings["padding"], (0, 0)))
        elif kind == "Conv2D":
            y = numpy.tensordot(windows(padded(x[0], settings), settings["kernel_size"], settings["strides"]), of("kernel"),
                                axes=([3, 4, 5], [2, 0, 1]))
        elif kind == "DepthwiseConv2D":
            seen_through = windows(padded(x[0], settings), settings["kernel_size"], settings["strides"])
            y = numpy.einsum("nhwcij,ijc->nhwc", seen_through, of("depthwise_kernel")[..., 0])
        elif kind == "BatchNormalization":
            y = (x[0] - of("moving_mean")) / numpy.sqrt(of("moving_variance") + settings["epsilon"]) * of("gamma") + of("beta")
        elif kind == "ReLU":
            y = numpy.clip(x[0], 0, settings["max_value"])
        elif kind == "Add":
            y = x[0] + x[1]
        elif kind == "AveragePooling2D":
            y = windows(x[0], settings["pool_size"], settings["strides"]).mean(axis=(4, 5))
        else:
            y = x[0].reshape(len(x[0]), -1)
        seen[name] = y
    return seen
