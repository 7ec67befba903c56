#!/usr/bin/env python3
"""examples/attacks.py HETERORR DATA OUT [TABLE...]: the tables of docs/attacks.md, each as a CSV file in OUT.

DATA holds planetoid/cora.npz and twitch/ (ES, RU, FR and ENGB as MUSAE ships them). Without names all tables are made:
twitch returns links verdicts counts chain_cora chain_twitch chain_flickr chain_cora90 release. They take some 25 minutes
of processor time; HETERORR_QUICK=1 takes few nodes and epochs, to see that it works.
"""
import csv
import json
import os
import pathlib
import subprocess
import sys

HETERORR, DATA, OUT = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
QUICK = os.environ.get("HETERORR_QUICK") == "1"
CORA, TWITCH = DATA / "planetoid" / "cora.npz", DATA / "twitch"
SOME = ("--private-fraction", ".3")
FEW = {"--runs": "2", "--samples": "200", "--epochs": "2", "--trials": "200", "--nodes": "400", "--features": "32"}


def run(*words):
    """The one object that the command prints with --json."""
    words = [few if QUICK and (few := FEW.get(before)) else str(word) for before, word in zip((None, *words), words)]
    done = subprocess.run([HETERORR, *words, "--json"], stdout=subprocess.PIPE,
                          env=dict(os.environ, XDG_DATA_HOME=str(OUT / "ledger")))
    if done.returncode:
        sys.exit(f"attacks.py: {' '.join(words)}: exit code {done.returncode}")
    return json.loads(done.stdout)


def write(name, rows):
    with open(OUT / f"attack_{name}.csv", "w", newline="") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows({key: f"{x:.6g}" if isinstance(x, float) else x for key, x in row.items()} for row in rows)


def pick(answer, *names):
    return {name: answer[name] for name in names}


def judged(answer):
    """How LinkTeller stands beside public knowledge."""
    return {**pick(answer, "auc", "average_precision"), "public_auc": answer["public_auc"],
            "with_guess": answer["with_public"]["guess"], "guess_auc": answer["with_public"]["public_auc"],
            "together_auc": answer["with_public"]["auc"], "excess": answer["with_public"]["excess"],
            "excess_half_width": answer["with_public"]["excess_half_width"], "verdict": answer["verdict"]}


def train(graph, name, *words):
    model = OUT / "models" / name
    run("train", graph, "-o", model, "--force", *words)
    return model


def protect(name, mechanism, *words):
    """Cora with its edges released; features are public."""
    bundle = OUT / "models" / f"{name}-bundle"
    run("protect", CORA, *SOME, "-o", bundle, "--feature-mechanism", "none", "--edge-mechanism", mechanism, *words,
        "--force")
    return bundle


def open_cora():
    return train(CORA, "cora", *SOME, "--non-private")


def twitch():
    model = train(TWITCH / "ES", "es", "--hidden", "256", "--patience", "0", "--aggregation", "first-order",
                  "--standardise", "--split", "1,0")
    names = ("auc", "auc_deviation", "average_precision", "precision_at_k", "recall_at_k", "nodes", "positives",
             "public_auc", "verdict")
    write("twitch", [{"graph": country, "pool": pool, **pick(
        run("attack", "linkteller", model, TWITCH / country, "--all-edges", "--pool", pool), *names)}
        for country in ("RU", "FR", "ENGB") for pool in ("all", "low", "high")])


def returns():
    model = open_cora()
    write("returns", [{"returns": what, **judged(run("attack", "linkteller", model, CORA, *SOME, "--returns", what))}
                      for what in ("logits", "probabilities", "rounded", "labels")])


def links():
    write("links", run("attack", "links", open_cora(), CORA, *SOME)["rows"])


def verdicts():
    rows = []
    for name, words in (("public-only", ()), ("edgerr", ("--eps-edges", "1")), ("edgerr-node", ("--eps-edges", "1")),
                        ("edgerand-private", ("--eps-edges", "6"))):
        bundle = protect(name, name, *words)
        model = train(bundle, name)
        rows += [{"edge_mechanism": name, "eps_edges": words[-1] if words else "", "returns": what,
                  **judged(run("attack", "linkteller", model, bundle, "--truth", CORA, *SOME, "--returns", what))}
                 for what in ("logits", "rounded")]
    write("verdicts", rows)


def counts():
    rows = []
    for eps in ("0.5", "1", "2", "4"):
        bundle = protect(f"node-{eps}", "edgerr-node", "--eps-edges", eps)
        model = train(bundle, f"node-{eps}")
        for how in ("auto", "ignore"):
            found = run("attack", "links", model, bundle, "--truth", CORA, *SOME, "--runs", "10", "--counts", how)
            rows += [{"eps_edges": eps, "counts": how, **row} for row in found["rows"]
                     if row["attack"] in ("linkteller", "lsa2-post", "trained")]
    write("counts", rows)


def chain(name, graph, *words):
    """Every run, with a name for the graph that says how it was marked."""
    file = OUT / "models" / f"chain-{name}.csv"
    run("attack", "chain", graph, "--eps-edges", "0.1,0.5,1", *words, "-o", file, "--force")
    with open(file, newline="") as found:
        write(f"chain_{name}", [{**row, "graph": name} for row in csv.DictReader(found)])


def chain_cora():
    chain("cora", CORA, *SOME, "--runs", "10", "--samples", "1000")


def chain_twitch():
    chain("twitch", TWITCH / "RU", *SOME, "--runs", "5", "--samples", "1000", "--aggregation", "first-order", "--epochs",
          "100")


def chain_flickr():
    shaped = OUT / "models" / "flickr-shaped"
    run("generate", "--nodes", "14445", "--avg-degree", "10", "--features", "2048", "--classes", "5",
        "--private-fraction", ".305", "--seed", "1", "-o", shaped, "--force")
    chain("flickr", shaped, "--runs", "5", "--samples", "2000", "--standardise", "--hidden", "32",
          "--epochs", "30")


def chain_cora90():
    chain("cora90", CORA, "--private-fraction", ".9", "--runs", "5", "--samples", "1000")


def release():
    small = OUT / "models" / "small"
    run("generate", "--nodes", "300", "--avg-degree", "6", "--private-fraction", ".3", "-o", small, "--force")
    found = []
    for name, *words in (("cora", CORA, *SOME, "--mechanisms", "edgerr,edgerr-node"),
                         ("generated", small, "--mechanisms", "edgerand-private"),
                         ("generated", small, "--tree", "barker")):
        answer = run("attack", "release", *words, "--eps-edges", "0.1,0.5,1,2", "--runs", "1")
        found += [{"graph": name, **row} for row in answer["rows"]]
    write("release", found)


TABLES = {table.__name__: table for table in (
    twitch, returns, links, verdicts, counts, chain_cora, chain_twitch, chain_flickr, chain_cora90, release)}

if __name__ == "__main__":
    wanted = sys.argv[4:] or list(TABLES)
    for name in wanted:
        if name not in TABLES:
            sys.exit(f"attacks.py: there is no table '{name}'; choose of {' '.join(TABLES)}")
    (OUT / "models").mkdir(parents=True, exist_ok=True)
    for name in wanted:
        print(f"{name} ...", file=sys.stderr, flush=True)
        TABLES[name]()
