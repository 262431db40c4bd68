"""Attributes that an artifact gives functions of its test, as a decorator does that registers them: `function.route = '/'`. Standard library only."""
import re
import types

from codec import decode
from originals import collections
from outlets import told_plainly

#: Most functions that are looked at, attributes of one that are told, and characters of a name.
MAX_FUNCTIONS, MAX_MARKS, MAX_NAME = 64, 20, 100
#: Attributes that a program sets of what it calls by a name, and names of its functions.
STORED = re.compile(r'(?<![\w.])(\w+)\.(\w+)\s*(?:[-+*/|&]|//|\*\*)?=(?!=)')
FUNCTION = re.compile(r'\bdef\s+(\w+)|\b(\w+)\s*=\s*lambda\b')
#: Names of tests, of which tools read what is on them.
TEST = re.compile(r'test(?:_|$)')
#: What the tools of tests read of functions.
OF_TOOLS = 'patchings', 'pytestmark', 'place_as'
#: What each function has that a decorator may write anew.
TEXTS = '__name__', '__qualname__', '__doc__'


def is_mark(name):
    return type(name) is str and name.isidentifier() and len(name) <= MAX_NAME and not name.startswith(('__', '_judge', '_pytest', '_hypothesis', 'hypothesis')) \
        and name not in OF_TOOLS


def function_of(part):
    return part.__func__ if type(part) is types.MethodType else part


def stored_in(text):
    """Attributes that a program sets of its own functions: `spy.called` of `spy.called = True`."""
    functions = {name for names in FUNCTION.findall(text) for name in names}
    return {name for owner, name in STORED.findall(text) if owner in functions}


class Marked:
    """What an artifact has put on the functions that it was given last."""

    def __init__(self):
        #: Functions by number, with what they had when they were told last.
        self.functions = collections.OrderedDict()

    def note(self, number, function, marks):
        """Looks at a function from now on, which has the marks that were told of it before."""
        vars(function).update((name, decode(told)) for name, told in marks if name not in TEXTS)
        self.functions[number] = function, {**{name: [told] for name, told in marks}, **{name: [getattr(function, name)] for name in TEXTS}}
        if len(self.functions) > MAX_FUNCTIONS:
            self.functions.popitem(last=False)

    def add_to(self, reply):
        """Tells plain values alone: all else is for the artifact itself."""
        found = []
        for number, (function, known) in self.functions.items():
            if not vars(function) and len(known) == len(TEXTS) and all(getattr(function, name) is known[name][0] for name in TEXTS):
                continue
            held = {**{name: getattr(function, name) for name in TEXTS}, **dict(list(vars(function).items())[:MAX_MARKS])}
            for name, value in held.items():
                told = told_plainly(value) if name in TEXTS or is_mark(name) else []
                if told and known.get(name) != told:
                    known[name] = told
                    found.append([number, name, *told])
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
        #: Functions by id, with the values of their marks by name, as they are here and as they were told.
        self.put = {}

    def of(self, part):
        """What an artifact has put on a function, or on that of a method, as `[name, value]`."""
        _, marks = self.put.get(id(function_of(part)), (None, {}))
        return [[name, told] for name, (_, told) in marks.items()]

    def arrive(self, part, name, *told):
        """`told`: the value, nothing for one that is gone. Raises TypeError, ValueError or KeyError for what is no attribute."""
        function = function_of(part)
        if type(function) is not types.FunctionType or name in self.stored or TEST.match(function.__name__):
            return
        if name in TEXTS:
            setattr(function, name, decode(*told))
        elif is_mark(name):
            _, marks = self.put.setdefault(id(function), (function, {}))
            held, is_own = vars(function), name in marks and vars(function).get(name, marks) is marks[name][0]
            if told and (name not in held or is_own):
                held[name] = decode(*told)
                marks[name] = held[name], *told
            elif not told and is_own:
                del held[name], marks[name]
