"""The example in the docstring of every public function and class is run, and there is one."""
import doctest
import importlib
import inspect
import os
import pkgutil
import re
import tempfile
import unittest

import support
import heterorr


def modules():
    found = [heterorr]
    for item in pkgutil.iter_modules(heterorr.__path__):
        if item.name not in OPTIONAL or support.has(OPTIONAL[item.name]):
            found.append(importlib.import_module(f"heterorr.{item.name}"))
    return found


OPTIONAL = {"sklearn": "sklearn", "pyg": "torch_geometric", "dgl": "dgl"}


def public():
    """Every function and class of the package, and the public methods of its classes."""
    for name in heterorr.__all__:
        item = getattr(heterorr, name)
        yield name, item
        if inspect.isclass(item) and not issubclass(item, (BaseException, tuple)):
            ours = {method: value for base in item.__mro__ if base.__module__.startswith("heterorr")
                    for method, value in vars(base).items()}
            for method, value in ours.items():
                if not method.startswith("_") and not isinstance(value, property):
                    yield f"{name}.{method}", getattr(item, method)


class Examples(unittest.TestCase):
    def test_every_example_says_what_it_does(self):
        attempted = 0
        for module in modules():
            for example in doctest.DocTestFinder().find(module, module.__name__):
                text = "".join(part.source for part in example.examples)
                imported = re.findall(r"(\w+)(?:\.\w+)*", " ".join(re.findall(r"^import (.*)$", text, re.M)))
                missing = [name for name in imported if not support.has(name)]
                if missing:
                    print(f"skipped: the example of {example.name}: {missing[0]} is not installed")
                    continue
                result = doctest.DocTestRunner().run(example)
                example.globs.clear()
                attempted += result.attempted
                self.assertEqual(result.failed, 0, example.name)
        self.assertGreater(attempted, 80)

    def test_the_blocks_of_the_documentation_run(self):
        names = {}
        text = (support.ROOT / "docs" / "python.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
        self.assertGreater(len(blocks), 2)
        with tempfile.TemporaryDirectory() as where:
            before, home = os.getcwd(), os.environ.get("XDG_DATA_HOME")
            os.chdir(where)
            os.environ["XDG_DATA_HOME"] = where
            try:
                for block in blocks:
                    exec(block, names)
            finally:
                os.chdir(before)
                os.environ.pop("XDG_DATA_HOME") if home is None else os.environ.update(XDG_DATA_HOME=home)

    def test_everything_public_has_an_example(self):
        without = [name for name, item in public()
                   if callable(item) and not (inspect.isclass(item) and issubclass(item, (BaseException, tuple)))
                   and ">>>" not in (inspect.getdoc(item) or "")]
        self.assertEqual(without, [])

    def test_everything_public_is_described(self):
        self.assertEqual([name for name, item in public() if not inspect.getdoc(item)], [])


if __name__ == "__main__":
    support.main()
