"""Builds the wheel: the package, its declarations made from the headers, and the library, in one py3-none-PLATFORM file.

A wheel is a zip file with three texts beside the package, so this needs nothing but Python: `pip install ./python` (which
calls build_wheel), `make wheel` and machines without a network all work. As a program:

    python3 backend.py wheel DIRECTORY          write the wheel there
    python3 backend.py stage DIRECTORY          put the package there without the library, for tests

The library is the one that HETERORR_LIBRARY names, or build/release/libheterorr.so, which is built if it is missing.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
import declare  # noqa: E402


def version():
    return re.search(r"project\(heterorr VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def metadata():
    return f"""Metadata-Version: 2.1
Name: heterorr
Version: {version()}
Summary: Permanent differentially private graphs: features, edges and labels released once, used for ever
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: numpy
Description-Content-Type: text/markdown

{(ROOT / "docs" / "python.md").read_text()}"""


def tag():
    return "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def library():
    named = os.environ.get("HETERORR_LIBRARY")
    path = pathlib.Path(named) if named else ROOT / "build" / "release" / "libheterorr.so"
    if not path.exists() and not named:
        subprocess.run([ROOT / "tools" / "build", "release"], check=True)
    return path.resolve()


def package():
    """{path in the wheel: bytes} of everything but the library."""
    declarations = declare.write(*declare.read(ROOT / "include", os.environ.get("CC", "cc")))
    files = {f"heterorr/{path.name}": path.read_bytes() for path in sorted((HERE / "heterorr").iterdir())
             if path.suffix == ".py" or path.name == "py.typed"}
    return {**files, "heterorr/_declarations.py": declarations.encode()}


def stage(directory):
    for name, data in package().items():
        path = pathlib.Path(directory) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


# ---- what pip calls (PEP 517)

def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"heterorr-{version()}.dist-info"
    files = package()
    files["heterorr/libheterorr.so"] = library().read_bytes()
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: heterorr\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    digest = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
              for name, data in files.items()}
    record = [f"{name},sha256={digest[name]},{len(data)}" for name, data in files.items()] + [f"{info}/RECORD,,"]
    files[f"{info}/RECORD"] = ("\n".join(record) + "\n").encode()
    name = f"heterorr-{version()}-{tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path)  # the time of all files is 1980: the same sources, the same wheel
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("heterorr has no source archive for Python alone: build from the repository")


def main(what, directory):
    if what == "stage":
        stage(directory)
    elif what == "wheel":
        os.makedirs(directory, exist_ok=True)
        print(os.path.join(directory, build_wheel(directory)))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
