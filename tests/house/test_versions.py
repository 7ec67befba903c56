"""One version number: CMakeLists.txt states it, and whatever repeats it says the same."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACES = {"CITATION.cff": r"^version: (\S+)$", "debian/changelog": r"^heterorr \(([\d.]+)\)"}


def find(path, pattern):
    found = re.search(pattern, (ROOT / path).read_text(), re.M)
    return found[1] if found else None


def main():
    version = find("CMakeLists.txt", r"^project\(heterorr VERSION ([\d.]+)")
    wrong = {path: find(path, pattern) for path, pattern in PLACES.items() if find(path, pattern) != version}
    installed = find("python/heterorr/_library.py", r'^INSTALLED = "libheterorr\.so\.(\d+)"$')
    if installed != version.split(".")[0]:
        wrong["python/heterorr/_library.py"] = installed
    if f"Package: libheterorr{version.split('.')[0]}\n" not in (ROOT / "debian" / "control").read_text():
        wrong["debian/control"] = "another library"
    if wrong:
        sys.exit(f"CMakeLists.txt says {version}; {wrong}")
    print(f"version {version} everywhere")


main()
