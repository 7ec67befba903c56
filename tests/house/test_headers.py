"""What every declaration of the public headers must have.

A function that can fail returns HRR_STATUS, so that compilers warn where nobody looks at it.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNCHECKED = {
    "hrr_fail": "gives back the status that it is given, for `return hrr_fail(...)`",
}
DECLARED = re.compile(r"^(HRR_(?:API|EXPERIMENTAL)\b[^;(]*?)\b(hrr_\w+)\(", re.M)


def complaints(name, text):
    """Yield one sentence for each declaration of a header that is not as it should be."""
    for words, function in DECLARED.findall(text):
        if re.search(r"\bhrr_status\s*$", words) and function not in UNCHECKED:
            yield f"{name}: {function}() returns hrr_status, which nobody has to look at; write HRR_STATUS"


def self_test():
    assert list(complaints("x", "HRR_API hrr_status hrr_x(int a);"))
    assert list(complaints("x", "HRR_API hrr_status\nhrr_x(int a);"))
    assert not list(complaints("x", "HRR_API HRR_STATUS hrr_x(int a);"))
    assert not list(complaints("x", "HRR_API const char *hrr_status_name(hrr_status status);"))


self_test()
bad, n_functions = [], 0
for header in sorted((ROOT / "include" / "heterorr").glob("*.h")):
    text = header.read_text()
    bad += complaints(header.name, text)
    n_functions += len(DECLARED.findall(text))
if n_functions < 100:
    bad.append(f"only {n_functions} functions found")
print("\n".join(bad) or f"{n_functions} functions are declared as they should be")
sys.exit(1 if bad else 0)
