"""Places of a suite at which the reference answered objects that act: in which tests, at which visits, and where within the answer. Standard
library only.
"""
import functools
import json
import sys
import types
import zlib

from answer_paths import EVERYTHING, MAX_PATHS, OF_ITEMS, clashing, described_in, name_of, objects_at, paths_in, tagged, tree_of
from container_places import NEXT, ContainerPlaces, Standing
from originals import held, threading
from visits import Believed, Keys, Visits

json = held(json)
#: What a run of the reference tells of its answers, in one text that begins with this.
MARK = '@answers:2:'
#: What a run of the reference tells of objects that it put into containers: test, container, if it had threads, and paths, in texts that begin with this.
BY_THREADS = '@threads:'
#: Most characters of what is told.
MAX_TOLD = 4_000_000
#: Methods that give items, of iterators and of collections.
ITEMS = ('__next__', '__anext__', '__getitem__')
ENTERING = ('__enter__', '__aenter__')
#: Methods that give an item of what stands where the reference had a container, as its was.
LOOKING = ('__getitem__', 'get')
#: What is asked where the artifact changes a container of both boxes, and where it calls a function of the test.
NO_QUESTION, GIVING = {'do': 'change'}, {'do': 'give'}
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


class Arriving(threading.local):
    """What is known of the answer that arrives in a thread: the objects in it that are believed, by the ids of their descriptions (None
    outside of an answer), and whether the suite has read it off a module by its name."""

    objects, is_reached = None, False
    #: Those that stand where the reference had something else.
    standing = Standing()
    #: What has been made of parts of it that stand at several places.
    made = None


class AnswerPlaces(ContainerPlaces):
    """The part of a link that knows where the reference answered objects."""

    def begin_places(self):
        #: Answers of the reference, by place and test, and tests by places at which something was done with an object.
        self.visits, self.uses = {}, {}
        #: The same of a reference that has run.
        self.believed, self.known_uses = {}, {}
        #: How often the running test has reached a place with a key, the answer that arrives now, and the keys.
        self.reached, self.arriving, self.keys = {}, Arriving(), Keys()
        #: Where the reference answered what is iterated over, by number, and what is believed of its items, with how many came.
        self.iterated_from, self.iterated, self.item_counts = {}, {}, {}
        #: Functions and classes that calls of the running test have answered, by number.
        self.answered_names = set()
        #: Those that were answered where several tests share it: while a file is read, or in a fixture of a file.
        self.shared_names = set()
        #: Namespaces whose functions are believed, by their ids.
        self.believed_spaces = {}
        #: True where the running test draws its inputs.
        self.is_drawn = False
        self.begin_containers()
        #: What the reference put into containers other than by an answer, by test and container: paths of objects and of plain values, and if it had threads;
        #: trees of those of objects alone of a reference that has run, with the same.
        self.put_there, self.put_by_threads = {}, {}
        #: Where the test gave its containers first, by number, and how many at each place in the running test.
        self.own_places, self.own_counts = {}, {}
        for each in self.shapes or ():
            if each.startswith(MARK):
                self.know(json.loads(each[len(MARK):]))
            elif each.startswith(BY_THREADS):
                test, container, had_threads, paths = json.loads(each[len(BY_THREADS):])
                self.put_by_threads[test, container] = tree_of(paths), had_threads

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

    def receive_answer(self, op, part, arrive):
        """Lets the answer to a question arrive."""
        if self.is_alone():
            return arrive()
        # What the test makes of a class may be told to the artifact only later.
        is_made = op['do'] == 'call' and op['of'] in self.classes
        return self.receive(self.place_of(op), self.keys.of(op), part, arrive, op, is_made)

    def receive(self, place, key, part, arrive, op=NO_QUESTION, is_made=False, container=None):
        """Lets something of the artifact arrive, of which the reference says where it holds objects; `container`: which one has changed."""
        if self.is_alone():
            return arrive()
        arriving = self.arriving
        outer = arriving.objects, arriving.standing
        try:
            arriving.objects = self.reach(place, key, part, op, is_made)
            if container is not None and not self.is_resolving:
                self.reach_by_threads(container, part, arriving.objects)
            arriving.standing = self.stand(place, part, op, kind_of_question(op))
        except Exception as error:
            raise self.protocol_error('an answer that is not a value (%s)' % type(error).__name__)
        try:
            return arrive()
        finally:
            arriving.objects, arriving.standing = outer

    def reach(self, place, key, part, op, is_made):
        """Counts a visit. The objects in the answer that are believed, by the ids of their descriptions."""
        if self.is_resolving:
            return {}
        found, is_item = {}, op.get('name') in NEXT
        # What is answered again may be iterated over in the place of something else.
        above, numbers = self.iterated.get(op.get('of')), list(described_in(part))
        for _, number in numbers:
            self.iterated.pop(number, None)
        known = self.believed.get((place, self.test))
        # What holds nothing is no visit, unless it is an item.
        paths = paths_in(part) if self.learning or known is not None and known.keyed else ((), ())
        is_counted = is_item or any(paths)
        visit = self.reached.get((place, key), 0)
        if is_counted:
            self.reached[place, key] = visit + 1
        if self.learning and place is not None:
            self.visits.setdefault((place, self.test), Visits()).add(*paths, key, is_counted)
        if known is not None and (is_counted or not known.keyed):
            objects_at(part, [known.at(key, visit, self.is_drawn)], found, self.iterated)
        for path, number in numbers if not is_made else ():
            self.keys.came(number, place, key, visit, path)
            if self.learning and place is not None and type(number) is int:
                self.iterated_from.setdefault(number, (place, self.test, tuple(path.split('/')[1:])))
        if is_item or op.get('name') == '__iter__':
            self.reach_items(op, part, paths, found, above)
        if op.get('name') in LOOKING and above is not None and op.get('args'):
            key = op['args'][0]
            names = {name_of(key, 0), '.*', *((str(key), '*') if type(key) is int else ())}
            objects_at(part, [branch[name] for branch in above for name in names if name in branch], found, self.iterated)
        return found

    def reach_by_threads(self, container, part, found):
        """Has objects in a container come at whatever time a thread puts them there: they are believed where only objects of the reference's stood in the
        same container of the same test."""
        tag, content = tagged(part)
        place = self.test, self.own_places.get(content[0], '') if tag == '$own' else json.dumps(container)
        if self.learning:
            known = self.put_there.setdefault(place, [set(), set(), False])
            for noted, paths in zip(known, paths_in(part)):
                noted |= paths
            if len(known[0]) + len(known[1]) > MAX_PATHS:
                known[1] = {EVERYTHING}
            known[2] = known[2] or self.had_threads
            return
        tree, had_threads = self.put_by_threads.get(place, (None, False))
        # A thread of the reference may have been too short to be seen.
        if tree is not None and (had_threads or self.had_threads):
            objects_at(part, [tree], found, self.iterated)

    def note_own_place(self, number):
        """Notes where the test has given a container: its number says how many came before, which the artifact decides."""
        if not self.is_alone():
            place = self.site('own')
            count = self.own_counts[place] = self.own_counts.get(place, 0) + 1
            self.own_places[number] = '%s #%d' % (place, count)

    def put_found(self):
        """What the reference has put into containers, in texts. What is beyond their size is not believed."""
        found, left = [], MAX_TOLD
        for (test, container), (objects, plain, had_threads) in sorted(self.put_there.items()):
            paths = sorted(objects - clashing(objects, plain))
            told = BY_THREADS + json.dumps([test, container, had_threads, paths])
            left -= len(told)
            if paths and left >= 0:
                found.append(told)
        return found

    def reach_items(self, op, part, paths, found, above):
        """Has the items of an iterator be those of a list in its place, and the other way round."""
        number, is_item = op['of'], op['name'] != '__iter__'
        if not is_item:
            for _, iterator in described_in(part):
                if above is not None:
                    self.iterated[iterator] = above
                if number in self.iterated_from:
                    self.iterated_from[iterator] = self.iterated_from[number]
            return
        if self.learning and number in self.iterated_from:
            place, test, start = self.iterated_from[number]
            visits = self.visits.setdefault((place, test), Visits())
            for star in OF_ITEMS:
                visits.add(*({(*start, star, *path) for path in each} for each in paths), '', False)
        if above is not None:
            count = self.item_counts[number] = self.item_counts.get(number, -1) + 1
            names = (*OF_ITEMS, str(count))
            objects_at(part, [branch[name] for branch in above for name in names if name in branch], found, self.iterated)

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
            if not self.is_own():
                self.shared_names.add(number)

    def believes(self, desc):
        """True where the reference answered an object in the place of this one."""
        if self.learning:
            self.learnt.add(self.site('object'))
        if self.arriving.objects is None:
            return self.allows_in_test('within', False)
        return self.learning or id(desc) in self.arriving.objects

    def believes_functions(self, content):
        """True where the reference answered an object in the place of this namespace: its functions are like methods."""
        return self.learning or id(content) in (self.arriving.objects or ())

    def expects_made(self):
        """True where the reference made an object at each visit of the running test."""
        place = self.place_of({'do': 'call'})
        known = self.believed.get((place, self.test))
        return known is not None and [] in known.always

    def allows_in_test(self, op, default):
        """True where the reference did this at the same place of the same test; without a reference, `default`."""
        place = None if self.is_alone() else self.site(op)
        if place is None:
            return default or self.learning
        if self.learning:
            self.uses.setdefault(place, set()).add(self.test)
            return True
        return self.test in self.known_uses.get(place, ())

    def learn_method(self, name):
        """Notes that the test calls a function of a namespace of the reference, where it would call a method of an object: where it reads that."""
        frame = sys._getframe(2) if self.learning else None
        while frame is not None and not frame.f_code.co_filename.startswith(self.suite):
            frame = frame.f_back
        if frame is None:
            return
        import dis
        code = frame.f_code
        reads = [each.offset for each in dis.get_instructions(code)
                 if each.offset < frame.f_lasti and each.argval == name and each.opname in ('LOAD_ATTR', 'LOAD_METHOD')]
        if reads:
            place = '%s:%d:%d:method %s' % (code.co_filename[len(self.suite):], code.co_firstlineno, reads[-1], name)
            self.uses.setdefault(place, set()).add(self.test)

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
        return self.arguments_at(place, names, request, request['callback'])

    def arguments_of_local(self, request):
        """The same for a method of an object of the test."""
        if self.is_alone():
            return self.arguments_at(None, (), request, 0)
        number, do, name = request['local']
        kind = type(self.given.get(number))
        is_of_suite = (getattr(sys.modules.get(kind.__module__), '__file__', None) or '').startswith(self.suite)
        place = 'local %s.%s.%s %s:given' % (kind.__module__, kind.__qualname__, name, do) if is_of_suite else self.site('given')
        return self.arguments_at(place, (), request, number)

    def arguments_at(self, place, names, request, number):
        # A function is given its arguments by position or by name.
        named = [[name, each] for name, each in zip(names, request['args'])]
        told = {'$dict': [*named, *request['kwargs'], ['*', request['args'][len(named):]]]}
        key = '' if self.is_alone() else self.keys.of_call(self.owner_of(number), told)
        return self.receive(place, key, told, lambda: (
            [self.arrive(each) for each in request['args']], {str(name): self.arrive(each) for name, each in request['kwargs']}), GIVING)

    def owner_of(self, number):
        """The number of the object of a method of the test: it is the artifact that decides when it reads that."""
        part = self.given.get(-number)
        return self.numbers.get(id(part.__self__), number) if type(part) is types.MethodType else number

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
