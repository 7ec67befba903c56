"""The peers of bench/run vision, in processor time, on one thread.

    peer_vision.py make DIR N               photographs of scikit-image, 1,600 x 1,200 pixels, as JPEG
    peer_vision.py network MODEL            of ResNet-50's shape with random weights
    peer_vision.py data FILE N D SIDE       features, and pictures that follow from them
    peer_vision.py decode pillow|pillow-draft|skimage SIDE FILE..
    peer_vision.py decoder DATA N D SIDE STEPS        the layers of learn/decoder.h in PyTorch
"""
import json
import sys
import time

import numpy


def tell(name, **values):
    print(json.dumps({"name": name, **values}))


def make(folder, n):
    import skimage.data
    from PIL import Image
    pictures = [Image.fromarray(getattr(skimage.data, name)()) for name in ("astronaut", "chelsea", "coffee", "rocket")]
    for i in range(int(n)):
        pictures[i % 4].resize((1600, 1200), Image.BICUBIC).save(f"{folder}/{i:03}.jpg", quality=90)


def network(path):
    import pathlib
    tests = pathlib.Path(__file__).resolve().parent.parent / "tests"
    sys.path[:0] = [str(tests / "vision"), str(tests / "cli")]
    import resnet_shape
    resnet_shape.save_resnet_shape(pathlib.Path(path))


def data(path, n, d, side):
    draw, n, d, side = numpy.random.default_rng(1), int(n), int(d), int(side)
    x = draw.normal(size=(n, d)).astype(numpy.float32)
    y = 1 / (1 + numpy.exp(-x @ draw.normal(size=(d, 3 * side * side)) / d ** .5))
    with open(path, "wb") as file:
        file.write(x.tobytes() + y.astype(numpy.float32).tobytes())


def decode(how, side, files):
    side, total = int(side), 0
    if how == "skimage":
        from skimage import io, transform
    else:
        from PIL import Image
    began = time.process_time()
    for file in files:
        if how == "skimage":
            small = transform.resize(io.imread(file), (side, side), anti_aliasing=True, preserve_range=True)
        else:
            picture = Image.open(file)
            if how == "pillow-draft":  # decodes a smaller picture where JPEG can
                picture.draft("RGB", (side, side))
            small = numpy.asarray(picture.convert("RGB").resize((side, side), Image.BILINEAR))
        total += small.mean(dtype=float)
    tell(how, cpu=time.process_time() - began, mean=total / len(files))


def decoder(path, n, d, side, steps):
    import torch
    torch.set_num_threads(1)
    torch.manual_seed(1)
    n, d, side, steps, batch, width = int(n), int(d), int(side), int(steps), 32, 16
    data = numpy.fromfile(path, numpy.float32)
    x = torch.from_numpy(data[:n * d].reshape(n, d).copy())
    y = torch.from_numpy(data[n * d:].reshape(n, side, side, 3).copy()).permute(0, 3, 1, 2).contiguous()
    ups = (side // 4).bit_length() - 1
    widths = [width << (ups - 1 - i) for i in range(ups)] + [3]
    layers = [torch.nn.Linear(d, widths[0] * 16), torch.nn.ReLU(), torch.nn.Unflatten(1, (widths[0], 4, 4))]
    for before, after in zip(widths, widths[1:]):
        layers += [torch.nn.ConvTranspose2d(before, after, 4, stride=2, padding=1), torch.nn.ReLU()]
    for layer in layers:
        if isinstance(layer, (torch.nn.Linear, torch.nn.ConvTranspose2d)):
            entering = layer.weight.shape[1] if isinstance(layer, torch.nn.Linear) else 4 * layer.weight.shape[0]
            torch.nn.init.uniform_(layer.weight, -(6 / entering) ** .5, (6 / entering) ** .5)
            torch.nn.init.zeros_(layer.bias)
    torch.nn.init.zeros_(layers[-2].weight)
    network = torch.nn.Sequential(*layers[:-1])
    optimiser = torch.optim.Adam(network.parameters(), lr=.002)
    began = time.process_time()
    for step in range(steps):
        first = step * batch % (n - batch + 1) // batch * batch
        loss = torch.nn.functional.binary_cross_entropy_with_logits(network(x[first:first + batch]), y[first:first + batch])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    took = time.process_time() - began
    with torch.no_grad():
        error = ((torch.sigmoid(network(x[:batch])) - y[:batch]) ** 2).mean().item()
    tell("torch", cpu=took, error=error)


{"make": make, "network": network, "data": data, "decode": lambda how, side, *files: decode(how, side, files), "decoder": decoder}[sys.argv[1]](*sys.argv[2:])
