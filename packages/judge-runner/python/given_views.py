"""Views of dictionaries of a test, which show what these hold now. Standard library only.

The artifact gets a view of a dictionary of its own, which holds what the view shows and no more: what stands behind the keys may be what a test
expects.
"""
import collections
import gc
import types

#: Types of views, with the methods that answer them.
VIEWS = {type(getattr(kind(), name)()): name for kind in (dict, collections.OrderedDict) for name in ('keys', 'values', 'items')}
VIEWS[types.MappingProxyType] = 'proxy'
#: Types of dictionaries whose views stay what they show, most of them in one test, and most items of one.
DICTIONARIES = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
MAX_VIEWS, MAX_ITEMS = 64, 1000
SHOWN = {'keys': dict.fromkeys, 'values': lambda held: dict(enumerate(held.values())), 'items': dict, 'proxy': dict}


def dictionary_of(view):
    """The dictionary behind a view; None for one of another mapping."""
    found = gc.get_referents(view)[:1]
    return found[0] if found and type(found[0]) in DICTIONARIES else None


def is_same(one, other):
    return len(one) == len(other) and all(mine[0] is its[0] and mine[1] is its[1] for mine, its in zip(one.items(), other.items()))


class GivingViews:
    """The part of a link that gives views."""

    def begin_views(self):
        #: What views show, by the ids of their dictionaries and the methods, with these dictionaries.
        self.views = {}

    def leave_view(self, view, walk):
        """A view by a dictionary of what it shows; None for one that leaves as a copy."""
        held, name = dictionary_of(view), VIEWS[type(view)]
        # Of the others, a mapping answers more than what it holds.
        if held is None or len(held) > MAX_ITEMS or name == 'proxy' and type(held) is not dict:
            return None
        key = id(held), name
        if key not in self.views and len(self.views) >= MAX_VIEWS:
            return None
        self.renew_views()
        _, shown = self.views.setdefault(key, (held, SHOWN[name](held)))
        return {'$view': [name, walk(shown)]}

    def renew_views(self):
        """Gives views what their dictionaries hold now."""
        for (_, name), (held, shown) in self.views.items():
            now = SHOWN[name](held)
            if not is_same(now, shown):
                shown.clear()
                shown.update(now)
