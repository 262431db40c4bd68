"""Places of a suite at which the reference answered objects that act: in which tests, at which visits, and where within the answer. Standard
library only.
"""
import bisect
import functools
import itertools
import json
import sys
import threading
import types
import zlib

from answer_paths import clashing, objects_at, paths_in, tree_of

#: What a run of the reference tells of its answers, in one text that begins with this.
MARK = '@answers:1:'
#: Most changes between objects and plain values at one place of a test, after which visits are not told apart; most characters in all.
MAX_RUNS, MAX_TOLD = 500, 4_000_000
#: Methods that give items, of iterators and of collections.
ITEMS = ('__next__', '__anext__', '__getitem__')
ENTERING = ('__enter__', '__aenter__')
#: An operator, which one of several methods does (`__add__`, `__radd__`).
OPERATOR = 'operator'


def kind_of_question(op):
    """What is asked, in the words of the test: a correct program may do it by another method."""
    name = op.get('name')
    if op['do'] == 'get':
        return 'get %s' % name
    if op['do'] != 'method':
        return op['do']
    if type(name) is not str or not name.startswith('__') or name == '__call__':
        return 'call'
    return 'item' if name in ITEMS else 'enter' if name in ENTERING else name if name in ('__iter__', '__len__', '__contains__') else OPERATOR


class Visits:
    """Answers of the reference at one place in one test."""

    def __init__(self):
        self.objects, self.plain = set(), set()
        #: Visits with the same paths of objects, one after the other, as `[count, paths]`; None where they are too many.
        self.runs = []

    def add(self, objects, plain):
        self.objects |= objects
        self.plain |= plain
        if self.runs and self.runs[-1][1] == objects:
            self.runs[-1][0] += 1
        elif self.runs is not None:
            self.runs.append([1, objects])
            if len(self.runs) > MAX_RUNS:
                self.runs = None

    def told(self):
        """Paths that hold objects at all visits, and by visit those that do at some; as JSON."""
        mixed = clashing(self.objects, self.plain)
        runs = []
        for count, paths in self.runs or () if mixed else ():
            here = sorted(paths & mixed)
            if runs and runs[-1][1] == here:
                runs[-1][0] += count
            else:
                runs.append([count, here])
        return json.dumps([sorted(self.objects - mixed), runs])


class Believed:
    """What is believed at one place in one test."""

    def __init__(self, told):
        self.always, runs = told
        self.ends, self.runs = list(itertools.accumulate(count for count, _ in runs)), runs
        self.tree = tree_of(self.always)

    def at(self, visit, is_drawn):
        """The tree of the paths of objects at a visit, from 0. A test that draws its inputs (`is_drawn`) has them at other visits."""
        if is_drawn:
            return tree_of([*self.always, *itertools.chain.from_iterable(paths for _, paths in self.runs)])
        run = bisect.bisect_right(self.ends, visit)
        return tree_of([*self.always, *self.runs[run][1]]) if run < len(self.runs) else self.tree


class Arriving(threading.local):
    """What is known of the answer that arrives in a thread: the objects in it that are believed, by the ids of their descriptions (None
    outside of an answer), and whether the suite has read it off a module by its name."""

    objects, is_reached = None, False


class AnswerPlaces:
    """The part of a link that knows where the reference answered objects."""

    def begin_places(self):
        #: Answers of the reference, by place and test, and tests by places at which something was done with an object.
        self.visits, self.uses = {}, {}
        #: The same of a reference that has run.
        self.believed, self.known_uses = {}, {}
        #: How often the running test has reached a place, and the answer that arrives now.
        self.reached, self.arriving = {}, Arriving()
        #: Functions and classes that calls of the running test have answered, by number.
        self.answered_names = set()
        #: True where the running test draws its inputs.
        self.is_drawn = False
        for each in self.shapes or ():
            if each.startswith(MARK):
                self.know(json.loads(each[len(MARK):]))

    def know(self, told):
        tests = told['tests']
        shapes = [Believed(json.loads(each)) for each in told['shapes']]
        for place, found in told['places'].items():
            for shape, numbers in found:
                self.believed.update(((place, tests[number]), shapes[shape]) for number in numbers)
        self.known_uses = {place: {tests[number] for number in numbers} for place, numbers in told['uses'].items()}

    def place_of(self, op):
        """The place of an answer; None without a reference, and where no line of the suite has asked."""
        return None if self.is_alone() else self.site(kind_of_question(op))

    def receive(self, place, part, arrive):
        """Lets an answer arrive of which the reference says where it holds objects."""
        if self.is_alone():
            return arrive()
        outer = self.arriving.objects
        try:
            self.arriving.objects = self.reach(place, part)
        except Exception as error:
            raise self.protocol_error('an answer that is not a value (%s)' % type(error).__name__)
        try:
            return arrive()
        finally:
            self.arriving.objects = outer

    def reach(self, place, part=None):
        """Counts a visit. The objects in the answer that are believed, by the ids of their descriptions."""
        found = {}
        if self.learning and place is not None:
            self.visits.setdefault((place, self.test), Visits()).add(*paths_in(part))
        known = self.believed.get((place, self.test))
        if known is not None:
            visit = self.reached[place] = self.reached.get(place, -1) + 1
            objects_at(part, [known.at(visit, self.is_drawn)], found)
        return found

    def reach_by_name(self, read):
        """Reads something off a module, where the suite names it."""
        outer, self.arriving.is_reached = self.arriving.is_reached, True
        try:
            return read()
        finally:
            self.arriving.is_reached = outer

    def note_answered(self, number):
        """Notes a function or class that a call has answered: in this test it may stand for a value, though the suite knows it by name."""
        if not self.arriving.is_reached:
            self.answered_names.add(number)

    def believes(self, desc):
        """True where the reference answered an object in the place of this one."""
        if self.learning:
            self.learnt.add(self.site('object'))
        if self.arriving.objects is None:
            return self.allows_in_test('within', False)
        return self.learning or id(desc) in self.arriving.objects

    def expects_made(self):
        """True where the reference made an object at each visit of the running test."""
        place = self.place_of({'do': 'call'})
        known = self.believed.get((place, self.test))
        if known is None or [] not in known.always:
            return False
        self.reach(place)
        return True

    def allows_in_test(self, op, default):
        """True where the reference did this at the same place of the same test; without a reference, `default`."""
        place = None if self.is_alone() else self.site(op)
        if place is None:
            return default or self.learning
        if self.learning:
            self.uses.setdefault(place, set()).add(self.test)
            return True
        return self.test in self.known_uses.get(place, ())

    def function_place(self, function):
        """The place of a function of the suite, wherever the artifact calls it, and the names of its parameters."""
        bound = 0
        while type(function) is functools.partial:
            function, bound = function.func, bound + len(function.args)
        owner = function.__func__ if type(function) is types.MethodType else function
        code = owner.__code__ if type(owner) is types.FunctionType else None
        if code is None or not code.co_filename.startswith(self.suite):
            return self.site('given'), ()
        text = repr((code.co_code, code.co_names, code.co_varnames)).encode('utf-8', 'backslashreplace')
        place = '%s:%d:%s:%08x:given' % (code.co_filename[len(self.suite):], code.co_firstlineno, code.co_name, zlib.crc32(text))
        return place, code.co_varnames[bound + (owner is not function):code.co_argcount]

    def arguments_of(self, function, request):
        """The arguments with which the artifact calls a function of the test."""
        place, names = (None, ()) if self.is_alone() else self.function_place(function)
        return self.arguments_at(place, names, request)

    def arguments_of_local(self, request):
        """The same for a method of an object of the test."""
        if self.is_alone():
            return self.arguments_at(None, (), request)
        number, do, name = request['local']
        kind = type(self.given.get(number))
        is_of_suite = (getattr(sys.modules.get(kind.__module__), '__file__', None) or '').startswith(self.suite)
        place = 'local %s.%s.%s %s:given' % (kind.__module__, kind.__qualname__, name, do) if is_of_suite else self.site('given')
        return self.arguments_at(place, (), request)

    def arguments_at(self, place, names, request):
        # A function is given its arguments by position or by name.
        named = [[name, each] for name, each in zip(names, request['args'])]
        told = {'$dict': [*named, *request['kwargs'], ['*', request['args'][len(named):]]]}
        return self.receive(place, told, lambda: (
            [self.arrive(each) for each in request['args']], {str(key): self.arrive(each) for key, each in request['kwargs']}))

    def answers_found(self):
        """What the reference has shown of its answers, in a text. What is beyond its size is not believed."""
        tests, shapes, places, uses, left = {}, {}, {}, {}, MAX_TOLD
        found = [(place, test, None) for place, each in sorted(self.uses.items()) for test in sorted(each)]
        found += [(place, test, visits) for (place, test), visits in self.visits.items() if visits.objects]
        for place, test, visits in found:
            shape = '' if visits is None else visits.told()
            left -= len(place) + (0 if test in tests else len(test)) + (0 if shape in shapes else len(shape)) + 10
            if left < 0:
                break
            known = uses.setdefault(place, []) if visits is None else \
                places.setdefault(place, {}).setdefault(shapes.setdefault(shape, len(shapes)), [])
            known.append(tests.setdefault(test, len(tests)))
        return MARK + json.dumps({'tests': list(tests), 'shapes': list(shapes), 'uses': uses,
                                  'places': {place: list(each.items()) for place, each in places.items()}})
