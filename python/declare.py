"""Write heterorr/_declarations.py: the library's structs, enums and functions for ctypes, from its headers.

    python3 declare.py INCLUDE_DIRECTORY OUTPUT [COMPILER]

The compiler preprocesses; here a parser for the C that the headers are written in turns declarations into ctypes. It is
no general parser: what it does not know is an error, never skipped. tests/python/test_declarations.py asks the compiler
whether every size, offset, number and signature is right.
"""
import pathlib
import re
import subprocess
import sys

TOKEN = re.compile(r'\s*([A-Za-z_]\w*|\d\w*|"(?:\\.|[^"])*"|\.\.\.|<<|>>|<=|>=|[^\s])')
SCALARS = {
    "bool": "c_bool", "_Bool": "c_bool", "char": "c_char", "const char": "c_char", "int": "c_int", "unsigned": "c_uint",
    "float": "c_float", "double": "c_double", "size_t": "c_size_t",
    **{f"{sign}int{bits}_t": f"c_{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}


class Parser:
    """Declarations of one preprocessed text, in their order.

    A type is a tuple: ("name", text), ("pointer", type), ("array", type, count), ("function", type, [types]); `c` holds
    the C spelling of each function's parameters for the test."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0
        self.enums = {}      # name -> {constant: number}
        self.constants = {}  # of all enums
        self.structs = {}    # name -> [(member, type)], in order of definition; None: opaque
        self.unions = set()
        self.callbacks = {}  # typedef of a function -> its type
        self.functions = {}  # name -> (result, [parameters], C spelling)

    # ---- tokens
    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, *wanted):
        token = self.peek()
        if wanted and token not in wanted:
            near = " ".join(self.tokens[max(0, self.at - 12):self.at + 6])
            raise SyntaxError(f"wanted {' or '.join(wanted)}, found {token!r} near: {near}")
        self.at += 1
        return token

    def skip(self, opening, closing):
        depth = 0
        while True:
            token = self.take()
            depth += (token == opening) - (token == closing)
            if not token or depth == 0:
                return

    # ---- types
    def attributes(self):
        while self.peek() == "__attribute__":
            self.take()
            self.skip("(", ")")

    def specifier(self, hint):
        """A type without pointers. hint names what has no name of its own."""
        constant = False
        while self.peek() in ("const", "extern"):
            constant = self.take() == "const"
        word = self.take()
        if word == "enum":
            result = ("name", self.enum(hint))
        elif word in ("struct", "union"):
            result = ("name", self.struct(hint, word == "union"))
        elif word == "char" and constant:
            result = ("name", "const char")
        elif word == "void" or word in SCALARS or word.startswith("hrr_"):
            result = ("name", word)
        else:
            raise SyntaxError(f"unknown type {word}")
        while self.peek() == "const":
            self.take()
        return result

    def enum(self, hint):
        name = self.take() if self.peek() != "{" else hint
        if self.peek() != "{":
            return name
        self.take("{")
        numbers, following = {}, 0
        while self.peek() != "}":
            constant = self.take()
            if self.peek() == "=":
                self.take()
                following = self.number(",", "}")
            numbers[constant] = self.constants[constant] = following
            following += 1
            if self.peek() == ",":
                self.take()
        self.take("}")
        self.enums[name] = numbers
        return name

    def number(self, *ends):
        """The value of a constant expression up to one of the tokens."""
        words = []
        depth = 0
        while depth or self.peek() not in ends:
            token = self.take()
            depth += (token == "(") - (token == ")")
            words.append(token)
        if "?" in words:  # HRR_ROOM: sizeof(type) <= (bytes) ? (bytes) / 8 : -1
            words = words[words.index("?") + 1:words.index(":")]
        text = " ".join(str(self.constants.get(word, word)) for word in words)
        text = re.sub(r"(\d)[uUlL]+\b", r"\1", text).replace("/", "//")
        if not re.fullmatch(r"[\d\s()+*/<>&|~-]+", text):
            raise SyntaxError(f"not a number: {text}")
        return eval(text)  # digits and operators only

    def struct(self, hint, is_union):
        name = self.take() if self.peek() != "{" else hint
        if self.peek() != "{":
            self.structs.setdefault(name, None)
            return name
        self.take("{")
        members = []
        while self.peek() != "}":
            base = self.specifier(f"{name}_{len(members)}")
            if self.peek() == ";":  # an anonymous union
                members.append((None, base))
            while self.peek() != ";":
                member, kind, _ = self.declarator(base)
                members.append((member, kind))
                if self.peek() == ",":
                    self.take()
            self.take(";")
        self.take("}")
        self.structs.pop(name, None)  # its place is where it is complete
        self.structs[name] = members
        if is_union:
            self.unions.add(name)
        return name

    def declarator(self, base):
        """(name, type, C spelling of what stands after the name if it is a function)"""
        while self.peek() in ("*", "const"):
            if self.take() == "*":
                base = ("pointer", base)
        if self.peek() == "(" and self.peek(1) == "*":
            self.take(), self.take()
            name = self.take()
            self.take(")")
            kinds, spelling = self.parameters()
            return name, ("pointer", ("function", base, kinds)), spelling
        name = self.take() if re.match(r"[A-Za-z_]", self.peek()) else ""
        counts = []
        while self.peek() == "[":
            self.take()
            counts.append(self.number("]"))
            self.take("]")
        for count in reversed(counts):
            base = ("array", base, count)
        if self.peek() == "(":
            kinds, spelling = self.parameters()
            self.attributes()
            return name, ("function", base, kinds), spelling
        return name, base, ""

    def parameters(self):
        start = self.at
        self.take("(")
        kinds = []
        while self.peek() != ")":
            if self.peek() == "...":
                kinds.append(self.take())
            else:
                _, kind, _ = self.declarator(self.specifier(""))
                kinds.append(("pointer", kind[1]) if kind[0] == "array" else kind)
            if self.peek() == ",":
                self.take()
        self.take(")")
        return [kind for kind in kinds if kind != ("name", "void")], " ".join(self.tokens[start:self.at])

    # ---- the whole
    def parse(self):
        while self.peek():
            if self.peek() == "static":
                while self.peek() != "{":
                    self.take()
                self.skip("{", "}")
                continue
            is_type = self.peek() == "typedef"
            if is_type:
                self.take()
            self.attributes()
            start = self.at
            base = self.specifier(f"anonymous_{start}")
            result_ends = self.at
            if self.peek() != ";":
                while self.peek(result_ends - self.at) in ("*", "const"):
                    result_ends += 1
                name, kind, spelling = self.declarator(base)
                if is_type and kind[0] == "function":
                    self.callbacks[name] = kind
                elif kind[0] == "function":
                    self.functions[name] = (kind[1], kind[2], (" ".join(self.tokens[start:result_ends]), spelling))
                elif not is_type or kind != ("name", name):
                    raise SyntaxError(f"unknown declaration of {name}")
            self.take(";")
        return self


def spell(kind, parser):
    """A type as ctypes."""
    if kind[0] == "array":
        return f"{spell(kind[1], parser)} * {kind[2]}"
    if kind[0] == "function":
        return f"CFUNCTYPE({', '.join(spell(part, parser) for part in [kind[1], *kind[2]])})"
    if kind[0] == "pointer":
        to = kind[1]
        if to == ("name", "void"):
            return "c_void_p"
        if to == ("name", "const char"):  # a text; memory that is not const is no text of ours
            return "c_char_p"
        if to[0] == "function" or to[0] == "name" and to[1] in parser.callbacks:
            return spell(to, parser)
        return f"POINTER({spell(to, parser)})"
    name = kind[1]
    if name == "void":
        return "None"
    return SCALARS.get(name) or ("c_int" if name in parser.enums else name)


def element(kind):
    """The name of a type, or of what an array is of."""
    while kind[0] == "array":
        kind = kind[1]
    return kind[1] if kind[0] == "name" else None


def preprocess(include, compiler):
    """What the headers say after the preprocessor, without those of the system; and the numbers that macros stand for."""
    command = [compiler, "-E", "-x", "c", "-std=c17", f"-I{include}"]
    source = "#include <heterorr/heterorr.h>\n"
    run = dict(input=source, capture_output=True, text=True, check=True)
    text, ours = [], False
    for line in subprocess.run([*command, "-"], **run).stdout.splitlines():
        if line.startswith("# "):
            ours = "/heterorr/" in line.split('"')[1]
        elif ours:
            text.append(line)
    macros = subprocess.run([*command, "-dM", "-"], **run).stdout
    defined = dict(re.findall(r"^#define (HRR_\w+) (.+)$", macros, re.M))
    numbers = {}
    for name, value in defined.items():
        for _ in range(8):
            value = re.sub(r"\bHRR_\w+", lambda word: f"({defined.get(word[0], 'x')})", value)
        value = re.sub(r"(\d)[uUlL]+\b", r"\1", value)
        if re.fullmatch(r"[\d\s()+*/]+", value):
            numbers[name] = int(eval(value.replace("/", "//")))
        elif re.fullmatch(r"\d*\.\d+", value):
            numbers[name] = float(value)
    return "\n".join(text), numbers


def write(parser, numbers):
    lines = ['"""Made from the headers by declare.py: do not edit."""', "# flake8: noqa",
             "from ctypes import (CFUNCTYPE, POINTER, Structure, Union, c_bool, c_char, c_char_p, c_double, c_float, c_int,",
             "                    c_int8, c_int16, c_int32, c_int64, c_size_t, c_uint, c_uint8, c_uint16, c_uint32,",
             "                    c_uint64, c_void_p)", ""]
    lines += [f"{name} = {value}" for name, value in sorted(numbers.items())] + [""]
    lines += [f"ENUMS = {{"] + [f"    {name!r}: {values!r}," for name, values in parser.enums.items()] + ["}"]
    lines += ["globals().update(pair for enum in ENUMS.values() for pair in enum.items())", ""]
    # In the order of the headers a struct that stands inside another is complete before it.
    lines += [f"class {name}({'Union' if name in parser.unions else 'Structure'}): pass" for name in parser.structs] + [""]
    for name, kind in parser.callbacks.items():
        lines.append(f"{name} = {spell(kind, parser)}")
    lines.append("")
    for name, members in parser.structs.items():
        if members is None:
            continue
        named = [(member or f"_{i}", kind) for i, (member, kind) in enumerate(members)]
        nameless = [f"_{i}" for i, (member, _) in enumerate(members) if not member]
        if nameless:
            lines.append(f"{name}._anonymous_ = {tuple(nameless)!r}")
        fields = ", ".join(f"({member!r}, {spell(kind, parser)})" for member, kind in named)
        lines.append(f"{name}._fields_ = [{fields}]")
    lines += ["", "# Which enum a member is of: ctypes sees an int."]
    members = {name: {member: element(kind) for member, kind in fields or [] if element(kind) in parser.enums}
               for name, fields in parser.structs.items()}
    lines += [f"ENUM_MEMBERS = { {name: found for name, found in members.items() if found}!r}", ""]
    lines += ["# name: (result, parameters). Functions of variable arguments are not called from Python.", "FUNCTIONS = {"]
    for name, (result, parameters, _) in parser.functions.items():
        if "..." in parameters:
            continue
        inside = ", ".join(spell(kind, parser) for kind in parameters)
        lines.append(f"    {name!r}: ({spell(result, parser)}, [{inside}]),")
    return "\n".join(lines + ["}", ""])


def read(include, compiler="cc"):
    text, numbers = preprocess(include, compiler)
    return Parser(text).parse(), numbers


def main(include, output, compiler="cc"):
    text = write(*read(include, compiler))
    path = pathlib.Path(output)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
