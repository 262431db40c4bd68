"""Values that never change, and where a test sees that two of them are the same. Standard library only.

What is the same is the artifact's word, and it is asked for equal values only: of these any program may keep one for all.
"""
import itertools
import json

from originals import held
from standard import LASTING

json = held(json)
#: Values whose identity is known, and the most characters of one as it is told.
MAX_LASTING, MAX_TOLD = 256, 10_000


def lasts(told):
    """True for a value as it is told that never changes, and holds nothing that does."""
    if type(told) is not dict:
        return type(told) is not list
    (tag, held), = told.items() if len(told) == 1 else [('', None)]
    if tag in ('$tuple', '$frozenset'):
        return type(held) is list and all(map(lasts, held))
    return tag in ('$int', '$float', '$complex', '$bytes') or tag == '$std' and held[0] in LASTING


def has_identity(told):
    """True for such a value that a test may ask to be the very same as another one."""
    return type(told) is dict and not {'$tuple', '$frozenset', '$std'}.isdisjoint(told) and lasts(told)


class Answered:
    """Such values of the artifact, by number, as its box knows them."""

    def __init__(self):
        self.parts, self.counted = {}, itertools.count(1)

    def add_to(self, reply, part, args):
        """Notes in a reply which argument, or which earlier answer, the answer is."""
        if not has_identity(reply['value']):
            return
        given = next((index for index, each in enumerate(args) if each is part), None)
        if given is not None:
            reply['is'] = given
            return
        number, known = self.parts.get(id(part), (None, None))
        if known is not part:
            if len(self.parts) >= MAX_LASTING:
                self.parts.clear()
            number = next(self.counted)
            self.parts[id(part)] = number, part
        reply['same'] = number


class Same:
    """The part of a link that gives a test the same value again."""

    def begin_same(self):
        #: Answers with how they were told, by number.
        self.lasting = {}

    def same_again(self, reply, found, sent=(), args=()):
        """An answer, or the argument or earlier answer that it is."""
        if 'is' not in reply and 'same' not in reply or not has_identity(reply['value']):
            return found
        # Of JSON, true and 1 are alike.
        told, index, number = json.dumps(reply['value']), reply.get('is'), reply.get('same')
        if type(index) is int and 0 <= index < len(args):
            return args[index] if json.dumps(sent[index]) == told and type(args[index]) is type(found) else found
        if type(number) is not int or len(told) > MAX_TOLD:
            return found
        if number in self.lasting:
            return self.lasting[number][1] if self.lasting[number][0] == told else found
        if len(self.lasting) >= MAX_LASTING:
            self.lasting.clear()
        self.lasting[number] = told, found
        return found
