"""Things of a test that the artifact does not hold, or holds by weak references only: they live as long as the test holds them, as in one process; and
objects of the artifact that it holds by weak references only. Standard library only.

That it does not hold something is the artifact's word. A thing of the test of which it says so is lost to it, and an object of its own that is
forgotten is another one when it is told again: any program may answer another one.
"""
import re
import sys
import types
import weakref

from generated_code import texts_of
from originals import collections, held
from stand_in import held_in

weakref = held(weakref)
#: Most objects that the artifact holds by weak references only and that are looked at with each question.
MAX_LOOSE = 64
#: What a test says that looks at how long its own things live.
LOOKS = re.compile(r'\bweakref\b|\bgc\b|\b__del__\b')


class Given(dict):
    """What an artifact was given, by number, with what it holds weakly."""

    def __init__(self):
        super().__init__()
        #: Weak references by number.
        self.weakly = {}

    def __missing__(self, number):
        part = self.weakly[abs(number)]()
        if part is None:
            raise KeyError(number)
        return part

    def get(self, number, default=None):
        try:
            return self[number]
        except KeyError:
            return default

    def __contains__(self, number):
        return dict.__contains__(self, number) or number is not None and abs(number) in self.weakly


class Lifetimes:
    """The part of a link that lets go of what the artifact does not hold."""

    def begin_lifetimes(self):
        #: Numbers of what is no more, until the artifact's box has been told, and of all of it.
        self.gone, self.ended = [], set()
        #: Numbers of objects of the artifact that it holds by weak references only; questions since these were looked at.
        self.loose, self.unlooked = set(), 0
        #: Numbers of methods that are equal, by that of the first of them.
        self.equal_methods = {}
        #: True until the artifact's box has been told that the test looks at lifetimes.
        self.looks_at_lives = any(map(LOOKS.search, texts_of(self.settings['suite'])))

    def take_lifetimes(self, reply):
        """A message of the artifact, with what it says of what it holds."""
        loose, again = reply.pop('loose', ((), ()))
        self.loose.update(loose)
        self.loose.difference_update(again)
        if 'weak' not in reply:
            return reply
        weak, methods, again = reply.pop('weak')
        # What it holds no more may be what it answers.
        reply['alive'] = [self.given.get(-number) for number in (*weak, *methods)]
        for number in weak:
            self.hold_weakly(number, False)
        for number in methods:
            self.hold_weakly(number, True)
        for number in again:
            self.hold_again(number)
        return reply

    def hold_weakly(self, number, is_method):
        """Holds a thing of the test by a weak reference only; `is_method`: a method, as long as its object lives."""
        part = self.given.get(-number)
        # Of others, something else is called than what the artifact was given.
        is_other = self.given.get(number) is not part or isinstance(part, (type, BaseException)) or is_method and type(part) is not types.MethodType
        if part is None or is_other:
            return
        # A method is another one each time that it is read.
        key = None if is_method else id(part)

        def ended(_):
            self.end(number, key)
        try:
            known = (weakref.WeakMethod if is_method else weakref.ref)(part, ended)
        except TypeError:
            return
        if is_method:
            self.numbers.pop(id(part), None)
        elif key in self.put:
            self.put[key] = None, self.put[key][1]
        self.marks.hold_weakly(part)
        self.given.weakly[number] = known
        for each in (number, -number):
            self.given.pop(each, None)

    def hold_again(self, number):
        part = self.given.get(-number)
        if part is None or self.given.weakly.pop(number, None) is None:
            return
        self.given[number] = self.given[-number] = part
        self.numbers[id(part)] = number

    def end(self, number, key):
        """Notes that a thing of the test is no more. Its id may be that of another one now."""
        self.given.weakly.pop(number, None)
        if self.numbers.get(key) == number:
            del self.numbers[key]
        self.forget_method(number)
        self.put.pop(key, None)
        self.marks.forget(key)
        self.gone.append(number)
        self.ended.add(number)

    def forget_method(self, number):
        """Forgets by what methods are equal, with the last of them."""
        for first, numbers in list(self.equal_methods.items()):
            numbers.discard(number)
            if not numbers:
                del self.equal_methods[first]
                self.methods = {key: each for key, each in self.methods.items() if each != first}

    def prepare_lifetimes(self, op):
        """Tells the artifact's box what is no more."""
        if self.looks_at_lives:
            op['lifetimes'], self.looks_at_lives = True, False
        if self.gone:
            op['gone'], self.gone = self.gone, []
        self.unlooked += 1
        # Where there are many, each message would take longer.
        if self.loose and self.unlooked > len(self.loose) // MAX_LOOSE:
            left, self.unlooked = self.left_objects(), 0
            self.forget_objects(left)
            if left:
                op['left'] = left

    def left_objects(self):
        """Numbers of objects of the artifact that it holds by weak references only, and the test does not hold any more: only tables of the judge do."""
        tables = collections.Counter(map(id, (*self.objects.values(), *self.answers, *self.shared_answers, *self.learnt_parts(), *self.parts_of_plain())))
        kept = {method._judge_id for methods in self.read_methods.values() for method in methods}
        loose, parts = self.loose - kept, {}
        for key in self.objects:
            if key[0] in loose:
                parts.setdefault(key[0], []).append(key)
        # What is asked holds it as well.
        return [number for number, keys in parts.items()
                if all(sys.getrefcount(self.objects[key]) <= tables[id(self.objects[key])] + 1 and id(self.objects[key]) not in self.earlier for key in keys)]

    def forget_objects(self, numbers):
        self.loose.difference_update(numbers)
        gone = {id(part): part for key, part in self.objects.items() if key[0] in numbers}
        if not gone:
            return
        # What is known of each stays known, of another one.
        twins = {key: twin_of(part) for key, part in gone.items()}
        self.forget_learnt(twins)
        self.forget_in_plain(twins)
        self.answers[:] = [part for part in self.answers if id(part) not in gone]
        self.shared_answers[:] = [part for part in self.shared_answers if id(part) not in gone]
        self.objects = {key: part for key, part in self.objects.items() if key[0] not in numbers}

    def check_lives(self, number):
        """Refuses what the artifact does with something that it has held by weak references only."""
        if number in self.ended:
            raise self.refuse('uses what it has held by weak references only, and the test holds no more')


def twin_of(part):
    made = object.__new__(type(part))
    held_in(made).update(held_in(part))
    return made
