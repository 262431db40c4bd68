"""Properties of the library that the artifact answers for classes of the test: `property(read, write)`, `functools.cached_property(read)`. Standard
library only.

They are real ones, whose functions are asked for like any other. What a test does with an answer that is one, it does with no value.
"""
import functools

import descriptors
from remote import truth

#: The kinds of properties, and how many functions each has.
KINDS = {'property': 3, 'cached': 1}


class AnsweredProperty:
    """What both kinds have."""

    #: Nothing is known of one that the test has made of it (`area.setter(write)`).
    _judge_link = _judge_id = None
    _judge_answered = True

    def __bool__(self):
        return self._judge_link is None or truth(self)

    def __set_name__(self, owner, name):
        if self._judge_link is not None:
            descriptors.note(self._judge_link, owner, name)
        named = getattr(super(), '__set_name__', None)
        if named is not None:
            named(owner, name)


class Property(AnsweredProperty, property):
    """A property of functions of the artifact."""


class Cached(AnsweredProperty, functools.cached_property):
    """A property of a function of the artifact that is called once for each object."""


def made_property(link, number, kind, doc, functions):
    """The property that the artifact knows by a number. Raises ValueError, KeyError or TypeError for what is none."""
    if len(functions) != KINDS[kind] or doc is not None and type(doc) is not str or not all(each is None or callable(each) for each in functions):
        raise ValueError('no property')
    if kind == 'property':
        # Without a text it would ask its function for one.
        made = Property(*functions, doc or '')
    else:
        made = object.__new__(Cached)
        vars(made).update(vars(functools.cached_property(truth)), func=functions[0])
    made.__doc__, made._judge_link, made._judge_id = doc, link, number
    return made
