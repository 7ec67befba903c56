"""numpy's generator as the peer of bench_random: one JSON object a line.

Raw bytes from PCG64 (fast, not cryptographic) and discrete Laplace noise the usual way, as the
difference of two geometric variables drawn in floating point (not exact)."""
import json
import math
import time

import numpy as np

REPETITIONS = 7


def best(work):
    seconds = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


rng = np.random.default_rng(1)
n_bytes = 64 << 20
print(json.dumps({"name": "numpy.bytes", "value": n_bytes / best(lambda: rng.bytes(n_bytes)),
                  "unit": "bytes/s"}))
n_draws = 2_000_000
for eps in (1.0, 0.5, 0.123456789):
    p = 1 - math.exp(-eps)

    def draw():
        return rng.geometric(p, n_draws) - rng.geometric(p, n_draws)

    noise = draw()
    a = math.exp(-eps)
    expected = 2 * a / (1 - a) ** 2
    assert abs(noise.var() / expected - 1) < 0.02, "not the discrete Laplace"
    print(json.dumps({"name": f"numpy.laplace_eps_{eps:g}", "value": n_draws / best(draw),
                      "unit": "draws/s"}))
