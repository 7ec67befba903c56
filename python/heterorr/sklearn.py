"""A scikit-learn transformer. Needs scikit-learn."""
from typing import Any, Optional

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ._mechanisms import FeaturePlan

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6 it was a method
    def validate_data(estimator: Any, X: Any, **how: Any) -> Any:
        return estimator._validate_data(X, **how)


class FeatureRandomizer(TransformerMixin, BaseEstimator):
    """Randomise features with a budget for each row. fit() takes PUBLIC data only, and learns the bounds from it unless they
    are given; transform() randomises private rows. Each call of transform() spends eps again, and no ledger is charged.

    options: a dict of other members of hrr_feature_options, such as {"n_bins": 8}.

    >>> import numpy
    >>> from heterorr.sklearn import FeatureRandomizer
    >>> public, private = numpy.random.default_rng(1).random((2, 20, 3))
    >>> FeatureRandomizer(eps=2.0).fit(public).transform(private).shape
    (20, 3)
    """

    def __init__(self, eps: Any = 1.0, mechanism: str = "featurerr", bounds: Any = None, options: Optional[dict] = None,
                 insecure_seed: Optional[int] = None):
        self.eps = eps
        self.mechanism = mechanism
        self.bounds = bounds
        self.options = options
        self.insecure_seed = insecure_seed

    def fit(self, X: Any, y: Any = None) -> "FeatureRandomizer":
        """Plan for PUBLIC rows like the private ones.

        >>> import numpy
        >>> from heterorr.sklearn import FeatureRandomizer
        >>> FeatureRandomizer(eps=2.0).fit(numpy.eye(3)).n_features_in_
        3
        """
        X = validate_data(self, X, dtype=[np.float64, np.float32])
        bounds = self.bounds
        if bounds is None:
            low, high = X.min(axis=0), X.max(axis=0)
            bounds = (low, np.where(high > low, high, low + 1))  # a feature that does not vary has room to
        self.bounds_ = tuple(np.broadcast_to(np.asarray(part, np.float64), X.shape[1]).copy() for part in bounds)
        self.plan_ = FeaturePlan(X.shape[1], self.eps, self.mechanism, bounds=self.bounds_, **(self.options or {}))
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Randomise private rows.

        >>> import numpy
        >>> from heterorr.sklearn import FeatureRandomizer
        >>> FeatureRandomizer(eps=2.0).fit(numpy.eye(3)).transform(numpy.eye(3)).shape
        (3, 3)
        """
        check_is_fitted(self, "plan_")
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return self.plan_.apply(X, insecure_seed=self.insecure_seed)

    @property
    def claim_(self) -> Any:
        """The guarantee for each row."""
        return self.plan_.claim

    def __getstate__(self) -> dict:  # a plan is the library's: it is made again
        state = super().__getstate__() if hasattr(BaseEstimator, "__getstate__") else dict(self.__dict__)
        return {name: value for name, value in state.items() if name != "plan_"}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        if "bounds_" in state:
            width = len(self.bounds_[0])
            self.plan_ = FeaturePlan(width, self.eps, self.mechanism, bounds=self.bounds_, **(self.options or {}))

    def _more_tags(self) -> dict:
        noise = "every row has noise of its own, by its place"
        return {"non_deterministic": self.insecure_seed is None, "preserves_dtype": [],
                "_xfail_checks": {"check_methods_sample_order_invariance": noise, "check_methods_subset_invariance": noise}}
