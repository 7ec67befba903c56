"""What bench/run scale measures: the cost of each step per edge and per node while graphs grow tenfold, and how far each
phase of `protect` is above the time that its bytes take at the speed of the disk and of memory, measured in the same run.

Time is processor time, which other work on the machine disturbs less than the clock. `protect --json` tells its phases by
the clock: each gets its share of the processor time.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

SIZES = [int(float(size)) for size in os.environ.get("HETERORR_SCALE_NODES", "1e4,1e5,1e6").split(",")]
DEGREE, FEATURES = 20, 16
PROTECT = ["--eps-features", "2", "--eps-edges", "1", "--feature-mechanism", "featurerr", "--insecure-seed", "1",
           "--threads", "1", "--json"]
MECHANISMS = {"edgerr": ["--edge-mechanism", "edgerr"],
              "edgerr-node": ["--edge-mechanism", "edgerr-node", "--blocks", "communities"]}


def run(*words):
    """The command's answer (None if it prints no JSON) and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stderr}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout) if done.stdout.startswith("{") else None, seconds


def memory_speed():
    """In a process of its own: a child's peak memory is never below its parent's."""
    return float(subprocess.run([sys.executable, __file__], check=True, capture_output=True, text=True).stdout)


def copy_speed():
    """Bytes a second of a copy: as many are read as written."""
    source, target = bytearray(1 << 27), memoryview(bytearray(1 << 27))
    best = 1e9
    for _ in range(5):
        began = time.process_time()
        target[:] = source
        best = min(best, time.process_time() - began)
    return len(source) / best


def disk_speed(place):
    """Bytes a second by the clock, written and synced, as every output is."""
    block, path = os.urandom(1 << 24), place / "speed"
    began = time.perf_counter()
    with open(path, "wb") as file:
        for _ in range(16):
            file.write(block)
        os.fsync(file.fileno())
    seconds = time.perf_counter() - began
    path.unlink()
    return 16 * len(block) / seconds


def size_of(directory, *beginnings):
    return sum(path.stat().st_size for path in pathlib.Path(directory).iterdir()
               if not beginnings or path.name.startswith(beginnings))


def limits(graph, bundle, memory, disk):
    """Phase of protect -> the least time for the bytes that it has to read and write."""
    edges_in, edges_out = size_of(graph, "edges", "private"), size_of(bundle, "edges")
    features_in, features_out = size_of(graph, "features"), size_of(bundle, "features")
    return {"load": edges_in / memory,
            "plan": edges_in / memory,  # public edges are read once, if nothing had to be found out from them
            "edges": (edges_in + edges_out) / memory,
            "features": (features_in + features_out) / memory,
            "write": size_of(bundle) / disk,
            "hash": size_of(bundle) / memory}


def measure(row, command, place, n_nodes, smaller, speeds):
    """Rows of one size. smaller: the figures of the size before, which this one's are compared with and replace."""
    graph, n_edges = place / "graph", n_nodes * DEGREE // 2
    size = f"{n_nodes:.0e}".replace("e+0", "e")
    told, seconds = run(command, "generate", "--nodes", n_nodes, "--avg-degree", DEGREE, "--features", FEATURES,
                        "--threads", "1", "--json", "--force", "-o", graph)
    if told["edges"] != n_edges:
        sys.exit(f"generate made {told['edges']} edges, not {n_edges}")

    def beside_smaller(name, cost, unit, what):
        before, smaller[name] = smaller.get(name, cost), cost
        return row(f"{name} {size}", cost, before, unit, f"itself, per {what}, one size smaller")

    def per_edge(name, seconds):
        return beside_smaller(name, 1e9 * seconds / n_edges, "ns", "edge")

    def per_node(name, peak):
        return beside_smaller(name, peak / n_nodes, "bytes", "node")

    yield per_edge("generate", seconds)
    yield per_node("generate_peak", told["peak_rss_bytes"])
    for mechanism, options in MECHANISMS.items():
        bundle = place / "bundle"
        told, seconds = run(command, "protect", graph, "--force", "-o", bundle, *PROTECT, *options)
        yield per_edge(f"protect_{mechanism}", seconds)
        yield per_node(f"protect_{mechanism}_peak", told["peak_rss_bytes"])
        clock = sum(told["phases"].values())
        least = limits(graph, bundle, *speeds)
        for phase, taken in told["phases"].items():
            if phase not in least:
                continue
            own = seconds * taken / clock
            yield per_edge(f"protect_{mechanism}_{phase}", own)
            waits = phase == "write"  # for the disk: the clock counts
            yield row(f"limit_{mechanism}_{phase} {size}", taken if waits else own, least[phase], "s",
                      "its bytes at full speed")
        _, seconds = run(command, "verify", bundle)
        yield per_edge(f"verify_{mechanism}", seconds)


def compare_reading(row, command, peer, place, n_nodes):
    """The same edge list as text, read by both; the peer's numbers must be ours."""
    graph, text = place / "graph", place / "edges.txt"
    run(command, "generate", "--nodes", n_nodes, "--avg-degree", DEGREE, "--features", "0", "--private-fraction", "0",
        "--force", "-o", graph)
    run(command, "convert", graph, "--to", "edges", "-o", place / "edges.csv", "--force")
    with open(place / "edges.csv") as source, open(text, "w") as target:  # igraph wants numbers and blanks alone
        next(source)
        for line in source:
            target.write(" ".join(line.split(",")[:2]).rstrip() + "\n")
    told, seconds = run(command, "inspect", text, "--threads", "1", "--json")
    answer, _ = run(*peer, text)
    if answer is None or answer["n_edges"] != told["edges"]:
        sys.exit(f"ours read {told['edges']} edges, the peer {answer}")
    yield row(f"read_edge_list {n_nodes:.0e}", seconds, answer["value"], "s", answer["name"])


def bench_scale(row, command, peer):
    with tempfile.TemporaryDirectory(prefix="heterorr-scale-", dir=os.environ.get("HETERORR_SCALE_DIR")) as scratch:
        place = pathlib.Path(scratch)
        speeds = memory_speed(), disk_speed(place)
        print(f"# memory {speeds[0] / 1e9:.1f} GB/s, disk {speeds[1] / 1e9:.2f} GB/s", file=sys.stderr)
        yield from compare_reading(row, command, peer, place, min(SIZES[-1], 100000))
        smaller = {}
        for n_nodes in SIZES:
            yield from measure(row, command, place, n_nodes, smaller, speeds)


if __name__ == "__main__":
    print(copy_speed())
