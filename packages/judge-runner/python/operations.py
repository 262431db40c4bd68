"""What a tester may ask the artifact to do with one of its objects. Standard library only."""
import functools
import inspect
import operator
import sys

from codec import Unplain
from exported import exported_name
from extended import data_class, part_of_body
from inner import shares
from lasting import Answered
from loops import run
from originals import held
from parts import compared, content_of, held_by, parts_of, ranked
from received_classes import is_named_already, is_replaced
from replaced import BINDINGS
from standard import know_all


inspect = held(inspect)


def references():
    """What `sys.getrefcount` says of a value that only a variable of a function holds."""
    value = []
    return sys.getrefcount(value)


UNSHARED = references()
#: What a class holds under a name that only a base has.
MISSING = object()
#: Questions whose arguments the artifact may change.
CALLS = ('call', 'method')
#: What the language does with a descriptor.
DESCRIBING = ('__get__', '__set__', '__delete__', '__set_name__')
#: Methods whose answer is awaited by the test.
AWAITED = ('__aenter__', '__aexit__', '__anext__')


def imported(name):
    module = __import__(name)
    for part in name.split('.')[1:]:
        module = getattr(module, part)
    return module


def checked(name, part, kind):
    """What `isinstance()` or `issubclass()` says; None of a class that arrives as a function."""
    if name == 'isinstance':
        return isinstance(part, kind)
    return issubclass(part, kind) if isinstance(part, type) else None


def frames_of(error):
    """Returns the variables of the functions from which an error came."""
    found, at = [], error.__traceback__ and error.__traceback__.tb_next
    while at is not None:
        found.append(at.tb_frame.f_locals)
        at = at.tb_next
    return found


def held_in(frames, part):
    """Returns how many variables hold something only because an error keeps them."""
    return sum(each is part for variables in frames for each in list(variables.values()))


class Operations:
    """Carries out what is asked. `tell`: the one that tells values; `arrive`: makes a value of the test ready to be used; `own_loop`: the
    event loop."""

    def __init__(self, table, tell, arrive, watched, own_loop):
        self.table, self.tell, self.arrive, self.watched, self.own_loop = table, tell, arrive, watched, own_loop
        self.answered = Answered()
        #: What classes held where a test has patched them, by the number of the class and the name.
        self.originals = {}
        #: Coroutines that enter a context.
        self.entering = set()

    def act(self, op):
        do, tell = op['do'], self.tell
        if do == 'module':
            return {'value': tell.value(imported(op['name']))}
        if do == 'read':
            return {'value': [tell.read(self.table[number], equal, names) for number, equal, names in op['parts']]}
        if do == 'turn':
            self.own_loop.turn()
            return {'value': None}
        if do == 'cancel':
            self.own_loop.cancel(op['of'])
            return {'value': None}
        if do == 'extend':
            return {'value': self.extend(op)}
        target = self.table[op['of']]
        if do == 'inherited':
            return {'value': tell.value(tell.classes.extended.inherited(target, self.table[op['after']], op['name']))}
        if do == 'put':
            setattr(target, op['name'], part_of_body(op['part'][0], self.arrive(op['part'][1])))
            return {'value': None}
        if do == 'data':
            return {'value': tell.classes.describe_again(data_class(target, op, self.arrive))}
        if do == 'get':
            return self.get(op, target)
        if do == 'member':
            return {'value': tell.value(target(self.arrive(op['value'])))}
        if do == 'set':
            know_all()
            self.note_original(op, target)
            setattr(target, op['name'], self.bound(op, target))
            return {'value': None}
        if do == 'restore':
            return self.restore(op, target)
        if do == 'pin':
            return {'value': self.table.number_of(getattr(target, op['name']))}
        if do == 'set plainly':
            object.__setattr__(target, op['name'], self.arrive(op['value']))
            return {'value': None}
        if do == 'delete':
            self.note_original(op, target)
            delattr(target, op['name'])
            return {'value': None}
        if do == 'describe':
            return {'value': tell.classes.describe_again(target)}
        if do == 'dir':
            names = getattr(target, '__all__', None) or [name for name in vars(target) if not name.startswith('_')]
            return {'value': [str(name) for name in names]}
        if do == 'names':
            return {'value': [str(name) for name in dir(target)]}
        if do == 'origin':
            return {'value': tell.value(getattr(target, '__origin__', None))}
        if do == 'await':
            return self.awaited(op, target)
        if do == 'bool':
            return {'value': bool(target)}
        if do in ('str', 'repr'):
            return {'value': tell.value((str if do == 'str' else repr)(target))}
        if do == 'hash':
            return {'value': hash(target)}
        if do == 'plain hash':
            return {'value': hash(target) == tuple.__hash__(target)}
        if do in ('copy', 'deepcopy'):
            return {'value': tell.value(getattr(__import__('copy'), do)(target))}
        if do == 'pickle':
            pickle = __import__('pickle')
            return {'value': tell.value(pickle.loads(pickle.dumps(target)))}
        if do in ('fields', 'plain', 'parts', 'state', 'held', 'content'):
            return {'value': self.content(op, target)}
        args = [self.arrive(part) for part in op['args']]
        kwargs = {key: self.arrive(value) for key, value in op['kwargs']}
        op['arrived'] = [*args, *kwargs.values()]
        if do == 'express':
            return {'value': tell.value(getattr(operator, op['name'])(target, args[0]))}
        if do == 'check':
            return {'value': checked(op['name'], args[0], target)}
        if do in ('compare', 'compared', 'ranked'):
            return {'value': self.compare(op, target, args[0])}
        if do == 'method' and op['name'] in DESCRIBING and is_replaced(target, args):
            raise Unplain('of a descriptor that it has replaced in a class of the test')
        if do == 'method' and op['name'] == '__set_name__' and is_named_already(args):
            return {'value': None}
        function = target if do == 'call' else self.method(op, target)
        before = list(map(sys.getrefcount, op['arrived']))
        try:
            value = function(*args, **kwargs)
        except BaseException as error:
            counts = list(map(sys.getrefcount, op['arrived']))
            frames = frames_of(error)
            op['keeps'] = [count > earlier + held_in(frames, part) for earlier, count, part in zip(before, counts, op['arrived'])]
            raise
        if do == 'call' and type(value) is target and hasattr(target, '__get__'):
            tell.made.add(self.table.number_of(value))
        op['keeps'] = [count > earlier for earlier, count in zip(before, map(sys.getrefcount, op['arrived']))]
        if do == 'method' and op['name'] in AWAITED and inspect.isawaitable(value):
            if op['name'] == '__aenter__':
                self.entering.add(self.table.number_of(value))
            return {'value': tell.value(value)}
        is_entered = do == 'method' and op['name'] == '__enter__'
        if is_entered or (sys.getrefcount(value) > UNSHARED or shares(value, self.watched.is_of_test)) and not self.watched.is_of_test(value):
            # The artifact has it as well, or a part of it: both see what the other changes there.
            op['container'] = value
        reply = {'value': tell.value(value)}
        self.answered.add_to(reply, value, op['arrived'])
        return self.add_changed(op, reply)

    def method(self, op, target):
        """A method of an object; with `class` the one that this class has, whatever the object's own says, and with `meta` the one that its own class has."""
        if op.get('meta') is True:
            return functools.partial(getattr(type(target), op['name']), target)
        if 'class' not in op:
            return getattr(target, op['name'])
        return functools.partial(getattr(self.table[op['class']], op['name']), target)

    def add_changed(self, op, reply):
        """Adds arguments of a call that the artifact has changed to what is told, whether it has answered or raised an error."""
        if 'arrived' in op and op['do'] in CALLS:
            changed = self.watched.mutated(op['args'] + [part for _, part in op['kwargs']], op['arrived'])
            if changed:
                reply['args'] = changed
        return reply

    def awaited(self, op, target):
        """What an awaitable answers, or that it does so later."""
        if not self.own_loop.is_free():
            value = run(target)
        else:
            task = self.own_loop.wait(op['of'], target, op['alone'])
            if not task.done():
                return {'value': None, 'pending': True}
            if task.cancelled():
                return {'value': None, 'cancelled': True}
            value = self.own_loop.result_of(task)
        is_shared = sys.getrefcount(value) > UNSHARED or shares(value, self.watched.is_of_test)
        if op['of'] in self.entering or is_shared and not self.watched.is_of_test(value):
            op['container'] = value
        return {'value': self.tell.value(value)}

    def bound(self, op, target):
        """What a test sets, as its class binds it."""
        held = self.arrive(op['value'])
        # `create_autospec` makes a function of a method that gets no object; a mock of it gets none.
        if op.get('specified') and isinstance(vars(target).get(op['name']), (staticmethod, classmethod)):
            return staticmethod(held)
        return BINDINGS[op.get('binding')](held)

    def note_original(self, op, target):
        """Notes what a class holds where a test patches it: `restore` puts that back."""
        if op.get('patched'):
            self.originals.setdefault((op['of'], op['name']), []).append(vars(target).get(op['name'], MISSING))

    def restore(self, op, target):
        """Puts back what a class held before the test patched it."""
        held = self.originals.get((op['of'], op['name']))
        # It could not be replaced where nothing is noted.
        if not held:
            return {'value': None}
        original = held.pop()
        if original is MISSING:
            delattr(target, op['name'])
        else:
            setattr(target, op['name'], original)
        return {'value': None}

    def extend(self, op):
        """Builds a class of the test: how it is described, and the names that it inherits."""
        kind, classes = self.tell.classes.extended.build(op, self.arrive), self.tell.classes
        number = self.table.number_of(kind)
        return [{'id': number, 'kind': 'class'} if number in classes.described else classes.describe(kind), [str(name) for name in dir(kind)]]

    def get(self, op, target):
        value = getattr(target, op['name'])
        is_method = not inspect.ismodule(target) and not isinstance(target, type) and inspect.ismethod(value)
        # One that the test has given is that of its object.
        if is_method and id(value) not in self.tell.callbacks:
            return {'value': {'$method': [op['of'], op['name']]}}
        op['container'] = value
        reply = {'value': self.tell.value(value)}
        name = exported_name(value) if inspect.ismodule(target) else None
        if name is not None:
            reply['value'] = {'$exported': [*name, reply['value']]}
        self.answered.add_to(reply, value, ())
        return reply

    def content(self, op, target):
        """What an object holds."""
        do, tell = op['do'], self.tell
        if do == 'fields':
            return [tell.value(getattr(target, name)) for name in op['names']]
        if do == 'plain':
            return tell.plain(target)
        if do == 'parts':
            return [tell.part(each) for each in parts_of(target).values()]
        if do == 'state':
            return tell.state_of(target)
        if do == 'held':
            held, text = held_by(target, tell.copying().copy)
            return [[[name, tell.value(each)] for name, each in held], text]
        return tell.value(tell.read_apart(target, content_of))

    def compare(self, op, target, other):
        """What operators of an object say of another one."""
        if op['do'] == 'compare':
            return bool(getattr(operator, op['name'])(target, other))
        if op['do'] == 'compared':
            same, pairs, texts = compared(target, other, self.tell.copying().copy)
            return [same, [[*map(self.tell.value, part[:3]), part[3]] for part in pairs], texts]
        return ranked(target, other, self.tell.error)
