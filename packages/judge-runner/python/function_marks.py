"""Attributes that an artifact gives functions of its test, as a decorator does that registers them: `function.route = '/'`. Standard library only."""
import re
import types

from codec import decode
from originals import collections
from outlets import told_plainly

#: Most functions that are looked at, attributes of one that are told, and characters of a name.
MAX_FUNCTIONS, MAX_MARKS, MAX_NAME = 64, 20, 100
#: Attributes that a program sets.
STORED = re.compile(r'\.(\w+)\s*(?:[-+*/|&]|//|\*\*)?=(?!=)')
#: What the tools of tests read of functions.
OF_TOOLS = 'patchings', 'pytestmark', 'place_as'


def is_mark(name):
    return type(name) is str and name.isidentifier() and len(name) <= MAX_NAME and not name.startswith(('__', '_judge', '_pytest', '_hypothesis', 'hypothesis')) \
        and name not in OF_TOOLS


def function_of(part):
    return part.__func__ if type(part) is types.MethodType else part


class Marked:
    """What an artifact has put on the functions that it was given last."""

    def __init__(self):
        #: Functions by number, with what they had when they were told last.
        self.functions = collections.OrderedDict()

    def note(self, number, function, marks):
        """Looks at a function from now on, which has the marks that were told of it before."""
        vars(function).update((name, decode(told)) for name, told in marks)
        self.functions[number] = function, {name: [told] for name, told in marks}
        if len(self.functions) > MAX_FUNCTIONS:
            self.functions.popitem(last=False)

    def add_to(self, reply):
        """Tells plain values alone: all else is for the artifact itself."""
        found = []
        for number, (function, known) in self.functions.items():
            for name, value in list(vars(function).items())[:MAX_MARKS] if vars(function) else ():
                told = told_plainly(value) if is_mark(name) else []
                if told and known.get(name) != told:
                    known[name] = told
                    found.append([number, name, *told])
        if found:
            reply['properties'] = found
        return reply


class PutMarks:
    """The same on the functions of a test. None loses what the test has put on it, or gets what the suite itself puts on objects (`spy.called = True`)."""

    def __init__(self, texts):
        self.stored = frozenset(name for text in texts for name in STORED.findall(text))
        #: Functions by id, with the values of their marks by name, as they are here and as they were told.
        self.put = {}

    def of(self, part):
        """What an artifact has put on a function, or on that of a method, as `[name, value]`."""
        _, marks = self.put.get(id(function_of(part)), (None, {}))
        return [[name, told] for name, (_, told) in marks.items()]

    def arrive(self, part, name, value):
        """Raises TypeError, ValueError or KeyError for what is no attribute."""
        function = function_of(part)
        # Tools read what is on a test.
        if type(function) is not types.FunctionType or not is_mark(name) or name in self.stored or function.__name__.startswith('test'):
            return
        _, marks = self.put.setdefault(id(function), (function, {}))
        held = vars(function)
        if name not in held or name in marks and held[name] is marks[name][0]:
            held[name] = decode(value)
            marks[name] = held[name], value
