"""A rank is killed (SIGKILL) at instants spread over mpirun heterorr protect, each rank in turn.

Afterwards no rank is alive; there is no bundle, unless rank 0 had put the whole one in its place before; what was drawn
was charged; and the same command works. HRR_KILLS: how many instants; a few by default."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import mpi

HETERORR = os.environ["HETERORR"]
N_RANKS = 3
N_KILLS = int(os.environ.get("HRR_KILLS", "3" if "HETERORR_SANITIZED" in os.environ else "6"))


def heterorr(*words):
    return subprocess.run([HETERORR, *map(str, words)], text=True, capture_output=True, env=mpi.environment(),
                          stdin=subprocess.DEVNULL)


def states(ledger):
    if not ledger.exists():
        return []
    return [charge["state"] for charge in json.loads(heterorr("ledger", "show", "--ledger", ledger, "--json").stdout)["charges"]]


def is_alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Run:
    """One run of three ranks, of which one may be killed."""

    def __init__(self, place, words):
        self.place = place
        self.process = subprocess.Popen(list(map(str, mpi.command(N_RANKS, words))), env=mpi.environment(),
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        self.ranks = {}
        while len(self.ranks) < N_RANKS and self.process.poll() is None:
            self.ranks = mpi.ranks_of(self.process.pid)
        self.began = time.monotonic()

    def kill_after(self, seconds, rank):
        """Whether something was drawn before, as far as can be seen from outside; None: the run ended before."""
        time.sleep(max(0, self.began + seconds - time.monotonic()))
        drawn = any(path.stat().st_size > 0 for path in self.place.glob(".bundle*/features.npy"))
        if self.process.poll() is not None or not is_alive(self.ranks[rank]):
            return None
        os.kill(self.ranks[rank], signal.SIGKILL)
        return drawn

    def end(self):
        """The seconds since it began. A rank that waits for the disk outlives mpirun, and the signal that ends it, by a moment."""
        self.process.communicate(timeout=60)
        deadline = time.monotonic() + 30
        while any(map(is_alive, self.ranks.values())) and time.monotonic() < deadline:
            time.sleep(0.02)
        return time.monotonic() - self.began


def check_after(place, ledger, before, drawn, run):
    """What is wrong with what the killed run left, and the kind of its end."""
    alive = [process for process in run.ranks.values() if is_alive(process)]
    after = states(ledger)
    if alive:
        return f"ranks {alive} are alive", ""
    if len(after) - len(before) not in (0, 1) or after[:len(before)] != before:
        return f"the ledger went from {before} to {after}", ""
    if drawn and len(after) == len(before):
        return "something was drawn and not charged", ""
    if not (place / "bundle").exists():
        return "", "nothing charged" if len(after) == len(before) else "charged"
    verified = heterorr("verify", place / "bundle")
    if verified.returncode != 0 or len(after) == len(before):
        return f"a bundle was published that is not whole or not charged: {verified.stdout}{verified.stderr}", ""
    return "", "whole bundle"


def main():
    ends, faults, swept, slowest = {}, [], 0, 0
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        graph, ledger, bundle = place / "graph", place / "ledger.sqlite", place / "bundle"
        made = heterorr("generate", "--nodes", 60000, "--avg-degree", 6, "--features", 24, "--classes", 3,
                        "--private-fraction", "0.4", "--seed", 5, "-o", graph)
        assert made.returncode == 0, made.stderr
        words = [HETERORR, "protect", graph, "-o", bundle, "--eps-features", "1", "--feature-mechanism", "gaussian",
                 "--delta", "1e-6", "--eps-edges", "1", "--edge-mechanism", "edgerr-node", "--blocks", "communities",
                 "--ledger", ledger, "--force"]
        whole = Run(place, words)
        seconds = whole.end()
        assert states(ledger) == ["released"], whole.process.returncode
        for i in range(N_KILLS):
            subprocess.run(["rm", "-rf", str(bundle)], check=True)
            before = states(ledger)
            run = Run(place, words)
            drawn = run.kill_after(seconds * (i + 1) / (N_KILLS + 1), i % N_RANKS)
            killed = time.monotonic()
            run.end()
            slowest = max(slowest, time.monotonic() - killed)
            fault, end = check_after(place, ledger, before, drawn, run)
            end = "ended before" if drawn is None else end
            ends[end] = ends.get(end, 0) + 1
            swept += not list(place.glob(".bundle*"))
            if fault:
                faults.append(f"instant {i + 1} of {N_KILLS}, rank {i % N_RANKS}: {fault}")
        again = Run(place, words)
        again.end()
        if again.process.returncode != 0 or states(ledger)[-1] != "released":
            faults.append("the same command does not work after the others were killed")
    print(f"{N_KILLS} instants over {seconds:.1f} s, {N_RANKS} ranks in turn: {ends}; no staging directory after {swept}; "
          f"all stopped after at most {slowest:.1f} s")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    mpi.need_mpi()
    sys.exit(main())
