"""Objects, classes and errors of the artifact that a test pickles: the bytes name a copy that is kept here. Standard library only."""
import copyreg
import sys
import types

#: Where pickle finds what reads the bytes: modules of the judge are not to be imported by a suite.
PLACE = types.ModuleType('_judge_pickled')
KEPT = []


def load(index):
    part, copied = KEPT[index]
    return copied(part, 'pickle')


load.__module__, load.__qualname__ = PLACE.__name__, 'load'
PLACE.load = load


def reduced(part, copied):
    """How something is pickled that `copied(part, 'pickle')` copies."""
    sys.modules[PLACE.__name__] = PLACE
    KEPT.append((part, copied))
    return load, (len(KEPT) - 1,)


def pickle_classes(kind):
    """Has classes of this class pickled as they are."""
    copyreg.pickle(kind, lambda cls: reduced(cls, lambda cls, do: cls))
