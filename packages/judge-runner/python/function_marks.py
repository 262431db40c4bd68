"""Attributes of functions of a test: those that an artifact gives them, as a decorator does that registers them (`function.route = '/'`), and those
that the test has set. Standard library only."""
import re
import types
import weakref

from codec import decode
from originals import collections
from outlets import told_plainly
from shared import CHANGING, replace

#: Most functions that are looked at, attributes of one that are told, and characters of a name.
MAX_FUNCTIONS, MAX_MARKS, MAX_NAME = 64, 20, 100
#: Attributes that a program sets of what it calls by a name, and names of its functions.
STORED = re.compile(r'(?<![\w.])(\w+)\.(\w+)\s*(?:[-+*/|&]|//|\*\*)?=(?!=)')
FUNCTION = re.compile(r'\bdef\s+(\w+)|\b(\w+)\s*=\s*lambda\b')
#: A line that begins a block, or stands before one.
BODY = re.compile(r'([ \t]*)(?:async\s+)?(?:def|class|if|for|while|with|try|else|elif|except|finally|match|case)\b.*')
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
    """Attributes that functions of a suite set of its functions when they are called, as a spy does: `called` of `spy.called = True`. What a test itself
    sets is there before the artifact is called, or after it."""
    functions = {name for names in FUNCTION.findall(text) for name in names}
    return {found[2] for found in STORED.finditer(text) if found[1] in functions and not TEST.match(function_around(text, found.start()) or 'test_')}


def function_around(text, at):
    """The name of the function in whose body a place is; None for none."""
    lines = text[:at].split('\n')
    inner = re.search(r'\bdef\s+(\w+)', lines[-1])
    indent = len(lines[-1]) - len(lines[-1].lstrip())
    while inner is None and lines[1:] and indent:
        lines.pop()
        found = BODY.match(lines[-1])
        if found and len(found[1]) < indent:
            inner = re.search(r'\bdef\s+(\w+)', found[0]) or inner
            indent = len(found[1])
    return inner and inner[1]


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
        for number, name, *told in op.pop('set_marks', ()):
            if number not in self.functions:
                continue
            function, known = self.functions[number]
            if told:
                known[name] = self.arrive(told[0]), told
                setattr(function, name, known[name][0])
            else:
                known.pop(name, None)
                vars(function).pop(name, None)

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

    def __init__(self, texts, suite):
        self.stored = frozenset(name for text in texts for name in stored_in(text))
        self.suite = suite
        #: Functions by id, with their numbers and the values of their marks by name, as they are here and as they were told.
        self.put = {}
        #: The same for what the test has set on functions that were given.
        self.set = collections.OrderedDict()

    def of(self, part, number, leave):
        """What a function has, or that of a method, as `[name, value]`."""
        function = function_of(part)
        marks = self.marks_of(function)
        told = [[name, leave(value)] for name, (value, _) in marks.items()]
        if type(function) is not types.FunctionType or not function.__code__.co_filename.startswith(self.suite):
            return told
        held = self.set_on(function)
        # One that was given before is told of what has changed since.
        self.set.setdefault(id(function), (function, number, held))
        self.set.move_to_end(id(function))
        return [*told, *([name, leave(value)] for name, (value, _) in held.items())]

    def hold_weakly(self, part):
        """Holds a function by weak references only."""
        for held in (self.put, self.set):
            if type(part) is types.FunctionType and id(part) in held:
                held[id(part)] = (weakref.ref(part), *held[id(part)][1:])

    def forget(self, key):
        """Forgets a function that is no more."""
        self.put.pop(key, None)
        self.set.pop(key, None)

    def marks_of(self, function):
        """What an artifact has put on a function, and the test has not replaced since."""
        _, _, marks = self.put.get(id(function), (None, None, {}))
        for name in [name for name, (value, _) in marks.items() if vars(function).get(name, value) is not value]:
            del marks[name]
        return marks

    def set_on(self, function):
        """What the test itself has set on a function, with how that is told: plain values."""
        marks = self.marks_of(function)
        held = {name: (value, told_plainly(value)) for name, value in list(vars(function).items())[:MAX_MARKS]
                if is_mark(name) and not name.startswith('_') and name not in marks}
        return {name: each for name, each in held.items() if each[1]}

    def is_open(self, function, name):
        """True for an attribute of a function that an artifact may put there."""
        return type(function) is types.FunctionType and name not in self.stored and not TEST.match(function.__name__) and (name in TEXTS or is_mark(name))

    def arrive(self, number, part, name, arrive, *told):
        """`told`: the value, which `arrive` makes, and whether a container is the same one as before; nothing for one that is gone. Raises TypeError,
        ValueError or KeyError for what is no attribute; False for one that the test has set and it may not change."""
        function = function_of(part)
        _, _, known = self.set.get(id(function), (None, None, {}))
        if not self.is_open(function, name):
            return name not in known
        if name in TEXTS:
            setattr(function, name, decode(told[0]))
            return True
        _, _, marks = self.put.setdefault(id(function), (function, number, {}))
        if name in known and vars(function).get(name, known) is known[name][0]:
            # As it knows what the test has set, it may change that.
            marks[name] = known.pop(name)
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
        return True

    def add_to(self, op, leave):
        """Tells what the test has set on functions since, and what it has changed in plain containers that the artifact has put there."""
        for key, (function, number, before) in list(self.set.items())[-MAX_FUNCTIONS:]:
            held, function = function, alive(function)
            if function is None:
                continue
            now = self.set_on(function)
            self.set[key] = held, number, now
            # What is in a container is told with that.
            changed = [[number, name, leave(value)] for name, (value, _) in now.items() if not is_same_mark(value, *before.get(name, (op, None)))]
            changed += [[number, name] for name in before if name not in now and name not in vars(function)]
            if changed:
                op.setdefault('set_marks', []).extend(changed)
        for function, number, marks in list(self.put.values())[-MAX_FUNCTIONS:]:
            function = alive(function)
            for name, (value, before) in list(marks.items()) if function is not None else ():
                now = told_plainly(value) if is_changing(value) and vars(function).get(name) is value else []
                if now and now != before:
                    marks[name] = value, now
                    op.setdefault('marks', []).append([number, name, *now])


def alive(function):
    """A function that may be held by a weak reference only; None for one that is no more."""
    return function() if type(function) is weakref.ref else function


def is_same_mark(value, before, told):
    """True for what a function has had before as well."""
    return value is before or not is_changing(value) and type(value) is type(before) and told_plainly(value) == told
