"""What the owner of data declares to be public knowledge."""
from typing import List, Sequence, Union

from ._library import lib, names


def public_names() -> List[str]:
    """What can be declared public with `public`.

    >>> import heterorr
    >>> heterorr.public_names()[:3]
    ['nodes', 'edges', 'classes']
    """
    return names(lib.hrr_public_names())


def declared(public: Union[str, Sequence[str]]) -> int:
    known = public_names()
    bits = 0
    for word in [public] if isinstance(public, str) else public:
        if word not in known:
            raise ValueError(f"public: there is no {word!r}; choose one of {', '.join(known)}")
        bits |= 1 << known.index(word)
    return bits
