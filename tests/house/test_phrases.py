"""Sentences that readers had to read twice do not come back.

Each phrase below was once in a message, a help text or a page.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
READ = ["*.md", "docs/**/*.md", "src/**/*.[ch]", "include/**/*.h", "tests/cli/golden/*.txt"]
PHRASES = [
    "are gone on with", "is gone on with", "goes on where it was interrupted", "who charges a budget before drawing",
    "what every output says that no epsilon bounds", "pairs that share one hang together", "is no table of counts",
    "is undecided between any two values", "is right with a chance of", "are nobody's business", "what is to lose",
    "the leave to", "the leave for", "throws bytes at", "unless said", "had no say", "has no say", "tells next to nothing",
    "neighbours tell", "no way to go", "nobody looked at", "nobody had looked at", "say the mean picture", "answered either way",
    "on the wall", "nowhere the best", "is what speaks for", "two files more",
]
# Comments in the source still have these; pages do not.
OF_PAGES = [
    "labels a node", "class a node", "unasked", "goes on from there", "tell little", "tells little", "tells nothing", "dealt anew",
    "is no release", "a row a run", "whoever asks", "it says so",
]


def words(text):
    """The text with line breaks, quotes between parts of a C string and comment stars as single blanks."""
    return re.sub(r'(?:"\s*"|\s|(?<=\s)\*(?=\s))+', " ", text)


def found(text, phrases=PHRASES):
    plain = words(text)
    return [phrase for phrase in phrases if phrase in plain]


def main():
    assert found('f("rows are gone "\n      "on with")') == ["are gone on with"]  # the search itself works
    assert found("plain words") == []
    bad = [f"{path.relative_to(ROOT)}: \"{phrase}\""
           for pattern in READ for path in sorted(ROOT.glob(pattern))
           for phrase in found(path.read_text(), PHRASES + (OF_PAGES if path.suffix == ".md" else []))]
    for line in bad:
        print(f"{line}: say it in plain words (CONTRIBUTING.md, Messages)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
