"""What a test gave the objects that it makes, and what these hold by the rule of their classes. Standard library only."""
import builtins
import copy

from originals import held
from stand_in import alike, same

copy = held(copy)
#: Stands for a member of an enumeration of the artifact in what is noted of a reference.
MEMBER = {'$member': True}
COPIED = ('list', 'dict', 'set', 'tuple', 'frozenset')
CONTAINERS = ('list', 'dict', 'set', 'tuple', 'frozenset', 'str', 'bytes', 'bytearray', 'int', 'float', 'complex')
IMMUTABLE = (type(None), bool, int, float, complex, str, bytes)


class Making:
    """How a class makes objects of what they are given."""

    def __init__(self, told, arrive):
        self.told, self.base, self.simple = told, told.get('base'), told.get('simple') is True
        #: True for objects that are compared by the `==` of their own class: what they hold is not known here.
        self.is_opaque = told.get('opaque') is True
        self.settable = told.get('settable') is True
        parameters = told.get('parameters')
        self.parameters = None if parameters is None else [(str(kind), str(name), optional is True) for kind, name, optional in parameters]
        self.constants = {str(name): value for name, value in told.get('constants', ())}
        self.compared = told.get('compared')
        self.arrive = arrive
        #: The parameters that a tuple packs, in their order; None for a container that is made of one value.
        self.packs = None if 'packs' not in told else [str(name) for name in told['packs']]
        if self.packs is not None and (self.base != 'tuple' or sorted(self.packs) != sorted(name for _, name, _ in self.parameters or ())):
            raise ValueError('a tuple that leaves out what it is given')
        if self.base is not None and self.base not in CONTAINERS:
            raise ValueError('no container')

    def bind(self, args, kwargs):
        """What is given by the names of the parameters, or None where it does not fit."""
        if self.parameters is None or any(kind in ('args', 'kwargs') for kind, _, _ in self.parameters):
            return None
        names = [name for kind, name, _ in self.parameters if kind in ('only', 'both')]
        given = dict(zip(names, args))
        if len(args) > len(names) or any(key in given for key in kwargs):
            return None
        given.update(kwargs)
        known = {name for kind, name, _ in self.parameters if kind != 'only'}
        if not set(kwargs) <= known or any(name not in given for _, name, optional in self.parameters if not optional):
            return None
        return given

    def constant(self, name):
        return self.arrive(self.constants[name])

    def beside(self, own):
        """The same with what the artifact's class says of what it is not given; None where it says nothing of members of its enumerations."""
        known = {} if own is None else own.constants
        if any(told == MEMBER and name not in known for name, told in self.constants.items()):
            return None
        # What is not given is as the artifact's own class says, where that does nothing else.
        taken = {name: known[name] for name, told in self.constants.items() if name in known and (told == MEMBER or own.simple)}
        if all(self.constants[name] == told for name, told in taken.items()):
            return self
        return Making({**self.told, 'constants': list({**self.constants, **taken}.items())}, self.arrive)

    def kinds(self, is_tuple):
        """How classes are compared whose objects are made like this."""
        return ('own',) if self.is_opaque else ('base', 'library') if self.base else ('identity',) if is_tuple else ('value',)

    def content(self, args, kwargs):
        """What a container holds that is made of these arguments."""
        return getattr(builtins, self.base)(*args, **kwargs) if self.packs is None else self.packed(args, kwargs)

    def packed(self, args, kwargs):
        """The tuple that a class makes of its arguments. Raises TypeError for arguments that do not fit."""
        is_open = any(kind == 'args' for kind, _, _ in self.parameters)
        given = dict.fromkeys(self.packs) if is_open and not kwargs and len(args) >= len(self.packs) - 1 else self.bind(args, kwargs)
        if given is None:
            raise TypeError('arguments that do not fit')
        return tuple(args) if is_open else tuple(given[name] if name in given else self.constant(name) for name in self.packs)


class Given:
    """What the test gave an object, and how the artifact was told of it.

    `told`: None before it was; the number of the object where it was told only by making it; else False.
    """

    def __init__(self, making, args, kwargs, told):
        self.making, self.args, self.kwargs, self.told = making, args, kwargs, told
        #: True where the artifact was told of it because the test has read it.
        self.is_read = False
        #: True where another object was made of it.
        self.is_passed = False
        self.names = None if making is None or making.base is not None else making.bind(args, kwargs)
        #: What the test may still change in its arguments, as it is now, by index or name.
        self.copies = {}
        if making is not None and making.base in COPIED and making.packs is None:
            self.copy()

    def copy(self):
        """Keeps the content of a container as it is now: an iterator gives it once, and the test may change what it gave."""
        try:
            self.args, self.kwargs = (self.making.content(self.args, self.kwargs),), {}
        except Exception:
            self.making = None

    def copy_parts(self):
        """Keeps containers as they are now, for a class that may have copied them."""
        self.copies = {key: copied(value) for key, value in (*enumerate(self.args), *self.kwargs.items()) if type(value) in (list, dict, set)}

    def settle(self):
        """Goes back to what containers were when the object was made, where the test has changed them since."""
        if self.copies:
            held, self.copies = self.copies, {}
            told = [(key, value, held.get(key, value)) for key, value in (*enumerate(self.args), *self.kwargs.items())]
            kept = {key: value if same(value, before) else before for key, value, before in told}
            self.args, self.kwargs = tuple(kept[at] for at in range(len(self.args))), {name: kept[name] for name in self.kwargs}
            if self.making is not None:
                self.names = self.making.bind(self.args, self.kwargs)

    def fits(self):
        if self.making is None:
            return False
        if self.making.is_opaque:
            return True
        if self.making.base is None:
            return self.names is not None
        try:
            self.making.content(self.args, self.kwargs)
        except Exception:
            return False
        return True

    def covers(self, kind, is_tuple):
        """True where all that an object is compared by is known, and nothing that was given is left out."""
        if is_tuple:
            return set(self.names) <= set(kind._fields) and all(map(self.knows, kind._fields))
        if kind._judge_equal != 'value':
            return True
        fields = (kind._judge_value or {'fields': ()})['fields'] if self.making.compared is None else self.making.compared
        return all(map(self.knows, fields))

    def holds(self, content):
        """True where a container of this content holds what was given."""
        return self.making is not None and self.making.base is not None and self.fits() and alike(self.making.content(self.args, self.kwargs), content)

    def is_like(self, value):
        """True for a plain value that is what was given."""
        if len(self.args) == 1 and not self.kwargs and same(value, self.args[0]):
            return True
        try:
            return type(value) is dict and value == dict(*self.args, **self.kwargs)
        except (TypeError, ValueError):
            return False

    def set_part(self, name, value):
        """Notes what the test sets in an object of a class with a `==` of its own. False where the artifact has to do that."""
        return False

    def attributes(self, own):
        """All attributes by name, of an object whose class keeps what it is given as `own` says; None where they are not known."""
        if own is None:
            return None
        names = [*(name for _, name, _ in own.parameters or ()), *own.constants]
        found = {name: self.field(name, own) for name in names}
        return None if None in found.values() else {name: value for name, (value,) in found.items()}

    def hold(self, name, own):
        """Takes a container that the class makes anew for each object for one that the test gave, before the test may change it."""
        is_missing = self.names is not None and name not in self.names and name in own.constants and name in self.making.constants
        if not is_missing or name not in {each for _, each, _ in self.making.parameters}:
            return
        value = self.making.constant(name)
        if type(value) in (list, dict, set):
            self.names = {**self.names, name: value}
            self.args, self.kwargs = (), self.names

    def field(self, name, own):
        """The value of a field in a list; None where it is not known."""
        if self.names is not None and name in self.names:
            return [self.names[name]]
        if name not in own.constants:
            return None
        # What a class makes for each object could be changed by the test.
        value = own.constant(name)
        return [value] if type(value) in IMMUTABLE else None

    def set_later(self):
        """What the test has set in it, by name."""
        return ()

    def reached(self):
        """Objects that the artifact may change with this one."""
        return ()

    def of_copy(self, original):
        """The same for a copy that the artifact has made, which it has known as long."""
        found = copy.copy(self)
        found.is_read = False
        # At its own place, a reference may have shown how the object is made: not the copy.
        if self.making is not None and self.making.compared is not None:
            found.making = type(original)._judge_making
            found.names = found.making.bind(self.args, self.kwargs) if found.making is not None else None
        return found

    def knows(self, name):
        return self.names is not None and (name in self.names or name in self.making.constants)

    def value(self, name):
        return self.names[name] if name in self.names else self.making.constant(name)


def copied(part):
    """A container with containers in it, and not with other parts, as copies."""
    if type(part) is dict:
        return {key: copied(value) for key, value in part.items()}
    return [copied(each) for each in part] if type(part) is list else set(part) if type(part) is set else part
