"""The library does not speak command line: a message names the field that is wrong, `edges.tree_share`, and
the command puts its option in the field's place (src/cli/fields.h, CONTRIBUTING.md).

Reads the string literals of src/ outside src/cli/, the option structs of the public headers, and the
command's option tables. Run with --self-test to see that each rule is broken by what it forbids.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Texts that are written into files for a person, who is told what to run.
FOR_A_PERSON = {
    "src/certificate/grounds.c": "CERTIFICATE.txt",
    "src/certificate/page.c": "CERTIFICATE.txt",
    "src/release/readme.c": "README.txt of a bundle",
    "src/report/provenance.c": "the page of a report",
}
# Custom properties of CSS begin with two dashes, too.
CSS = {"src/report/page_style.c", "src/report/svg_colour.c"}
# Names of formats, by which files are recognised, and of what is hashed: not commands.
NAMES = {"heterorr report", '"heterorr report"', "heterorr ledger", "heterorr ledger key 1\\n"}

TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\s+|[A-Za-z_]\w*|.""", re.DOTALL)
FORMAT_MACRO = re.compile(r"PRI[A-Za-z0-9]+")
FIELD = re.compile(r"`([^`\s]*)`")


def literals(text):
    """Yield (line, text) of each string literal; adjacent ones are one, PRIu64 and its kin between them."""
    line, start, joined = 1, 0, None
    for match in TOKEN.finditer(text):
        token = match.group()
        if token[0] == '"':
            if joined is None:
                start, joined = line, ""
            joined += token[1:-1]
        elif joined is not None and FORMAT_MACRO.fullmatch(token):
            joined += "u"
        elif joined is not None and not (token.isspace() or token.startswith(("//", "/*"))):
            yield start, joined
            joined = None
        line += token.count("\n")


def without_comments(text):
    return "".join(" " if t.startswith(("//", "/*")) else t for t in TOKEN.findall(text))


def command_words(path, text, verbs):
    """Yield a sentence for each literal of the library that names an option or a verb of the command."""
    if path in FOR_A_PERSON or path in CSS:
        return
    first = "|".join({verb.split()[0] for verb in verbs})
    parts = "|".join([verb for verb in verbs if " " in verb])
    for line, literal in literals(text):
        if literal.replace('\\"', '"') in NAMES:
            continue
        found = re.search(rf"(?<![\w-])--[a-z][a-z-]*|\bheterorr ({first})\b|\b({parts})\b", literal)
        if found:
            yield f"{path}:{line}: the library does not know the command: '{found.group()}'"


def structs(headers):
    """From the public headers: name of each struct -> {member: its type}."""
    found = {}
    for text in headers:
        for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", without_comments(text), re.DOTALL):
            body = re.sub(r"HRR_ROOM\((\w+),\s*(\w+),[^)]*\)", r"\1 \2", body)
            members = found.setdefault(name, {})
            for declaration in body.split(";"):
                declaration = re.sub(r"\[[^\]]*\]", "", declaration)
                words = declaration.replace("*", " ").replace(",", " , ").split()
                words = [word for word in words if word not in ("const", "struct", "unsigned")]
                if not words or "(" in declaration:
                    continue
                kind, names = (words[0], words[1:]) if len(words) > 1 else ("unsigned", words)
                members.update({member: kind for member in names if member != ","})
    return found


def is_field(field, known):
    """`edges.tree_share`, `homophily`: a path through an option struct. Those of features and edges are qualified."""
    owners = [name for name in known if name.endswith("_options")]
    first, _, rest = field.partition(".")
    if not rest:
        return any(first in known[name] for name in owners
                   if name not in ("hrr_feature_options", "hrr_edge_options"))
    return any(rest in known.get(known[name].get(first), {}) for name in owners)


def table_of_words(text):
    return set(re.findall(r'\{"([a-z0-9_.]+)",\s*"', text))


def fields_of_options(text):
    return {field for fields in re.findall(r'\.field\s*=\s*"([^"]*)"', text) for field in fields.split()}


def bad_fields(path, text, known, worded):
    for line, literal in literals(text):
        for field in FIELD.findall(literal):
            if field == "%s":  # the name comes as an argument, which is a literal of its own
                continue
            if not is_field(field, known):
                yield f"{path}:{line}: `{field}` is a member of no public option struct"
            elif field not in worded:
                yield f"{path}:{line}: `{field}` has no words in src/cli/fields.c"


def check(root):
    library = {str(path.relative_to(root)): path.read_text() for path in sorted(root.glob("src/*/*.[ch]"))
               if path.parent.name != "cli"}
    command = {str(path.relative_to(root)): path.read_text() for path in sorted(root.glob("src/cli/*.c"))}
    known = structs(path.read_text() for path in sorted(root.glob("include/heterorr/*.h")))
    verbs = sorted({name for text in command.values()
                    for name in re.findall(r'const cli_verb \w+ = \{\s*\.name = "([^"]+)"', text)})
    assert "protect" in verbs and "compare structure" in verbs and "tree_share" in known["hrr_edge_options"]
    worded = table_of_words(command["src/cli/fields.c"])
    filled = set().union(*map(fields_of_options, command.values()))
    found = []
    for path, text in library.items():
        found += command_words(path, text, verbs)
        found += bad_fields(path, text, known, worded)
    found += [f"src/cli: .field {field} is a member of no public option struct"
              for field in sorted(filled) if not is_field(field, known)]
    named = {field for text in library.values() for _, literal in literals(text) for field in FIELD.findall(literal)}
    whole = {literal for text in library.values() for _, literal in literals(text)}
    found += [f"src/cli/fields.c: no message names {field}"
              for field in sorted(worded) if field not in named and field not in whole]
    found += [f"{path} is on a list of this test and does not exist"
              for path in sorted(FOR_A_PERSON.keys() | CSS) if path not in library]
    return found


def self_test():
    verbs = ["verify", "report", "compare structure"]
    assert list(command_words("x", 'fail("leave --tree out");', verbs))
    assert list(command_words("x", 'fail("so" /* why */\n "; heterorr "\n "verify says more");', verbs))
    assert list(command_words("x", 'fail("results of compare structure");', verbs))
    assert not list(command_words("x", '/* "--tree" */ f("a -- b", "heterorr writes", "heterorr report", \'"\');', verbs))
    assert list(literals('f("a %" PRIu64 " b", "c"\n);')) == [(1, "a %u b"), (1, "c")]
    header = """typedef struct hrr_edge_options { const char *tree; /* a; b */ double share, rest[4]; } hrr_edge_options;
                typedef struct hrr_x_options { HRR_ROOM(hrr_edge_options, edges, 64); unsigned bits; bool (*call)(int a); } hrr_x_options;
                typedef struct hrr_summary { int seconds; } hrr_summary;"""
    known = structs([header])
    assert known["hrr_edge_options"] == {"tree": "char", "share": "double", "rest": "double"}
    for field in ("edges.tree", "edges.rest", "bits", "edges"):
        assert is_field(field, known), field
    for field in ("tree", "seconds", "edges.bits", "bits.tree", "no", "call", ""):
        assert not is_field(field, known), field
    assert list(bad_fields("x", 'fail("`nothing` is wrong");', known, {"nothing"}))
    assert list(bad_fields("x", 'fail("`bits` is wrong");', known, set()))
    assert not list(bad_fields("x", 'fail("`bits` and `%s`");', known, {"bits"}))
    assert fields_of_options('.field = "edges.tree bits",') == {"edges.tree", "bits"}


self_test()
if "--self-test" not in sys.argv:
    bad = check(ROOT)
    print("\n".join(bad) or "the library names fields, and the command knows them all")
    sys.exit(1 if bad else 0)
