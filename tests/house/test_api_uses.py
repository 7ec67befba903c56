"""Every exported function has a user: the command, an example, or the Python package, for a stated purpose.

What nobody outside the library would call belongs into a header of its room under src/. api_uses.txt lists what the
command does not call, each with its user; a line about a function that is gone, that the command calls, or that no
example calls or the Python package does not name although the line says so, fails as well.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = "tests/house/api_uses.txt"
DECLARED = re.compile(r"^HRR_(?:API|EXPERIMENTAL)\b[^;(]*?\b(hrr_\w+)\(", re.M)
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def names(texts):
    """What C code names, outside comments and strings."""
    return {name for text in texts for name in re.findall(r"\bhrr_\w+", NOT_CODE.sub("", text))}


def exports(texts):
    """What headers declare as exported. Programs call hrr_x_options_init(), which calls hrr_x_options_init_sized()."""
    return {re.sub(r"_options_init_sized$", "_options_init", name) for text in texts for name in DECLARED.findall(text)}


def entries(text):
    """[(function, user)] of the lines that are not comments."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [tuple((line.split(None, 1) + [""])[:2]) for line in lines]


def faults(exported, command, examples, listed, python):
    """One sentence for each function without a user and each line that is not true."""
    known = [function for function, _ in listed]
    for function in sorted(exported - command - set(known)):
        yield (f"{function}() is exported, but the command does not call it: say in {LIST} who does, or move it to a "
               "header of its room under src/")
    for function, user in listed:
        if function not in exported:
            yield f"{LIST}: {function}() is not exported: take the line out"
        elif function in command:
            yield f"{LIST}: the command calls {function}(): take the line out"
        elif known.count(function) > 1:
            yield f"{LIST}: {function}() is listed twice"
        elif user == "example":
            if function not in examples:
                yield f"{LIST}: no example calls {function}()"
        elif not re.fullmatch(r"python: \S.*", user):
            yield f'{LIST}: {function}() has the user "{user}", which is neither "example" nor "python: what for"'
        elif function in examples:
            yield f'{LIST}: an example calls {function}(): write "example"'
        elif function not in python:
            yield f"{LIST}: the Python package does not call {function}()"


def self_test():
    def found(listed, exported="hrr_a", command="", examples="", python="hrr_a hrr_b"):
        return len(list(faults(set(exported.split()), set(command.split()), set(examples.split()), entries(listed),
                               set(python.split()))))

    assert names(['hrr_a(); /* hrr_b() */ x = "hrr_c"; // hrr_d\n seen = hrr_e;']) == {"hrr_a", "hrr_e"}
    assert exports(["HRR_API void hrr_x_options_init_sized(int a);\nHRR_API int hrr_b(void);"]) == {"hrr_x_options_init", "hrr_b"}
    assert found("") == 1
    assert found("", command="hrr_a") == 0
    assert found("# a comment\n\nhrr_a  python: arrays in") == 0
    assert found("hrr_a python:") == found("hrr_a") == found("hrr_a somebody") == 1
    assert found("hrr_a python: arrays in", command="hrr_a") == 1
    assert found("hrr_a python: arrays in\nhrr_b python: gone") == 1
    assert found("hrr_a example") == found("hrr_a python: arrays in", examples="hrr_a") == 1
    assert found("hrr_a example", examples="hrr_a") == 0
    assert found("hrr_a python: arrays in", python="hrr_b") == 1
    assert python_names(["getattr(lib, 'hrr_a')  # hrr_b", "o = new_options(c.hrr_x_options)"]) >= {"hrr_a", "hrr_x_options_init"}
    assert found("hrr_a example\nhrr_a example", examples="hrr_a") == 2


def python_names(texts):
    """What the package and its tests name. new_options() of a struct calls its hrr_x_options_init_sized()."""
    found = {name for text in texts for name in re.findall(r"\bhrr_\w+", re.sub(r"#[^\n]*", "", text))}
    return found | {f"{name}_init" for name in found if name.endswith("_options")}


def read(pattern):
    return [path.read_text() for path in sorted(ROOT.glob(pattern))]


self_test()
exported = exports(read("include/heterorr/*.h"))
listed = entries((ROOT / LIST).read_text())
bad = list(faults(exported, names(read("src/cli/*.[ch]")), names(read("examples/*.c")), listed,
                  python_names(read("python/heterorr/*.py") + read("tests/python/test_memory.py"))))
if len(exported) < 100:
    bad.append(f"only {len(exported)} exported functions were found")
print("\n".join(bad) or f"{len(exported)} functions are exported, and each has a user: "
      f"{len(exported) - len(listed)} the command, {len(listed)} examples and the Python package")
sys.exit(1 if bad else 0)
