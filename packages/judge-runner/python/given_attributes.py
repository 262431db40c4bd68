"""What an artifact reads and changes in the attributes of a test's objects. Standard library only."""
from mocks import is_mock, mock_names
from properties import AnsweredProperty
from remote import RemoteFunction
from stand_in import StandIn

MISSING = object()
#: Beginnings of names that only tools and this package set.
OF_TOOLS = '__', '_judge', '_pytest', '_hypothesis'
#: What is asked of attributes: all of them, one, whether one is still what the artifact has put there, and what changes one.
ATTRIBUTES = frozenset(('vars', 'kept', 'get', 'set', 'set plainly', 'hold', 'delete', 'drop'))
#: Of these, what changes one as an assignment does, and what changes one in `__dict__` itself.
ASSIGNING, HOLDING = ('set', 'set plainly', 'hold'), ('hold', 'drop')


class GivenAttributes:
    """The part of a link that answers for the attributes of objects of the test. What is private is the test's own, except what the artifact has put
    there, and what belongs to a descriptor of it."""

    def begin_attributes(self):
        #: Objects into which the artifact has put something, with that by name, by their ids.
        self.put = {}

    def put_in(self, part):
        return self.put.get(id(part), (None, {}))[1]

    def note_put(self, part, name, value):
        self.put.setdefault(id(part), (part, {}))[1][name] = value

    def attributes_of(self, part):
        """The attributes of an object, as `(name, value)`, or `(name,)` for one that is still what the artifact has put there."""
        put = self.put_in(part)
        return tuple((name,) if put.get(name, MISSING) is value else (name, value)
                     for name, value in vars(part).items() if not name.startswith('_') or name in put or is_of_descriptor(part, name))

    def is_open(self, part, do, name):
        """True for an attribute that the artifact may read or change."""
        if type(name) is not str or not name.isidentifier() or is_mock(part) and (name in mock_names() or do in HOLDING):
            return False
        if do in HOLDING and not self.is_of_suite(type(part)):
            return False
        if not name.startswith('_'):
            return True
        if name in self.put_in(part) or is_of_descriptor(part, name):
            return True
        # What the test has put there stays its own.
        is_free = not is_mock(part) and name not in getattr(part, '__dict__', (name,)) and not hasattr(type(held_by_class(part, name)), '__set__')
        return is_free and do in ASSIGNING and not name.startswith(OF_TOOLS) and self.is_given_whole(type(part))

    def serve_attribute(self, part, do, name, args):
        if do == 'kept':
            put = self.put_in(part)
            return name in put and getattr(part, '__dict__', {}).get(name, MISSING) is put[name]
        if do == 'get':
            return getattr(part, name)
        if do in ('delete', 'drop'):
            if do == 'drop':
                del vars(part)[name]
            else:
                delattr(part, name)
            return self.put_in(part).pop(name, None) and None
        if hides_method(part, name):
            raise AttributeError(name)
        if do == 'hold':
            vars(part)[name] = args[0]
        elif do == 'set plainly' and not is_mock(part):
            object.__setattr__(part, name, args[0])
        else:
            if is_mock(part):
                self.put_into_mock(name, args[0])
            setattr(part, name, args[0])
        if do == 'hold' or name.startswith('_'):
            self.note_put(part, name, args[0])
        return None


def held_by_class(part, name):
    """What the class of an object holds under a name, or one of its bases."""
    return next((vars(kind)[name] for kind in type(part).__mro__ if name in vars(kind)), None)


def is_of_artifact(held):
    return issubclass(type(held), (StandIn, RemoteFunction, AnsweredProperty))


def is_of_descriptor(part, name):
    """True for a private name under which a descriptor of the artifact keeps the value of its attribute: `_size` of `size`."""
    held = held_by_class(part, name[1:])
    return not name.startswith('__') and is_of_artifact(held) and hasattr(type(held), '__get__')


def hides_method(part, name):
    """True for a name under which the class of an object has a method of the test's own."""
    return not is_of_artifact(held_by_class(part, name)) and callable(getattr(type(part), name, None))
