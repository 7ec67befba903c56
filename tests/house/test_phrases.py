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

# What the program prints, what certificates and reports say, public headers and the Python package. Comments inside src/
# are not read here.
PRINTED = ["src/**/*.[ch]", "include/**/*.h", "tests/cli/golden/*.txt", "python/heterorr/*.py", "src/serve/*.html",
           "src/serve/*.json"]
PRINTED_PHRASES = [
    "has one way to a tree", "is a fault of the program", "counts into no blocks say nothing", "cannot be decoded to",
    "the model is not whole", "what the class tells", "alike features", "what the two tell adds up", "Let the files rest",
    "goes on with the others", "goes on from there", "to choose of", "is no number", "is no results file", "is no query of",
    "describes no model that can be", "are other ones", "Whoever has one of those is bounded", "is taken on the word of",
    "gives even odds to", "what those integers amount to", "who differs from her group", "who knows whom is made up",
    "leans less on", "a person would rather look at than read", "is nobody's business", "for want of which",
    "whatever became of the private data", "says so for ever", "what is left to do, roughly", "nobody asks", "makes no sense",
    "is not looked at", "are not looked at", "looks at options", "a class a node", "labels a node", " learnt",
]
# Sentences that the pages of older certificates keep word by word (hrr_words_of()).
HISTORY = {"src/certificate/words.c", "src/certificate/grounds.c", "src/certificate/plain_words.c"}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def words(text):
    """The text with line breaks, quotes between parts of a C string and comment stars as single blanks."""
    return re.sub(r'(?:"\s*"|\s|(?<=\s)\*(?=\s))+', " ", text)


def found(text, phrases=PHRASES):
    plain = words(text)
    return [phrase for phrase in phrases if phrase in plain]


def main():
    assert found('f("rows are gone "\n      "on with")') == ["are gone on with"]  # the search itself works
    assert found("plain words") == []
    assert found(COMMENT.sub(" ", '/* makes no sense */ f("1");'), PRINTED_PHRASES) == []
    assert found(COMMENT.sub(" ", 'f("that makes "\n "no sense");'), PRINTED_PHRASES) == ["makes no sense"]
    bad = [f"{path.relative_to(ROOT)}: \"{phrase}\""
           for pattern in READ for path in sorted(ROOT.glob(pattern))
           for phrase in found(path.read_text(), PHRASES + (OF_PAGES if path.suffix == ".md" else []))]
    for pattern in PRINTED:
        for path in sorted(ROOT.glob(pattern)):
            name = str(path.relative_to(ROOT))
            text = COMMENT.sub(" ", path.read_text()) if name.startswith("src/") and path.suffix in (".c", ".h") else path.read_text()
            if name not in HISTORY:
                bad += [f'{name}: "{phrase}"' for phrase in found(text, PRINTED_PHRASES)]
    for line in bad:
        print(f"{line}: say it in plain words (CONTRIBUTING.md, Messages)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
