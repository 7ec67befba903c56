"""scikit-learn's own checks of an estimator; transforms of PyG and DGL.

PyG and DGL are not in Debian. Where they are not installed, minimal stand-ins with the names and shapes of their documented
interfaces take their place: they show that ours are used as documented, not that theirs still are so.
"""
import pickle
import sys
import types
import unittest

import support
import numpy as np

import heterorr


@unittest.skipUnless(support.has("sklearn"), "sklearn is not installed")
class ScikitLearn(unittest.TestCase):
    def test_its_own_checks_pass(self):
        from sklearn.utils.estimator_checks import check_estimator
        from heterorr.sklearn import FeatureRandomizer
        failed, passed = [], 0
        for estimator, check in check_estimator(FeatureRandomizer(eps=4.0, insecure_seed=1), generate_only=True):
            try:
                check(estimator)
                passed += 1
            except unittest.SkipTest as why:
                print(f"skipped: scikit-learn's {check.func.__name__}: {why}")
            except Exception as problem:
                failed.append(f"{check.func.__name__}: {problem}")
        self.assertEqual(failed, [])
        self.assertGreater(passed, 25)

    def test_parameters_clones_pipelines_and_pickles(self):
        from sklearn.base import clone
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from heterorr.sklearn import FeatureRandomizer
        one = FeatureRandomizer(eps=2.0, mechanism="multibit", bounds=(0, 1), insecure_seed=3)
        self.assertEqual(clone(one).get_params(), one.get_params())
        X, y = np.random.default_rng(1).random((60, 4)), np.arange(60) % 2
        make_pipeline(clone(one), LogisticRegression()).fit(X, y).predict(X)
        fitted = one.fit(X)
        self.assertEqual(pickle.loads(pickle.dumps(fitted)).transform(X).tolist(), fitted.transform(X).tolist())
        self.assertLessEqual(fitted.claim_.realised_eps, 2.0)

    def test_bounds_come_from_what_was_fitted_never_from_what_is_transformed(self):
        from heterorr.sklearn import FeatureRandomizer
        public = np.array([[0.0, 5.0], [1.0, 9.0]])
        fitted = FeatureRandomizer(eps=20).fit(public)
        self.assertEqual([part.tolist() for part in fitted.bounds_], [[0, 5], [1, 9]])
        found = fitted.transform(np.full((50, 2), 1e6))
        self.assertLessEqual(found.max(), 9)
        self.assertGreater(found[:, 1].mean(), 7)  # clipped to 9, hardly moved by so large a budget


class FakeTensor(np.ndarray):
    """What from_numpy() of the stand-in for torch returns."""

    def detach(self):
        return self

    def cpu(self):
        return self

    def numpy(self):
        return np.asarray(self)


def stand_ins():
    torch = types.ModuleType("torch")
    torch.from_numpy = lambda array: array.view(FakeTensor)

    class Data:
        def __init__(self, **tensors):
            self.__dict__.update(tensors)

    class BaseTransform:
        pass

    class Frame(dict):
        pass

    class DGLGraph:
        def __init__(self, ends, num_nodes):
            self.ends, self.n, self.ndata, self.edata = ends, num_nodes, Frame(), Frame()

        def edges(self):
            return self.ends

        def num_nodes(self):
            return self.n

    geometric, data, transforms = (types.ModuleType(name) for name in
                                   ("torch_geometric", "torch_geometric.data", "torch_geometric.transforms"))
    data.Data, transforms.BaseTransform = Data, BaseTransform
    dgl = types.ModuleType("dgl")
    dgl.graph = lambda ends, num_nodes: DGLGraph(ends, num_nodes)
    dgl.BaseTransform = BaseTransform
    return {"torch": torch, "torch_geometric": geometric, "torch_geometric.data": data,
            "torch_geometric.transforms": transforms, "dgl": dgl}


class Frameworks(unittest.TestCase):
    def setUp(self):
        wanted = stand_ins()
        for name in ("torch_geometric", "dgl"):
            print(f"{name} is {'installed' if support.has(name) else 'not installed: a stand-in takes its place'}")
        self.saved = {name: sys.modules.get(name) for name in wanted}
        if not support.has("torch_geometric") or not support.has("dgl"):
            sys.modules.update(wanted)
        self.graph = heterorr.generate(n_nodes=60, average_degree=4, n_features=3, n_classes=2, seed=1)

    def tearDown(self):
        for name, module in self.saved.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
        sys.modules.pop("heterorr.pyg", None)
        sys.modules.pop("heterorr.dgl", None)

    def test_pyg_there_and_back(self):
        data = self.graph.to_pyg()
        n_edges = self.graph.n_edges
        self.assertEqual((tuple(data.x.shape), tuple(data.edge_index.shape), tuple(data.y.shape)), ((60, 3), (2, 2 * n_edges), (60,)))
        self.assertEqual((str(data.edge_index.dtype), str(data.y.dtype), str(data.x.dtype)), ("int64", "int64", "float32"))
        self.assertEqual(int(data.train_mask.sum() + data.val_mask.sum() + data.test_mask.sum()), 60)
        again = heterorr.Graph.from_pyg(data, private="all", n_classes=2)
        self.assertEqual(again.edge_index.tolist(), self.graph.edge_index.tolist())
        self.assertEqual(again.split.tolist(), self.graph.split.tolist())
        self.assertEqual(again.labels.tolist(), self.graph.labels.tolist())

    def test_dgl_there_and_back(self):
        theirs = self.graph.to_dgl()
        self.assertEqual(sorted(theirs.ndata), ["feat", "label", "test_mask", "train_mask", "val_mask"])
        self.assertEqual(sorted(theirs.edata), ["private"])
        again = heterorr.Graph.from_dgl(theirs, private="all", n_classes=2)
        self.assertEqual(again.edge_index.tolist(), self.graph.edge_index.tolist())
        self.assertEqual(again.features.tolist(), self.graph.features.tolist())

    def test_transforms_release_what_they_are_given(self):
        wishes = dict(private="all", n_classes=2, eps_features=4, eps_edges=1, bounds=(0, 1), insecure_seed=1)
        from heterorr.pyg import Protect
        released = Protect(**wishes)(self.graph.to_pyg())
        self.assertIn("NOT PRIVATE", released.statement)  # a seed
        self.assertFalse(hasattr(released, "edge_private"))
        graph = heterorr.Graph.from_pyg(self.graph.to_pyg(), private="all", n_classes=2)
        options = {name: value for name, value in wishes.items() if name not in ("private", "n_classes")}
        release = heterorr.protect(graph, **options)
        self.assertEqual(np.asarray(released.x).tolist(), release.features.astype(np.float32).tolist())
        from heterorr.dgl import Protect as ForDgl
        self.assertEqual(ForDgl(**wishes)(self.graph.to_dgl()).num_nodes(), 60)

    def test_what_is_private_is_marked_in_what_its_owner_exports(self):
        data = self.graph.to_pyg()
        self.assertEqual(int(data.edge_private.sum()), 2 * self.graph.n_private_edges)


if __name__ == "__main__":
    support.main()
