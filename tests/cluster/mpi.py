"""How the tests of this directory start several processes: Open MPI on this machine, shared memory only."""
import os
import pathlib
import shutil
import subprocess
import sys

LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader",
          "--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "plm", "isolated",
          "--mca", "oob_tcp_if_include", "lo", "--bind-to", "none"]


def need_mpi():
    """Exit with 77 where the tests cannot run."""
    if not os.environ.get("HETERORR_MPI"):
        print("skipped: heterorr was built without MPI (libopenmpi-dev)")
        sys.exit(77)
    if not shutil.which("mpirun"):
        print("skipped: there is no mpirun (openmpi-bin)")
        sys.exit(77)


def environment(**more):
    """That of the caller, without what an mpirun around it may have set. Open MPI does not free all it takes, so
    that the leak checker of a sanitized build would blame it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "PMI_"))}
    kept["ASAN_OPTIONS"] = "detect_leaks=0"
    return {**kept, "OMP_NUM_THREADS": "1", **more}


def command(n, words):
    return [*LAUNCH, "-n", str(n), *map(str, words)]


def mpirun(n, *words, seconds=120, **more):
    """Run the words as n ranks to their end."""
    return subprocess.run(command(n, words), env=environment(**more), text=True, capture_output=True, timeout=seconds,
                          stdin=subprocess.DEVNULL)


def ranks_of(launcher):
    """{rank: process} of those that mpirun started."""
    found = {}
    try:
        children = pathlib.Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split()
        for child in children:
            for word in pathlib.Path(f"/proc/{child}/environ").read_bytes().split(b"\0"):
                if word.startswith(b"OMPI_COMM_WORLD_RANK="):
                    found[int(word.split(b"=")[1])] = int(child)
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found
