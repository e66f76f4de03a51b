#!/usr/bin/env python3
"""Writes small networks for Tengen's evaluator `onnx`, with random weights of a fixed seed.

    python3 -m venv venv && venv/bin/pip install onnx
    venv/bin/python tests/data/onnx/make.py                 # the files of the tests, beside this script
    venv/bin/python tests/data/onnx/make.py --speed FOLDER  # the network of the manual's figures, for 9x9

They know nothing of Go. `any_size.onnx` takes boards of every size; `five.onnx` has fully
connected heads, for 5x5 alone. Written with onnx 1.23.2 and numpy 2.4.6.
"""

import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

PLANES = 6


class Network:
    """Nodes and weights of a graph as they are added."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes = []
        self.weights = []

    def weight(self, name, shape, scale):
        values = self.random.normal(0.0, scale, shape).astype(np.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def node(self, kind, inputs, output, **attributes):
        name = f"{kind}.{output}"  # rten confuses a node with a value of its name
        self.nodes.append(helper.make_node(kind, inputs, [output], name=name, **attributes))
        return output

    def convolution(self, name, x, inside, outside, width=3):
        scale = (2.0 / (inside * width * width)) ** 0.5
        inputs = [
            x,
            self.weight(name + ".weight", [outside, inside, width, width], scale),
            self.weight(name + ".bias", [outside], 0.1),
        ]
        return self.node("Conv", inputs, name, kernel_shape=[width, width], pads=[width // 2] * 4)

    def linear(self, name, x, inside, outside):
        inputs = [
            x,
            self.weight(name + ".weight", [outside, inside], inside**-0.5),
            self.weight(name + ".bias", [outside], 0.1),
        ]
        return self.node("Gemm", inputs, name, transB=1)

    def relu(self, x):
        return self.node("Relu", [x], x + ".relu")

    def tower(self, channels, blocks):
        x = self.relu(self.convolution("first", "planes", PLANES, channels))
        for block in range(blocks):
            name = f"block{block}"
            y = self.relu(self.convolution(name + ".a", x, channels, channels))
            y = self.convolution(name + ".b", y, channels, channels)
            x = self.relu(self.node("Add", [x, y], name))
        return x

    def save(self, path, side, moves):
        def tensor(name, shape):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

        height, width = (side, side) if side else ("height", "width")
        graph = helper.make_graph(
            self.nodes,
            path.stem,
            [tensor("planes", ["batch", PLANES, height, width])],
            [tensor("policy", ["batch", moves]), tensor("value", ["batch", 1])],
            self.weights,
        )
        opset = [helper.make_opsetid("", 17)]
        model = helper.make_model(graph, producer_name="tengen", opset_imports=opset, ir_version=8)
        checker.check_model(model)
        save(model, path)
        print(path, path.stat().st_size, "bytes")


def any_size(path, channels, blocks):
    """Heads of convolutions and means over the board: any size."""
    net = Network(1)
    x = net.tower(channels, blocks)
    logits = net.convolution("points.logits", x, channels, 1, width=1)
    points = net.node("Flatten", [logits], "points", axis=1)
    mean = net.node("Flatten", [net.node("GlobalAveragePool", [x], "mean")], "features", axis=1)
    net.node("Concat", [points, net.linear("pass", mean, channels, 1)], "policy", axis=1)
    hidden = net.relu(net.linear("hidden", mean, channels, 8))
    net.node("Tanh", [net.linear("value.linear", hidden, 8, 1)], "value")
    net.save(path, None, "moves")


def one_size(path, side, channels, blocks, hidden):
    """Fully connected heads, as AlphaZero has them: one size."""
    net = Network(2)
    x = net.tower(channels, blocks)
    points = side * side
    y = net.relu(net.convolution("policy.planes", x, channels, 2, width=1))
    y = net.node("Flatten", [y], "policy.flat", axis=1)
    net.linear("policy", y, 2 * points, points + 1)
    y = net.relu(net.convolution("value.planes", x, channels, 1, width=1))
    y = net.node("Flatten", [y], "value.flat", axis=1)
    y = net.relu(net.linear("value.hidden", y, points, hidden))
    net.node("Tanh", [net.linear("value.linear", y, hidden, 1)], "value")
    net.save(path, side, points + 1)


if len(sys.argv) == 3 and sys.argv[1] == "--speed":
    one_size(Path(sys.argv[2]) / "nine.onnx", side=9, channels=16, blocks=2, hidden=32)
else:
    here = Path(__file__).parent
    any_size(here / "any_size.onnx", channels=4, blocks=1)
    one_size(here / "five.onnx", side=5, channels=4, blocks=1, hidden=8)
