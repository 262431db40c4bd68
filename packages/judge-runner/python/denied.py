"""Comparisons with values of the test that the judge has denied by itself: an operator that says yes to more must not profit from that.
Standard library only.
"""
import enum
import json
import re

from given import Given
from originals import held, os
from stand_in import given_of, held_in

json = held(json)
#: Values of which the language alone says what they equal, by the modules and names of their types.
PLAIN = {('builtins', name) for name in 'NoneType bool int float str bytes tuple list dict set frozenset'.split()}
PLAIN |= {('datetime', name) for name in ('date', 'datetime', 'time', 'timedelta')} | {('decimal', 'Decimal'), ('fractions', 'Fraction'), ('uuid', 'UUID')}
#: Most comparisons of a test that are asked for at its end, and most of its questions that are looked at for what they have told.
MAX_DENIED, MAX_TOLD = 50, 200
#: Errors that are raised for what a value is, whatever its type.
OF_VALUES = ValueError, LookupError, ArithmeticError
WORD = re.compile('[^\\W_]+')


def words_in(value):
    """The words and numbers that a value is written with."""
    if isinstance(value, dict):
        return words_in([*value, *value.values()])
    if isinstance(value, (list, tuple, set, frozenset)):
        return set().union(*map(words_in, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = value.decode('latin-1') if isinstance(value, bytes) else str(value)
    return {each.lstrip('0') or '0' for each in WORD.findall(text)}


def unlikely(value):
    """A value of the same type that nothing of an artifact is meant to equal; another one each time."""
    word = os.urandom(8).hex()
    made = {int: lambda: -int(word, 16), float: lambda: -int(word, 16) / 7, str: lambda: word, bytes: word.encode, tuple: lambda: (word, -1),
            list: lambda: [word, -1], dict: lambda: {word: -1}, set: lambda: {word}, frozenset: lambda: frozenset([word])}.get(type(value))
    return made and [made()]


class Denying:
    """The part of a link that remembers which comparisons it has denied."""

    def begin_denying(self):
        #: Objects with the values that they were compared with and the places; what the questions of the test have told.
        self.denied, self.told_args = {}, []

    def note_told(self, op):
        if len(self.told_args) < MAX_TOLD:
            self.told_args.append((op['args'], op['kwargs']))

    def deny(self, part, value, name='eq'):
        """Denies that an object equals a value, which the artifact is not told of now. `name`: the operator of the test, `eq` or `ne`."""
        kind = type(value)
        if (kind.__module__, kind.__name__) in PLAIN and not self.is_looking and len(self.denied) < MAX_DENIED:
            place = self.site('denied')
            self.denied.setdefault((type(part), kind, place, name, repr(value)[:100]), (part, value, place, name))
        return NotImplemented

    def confirm_denied(self):
        """Asks the operators, at the end of a test that has passed. A value is told that the test has told before, by its words; another stands for
        any other one."""
        denied, self.denied = list(self.denied.values()), {}
        told = words_in(json.dumps(self.told_args)) if denied else ()
        for part, value, place, name in denied:
            is_known = value is None or isinstance(value, bool) or words_in(value) <= {*told, *self.words_of(part)}
            probes = [value] if is_known else unlikely(value) or []
            kinds = type(part).__name__, type(value).__name__
            for each in probes:
                says, error = self.says_of(part, each, name)
                if says is True and not self.allows_at(place):
                    raise self.refuse('its class %s calls an object equal to a %s that it is not; a reference allows it' % kinds)
                # What is wrong with a value alone says nothing of the one that stands for it.
                is_decisive = error is not None and (is_known or not isinstance(error, OF_VALUES))
                if is_decisive and not self.allows_at(place and place + ' raised'):
                    raise self.refuse('its class %s raises %s where an object is compared with a %s' % (kinds[0], type(error).__name__, kinds[1]))

    def says_of(self, part, value, name):
        """Returns whether the operator calls an object equal to a value, and the error that it raises instead."""
        outer, self.is_looking = self.is_looking, True
        try:
            return self.says_equal(part, value, name), None
        except (Exception, SystemExit) as error:
            return None, error
        finally:
            self.is_looking = outer

    def words_of(self, part):
        """The words of what an object has as its parts, and of what the test has made it of."""
        if isinstance(part, enum.Enum):
            return words_in([part._value_])
        args, kwargs = held_in(part).get('_judge_new', ((), {}))
        given = given_of(part)
        if isinstance(given, Given):
            args, kwargs = (*args, *given.args), {**kwargs, **given.kwargs}
        plain = [each for each in (*args, *kwargs.values(), *(self.looked(lambda: self.parts(part)) or ())) if (type(each).__module__, type(each).__name__) in PLAIN]
        return words_in(plain)

    def allows_at(self, place):
        """True where the reference said so at this place of this test."""
        if self.learning and place is not None:
            self.uses.setdefault(place, set()).add(self.test)
        return self.learning or self.test in self.known_uses.get(place, ())
