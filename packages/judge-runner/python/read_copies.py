"""Copies of the artifact's objects, on which the judge reads what they contain: a class may count how often it is asked. Standard library only."""
import collections
import types

from parts import slots_of

#: Most objects that are copied with one.
MAX_COPIED = 20_000
LISTS, DICTS = (list, collections.deque), (dict, collections.OrderedDict, collections.Counter, collections.defaultdict)


class TooMany(Exception):
    """An object leads to more than a test would look at."""


class Copying:
    """Copies objects with all that they hold. `is_own`: says whether a class is the artifact's. What is neither of such a class nor a container of the
    language, such as a lock, is shared with the original."""

    def __init__(self, is_own):
        #: Copies by the id of the original, with that; originals by the id of the copy, with that.
        self.is_own, self.made, self.originals, self.count = is_own, {}, {}, 0

    def copy(self, part):
        """Returns a copy, or the object itself where it cannot be copied."""
        try:
            return self.copied(part)
        except Exception:
            return part

    def original(self, value):
        """What was read of a copy, with the objects themselves in it."""
        if id(value) in self.originals:
            return self.originals[id(value)][0]
        if type(value) in (list, tuple, set, frozenset):
            return type(value)(map(self.original, value))
        return {self.original(key): self.original(each) for key, each in value.items()} if type(value) is dict else value

    def copied(self, part):
        if id(part) in self.made:
            return self.made[id(part)][1]
        self.count += 1
        if self.count > MAX_COPIED:
            raise TooMany
        return self.noted(part, self.shared_or_made(part))

    def noted(self, part, made):
        if made is not part:
            self.made[id(part)], self.originals[id(made)] = (part, made), (part, made)
        return made

    def shared_or_made(self, part):
        kind = type(part)
        if kind in LISTS:
            made = self.noted(part, kind() if kind is list else kind(maxlen=part.maxlen))
            made.extend(map(self.copied, part))
        elif kind in DICTS:
            made = self.noted(part, kind(part.default_factory) if kind is collections.defaultdict else kind())
            made.update((self.copied(key), self.copied(value)) for key, value in part.items())
        elif kind in (tuple, set, frozenset):
            made = kind(map(self.copied, part))
        elif kind is types.MethodType:
            made = kind(part.__func__, self.copied(part.__self__))
        elif kind is types.SimpleNamespace or self.is_copied(kind):
            made = self.object_like(part, kind)
        else:
            made = part
        return made

    def is_copied(self, kind):
        # The end of a copy would be told to a class that has a `__del__`.
        return self.is_own(kind) and not issubclass(kind, (type, BaseException)) and not hasattr(kind, '__del__')

    def object_like(self, part, kind):
        """Makes an object that holds copies of what another one holds, without a call of its class."""
        base = next((each for each in (list, dict, set, tuple, frozenset) if issubclass(kind, each)), object)
        if base in (tuple, frozenset):
            made = self.noted(part, base.__new__(kind, [self.copied(each) for each in base.__iter__(part)]))
        else:
            made = self.noted(part, types.SimpleNamespace() if kind is types.SimpleNamespace else base.__new__(kind))
        if base is dict:
            for key, value in dict.items(part):
                dict.__setitem__(made, self.copied(key), self.copied(value))
        elif base is not object and base not in (tuple, frozenset):
            base.__init__(made, [self.copied(each) for each in base.__iter__(part)])
        if hasattr(part, '__dict__'):
            object.__getattribute__(made, '__dict__').update({name: self.copied(value) for name, value in object.__getattribute__(part, '__dict__').items()})
        for name, value in slots_of(part).items():
            object.__setattr__(made, name, self.copied(value))
        return made
