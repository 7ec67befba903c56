"""Public directions against numpy: principal components by eigh and svd, centre and bounds of a
sample, and the directions of a head."""
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("SKIPPED: numpy is not installed for", sys.executable)
    sys.exit(77)

DUMP = os.environ["HRR_DUMP_PROJECTION"]


def dump(what, path, r, lo, hi):
    done = subprocess.run([DUMP, what, path, str(r), str(lo), str(hi)], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return np.frombuffer(done.stdout)


def same_directions(ours, theirs):
    """Up to sign, which ours fixes: the largest component is positive."""
    assert ours.shape == theirs.shape
    for mine, other in zip(ours, theirs):
        assert mine[np.argmax(np.abs(mine))] > 0
        assert abs(abs(mine @ other) - 1) < 1e-9, mine @ other
    assert np.abs(ours @ ours.T - np.eye(len(ours))).max() < 1e-12


def check_sample(folder, rows, d, r, lo, hi, seed):
    rng = np.random.default_rng(seed)
    # Variances fall geometrically, so that every component is well apart from the next.
    basis = np.linalg.qr(rng.normal(size=(d, d)))[0]
    sample = (rng.normal(size=(rows, d)) * .3 * .8 ** np.arange(d)) @ basis
    sample = (lo + (hi - lo) * (.5 + sample)).astype(np.float32)
    path = folder / "sample.npy"
    np.save(path, sample)
    unit = np.clip((sample.astype(float) - lo) / (hi - lo), 0, 1)
    mean = unit.mean(0)
    centred = unit - mean
    value, vector = np.linalg.eigh(centred.T @ centred)
    by_eigh = vector[:, np.argsort(-value)[:r]].T
    by_svd = np.linalg.svd(centred, full_matrices=False)[2][:r]
    got = dump("pca", path, r, lo, hi)
    directions = got[:r * d].reshape(r, d)
    same_directions(directions, by_eigh)
    same_directions(directions, by_svd)
    centre, low, high = np.split(got[r * d:], [d, d + r])
    assert np.abs(centre - mean).max() < 1e-12
    coordinates = centred @ directions.T
    least, most = coordinates.min(0), coordinates.max(0)
    corner_low = np.minimum(-directions * mean, directions * (1 - mean)).sum(1)
    corner_high = np.maximum(-directions * mean, directions * (1 - mean)).sum(1)
    margin = .05 * (most - least)
    assert np.abs(low - np.maximum(least - margin, corner_low)).max() < 1e-9
    assert np.abs(high - np.minimum(most + margin, corner_high)).max() < 1e-9


def check_head(folder, d, classes, hidden, r, seed):
    rng = np.random.default_rng(seed)
    head = {"weight": rng.normal(size=(hidden or d, classes)), "bias": np.zeros(classes)}
    if hidden:
        head |= {"hidden_weight": rng.normal(size=(d, hidden)), "hidden_bias": np.zeros(hidden)}
    path = folder / "head.npz"
    np.savez(path, **head)
    first = head["hidden_weight"] if hidden else head["weight"]
    columns = 3 * first.T  # bounds -1 and 2
    if not hidden:
        columns = columns - columns.mean(0)
    wanted = np.linalg.svd(columns, full_matrices=False)[2]
    wanted = wanted[:r or (hidden or classes - 1)]
    same_directions(dump("head", path, r, -1, 2).reshape(-1, d), wanted)


def main():
    with tempfile.TemporaryDirectory(prefix="heterorr-projection-") as name:
        folder = pathlib.Path(name)
        for case in ((200, 12, 12, 0, 1), (200, 12, 3, -2, 5), (9, 40, 5, 0, 1), (40, 40, 7, 0, 1),
                     (2, 3, 1, 0, 1), (50, 1, 1, 0, 1)):
            check_sample(folder, *case, seed=sum(case[:3]))
        for case in ((20, 5, 0, 0), (20, 5, 0, 2), (20, 3, 8, 0), (20, 3, 8, 4), (6, 2, 0, 1)):
            check_head(folder, *case, seed=sum(case))
    print("directions, centres and bounds agree with numpy")


main()
