"""Attributes that an artifact gives functions of its test, as a decorator does that registers them: `function.route = '/'`. Standard library only."""
import re
import types

from codec import decode
from originals import collections
from outlets import told_plainly
from shared import CHANGING, replace

#: Most functions that are looked at, attributes of one that are told, and characters of a name.
MAX_FUNCTIONS, MAX_MARKS, MAX_NAME = 64, 20, 100
#: Attributes that a program sets of what it calls by a name, and names of its functions.
STORED = re.compile(r'(?<![\w.])(\w+)\.(\w+)\s*(?:[-+*/|&]|//|\*\*)?=(?!=)')
FUNCTION = re.compile(r'\bdef\s+(\w+)|\b(\w+)\s*=\s*lambda\b')
#: Names of tests, of which tools read what is on them.
TEST = re.compile(r'test(?:_|$)')
#: What the tools of tests read of functions.
OF_TOOLS = 'patchings', 'pytestmark', 'place_as'
BEGINNINGS = ('_judge', '_pytest', '_hypothesis', 'hypothesis', '__pytest', '__unittest', '__test')
#: What the language and the library read of functions.
OF_LANGUAGE = frozenset((*dir(types.FunctionType), '__wrapped__', '__signature__', '__isabstractmethod__', '__tracebackhide__', '__set_name__', '__set__', '__delete__'))
#: What each function has that a decorator may write anew.
TEXTS = '__name__', '__qualname__', '__doc__'


def is_mark(name):
    is_name = type(name) is str and name.isidentifier() and len(name) <= MAX_NAME
    return is_name and not name.startswith(BEGINNINGS) and name not in OF_TOOLS and name not in OF_LANGUAGE and (name[:2] != '__' or name[-2:] == '__')


def function_of(part):
    return part.__func__ if type(part) is types.MethodType else part


def stored_in(text):
    """Attributes that a program sets of its own functions: `spy.called` of `spy.called = True`."""
    functions = {name for names in FUNCTION.findall(text) for name in names}
    return {name for owner, name in STORED.findall(text) if owner in functions}


def is_changing(value):
    return type(value) in (list, dict, set, bytearray)


class Marked:
    """What an artifact has put on the functions that it was given last. `tell` and `arrive` make values ready to leave and to be used."""

    def __init__(self, tell, arrive):
        self.tell, self.arrive = tell, arrive
        #: Functions by number, with what they had when they were told last: values, and how these were told.
        self.functions = collections.OrderedDict()

    def note(self, number, function, marks):
        """Looks at a function from now on, which has the marks that were told of it before."""
        held = {name: (self.arrive(told), told) for name, told in marks}
        vars(function).update((name, value) for name, (value, _) in held.items() if name not in TEXTS)
        known = {**{name: (value, [told]) for name, (value, told) in held.items()}, **{name: (None, [getattr(function, name)]) for name in TEXTS}}
        self.functions[number] = function, known
        if len(self.functions) > MAX_FUNCTIONS:
            self.functions.popitem(last=False)

    def take(self, op):
        """Changes what the test has changed in plain containers that the artifact has put there."""
        for number, name, told in op.pop('marks', ()):
            function, known = self.functions.get(number, (None, {}))
            value, made = getattr(function, '__dict__', {}).get(name), self.arrive(told)
            if type(value) is type(made):
                replace(value, made)
                known[name] = value, [told]

    def told_now(self, name, value, known):
        """How a mark is told, in a list; an empty one for what cannot be."""
        if name in TEXTS or not is_mark(name):
            return told_plainly(value) if name in TEXTS else []
        found = told_plainly(value)
        # An object is the same one whatever it holds.
        if found or known is not None and known[0] is value and not isinstance(value, (list, tuple, *CHANGING)):
            return found or known[1]
        try:
            return [self.tell(value)]
        except Exception:
            return []

    def add_to(self, reply):
        """Tells the texts of functions, and what has been put on them."""
        found = []
        for number, (function, known) in list(self.functions.items()):
            if not vars(function) and len(known) == len(TEXTS) and all(getattr(function, name) is known[name][1][0] for name in TEXTS):
                continue
            held = {**{name: getattr(function, name) for name in TEXTS}, **dict(list(vars(function).items())[:MAX_MARKS])}
            for name, value in held.items():
                before, told_before = known.get(name, (None, None))
                told, is_same = self.told_now(name, value, known.get(name)), before is value or not is_changing(value)
                if told and (told != told_before or not is_same):
                    found.append([number, name, *told, int(is_same)])
                if told:
                    known[name] = value, told
            for name in known.keys() - held.keys():
                del known[name]
                found.append([number, name])
        if found:
            reply['properties'] = found
        return reply


class PutMarks:
    """The same on the functions of a test. None loses what the test has put on it, or gets what the suite itself puts on objects (`spy.called = True`)."""

    def __init__(self, texts):
        self.stored = frozenset(name for text in texts for name in stored_in(text))
        #: Functions by id, with their numbers and the values of their marks by name, as they are here and as they were told.
        self.put = {}

    def of(self, part, leave):
        """What an artifact has put on a function, or on that of a method, as `[name, value]`."""
        _, _, marks = self.put.get(id(function_of(part)), (None, None, {}))
        return [[name, leave(value)] for name, (value, _) in marks.items()]

    def is_open(self, function, name):
        """True for an attribute of a function that an artifact may put there."""
        return type(function) is types.FunctionType and name not in self.stored and not TEST.match(function.__name__) and (name in TEXTS or is_mark(name))

    def arrive(self, number, part, name, arrive, *told):
        """`told`: the value, which `arrive` makes, and whether a container is the same one as before; nothing for one that is gone. Raises TypeError,
        ValueError or KeyError for what is no attribute."""
        function = function_of(part)
        if not self.is_open(function, name):
            return
        if name in TEXTS:
            setattr(function, name, decode(told[0]))
            return
        _, _, marks = self.put.setdefault(id(function), (function, number, {}))
        held, is_own = vars(function), name in marks and vars(function).get(name, marks) is marks[name][0]
        if told and (name not in held or is_own):
            value = arrive(told[0])
            if is_own and told[1:] == (1,) and is_changing(value) and type(held[name]) is type(value):
                replace(held[name], value)
            else:
                held[name] = value
            marks[name] = held[name], told_plainly(held[name])
        elif not told and is_own:
            del held[name], marks[name]

    def add_to(self, op):
        """Tells what the test has changed in plain containers among them."""
        for function, number, marks in list(self.put.values())[-MAX_FUNCTIONS:]:
            for name, (value, before) in list(marks.items()):
                now = told_plainly(value) if is_changing(value) and vars(function).get(name) is value else []
                if now and now != before:
                    marks[name] = value, now
                    op.setdefault('marks', []).append([number, name, *now])
