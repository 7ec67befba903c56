"""Results files with known content, for the tests of reports: the columns of the real ones, values
from a fixed seed."""
import csv
import math
import random


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    return path


UTILITY = ["version", "graph", "treatment", "feature_mechanism", "edge_mechanism", "tree",
           "propagate", "eps_features", "eps_edges", "private_fraction", "arch", "run", "seed",
           "status", "test_accuracy", "test_f1_micro", "test_f1_macro", "test_auc"]


def utility(path, budgets=(0.1, 0.5, 1, 2, 4), fractions=("0.3", "0.9"), runs=5,
            mechanisms=("edgerr", "edgerr-node", "lapgraph-private", "edgerand-private"),
            version="0.1.0"):
    """Mechanisms that rise with the budget at their own speed, and four controls."""
    rnd = random.Random(1)
    rows = []

    def add(treatment, features, edges, eps_f, eps_e, fraction, run, mean):
        accuracy = round(mean + rnd.gauss(0, 0.008), 6)
        rows.append([version, "cora", treatment, features, edges,
                     "public" if edges == "edgerr" else "", 0, eps_f, eps_e, fraction,
                     "mlp" if edges == "mlp" else "gcn", run, 100 + run, "ok", accuracy, accuracy,
                     round(accuracy - 0.02, 6), round(min(accuracy + 0.1, 1), 6)])

    for run in range(runs):
        add("non-private", "none", "none", 0, 0, "any", run, 0.88)
        add("mlp", "none", "mlp", 0, 0, "any", run, 0.72)
        add("featfree", "featfree", "none", 0, 0, "any", run, 0.81)
        for fraction in fractions:
            lost = 0.05 if fraction == "0.3" else 0.1
            add("public-only", "none", "public-only", 0, 0, fraction, run, 0.88 - lost)
            for i, mechanism in enumerate(mechanisms):
                for eps in budgets:
                    mean = 0.86 - lost * (1 + i % 7) * 0.6 / (1 + eps)
                    add(mechanism, "none", mechanism, 0, eps, fraction, run, mean)
    return write(path, UTILITY, rows)


def both(path, runs=4):
    """Two budgets that vary."""
    rnd = random.Random(2)
    rows = []
    for run in range(runs):
        for name, level in (("non-private", 0.88), ("mlp", 0.7)):
            rows.append([name, "", "", "", run, round(level + rnd.gauss(0, 0.01), 6)])
        for eps_f in (0.1, 1, 4, 9):
            for eps_e in (0.1, 0.5, 1, 2):
                mean = 0.55 + 0.15 * eps_f / (1 + eps_f) + 0.12 * eps_e / (0.5 + eps_e)
                rows.append(["featurerr+edgerr", "0.9", eps_f, eps_e, run,
                             round(mean + rnd.gauss(0, 0.01), 6)])
    return write(path, ["mechanism", "private_fraction", "eps_features", "eps_edges", "run",
                        "test_accuracy"], rows)


QUERIES = ["nodes", "edges", "triangles", "mean_degree", "degree_variance", "degree_kl", "diameter", "mean_path",
           "distance_kl", "gcc", "acc", "nmi", "modularity", "assortativity", "evc_mae"]


def pgb(path, published, graphs=("CA-HepPh", "Facebook"), mechanisms=("edgerr", "lapgraph", "edgerr-node"), runs=3):
    """Runs on two graphs and one that nobody has published, and published values; some are 0, some are missing."""
    rnd = random.Random(2)
    budgets = ("0.5", "1")
    rows = [[graph, query, m, eps, run, "nan" if (query, m, run) == ("mean_path", "lapgraph", 2) else
             0 if query == "nodes" or (query, m) == ("diameter", "edgerr") else round(rnd.random(), 4)]
            for graph in (*graphs, "own") for query in QUERIES for m in mechanisms for eps in budgets
            for run in range(1, runs + 1)]
    theirs = [[graph, query, m, eps, 0 if (query, m) == ("diameter", "DGG") else round(.7 * rnd.random(), 4)]
              for graph in graphs for query in QUERIES if (graph, query) != ("Facebook", "modularity")
              for m in ("DGG", "DP1K", "TmF") for eps in (*budgets, "5")]
    write(published, ["graph", "query", "mechanism", "eps", "value"], theirs)
    return write(path, ["graph", "query", "mechanism", "eps", "run", "value"], rows)


def attacks(path):
    rnd = random.Random(3)
    rows = []
    for run in range(3):
        rows.append(["cora", "linkteller", "all", "non-private", "inf", run,
                     round(0.91 + rnd.gauss(0, 0.01), 6)])
        for mechanism, gain in (("edgerr", 0.01), ("lapgraph", 0.06)):
            for eps in (0.1, 0.5, 1, 2, 4):
                rows.append(["cora", "linkteller", "all", mechanism, eps, run,
                             round(0.51 + gain * eps + rnd.gauss(0, 0.006), 6)])
    return write(path, ["graph", "attack", "setting", "mechanism", "eps_edges", "run", "auc"], rows)


def roc(path):
    """Curves y = x^a: their AUC is 1 / (1 + a)."""
    rows = []
    for run in range(3):
        for mechanism, eps, power in (("non-private", "inf", 0.1), ("edgerr", 1, 0.9),
                                      ("lapgraph", 1, 0.7), ("edgerr", 4, 0.8),
                                      ("lapgraph", 4, 0.5)):
            a = power * (1 + 0.1 * run)
            for k in range(51):
                x = k / 50
                rows.append(["cora", "linkteller", mechanism, eps, run, x,
                             round(math.pow(x, a), 6)])
    return write(path, ["graph", "attack", "mechanism", "eps_edges", "run", "fpr", "tpr"], rows)


def chain(path):
    """Of what `attack chain -o` writes, all that a report reads."""
    rnd = random.Random(4)
    rows = []
    for run in range(3):
        worlds = [("none", "", 0.95, 0.4), ("public-only", "", 0.62, 0.3), ("guess", "", 0.5, 0.25)]
        worlds += [("edgerr", eps, 0.6 + 0.02 * eps, 0.3 + 0.01 * eps) for eps in (0.5, 1, 2, 4)]
        for name, eps, auc, r2 in worlds:
            rows.append(["0.1.0", "cora", name, eps, run, run + 1, round(auc + rnd.gauss(0, 0.01), 6), 0.1, 0.1,
                         round(r2 + rnd.gauss(0, 0.01), 6), 0.5, "", 0.8])
    return write(path, ["version", "graph", "edge_mechanism", "eps_edges", "run", "seed", "link_auc",
                        "link_average_precision", "link_precision_at_k", "attribute_r2",
                        "attribute_cosine", "attribute_auc", "accuracy"], rows)
