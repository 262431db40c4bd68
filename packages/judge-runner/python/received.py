"""Values, functions and objects of a test on their way into the artifact's box. Standard library only."""
import builtins
import io
import itertools
import sys
import types
import weakref

from codec import COLLECTIONS, COROUTINE, decode
from described import SPECIAL_METHODS
from function_marks import Marked
from originals import asyncio_part, collections, contextlib, logger_named
from parts import shaped
from received_called import MAKING, called_class, partial_of
from received_enums import MAKERS, empty_enum
from received_classes import ORIGINS, Origin, complete, data_fields, empty_class, fill, local_in, local_object
from received_hints import make_hint, put_names
from received_errors import ReceivedErrors
from standard import decode_derived, decode_std, imported, root_of
from weakly_held import WeaklyHeld


#: Open files of the test by the names of their classes, with the abstract class by which a program knows them.
STREAMS = {'StringIO': io.TextIOBase, 'TextIOWrapper': io.TextIOBase, 'FileIO': io.RawIOBase}
STREAMS.update({name: io.BufferedIOBase for name in ('BytesIO', 'BufferedReader', 'BufferedWriter', 'BufferedRandom')})


class Local:
    """An object of the test, as the artifact sees it: everything is asked for in the tester's box."""

    def __init__(self, number, ask, named):
        object.__setattr__(self, '_judge_local', number)
        object.__setattr__(self, '_judge_ask', ask)
        for name, text in named:
            object.__setattr__(self, name, text)

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return self._judge_ask(self._judge_local, 'get', name, (), {})

    def __setattr__(self, name, value):
        self._judge_ask(self._judge_local, 'set', name, (value,), {})

    def __str__(self):
        return self._judge_ask(self._judge_local, 'str', '', (), {})

    def __repr__(self):
        return self._judge_ask(self._judge_local, 'repr', '', (), {})

    def __dir__(self):
        return [*object.__dir__(self), *self._judge_ask(self._judge_local, 'dir', '', (), {})]

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return self._judge_local


def coroutine_function(name):
    """By what `inspect` and `asyncio` know an object that is called like a coroutine function."""
    async def sample():
        pass
    return {'__name__': name, '__code__': sample.__code__, '__defaults__': None, '__kwdefaults__': None, '__annotations__': {},
            COROUTINE: property(lambda self: getattr(sys.modules['asyncio'].coroutines, COROUTINE, None))}


def local_class(name, names):
    """A class with the name and the special methods of that of the test's object."""
    def forward(name):
        def method(self, /, *args, **kwargs):
            return self._judge_ask(self._judge_local, 'method', name, args, kwargs)
        return method
    wanted = {name: forward(name) for name in names if name in SPECIAL_METHODS or name in ('__bool__', '__call__')}
    if COROUTINE in names:
        wanted.update(coroutine_function(name))
    bases = (Local,)
    if name in COLLECTIONS:
        # As their own class does it, by the methods that are asked for there.
        kind = imported('collections', name)
        bases = (Local, kind)
        wanted.update(__eq__=kind.__eq__, __hash__=None, __contains__=forward('__contains__'))
    made = type(name if name.isidentifier() else 'Local', bases, wanted)
    if name in STREAMS:
        STREAMS[name].register(made)
    return made


def traceback_of(entries):
    """A traceback with the files, lines and functions of one of the test."""
    found = None
    for file, line, name in reversed(entries):
        held = {'sys': sys}
        exec(compile('frame = sys._getframe()', file, 'exec').replace(co_name=name), held)
        found = types.TracebackType(found, held['frame'], -1, line or 1)
    return found


def note_begun(generator):
    """Has the running loop close an asynchronous generator at its end, as it does with each that begins in it: this one has begun before."""
    begin = sys.get_asyncgen_hooks().firstiter
    if begin is not None and generator is not None:
        begin(generator)


class Owner:
    """Stands for the object of a method of the test, of which nothing is told."""


class Receiving:
    """Makes values ready to be used. `call_back(request, args, kwargs)` asks the test something; `tell` makes values ready to leave."""

    def __init__(self, table, owned, callbacks, call_back, tell, own_loop):
        self.tell, self.own_loop = tell, own_loop
        self.table, self.owned, self.callbacks, self.call_back = table, owned, callbacks, call_back
        self.errors = ReceivedErrors(table, self)
        #: Functions and objects of the test by their numbers there, and the classes of those and of other things that are called.
        self.functions, self.locals, self.local_classes, self.called_classes = {}, {}, {}, {}
        self.marked = Marked(tell, self.value)
        #: Functions of methods of the test with what stands for their objects, by number.
        self.methods = {}
        self.weakly_held = WeaklyHeld(table, self.functions, self.locals, self.methods, self.marked.functions)
        #: Containers that occur more than once, by number.
        self.repeated = {}
        #: Handlers of loggers of both sides.
        self.handlers = None
        #: Functions of the library that the test has given, with their names, by their ids.
        self.library_functions = {}
        #: Names of loggers that the test has given.
        self.loggers = set()

    def value(self, part):
        return decode(part, self.enter)

    def enter(self, tag, content, walk):
        if tag == '$handle':
            return self.table[content]
        if tag == '$method':
            return getattr(self.table[content[0]], content[1])
        if tag == '$member':
            kind, name, value = content
            return self.table[kind](walk(value)) if name is None else self.table[kind][name]
        if tag == '$std':
            return decode_std(content, walk)
        if tag == '$own':
            return self.owned.enter(content[0], content[1], walk)
        if tag in ('$inner', '$back'):
            return self.owned.renewed(content[0], walk(content[1]), tag == '$inner')
        if tag == '$shared':
            if len(content) > 1:
                self.repeated[content[0]] = walk(content[1])
            return self.repeated[content[0]]
        if tag == '$view':
            held = walk(content[1])
            return types.MappingProxyType(held) if content[0] == 'proxy' else getattr(dict, content[0])(held)
        if tag == '$bytearray':
            return bytearray.fromhex(content)
        if tag == '$builtin':
            return self.note_library(getattr(builtins, content), content)
        if tag == '$random':
            made = __import__('random').Random()
            made.setstate(walk(content))
            return made
        if tag == '$log_handler':
            return self.handlers.entered(content[0], walk(content[1]))
        if tag == '$logger':
            self.loggers.add(content)
            return logger_named(content)
        if tag == '$traceback':
            return traceback_of(content)
        if tag == '$io':
            made = (io.StringIO if isinstance(content[0], str) else io.BytesIO)(walk(content[0]))
            made.seek(content[1])
            return made
        if tag == '$exception':
            number, own, kind, args, held, cause = content
            return self.errors.enter(number, own, walk(kind), walk(args), [(name, walk(value)) for name, value in held], walk(cause))
        if tag == '$library':
            owner = __import__(content[0], fromlist=[''])
            if len(content[1]) == 1:
                return self.note_library(imported(content[0], content[1][0]), content)
            for name in content[1]:
                owner = getattr(owner, name)
            return self.note_library(owner, content)
        if tag == '$fields':
            key = (content[0], *content[1])
            if key not in self.local_classes:
                self.local_classes[key] = collections.namedtuple(content[0], content[1], rename=True)
            return self.local_classes[key](*walk(content[2]))
        if tag == '$sleep':
            __import__('asyncio')
            return asyncio_part('sleep')(*walk(content))
        return self.enter_own(tag, content)

    def note_library(self, part, name):
        """Notes a function of the library that the test has given: the test knows it by name where it is answered."""
        if callable(part) and not isinstance(part, type):
            self.library_functions[id(part)] = part, name
        return part

    def enter_own(self, tag, content):
        """Something of the test's own: what is done with it, is done in the tester's box."""
        if tag == '$callback':
            return self.function(*content)
        if tag in ('$made', '$partial', '$called'):
            return self.called(tag, *content)
        if tag == '$class':
            return self.given_class(*content)
        if tag == '$hint':
            # What it is made of may be told in full here.
            number, made = content[0], make_hint(*self.value(content[1:]))
            made = self.functions.setdefault(number, made)
            self.callbacks[id(made)] = number
            return made
        if tag == '$enumeration':
            return self.enumeration(*content)
        if tag == '$given_member':
            kind, name, value = self.value(content)
            return kind(value) if name is None else kind[name]
        if tag == '$awaitable':
            return self.own_loop.test(content)
        if tag == '$local':
            number, names, own, named, given = content
            kind = given and self.value(given)
            if number not in self.locals and kind is not None:
                self.locals[number] = local_object(kind, number, self.ask_local, named)
            if number not in self.locals:
                key = (own, *names)
                if key not in self.local_classes:
                    self.local_classes[key] = local_class(own, names)
                self.locals[number] = self.local_classes[key](number, self.ask_local, named)
            self.weakly_held.note(number)
            return self.locals[number]
        if tag == '$iterator':
            def one(_):
                more = self.call_back({'callback': content}, (), {})
                if not more:
                    raise StopIteration
                return more[0]
            # A generator would be closed, sent to, and over after an error.
            return map(one, itertools.repeat(None))
        if tag == '$generator':
            made = self.generator(content, lambda: known())
            known = weakref.ref(made)
            next(made)
            return made
        if tag == '$async_generator':
            made = self.async_generator(content, lambda: begun())
            begun = weakref.ref(made)
            with contextlib.suppress(StopIteration):
                made.asend(None).send(None)
            return made
        if tag == '$derived':
            kind = self.value(content[0])
            return decode_derived(kind, root_of(kind), content[1:], self.value)
        if tag == '$raises':
            return self.error_class(*content)
        raise ValueError('unknown tag')

    def function(self, number, name, doc, parameters, annotations, kind, names=(), method=None, marks=()):
        """A function of the test; `method`: the number by which it equals other methods of the same object; `marks`: what the artifact has put on it."""
        if number not in self.functions:
            made = self.methods.get(method) or self.new_function(number if method is None else method, name, doc, parameters, annotations, kind, names, method)
            self.marked.note(number, made if method is None else made[0], marks)
            if method is not None:
                self.methods[method] = made
                made = types.MethodType(*made)
                self.weakly_held.note_method(number, method)
            else:
                self.weakly_held.note(number)
            self.functions[number] = made
            self.callbacks[id(made)] = number
        return self.functions[number]

    def new_function(self, number, name, doc, parameters, annotations, kind, names, method):
        """A function that calls one of the test; with what stands for its object where that is a method."""
        if method is None:
            made = shaped(parameters, lambda args, kwargs: self.call_back({'callback': number}, args, kwargs), kind)
        else:
            # The test may have let go of the one that it has given first.
            equal = self.weakly_held.equal.setdefault(method, [])
            made = shaped(parameters, lambda args, kwargs: self.call_back({'callback': equal[-1]}, args[1:], kwargs), kind)
        made.__name__ = made.__qualname__ = name
        made.__doc__ = doc
        made.__annotations__ = dict(self.value(annotations))
        for each, value in names:
            # Where the library looks for what a text in an annotation names.
            if not each.startswith('_judge'):
                made.__globals__[each] = self.value(value)
        return made if method is None else (made, Owner())

    def called(self, tag, number, *told):
        """What a test has given that can be called and is no function."""
        if number not in self.functions:
            made = {'$made': self.made, '$partial': self.partial, '$called': self.called_object}[tag](number, *told)
            self.functions[number] = made
            self.weakly_held.note(number)
            self.callbacks[id(made)] = number
        return self.functions[number]

    def made(self, number, name, args, kwargs):
        return MAKING[name](*self.value(args), **{name: self.value(each) for name, each in kwargs})

    def partial(self, number, func, parameters, kind):
        called = shaped(parameters, lambda args, kwargs: self.call_back({'callback': number}, args, kwargs), kind)
        return partial_of(called, self.value(func), lambda: self.ask_local(number, 'bound', '', (), {}))

    def called_object(self, number, name, held, has_attributes, binds, method):
        key = (name, has_attributes, binds)
        if key not in self.called_classes:
            self.called_classes[key] = called_class(*key)
        parts = {each: self.value(value) for each, value in held}
        if method is not None:
            parts['__self__'] = self.methods.setdefault(method, Owner())
        return self.called_classes[key](lambda args, kwargs: self.call_back({'callback': number}, args, kwargs), parts, method)

    def generator(self, number, known):
        """A generator of the test: it gets what it is sent, and the errors that are thrown into it. It has begun, as one that has not may be closed
        unseen. `known`: the same, unless nothing leads to it any more, which closes none of the test's."""
        step = [None]
        while True:
            do = 'send'
            try:
                value = yield step[0]
            except GeneratorExit:
                if known() is not None:
                    self.call_back({'callback': number}, ('close',), {})
                raise
            except BaseException as error:
                do, value = 'throw', error
            step = self.call_back({'callback': number}, (do, value), {})
            # One of an earlier test yields nothing more.
            if step is None or len(step) > 1:
                return step and step[0]

    async def async_generator(self, number, known):
        """An asynchronous generator of the test, as one that is none."""
        step = [None]
        while step:  # One of an earlier test yields nothing more.
            do = 'asend'
            try:
                value = yield step[0]
            except GeneratorExit:
                if known() is not None:
                    await self.call_back({'callback': number}, ('aclose',), {})
                raise
            except BaseException as error:
                do, value = 'athrow', error
            note_begun(known())
            step = await self.call_back({'callback': number}, (do, value), {})

    def error_class(self, number, name, bases, texts):
        if number not in self.functions:
            made = self.errors.make_class(number, name, map(self.value, bases), texts)
            self.functions[number] = made
            self.callbacks[id(made)] = number
        return self.functions[number]

    def ask_local(self, number, do, name, args, kwargs):
        return self.call_back({'callback': -1, 'local': [number, do, name]}, args, kwargs)

    def given_class(self, number, body=None, values=()):
        """A class of the test. Its body may name the class itself, which is there before."""
        if number not in self.functions:
            name, qualname, module, doc, bases, methods, annotations, fields, shape, of_meta = body
            meta = {each: self.part_of_body(what, self.value(value)) for each, what, value in of_meta}
            kind = empty_class(name, qualname, module, doc, self.value(bases), meta)
            ORIGINS[id(kind)] = Origin(kind, number, self.ask_local, lambda args, kwargs: self.call_back({'callback': number}, args, kwargs),
                                       lambda part: self.adopt(number, part), lambda changed: self.callbacks.pop(id(changed), None))
            self.functions[number] = kind
            self.callbacks[id(kind)] = number
            named = dict(self.value(annotations))
            fill(kind, {'__annotations__': named, **(data_fields(self.value(fields), named) if fields else {}),
                        **{each: self.part_of_body(what, self.value(value)) for each, what, value in methods}})
            complete(kind, *shape[:2])
            put_names(module, {each: self.value(value) for each, value in shape[2]})
        kind = self.functions[number]
        fill(kind, dict(self.value(values)))
        return kind

    def adopt(self, number, part):
        """Has the test make an object of its class without calling it, for which another stands here from then on."""
        local = local_in(self.ask_local(number, 'new', '', (), {}))
        self.locals[local[0]] = part
        self.weakly_held.note(local[0])
        return local

    def enumeration(self, number, body=None):
        """An enumeration of the test. Its methods may name it, which is there before."""
        if number not in self.functions:
            name, qualname, module, doc, root, members, is_asked, methods = body
            kind = empty_enum(name, qualname, module, doc, root, [(key, self.value(value)) for key, _, value, _ in members])
            if is_asked:
                MAKERS[id(kind)] = lambda value: self.call_back({'callback': number}, (value,), {})
            self.functions[number] = kind
            self.callbacks[id(kind)] = number
            for key, at, _, held in members:
                self.callbacks[id(kind[key])] = at
                vars(kind[key]).update((each, self.value(value)) for each, value in held)
            fill(kind, {each: self.part_of_body(what, self.value(value)) for each, what, value in methods})
        return self.functions[number]

    @staticmethod
    def part_of_body(what, value):
        if what == 'property':
            return property(*value)
        return {'staticmethod': staticmethod, 'classmethod': classmethod}.get(what, lambda same: same)(value)
