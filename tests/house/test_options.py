"""What every public option struct (hrr_x_options) must have, so that it can grow (docs/api/main.md).

Its first member is `size_t size`. hrr_x_options_init() is compiled into the program and hands the program's size of
the struct to hrr_x_options_init_sized() in the library, then sets the sizes of all option structs inside. Those
inside stand in HRR_ROOM. No struct ends in padding, where a new member would not change its size; and the members of
a struct that was initialised have their sizes. Every function that takes options is tried without their size in
tests/report/test_all_options.c. The arguments are the C compiler and the library.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRUCT = re.compile(r"typedef struct (hrr_\w+_options) \{(.*?)\n\} \1;", re.S)
ALL = "tests/report/test_all_options.c"
ROOM = re.compile(r"HRR_ROOM\((\w+),\s*(\w+),\s*\d+\)")


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def structs(text):
    """Name of each option struct -> its declarations."""
    return {name: [" ".join(part.split()) for part in body.split(";") if part.strip()]
            for name, body in STRUCT.findall(without_comments(text))}


def inside(name, known):
    """Paths of the option structs inside this one, with those inside them."""
    paths = []
    for declaration in known[name]:
        for kind, member in ROOM.findall(declaration):
            paths += [member] + [f"{member}.{path}" for path in inside(kind, known) if kind in known]
    return paths


def complaints(text, known):
    """Yield one sentence for each thing that is not as it should be in a header; known: structs of all headers."""
    plain = without_comments(text)
    for name, declarations in structs(text).items():
        if declarations[0] != "size_t size":
            yield f"{name} does not begin with `size_t size`"
        for declaration in declarations:
            if re.match(r"(const )?hrr_\w+_options (?!\*)\w", declaration):
                yield f"{name} has `{declaration}` without room to grow; write HRR_ROOM"
        if not re.search(rf"HRR_\w+ void {name}_init_sized\({name} \*options,\s+size_t size\);", plain):
            yield f"{name} has no {name}_init_sized()"
        init = re.search(rf"static inline void {name}_init\({name} \*options\)\s*{{(.*?)\n}}", plain, re.S)
        wanted = [f"{name}_init_sized(options, sizeof *options);"]
        wanted += [f"options->{path}.size = sizeof options->{path};" for path in inside(name, known)]
        if not init or init.group(1).split() != " ".join(wanted).split():
            yield f"{name} has no inline {name}_init() that says: {' '.join(wanted)}"


def last_member(declaration):
    return (ROOM.search(declaration).group(2) + "_room" if ROOM.search(declaration)
            else re.findall(r"\w+", re.sub(r"\[.*?\]", "", declaration))[-1])


def program(known):
    """A C program that does not compile if a struct ends in padding, and fails if an inner size is not set."""
    lines = ["#include <heterorr/heterorr.h>", "#include <stdio.h>", "#include <string.h>", "int main(void) { int bad = 0;"]
    for name, declarations in known.items():
        last = last_member(declarations[-1])
        lines += [f'_Static_assert(sizeof({name}) == offsetof({name}, {last}) + sizeof((({name} *)0)->{last}),',
                  f'               "{name} ends in padding");',
                  f"{{ {name} o; memset(&o, 0xaa, sizeof o); {name}_init(&o);"]
        lines += [f'if (o{path}.size != sizeof o{path}) {{ bad = 1; puts("{name}_init() does not set {path[1:]}.size"); }}'
                  if path else f'if (o.size != sizeof o) {{ bad = 1; puts("{name}_init() does not set size"); }}'
                  for path in [""] + ["." + path for path in inside(name, known)]]
        lines += ["}"]
    return "\n".join(lines + ["return bad; }"]) + "\n"


def run(compiler, library, source):
    """What the compiler and the program complain about."""
    with tempfile.TemporaryDirectory() as where:
        path = pathlib.Path(where) / "options"
        built = subprocess.run([compiler, "-std=c17", f"-I{ROOT / 'include'}", "-x", "c", "-", "-x", "none", library,
                                f"-Wl,-rpath,{pathlib.Path(library).parent}", "-o", str(path)],
                               input=source, capture_output=True, text=True)
        if built.returncode:
            return [built.stderr]
        ran = subprocess.run([str(path)], capture_output=True, text=True)
        return [ran.stdout + ran.stderr] if ran.returncode else []


GOOD = """typedef struct hrr_a_options {
    size_t size; /* of; it */
    int one, two;
} hrr_a_options;
HRR_API void hrr_a_options_init_sized(hrr_a_options *options, size_t size);
static inline void hrr_a_options_init(hrr_a_options *options)
{
    hrr_a_options_init_sized(options, sizeof *options);
}
typedef struct hrr_b_options {
    size_t size;
    HRR_ROOM(hrr_a_options, a, 64);
} hrr_b_options;
HRR_API void hrr_b_options_init_sized(hrr_b_options *options, size_t size);
static inline void hrr_b_options_init(hrr_b_options *options)
{
    hrr_b_options_init_sized(options, sizeof *options);
    options->a.size = sizeof options->a;
}
"""


def self_test():
    def said(text):
        return " ".join(complaints(text, structs(text)))
    assert said(GOOD) == "", said(GOOD)
    assert "begin" in said(GOOD.replace("size_t size; /* of; it */\n    int one", "int one", 1))
    assert "HRR_ROOM" in said(GOOD.replace("HRR_ROOM(hrr_a_options, a, 64)", "hrr_a_options a"))
    assert "inline" in said(GOOD.replace("    options->a.size = sizeof options->a;\n", ""))
    assert "init_sized" in said(GOOD.replace("HRR_API void hrr_a_options_init_sized", "HRR_API void hrr_a_init_sized"))
    assert "inline" in said(GOOD.replace("static inline void hrr_b_options_init(", "void hrr_b_options_init("))
    assert last_member("int one, two[4]") == "two" and last_member("HRR_ROOM(hrr_a_options, a, 64)") == "a_room"
    assert last_member("const char *const *names") == "names"
    takes = "HRR_API HRR_STATUS hrr_x(int a,\n    const hrr_a_options *options);"
    assert untried([takes], "/* hrr_x() */") == ["hrr_x"] and untried([takes], "hrr_x(1, 2)") == []


def untried(headers, test):
    """Functions that take options and can fail, and that the test of all of them does not call."""
    taking = {name for text in headers for name, arguments in
              re.findall(r"\bHRR_STATUS\s+(hrr_\w+)\(([^;]*)\);", without_comments(text))
              if re.search(r"_options \*", arguments)}
    return sorted(name for name in taking if not re.search(rf"\b{name}\(", without_comments(test)))


def main(compiler, library):
    headers = [path.read_text() for path in sorted((ROOT / "include" / "heterorr").glob("*.h"))]
    known = {name: body for text in headers for name, body in structs(text).items()}
    bad = [line for text in headers for line in complaints(text, known)]
    declared = {name for text in headers for name in re.findall(r"(?:struct|}) (hrr_\w+_options)\b", text)}
    bad += [f"{name} is not a struct that this test can read" for name in sorted(declared - known.keys())]
    bad += [f"{ALL} does not try {name}()" for name in untried(headers, (ROOT / ALL).read_text())]
    if not bad:
        bad += run(compiler, library, program(known))
    if len(known) < 20:
        bad.append(f"only {len(known)} option structs found")
    print("\n".join(bad) or f"{len(known)} option structs begin with their size")
    return 1 if bad else 0


self_test()
sys.exit(main(*sys.argv[1:]))
