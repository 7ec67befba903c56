#!/usr/bin/env python3
"""examples/look.py HETERORR [--check]: record the README's five minutes as an animated picture, docs/images/look.svg.

Runs the commands of the README's section "Five minutes" with a small graph and draws what the program prints. The picture needs
no script and no network, follows the reader's light or dark theme, and shows its first screen where nothing moves. --check
compares the text of the stored picture with what the program prints now, without times, hashes and random numbers.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "look.svg"
SMALLER = ("--nodes 1e4", "--nodes 1000")

# A screen has a title and commands of the README, each by its first words, with how many lines of its output are shown.
SCREENS = [
    ("Protect a graph", [("heterorr generate", 9), ("heterorr protect", 9)]),
    ("Read what is guaranteed", [("cat released", 13)]),
    ("Check it, and train on it alone", [("heterorr verify", 9), ("heterorr train", 6)]),
    ("Check the budget and the claim", [("heterorr ledger", 7), ("heterorr audit", 5)]),
]
COLUMNS = 78  # CERTIFICATE.txt is as wide
CHARACTER, LINE, MARGIN, BAR = 8.4, 19, 16, 34  # in units of the picture
TYPING, READING, PAUSE = .04, .45, 1.2  # seconds a character, a line of output, and after each output


# ---- the text ----

def readme_commands():
    """The commands of the README's first section of commands, with their comments."""
    section = (ROOT / "README.md").read_text().split("## Five minutes")[1].split("```")[1]
    return [re.match(r"\$ (.*?)(?:\s+# (.*))?$", line).groups() for line in section.strip().splitlines()]


def command_for(first_words):
    found = [(command, comment) for command, comment in readme_commands() if command.startswith(first_words)]
    if len(found) != 1:
        sys.exit(f"README.md, Five minutes: {len(found)} commands begin with '{first_words}'; examples/look.py records one")
    return found[0][0].replace(*SMALLER), found[0][1]


def fold(line):
    """A line of output as the lines of the picture. Sentences are folded, tables are cut at the right side."""
    if len(line) <= COLUMNS:
        return [line]
    if re.search(r"\S {2,}\S", line.strip()):
        return [line[:COLUMNS - 1].rstrip() + "…"]
    return textwrap.wrap(line, COLUMNS, subsequent_indent="  ")


def run(command, home, program):
    environment = dict(os.environ, HOME=str(home), XDG_DATA_HOME=str(home / ".local" / "share"), LC_ALL="C.UTF-8",
                       PATH=f"{program.parent}:{os.environ['PATH']}")
    done = subprocess.run(["bash", "-c", command], cwd=home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode:
        sys.exit(f"{command}\n{done.stdout}")
    return done.stdout.rstrip().replace(str(home), "~").splitlines()


def record(program):
    """[(title, [(comment, command, lines of output)])], from the program."""
    with tempfile.TemporaryDirectory() as place:
        home = pathlib.Path(place).resolve()
        screens = []
        for title, parts in SCREENS:
            recorded = []
            for first_words, n_lines in parts:
                command, comment = command_for(first_words)
                printed = run(command, home, program)
                lines = [part for line in printed[:n_lines] for part in fold(line)]
                if len(printed) > n_lines:
                    lines.append("(more lines follow)")
                recorded.append((comment, command, lines))
            screens.append((title, recorded))
        return screens


def plain(screens):
    """The text of a recording, a line of the picture each."""
    return [line for title, parts in screens for line in
            [title, *(line for comment, command, lines in parts for line in [f"# {comment}", *typed(command), *lines])]]


def masked(lines):
    """Lines without what differs from run to run: times, memory, hashes, dates, and results that depend on random draws."""
    masks = [(r"\d{4}-\d\d-\d\dT[\d:]+Z?", "<date>"), (r"\b[0-9a-f]{8,}\b", "<hash>"),
             (r"\b\d[\d.,]* (ns|us|ms|s|min|[KMG]iB)\b", "<amount>"), (r"^(train|valid|test|majority) .*", r"\1 <scores>"),
             (r"\b\d+ outcomes\b", "<n> outcomes"), (r"\b\d+\.\d+\b", "<decimal>"), (r" +", " ")]
    for pattern, mask in masks:
        lines = [re.sub(pattern, mask, line) for line in lines]
    # How a sentence is folded depends on the width of the numbers in it.
    return "\n".join(lines).replace("\n ", " ").splitlines()


# ---- the picture ----

def typed(command):
    return [("$ " if i == 0 else "  ") + line for i, line in enumerate(textwrap.wrap(command, COLUMNS - 2))]


STYLE = """
  text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1c2733; white-space: pre; }
  .page { fill: #fbfbfa; stroke: #b8c2cc; } .cover { fill: #fbfbfa; } .bar { fill: #e6ebef; }
  .title { fill: #33475b; font-weight: 600; } .comment { fill: #5a6875; } .command { fill: #1b6b38; font-weight: 600; }
  .later, .cover { visibility: hidden; }
  @media (prefers-color-scheme: dark) {
    text { fill: #dbe3ea; }
    .page { fill: #151b21; stroke: #3b4753; } .cover { fill: #151b21; } .bar { fill: #232c35; }
    .title { fill: #b9c7d4; } .comment { fill: #93a1ae; } .command { fill: #7fd69b; }
  }
  @media (prefers-reduced-motion: reduce) { * { animation: none !important; } }
"""


def text_at(row, line, kind=""):
    """A line of text that is as wide as its characters in any font."""
    body = line.lstrip(" ")
    x = MARGIN + (len(line) - len(body)) * CHARACTER
    return (f'<text x="{x:.1f}" y="{BAR + MARGIN + row * LINE + 10:.0f}" textLength="{len(body) * CHARACTER:.1f}" '
            f'lengthAdjust="spacingAndGlyphs"{kind and f" class={chr(34)}{kind}{chr(34)}"}>{escape(body)}</text>')


class Film:
    """Elements of the picture and when each can be seen, in seconds."""

    def __init__(self):
        self.body, self.seen, self.typed, self.clock = [], [], [], 0
        self.still = None  # when the first screen is complete: the film begins there, so that a preview shows something

    def appear(self, elements, begin, first):
        """A group that is seen from begin to the end of its screen. Without animation only the first screen is seen."""
        self.seen.append([begin, None])
        self.body.append(f'<g class="a{len(self.seen) - 1}{"" if first else " later"}">{"".join(elements)}</g>')

    def type(self, row, line, begin):
        """A line that appears letter by letter, from under a cover that moves to the right."""
        seconds = len(line) * TYPING
        self.typed.append((begin, begin + seconds, len(line)))
        self.body.append(f'<rect class="cover t{len(self.typed) - 1}" x="{MARGIN + 2 * CHARACTER:.1f}" '
                         f'y="{BAR + MARGIN + row * LINE - 6}" width="{COLUMNS * CHARACTER:.1f}" height="{LINE}"/>')
        return begin + seconds

    def end_screen(self):
        for times in self.seen:
            times[1] = times[1] or self.clock

    def style(self):
        def percent(seconds):
            return f"{100 * seconds / self.clock:.3f}%"
        rules = [f'[class^="a"], .cover {{ animation: {self.clock:.1f}s step-end -{self.still:.1f}s infinite; }}']
        for i, (begin, end) in enumerate(self.seen):
            rules.append(f".a{i} {{ animation-name: a{i}; }} @keyframes a{i} {{ 0% {{ visibility: hidden; }} "
                         f"{percent(begin)} {{ visibility: visible; }} {percent(end)} {{ visibility: hidden; }} }}")
        for i, (begin, end, steps) in enumerate(self.typed):
            rules.append(f".cover.t{i} {{ animation-name: t{i}; }} @keyframes t{i} {{ "
                         f"0% {{ visibility: hidden; transform: none; }} {percent(begin)} {{ visibility: visible; transform: none; "
                         f"animation-timing-function: steps({steps}); }} {percent(end)} {{ visibility: hidden; "
                         f"transform: translateX({steps * CHARACTER:.1f}px); }} }}")
        return "\n  ".join(rules)


def draw(screens):
    film, n_rows = Film(), 0
    for number, (title, parts) in enumerate(screens):
        first, row = number == 0, 0
        bar = f"{number + 1} of {len(screens)}: {title}"
        film.appear([f'<text class="title" x="{MARGIN}" y="22">{escape(bar)}</text>'], film.clock, first)
        for comment, command, lines in parts:
            film.appear([text_at(row, f"# {comment}", "comment")], film.clock, first)
            row += 1
            written = typed(command)
            film.appear([text_at(row + i, line, "command") for i, line in enumerate(written)], film.clock, first)
            film.clock += PAUSE / 2
            for line in written:
                film.clock = film.type(row, line, film.clock)
                row += 1
            film.clock += PAUSE / 4
            film.appear([text_at(row + i, line) for i, line in enumerate(lines)], film.clock, first)
            complete = film.clock
            film.clock += PAUSE + READING * len(lines)
            row += len(lines) + 1
        film.still = film.still or complete
        film.end_screen()
        n_rows = max(n_rows, row - 1)
    width, height = 2 * MARGIN + COLUMNS * CHARACTER, BAR + 2 * MARGIN + n_rows * LINE - 4
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img" aria-labelledby="t d">
<!-- Made by examples/look.py from what the program prints. -->
<title id="t">heterorr in a terminal</title>
<desc id="d">{escape("; ".join(command for _, parts in screens for _, command, _ in parts))}</desc>
<style>{STYLE}  {film.style()}
</style>
<rect class="page" x=".5" y=".5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="8"/>
<path class="bar" d="M1 {BAR} V8 Q1 1 8 1 H{width - 8:.0f} Q{width - 1:.0f} 1 {width - 1:.0f} 8 V{BAR} Z"/>
<clipPath id="screen"><rect x="2" width="{width - 4:.0f}" height="{height:.0f}"/></clipPath>
<g clip-path="url(#screen)">
{chr(10).join(film.body)}
</g>
</svg>
"""


def stored(picture):
    """The text of a stored picture, as plain() has it."""
    from xml.etree import ElementTree
    lines = []
    for text in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text"):
        if text.get("class") == "title":
            lines.append(re.sub(r"^\d+ of \d+: ", "", text.text))
        else:
            indent = round((float(text.get("x")) - MARGIN) / CHARACTER)
            lines.append(" " * indent + (text.text or ""))
    return lines


def difference(picture, screens):
    """Lines of a diff between the text of a picture and a recording; none if they agree."""
    return list(difflib.unified_diff(masked(stored(picture)), masked(plain(screens)), "docs/images/look.svg", "printed now", lineterm=""))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    screens = record(pathlib.Path(sys.argv[1]).resolve())
    if "--check" in sys.argv[2:]:
        changed = difference(PICTURE, screens)
        if changed:
            sys.exit("\n".join([*changed, "The program prints something else now. Record it again: examples/look.py HETERORR"]))
        print("docs/images/look.svg shows what the program prints")
        return
    PICTURE.write_text(draw(screens))
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size / 1024:.0f} KiB")
    if os.getloadavg()[0] > 1.5 * os.cpu_count():
        print("This machine is busy, so the times in the picture are too long: record it again when nothing else runs.", file=sys.stderr)


if __name__ == "__main__":
    main()
