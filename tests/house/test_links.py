"""Every link between documents leads somewhere: to a file of the tree and, behind #, to a heading of it."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("abi/*.md")])


def anchors(page):
    """The names that headings get on pages, as forges and mkdocs make them from their words."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def main():
    broken, n_links = [], 0
    for page in DOCUMENTS:
        text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
        targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
        for target in targets:
            if re.match(r"[a-z]+:", target):
                continue
            n_links += 1
            path, _, anchor = target.partition("#")
            there = (page.parent / path).resolve() if path else page
            if not there.exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}: no such file")
            elif anchor and anchor not in anchors(there):
                broken.append(f"{page.relative_to(ROOT)}: {target}: no such heading")
    if broken or n_links < 100:
        sys.exit("\n".join([*broken, f"{n_links} links"]))
    print(f"{n_links} links lead somewhere")


main()
