"""A network of ResNet-50's shape with random weights: 53 convolutions, 2,048 pooled features, 1,000 class scores. It is no ResNet-50: nobody trained it. The names of its tensors
are those of torchvision's exports, where normalisation is folded into convolutions. And the same network in NumPy."""
from fetched import helper, numpy, save_network

BLOCKS = [3, 4, 6, 3]


def layers(seed=1):
    """(name, weights, bias, stride) of every convolution, in order, and the last layer's weights."""
    draw = numpy.random.default_rng(seed)

    def convolution(name, before, after, size, stride):
        scale = (1.5 / (before * size * size)) ** .5
        return name, (draw.standard_normal((after, before, size, size), numpy.float32) * numpy.float32(scale)), \
            draw.standard_normal(after, numpy.float32) * numpy.float32(.1), stride

    listed, channels = [convolution("stem", 3, 64, 7, 2)], 64
    for stage, n in enumerate(BLOCKS):
        width = 64 << stage
        for block in range(n):
            stride, name = (2 if stage and block == 0 else 1), f"layer{stage + 1}.{block}"
            listed += [convolution(f"{name}.1", channels, width, 1, 1), convolution(f"{name}.2", width, width, 3, stride),
                       convolution(f"{name}.3", width, 4 * width, 1, 1)]
            if block == 0:
                listed.append(convolution(f"{name}.short", channels, 4 * width, 1, stride))
            channels = 4 * width
    return {name: rest for name, *rest in listed}, draw.standard_normal((2048, 1000), numpy.float32) / numpy.float32(45)


def forward(convolve, pool, add, relu, x):
    """The shape itself, whatever does the work."""
    x = pool(relu(convolve("stem", x)))
    for stage, n in enumerate(BLOCKS):
        for block in range(n):
            name = f"layer{stage + 1}.{block}"
            y = convolve(f"{name}.3", relu(convolve(f"{name}.2", relu(convolve(f"{name}.1", x)))))
            x = relu(add(y, convolve(f"{name}.short", x) if block == 0 else x))
    return x


def save_resnet_shape(path, seed=1):
    listed, last = layers(seed)
    nodes, constants = [], [("fc", last)]

    def node(kind, inputs, **settings):
        nodes.append(helper.make_node(kind, inputs, [f"t{len(nodes)}"], **settings))
        return nodes[-1].output[0]

    def convolve(name, x):
        weights, bias, stride = listed[name]
        constants.extend([(name + ".w", weights), (name + ".b", bias)])
        return node("Conv", [x, name + ".w", name + ".b"], strides=[stride] * 2, pads=[weights.shape[2] // 2] * 4)

    x = forward(convolve, lambda x: node("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4),
                lambda x, y: node("Add", [x, y]), lambda x: node("Relu", [x]), "input")
    nodes += [helper.make_node("GlobalAveragePool", [x], ["mean"]), helper.make_node("Flatten", ["mean"], ["/Flatten_output_0"]),
              helper.make_node("MatMul", ["/Flatten_output_0", "fc"], ["output"])]
    return save_network(path, nodes, [("input", ["N", 3, 224, 224])], [("output", ["N", 1000])], constants)


def run(picture, seed=1):
    """The 2,048 pooled features of a picture of 256 x 256 x 3 bytes, as torchvision's weights want it: the middle, 0 to 1, normalised."""
    listed, _ = layers(seed)
    x = picture[16:240, 16:240].astype(numpy.float32) / 255
    x = ((x - [.485, .456, .406]) / [.229, .224, .225]).transpose(2, 0, 1).astype(numpy.float32)

    def windows(x, size, stride, fill):
        edge = size // 2
        x = numpy.pad(x, ((0, 0), (edge, edge), (edge, edge)), constant_values=fill)
        return numpy.lib.stride_tricks.sliding_window_view(x, (size, size), axis=(1, 2))[:, ::stride, ::stride]

    def convolve(name, x):
        weights, bias, stride = listed[name]
        return numpy.einsum("chwij,ocij->ohw", windows(x, weights.shape[2], stride, 0), weights, optimize=True) + bias[:, None, None]

    x = forward(convolve, lambda x: windows(x, 3, 2, -numpy.inf).max(axis=(3, 4)), numpy.add, lambda x: numpy.maximum(x, 0), x)
    return x.mean(axis=(1, 2))
