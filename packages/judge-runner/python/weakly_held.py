"""Things of a test that a program does not hold, or holds by weak references only: they live as long as the test itself holds them. Standard
library only.

Where neither the program nor the test uses weak references, nothing is looked at.
"""
import sys
import weakref

from launch import PACKAGES
from originals import held, open_file, os

weakref = held(weakref)
#: Beginnings of the paths of modules that may hold what they are given, and the most characters of one that are read.
OWN_FOLDERS, MAX_READ = (PACKAGES + '/',), 1_000_000
LIBRARY = os.path.dirname(os.__file__) + '/'
#: Most things that are looked at with each message: those that came last.
MAX_LOOKED_AT = 1000


def references(parts, number):
    """What `sys.getrefcount` says of something in such a table."""
    return sys.getrefcount(parts[number])


#: The same of what nothing else holds.
UNHELD = references({0: object()}, 0)


def names_weak_references(module):
    """True for a module whose source says that it uses weak references. One that hides it loses nothing that it would hold otherwise."""
    path = getattr(module, '__file__', None)
    if type(path) is not str or not path.endswith('.py') or path.startswith(LIBRARY) and not path.startswith(OWN_FOLDERS):
        return False
    try:
        with open_file(path, encoding='utf-8', errors='replace') as file:
            return 'weak' in file.read(MAX_READ).lower()
    except OSError:
        return False


class WeaklyHeld:
    """Says which things of the test a program does not hold, and lets go of those that the test has let go of."""

    def __init__(self, table, functions, things, methods, marked):
        #: Objects of the program.
        self.table = table
        #: Tables of functions and objects of the test by number, and those of its methods with what stands for their objects.
        self.functions, self.things, self.methods, self.marked = functions, things, methods, marked
        #: Numbers of what is looked at, and of methods by that of the first which they equal.
        self.numbers, self.equal = {}, {}
        #: Numbers of what the test was told not to be held, for itself and as methods of an object.
        self.told, self.told_methods = set(), set()
        #: Numbers of objects of the program of which the test was told.
        self.told_loose = set()
        self.modules, self.is_used = frozenset(sys.modules), False

    def note(self, number):
        self.numbers[number] = True

    def note_method(self, number, first):
        self.equal.setdefault(first, []).append(number)

    def looks(self):
        """True where the test asks for it, and from the first import of a module on that uses weak references."""
        if not self.is_used and len(self.modules) != len(sys.modules):
            new, self.modules = sys.modules.keys() - self.modules, frozenset(sys.modules)
            self.is_used = any(names_weak_references(sys.modules.get(name)) for name in new)
        return self.is_used

    def add_to(self, reply):
        """Adds to a message what has changed: what a program does not hold, and what it holds again."""
        if self.looks():
            try:
                self.add_found(reply, self.found_loose(), *self.found())
            except KeyError:
                pass  # Another thread has let go of something meanwhile.
        return reply

    def add_found(self, reply, loose, weak, methods):
        if loose != self.told_loose:
            reply['loose'] = [sorted(loose - self.told_loose), sorted(self.told_loose - loose)]
            self.told_loose = loose
        if weak != self.told or methods != self.told_methods:
            held = (self.told | self.told_methods) - weak - methods
            reply['weak'] = [sorted(weak - self.told), sorted(methods - self.told_methods), sorted(held)]
            self.told, self.told_methods = weak, methods

    def found(self):
        """Numbers of what is held by weak references at most, and of methods of whose objects that is so."""
        weak = {number for number in list(self.numbers)[-MAX_LOOKED_AT:] if self.is_free(number)}
        methods = set()
        for first, numbers in list(self.equal.items())[-MAX_LOOKED_AT:]:
            if numbers and self.are_free(first, numbers):
                # A weak reference to a method itself is another thing.
                (methods if weakref.getweakrefcount(self.methods[first][1]) else weak).update(numbers)
        return weak, methods

    def found_loose(self):
        """Numbers of objects of the program that it holds by weak references only."""
        parts, weakly, count = self.table.parts, weakref.getweakrefcount, sys.getrefcount
        return {number for number in list(self.table.referable)[-MAX_LOOKED_AT:] if weakly(parts[number]) and count(parts[number]) <= UNHELD}

    def is_free(self, number):
        table = self.things if number in self.things else self.functions
        return references(table, number) <= UNHELD + self.is_marked(number, table)

    def is_marked(self, number, table):
        """1 for what is also in the table of functions with marks."""
        return int(self.marked.get(number, (None,))[0] is table[number])

    def are_free(self, first, numbers):
        """True for equal methods of an object of the test where a program holds none of them, nor what stands for that object."""
        owner = self.methods[first][1:]
        # Each method holds it, the table, these arguments, and what is asked.
        return sys.getrefcount(owner[0]) <= len(numbers) + 3 and all(references(self.functions, number) <= UNHELD for number in numbers)

    def let_go(self, message, callbacks):
        """Lets go of what the test does not hold any more: objects of the program, and things of its own."""
        for number in message.pop('left', ()):
            self.table.let_go(number)
            self.told_loose.discard(number)
        for number in message.pop('gone', ()):
            first = next((first for first, same in self.equal.items() if number in same), None)
            if first is not None:
                self.equal[first].remove(number)
                if not self.equal[first]:
                    del self.equal[first], self.methods[first]
            self.numbers.pop(number, None)
            self.marked.pop(number, None)
            self.told.discard(number)
            self.told_methods.discard(number)
            for table in (self.functions, self.things):
                if callbacks.get(id(table.get(number))) == number:
                    del callbacks[id(table[number])]
                table.pop(number, None)
