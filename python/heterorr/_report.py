"""Reports: the library's charts of results files and releases."""
import ctypes
import pathlib
import re
from ctypes import byref
from typing import Any, List, Sequence, Union

from . import _declarations as c
from ._html import block
from ._library import Progress, encode, long_call, new_options, set_options


class Report:
    """A report that was written: its page, its most important sentences, and its charts in a notebook.

    >>> import heterorr, tempfile
    >>> place = tempfile.mkdtemp()
    >>> graph = heterorr.generate(n_nodes=100, seed=1)
    >>> _ = heterorr.compare(graph, ["edgerr"], kind="structure", eps_edges=[1], runs=2, results=place + "/results.csv")
    >>> report = heterorr.report(place + "/report", results=place + "/results.csv")
    >>> "<svg" in report._repr_html_()
    True
    """

    def __init__(self, directory: pathlib.Path, sentences: List[str]):
        self.directory, self.sentences = directory, sentences

    @property
    def page(self) -> pathlib.Path:
        """The HTML page, which needs nothing else."""
        return self.directory / "index.html"

    @property
    def charts(self) -> List[pathlib.Path]:
        """The charts, SVG files."""
        return sorted(self.directory.rglob("*.svg"))

    def __repr__(self) -> str:
        return f"<Report {str(self.page)!r}, {len(self.charts)} charts>"

    def _repr_html_(self) -> str:
        text = "".join(block("report", True, sentence) for sentence in self.sentences)
        return text + "".join(re.sub(r"^<\?xml[^>]*>\s*", "", chart.read_text()) for chart in self.charts)


def report(directory: Any, *, results: Union[Any, Sequence[Any]] = (), bundle: Any = None, progress: Progress = None,
           **options: Any) -> Report:
    """Write a page from results files of compare() or the command, and from a bundle. What is measured on private data is
    not protected: such a report is for the owner of the data. options: members of hrr_report_options, such as title, metric,
    scores, replace.

    >>> import heterorr, tempfile
    >>> place = tempfile.mkdtemp()
    >>> _ = heterorr.protect(heterorr.generate(n_nodes=100, seed=1), eps_features=1, insecure_seed=1, bundle=place + "/bundle")
    >>> heterorr.report(place + "/report", bundle=place + "/bundle").page.name
    'index.html'
    """
    files = [results] if isinstance(results, (str, bytes, pathlib.PurePath)) else list(results)
    o = new_options(c.hrr_report_options)
    set_options(o, "report", options)
    paths = (ctypes.c_char_p * max(len(files), 1))(*[encode(path) for path in files])
    o.results, o.n_results, o.bundle = paths, len(files), encode(bundle)
    summary = c.hrr_report_summary()
    long_call("hrr_report_write", byref(summary), encode(directory), byref(o), progress=progress)
    sentences = [summary.sentence[i].value.decode("utf-8", "replace") for i in range(summary.n_sentences)]
    return Report(pathlib.Path(directory), sentences)
