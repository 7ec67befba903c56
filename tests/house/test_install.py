"""What `make install` puts down can be used: headers, both libraries, pkg-config, CMake, the command.

Takes the build directory as its argument; installs into a scratch directory, builds
examples/count_private.c against it in three ways and every other example in one, and runs them.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "count_private.c"
EDGES = "src,dst,private\n0,1,1\n1,2,0\n2,0,1\n"
EXPECTED = "2 of 3 edges are private\n"


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(program, edges, **more):
    said = run(program, edges, **more)
    if said != EXPECTED:
        sys.exit(f"{program} said {said!r}, not {EXPECTED!r}")


def main(build, sanitized):
    flags = ["-fsanitize=address,undefined"] if sanitized else []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        prefix = scratch / "prefix"
        edges = scratch / "edges.csv"
        edges.write_text(EDGES)
        run("cmake", "--install", build, "--prefix", prefix)
        library = next(prefix.glob("lib*/**/libheterorr.a")).parent
        found = dict(os.environ, PKG_CONFIG_PATH=str(library / "pkgconfig"))

        shared = run("pkg-config", "--cflags", "--libs", "heterorr", env=found).split()
        run("cc", *flags, EXAMPLE, *shared, "-o", scratch / "shared")
        expect(scratch / "shared", edges, env=dict(os.environ, LD_LIBRARY_PATH=str(library)))

        static = run("pkg-config", "--static", "--cflags", "--libs", "heterorr",
                     env=found).split()
        static = [str(library / "libheterorr.a") if word == "-lheterorr" else word for word in static]
        run("cc", *flags, EXAMPLE, *static, "-o", scratch / "static")
        expect(scratch / "static", edges)

        project = scratch / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.22)\nproject(example C)\nfind_package(heterorr REQUIRED)\n"
            f'add_executable(example "{EXAMPLE}")\ntarget_link_libraries(example heterorr::heterorr)\n')
        run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_C_FLAGS={' '.join(flags)}")
        run("cmake", "--build", project / "build")
        expect(project / "build" / "example", edges)

        def example(name, *arguments):
            run("cc", "-Wall", "-Wextra", "-Werror", *flags, EXAMPLE.parent / f"{name}.c", *shared, "-o",
                scratch / name)
            built.add(f"{name}.c")
            return run(scratch / name, *arguments, env=dict(os.environ, LD_LIBRARY_PATH=str(library),
                                                            XDG_DATA_HOME=str(scratch / "data")))

        built = {EXAMPLE.name}
        run(prefix / "bin" / "heterorr", "generate", "--nodes", "500", "-o", scratch / "graph")
        said = example("protect_graph", scratch / "graph", scratch / "released")
        if not said.startswith("private\n") or "eps" not in said:
            sys.exit(f"protect_graph said {said!r}")
        pairs = scratch / "pairs.csv"
        pairs.write_text("source,target,private\n" +
                         "".join(f"{i},{i + 1},{i % 2}\n" for i in range(50)))
        refused = subprocess.run([scratch / "protect_graph", pairs, scratch / "pairs"],
                                 env=dict(os.environ, LD_LIBRARY_PATH=str(library)),
                                 capture_output=True, text=True)
        if (refused.returncode != 1 or 'add the word "nodes"' not in refused.stderr or
                "`declared_public` lacks HRR_PUBLIC_NODES" not in refused.stderr):
            sys.exit(f"protect_graph said {refused!r}")
        said = example("protect_graph", pairs, scratch / "pairs", "nodes")
        if not said.startswith("private\n"):
            sys.exit(f"protect_graph said {said!r} of a marked edge list")
        bare = scratch / "bare.csv"
        bare.write_text("".join(f"{i},{i + 1}\n" for i in range(50)))
        said = run(scratch / "static", bare)
        if said != "nothing says which of 50 edges are private\n":
            sys.exit(f"count_private said {said!r} of an edge list without marks")
        said = example("attack_a_bundle", scratch / "released", scratch / "graph")
        if not re.fullmatch(r"AUC 0\.\d+, of a guess from public data 0\.\d+: (leaks|undecided|public-knowledge)\n", said):
            sys.exit(f"attack_a_bundle said {said!r}")
        run(prefix / "bin" / "heterorr", "generate", "--nodes", "400", "-o", scratch / "another")
        said = example("protect_and_train", scratch / "another")
        if not re.search(r"^eps_f = 4 .*\ntest accuracy 0\.\d+$", said, re.S):
            sys.exit(f"protect_and_train said {said!r}")
        (scratch / "graph" / "private.npy").unlink()  # now nothing says which edges are private
        said = example("protect_graph", scratch / "graph", scratch / "features-only", "edges")
        if not said.startswith("private\n") or "every edge is published as it is" not in said:
            sys.exit(f"protect_graph said {said!r} of a graph whose edges are declared public")
        said = example("train_on_release", scratch / "released")
        if not re.search(r"^test accuracy [01]\.\d{3} with edges, [01]\.\d{3} without$", said, re.M):
            sys.exit(f"train_on_release said {said!r}")
        said = example("from_arrays", scratch / "ring")
        if not said.startswith("eps_f = 1 ") or not (scratch / "ring" / "certificate.json").exists():
            sys.exit(f"from_arrays said {said!r}")
        said = example("own_noise", 1000)
        if sum(map(int, re.findall(r"^\d: (\d+) answers, noisy total -?\d+$", said, re.M))) != 1000:
            sys.exit(f"own_noise said {said!r}")
        said = example("arrow_tables", scratch / "another")
        if not re.fullmatch(r"\d+ edges and 16 features a node came back\n", said):
            sys.exit(f"arrow_tables said {said!r}")
        said = example("report_ceiling", scratch / "another", ".2", "1")
        if not re.fullmatch(r"(eps [12]: [\d.]+ % right for nothing, [\d.]+ % settled, a report reaches [\d.]+ % at most\n){2}", said):
            sys.exit(f"report_ceiling said {said!r}")
        if left := {path.name for path in EXAMPLE.parent.glob("*.c")} - built:
            sys.exit(f"examples that nobody builds: {left}")

        for printed in ("share/bash-completion/completions/heterorr", "share/zsh/site-functions/_heterorr",
                        "share/fish/vendor_completions.d/heterorr.fish", "share/man/man1/heterorr.1",
                        "share/man/man1/heterorr-protect.1", "share/man/man1/heterorr-attack-chain.1"):
            if "heterorr" not in (prefix / printed).read_text():
                sys.exit(f"{printed} says nothing of heterorr")
        version = run(prefix / "bin" / "heterorr", "--version")
        if not version.startswith("heterorr "):
            sys.exit(f"the installed command said {version!r}")
    print("the installed library builds and runs in three ways, and so does the command, with its pages")


main(sys.argv[1], "sanitized" in sys.argv[2:])
