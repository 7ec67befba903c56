"""What the tests of vision share: ONNX Runtime, networks with real weights and photographs, fetched into the build directory
(HETERORR_VISION) by the ordinary npm client; and small networks that are made on the spot. Where something is missing, the
test says so and is skipped."""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "cli"))
from command import skip_all
from npm import install

try:
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from PIL import Image
except ImportError as missing:
    skip_all(f"{missing}; install python3-numpy, python3-onnx and python3-pil")

HOME = pathlib.Path(os.environ.get("HETERORR_VISION") or os.path.join(tempfile.gettempdir(), "heterorr-vision"))


def runtime():
    """The directory of ONNX Runtime's library, which the command is told by its environment."""
    done = subprocess.run([ROOT / "tools" / "onnxruntime", HOME / "runtime"], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        skip_all(done.stderr.strip()[-300:])
    os.environ["HETERORR_ONNXRUNTIME"] = str(HOME / "runtime")
    return HOME / "runtime"


def libvips():
    """libvips, or nothing is tested."""
    import ctypes
    try:
        ctypes.CDLL("libvips.so.42")
    except OSError as missing:
        skip_all(f"{missing}; install libvips42")


def packages():
    """node_modules with the packages of npm/package.json."""
    return install(HERE / "npm", "retinaface", home=HOME / "npm") / "node_modules"


def save_network(path, nodes, inputs, outputs, constants=()):
    """An ONNX file; inputs and outputs are (name, shape), a text in a shape being an open dimension."""
    info = lambda pairs: [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in pairs]
    graph = helper.make_graph(nodes, "small", info(inputs), info(outputs),
                              [numpy_helper.from_array(value, name) for name, value in constants])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 12)])
    model.ir_version = 7
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    return path


def pixel_network(path, side=8, batch="N", channels_last=False):
    """The features are the pixels themselves."""
    shape = [batch, side, side, 3] if channels_last else [batch, 3, side, side]
    nodes = [helper.make_node("Flatten", ["pixels"], ["features"])]
    return save_network(path, nodes, [("pixels", shape)], [("features", [batch, 3 * side * side])])


PIXELS = '{"size": 8, "fit": "stretch", "scale": 0.00392156862745098, "mean": 0, "std": 1}'


def pixels_of(z, side=8):
    """Rows of features of pixel_network as pictures: n x side x side x 3, from 0 to 255."""
    return numpy.asarray(z).reshape(len(z), 3, side, side).transpose(0, 2, 3, 1) * 255


def save(path, array, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(array).save(path, **options)
    return path
