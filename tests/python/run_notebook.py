"""A notebook is valid, is kept without outputs, and runs from its first cell to its last. The argument is its path."""
import ast
import json
import os
import pathlib
import sys
import tempfile

import support


def check(book):
    """What is wrong with the notebook as a file."""
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5), "it is of another version"
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"]), "two cells have the same id"
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None), "it is kept without outputs"


def imports(cells):
    """The packages that the cells import."""
    return {name.name.split(".")[0] for cell in cells for node in ast.walk(ast.parse(cell)) if isinstance(node, ast.Import)
            for name in node.names}


def run(cells):
    """Run cells in one namespace, as a kernel does, and show the value of each last expression."""
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        tree = ast.parse(cell, f"cell {number}")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
            if hasattr(value, "_repr_html_"):
                html = value._repr_html_()
                assert html.startswith("<") and "<script" not in html, html


def main(path):
    book = json.loads(pathlib.Path(path).read_text())
    check(book)
    cells = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    support.need(*sorted(imports(cells) - {"heterorr", "os"}))
    data = pathlib.Path(os.environ.get("HETERORR_DATA", "")) / "planetoid" / "cora.npz"
    if "cora.npz" in "".join(cells) and not data.exists():
        print(f"skipped: {data} is not there")
        return support.SKIPPED
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        run(cells)
        os.chdir("/")
    return 0


sys.exit(main(*sys.argv[1:]))
