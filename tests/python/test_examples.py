"""The example in the docstring of every public function and class is run, and there is one."""
import doctest
import importlib
import inspect
import pkgutil
import sys
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
            for method, value in vars(item).items():
                if not method.startswith("_") and not isinstance(value, property):
                    yield f"{name}.{method}", getattr(item, method)


class Examples(unittest.TestCase):
    def test_every_example_says_what_it_does(self):
        attempted = 0
        for module in modules():
            wanted = {"networkx", "scipy", "igraph", "pandas", "sklearn"}
            for example in doctest.DocTestFinder().find(module, module.__name__):
                text = "".join(part.source for part in example.examples)
                missing = [name for name in wanted if f"import {name}" in text.replace(", ", " import ") or
                           f"{name}." in text and not support.has(name)]
                missing = [name for name in missing if not support.has(name)]
                if missing:
                    print(f"skipped: the example of {example.name}: {missing[0]} is not installed")
                    continue
                result = doctest.DocTestRunner().run(example)
                attempted += result.attempted
                self.assertEqual(result.failed, 0, example.name)
        self.assertGreater(attempted, 80)

    def test_everything_public_has_an_example(self):
        without = [name for name, item in public()
                   if callable(item) and not (inspect.isclass(item) and issubclass(item, (BaseException, tuple)))
                   and ">>>" not in (inspect.getdoc(item) or "")]
        self.assertEqual([name for name in without if name not in INHERITED], [])

    def test_everything_public_is_described(self):
        self.assertEqual([name for name, item in public() if not inspect.getdoc(item)], [])


INHERITED = set()

if __name__ == "__main__":
    support.main()
    sys.exit(0)
