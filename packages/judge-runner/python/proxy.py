"""The artifact as a tester sees it: modules, functions, classes and objects that are asked for in another box.

Plain values arrive as exact copies, other objects as handles. Attributes, calls, iteration, length, indexing and
arithmetic are forwarded; comparisons never are, since they would show the artifact what is expected and take its
word for it. Everything that arrives is checked: whoever wrote it wants to be graded as right.
"""
import builtins
import importlib
import importlib.machinery
import sys
import threading
import types

from codec import decode, encode
from standard import decode_std, encode_std

ERROR_MODULES = {'json.decoder', 'decimal', 'zipfile', 'queue', '_queue', 'csv', '_csv', 're', 'sre_constants', 're._constants',
                 'struct', 'binascii', 'zlib', 'sqlite3', 'configparser', 'dataclasses', 'asyncio.exceptions',
                 'concurrent.futures._base', 'urllib.error', 'xml.etree.ElementTree', 'statistics', 'ipaddress'}
NEVER_RAISED = (SystemExit, KeyboardInterrupt, GeneratorExit)


def end_run(kind, reason):
    """Tells the judge and ends the tester; put in place by its launcher."""
    raise RuntimeError(reason)


class ProtocolError(BaseException):
    """What arrived is no answer. Ends the whole run: no test gets to catch it."""

    def __init__(self, reason):
        end_run('protocolError', reason)


class Unsupported(BaseException):
    """The suite passes something that cannot leave its box. Not the artifact's fault."""

    def __init__(self, reason):
        end_run('unsupported', reason)


class RemoteError(Exception):
    """The artifact raised what is no Exception."""


class Link:
    """The line to the artifact."""

    def __init__(self, exchange):
        self.exchange, self.lock = exchange, threading.RLock()
        self.objects, self.classes, self.given, self.numbers = {}, {}, {}, {}

    def ask(self, op):
        with self.lock:
            reply = self.exchange({'ask': op})
            while 'callback' in reply:
                self.echo(reply)
                reply = self.exchange({'back': self.serve(reply)})
            self.echo(reply)
            if 'raised' in reply:
                raise self.error(reply['raised'])
            if 'value' not in reply:
                raise ProtocolError('an answer without a value')
            return reply

    @staticmethod
    def echo(reply):
        for key, stream in (('out', sys.stdout), ('err', sys.stderr)):
            if reply.get(key):
                stream.write(reply[key])

    def value(self, op):
        return self.arrive(self.ask(op)['value'])

    def call(self, op, args, kwargs):
        op['args'] = [self.leave(part) for part in args]
        op['kwargs'] = [[key, self.leave(part)] for key, part in kwargs.items()]
        reply = self.ask(op)
        for index, after in reply.get('args') or []:
            if type(index) is not int or not 0 <= index < len(args):
                raise ProtocolError('a changed argument that was not given')
            update(args[index], self.arrive(after))
        return self.arrive(reply['value'])

    def serve(self, request):
        """Runs a function of the test for the artifact."""
        number = request['callback']
        if number not in self.given:
            raise ProtocolError('a call-back that was not given')
        try:
            args = [self.arrive(part) for part in request['args']]
            kwargs = {key: self.arrive(part) for key, part in request['kwargs']}
            return {'returns': self.leave(self.given[number](*args, **kwargs))}
        except Exception as error:
            names = [kind.__name__ for kind in type(error).__mro__ if getattr(builtins, kind.__name__, None) is kind]
            return {'throws': [names[0] if names else 'Exception', str(error)[:2000]]}

    def give(self, key, function):
        number = self.numbers.get(id(key))
        if number is None:
            number = len(self.given) + 1
            self.numbers[id(key)] = number
            self.given[number] = function
            self.given[-number] = key  # Kept, so that its id stays its own.
        return number

    def leave(self, part):
        return encode(part, self.leave_other)

    def leave_other(self, part):
        std = encode_std(part)
        if std is not None:
            return std
        if isinstance(part, (Remote, RemoteFunction, RemoteModule)) or isinstance(type(part), RemoteClass):
            return {'$handle': object.__getattribute__(part, '_judge_id')}
        if isinstance(part, RemoteClass):
            return {'$handle': part._judge_id}
        if isinstance(part, RemoteMethod):
            return {'$method': [part._judge_id, part.__name__]}
        name = getattr(part, '__name__', None)
        if isinstance(name, str) and getattr(builtins, name, None) is part:
            return {'$builtin': name}
        if isinstance(part, BaseException) and getattr(builtins, type(part).__name__, None) is type(part):
            return {'$exception': [type(part).__name__, self.leave(list(part.args))]}
        if isinstance(part, types.TracebackType):
            return None
        if hasattr(part, '__next__'):
            def advance():
                for item in part:
                    return [item]
                return []
            return {'$iterator': self.give(part, advance)}
        if callable(part):
            return {'$callback': self.give(part, part)}
        raise Unsupported('a %s cannot be passed to an artifact in another box' % type(part).__name__)

    def arrive(self, part):
        try:
            return decode(part, self.arrive_other)
        except ProtocolError:
            raise
        except Exception as error:
            raise ProtocolError('an answer that is no value (%s)' % type(error).__name__)

    def arrive_other(self, tag, content):
        if tag == '$handle':
            return self.wrap(content)
        if tag == '$method':
            return RemoteMethod(self, content[0], str(content[1]))
        if tag == '$std':
            return decode_std(content)
        if tag == '$bytearray':
            return bytearray.fromhex(content)
        if tag == '$opaque':
            return object()
        if tag == '$callback':
            return self.given[-content]
        if tag == '$builtin':
            found = getattr(builtins, content)
            if isinstance(found, type):
                return found
        raise ProtocolError('an answer with an unknown tag')

    def wrap(self, desc):
        number, kind = desc['id'], desc['kind']
        if type(number) is not int or kind not in ('module', 'class', 'function', 'coroutine', 'object'):
            raise ProtocolError('an object without a description')
        if kind == 'class':
            return self.class_of(desc)
        if number not in self.objects:
            name = str(desc['name'])
            if kind == 'module':
                made = RemoteModule(name)
            elif kind == 'function':
                made = RemoteFunction()
                object.__setattr__(made, '__name__', name)
            elif kind == 'coroutine':
                async def made_later():
                    return self.value({'do': 'await', 'of': number})
                return made_later()
            else:
                cls = self.class_of(desc['class']) if desc.get('class') else Remote
                made = cls.__new__(cls)
            object.__setattr__(made, '_judge_id', number)
            object.__setattr__(made, '_judge_link', self)
            self.objects[number] = made
        return self.objects[number]

    def class_of(self, desc, depth=0):
        number = desc['id']
        if depth > 20 or type(number) is not int:
            raise ProtocolError('a class without a description')
        if number not in self.classes:
            bases = []
            for base in desc['bases'][:20]:
                if isinstance(base, dict):
                    bases.append(self.class_of(base, depth + 1))
                elif desc['exception']:
                    bases.append(builtin_exception([base]))
            root = RemoteException if desc['exception'] else Remote
            # Of what the artifact names, only plain exceptions and classes made here become bases.
            usable = tuple(base for base in bases if base is not object) + (root,)
            try:
                made = RemoteClass(str(desc['name']), tuple(dict.fromkeys(usable)), {})
            except TypeError:
                made = RemoteClass(str(desc['name']), (root,), {})
            type.__setattr__(made, '_judge_id', number)
            type.__setattr__(made, '_judge_link', self)
            self.classes[number] = made
        return self.classes[number]

    def error(self, told):
        try:
            message = str(told['message'])
            if told.get('class'):
                cls = self.class_of(told['class'])
                if not issubclass(cls, Exception):
                    return RemoteError('%s: %s' % (told['mro'][0], message))
            else:
                cls = library_exception(told) or builtin_exception(told['mro'])
            error = cls.__new__(cls)
            args = self.arrive(told['args']) if 'args' in told else [message]
            error.args = tuple(args)
            if isinstance(error, RemoteException):
                error.__dict__.update(_judge_id=told['self'], _judge_text=message)
            if cls is RemoteError:
                error.args = ('%s: %s' % (told['mro'][0], message),)
            return error
        except (KeyError, TypeError, AttributeError, IndexError, ValueError):
            raise ProtocolError('an exception without a description')


def builtin_exception(names):
    """The nearest builtin Exception class. What would end the tester itself becomes an ordinary failure."""
    for name in names:
        kind = getattr(builtins, name, None) if isinstance(name, str) else None
        if isinstance(kind, type) and issubclass(kind, Exception):
            return kind
        if isinstance(kind, type) and issubclass(kind, NEVER_RAISED):
            return RemoteError
    return RemoteError


def library_exception(told):
    if told.get('module') not in ERROR_MODULES:
        return None
    kind = getattr(importlib.import_module(told['module']), told['mro'][0], None)
    return kind if isinstance(kind, type) and issubclass(kind, Exception) else None


def update(mine, after):
    """Makes a value of the test what the artifact made of it, in place, so that aliases see it too."""
    if type(mine) is not type(after):
        return
    if isinstance(mine, list):
        for index in range(min(len(mine), len(after))):
            if isinstance(mine[index], (list, dict, set, bytearray)) and type(mine[index]) is type(after[index]):
                update(mine[index], after[index])
                after[index] = mine[index]
        mine[:] = after
    elif isinstance(mine, dict):
        for key in mine.keys() & after.keys():
            if isinstance(mine[key], (list, dict, set, bytearray)) and type(mine[key]) is type(after[key]):
                update(mine[key], after[key])
                after[key] = mine[key]
        mine.clear()
        mine.update(after)
    elif isinstance(mine, set):
        mine.clear()
        mine.update(after)
    elif isinstance(mine, bytearray):
        mine[:] = after
    elif isinstance(mine, tuple):
        for old, new in zip(mine, after):
            update(old, new)


class RemoteClass(type):
    """A class of the artifact."""

    def __call__(cls, *args, **kwargs):
        return cls._judge_link.call({'do': 'call', 'of': cls._judge_id}, args, kwargs)

    def __getattr__(cls, name):
        if name.startswith('_judge') or name in ('__iter__', '__next__', '__abstractmethods__', 'pytestmark'):
            raise AttributeError(name)
        return cls._judge_link.value({'do': 'get', 'of': cls._judge_id, 'name': name})

    def __setattr__(cls, name, value):
        link = cls._judge_link
        link.value({'do': 'set', 'of': cls._judge_id, 'name': name, 'value': link.leave(value)})

    def __iter__(cls):
        return iter(cls._judge_link.call({'do': 'method', 'of': cls._judge_id, 'name': '__iter__'}, (), {}))


def invoke(name):
    def method(self, *args, **kwargs):
        link = object.__getattribute__(self, '_judge_link')
        op = {'do': 'method', 'of': object.__getattribute__(self, '_judge_id'), 'name': name}
        try:
            return link.call(op, args, kwargs)
        except AttributeError as error:
            raise TypeError('%s has no %s' % (type(self).__name__, name)) from error
    return method


class Remote:
    """An object of the artifact."""

    def __getattr__(self, name):
        if name.startswith('_judge'):
            raise AttributeError(name)
        return self._judge_link.value({'do': 'get', 'of': self._judge_id, 'name': name})

    def __setattr__(self, name, value):
        link = self._judge_link
        link.value({'do': 'set', 'of': self._judge_id, 'name': name, 'value': link.leave(value)})

    def __bool__(self):
        return bool(self._judge_link.value({'do': 'bool', 'of': self._judge_id}))

    def __str__(self):
        return str(self._judge_link.value({'do': 'str', 'of': self._judge_id}))

    def __repr__(self):
        return str(self._judge_link.value({'do': 'repr', 'of': self._judge_id}))

    def __iter__(self):
        try:
            found = self._judge_link.call({'do': 'method', 'of': self._judge_id, 'name': '__iter__'}, (), {})
        except AttributeError as error:
            raise TypeError('%s is not iterable' % type(self).__name__) from error
        return self if found is self else iter(found)

    def __call__(self, *args, **kwargs):
        return self._judge_link.call({'do': 'call', 'of': self._judge_id}, args, kwargs)


for forwarded in ('len next getitem setitem delitem enter exit int float index add sub mul truediv floordiv mod pow '
                  'matmul and or xor neg pos abs invert radd rsub rmul iadd isub imul reversed round').split():
    setattr(Remote, '__%s__' % forwarded, invoke('__%s__' % forwarded))


def compare_remotely():
    """Lets the artifact compare two of its own objects, for a suite that tests just that. Whatever the test itself
    holds stays out of it: between an object of the artifact and anything else nothing is asked."""

    def comparing(name):
        def method(self, other):
            if not isinstance(other, Remote):
                return NotImplemented
            op = {'do': 'compare', 'of': object.__getattribute__(self, '_judge_id'), 'name': name}
            return object.__getattribute__(self, '_judge_link').call(op, (other,), {}) is True
        return method

    for name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'):
        setattr(Remote, '__%s__' % name, comparing(name))
    Remote.__hash__ = object.__hash__


class RemoteException(Exception):
    """What the artifact raises of its own."""

    def __str__(self):
        return self.__dict__.get('_judge_text', '')

    def __getattr__(self, name):
        if name.startswith('_') or '_judge_id' not in self.__dict__:
            raise AttributeError(name)
        return type(self)._judge_link.value({'do': 'get', 'of': self.__dict__['_judge_id'], 'name': name})


class RemoteFunction:
    """A function of the artifact."""

    def __call__(self, *args, **kwargs):
        return self._judge_link.call({'do': 'call', 'of': self._judge_id}, args, kwargs)

    def __getattr__(self, name):
        if name.startswith('_judge') or name in ('pytestmark', '__wrapped__', '__test__'):
            raise AttributeError(name)
        return self._judge_link.value({'do': 'get', 'of': self._judge_id, 'name': name})


class RemoteMethod:
    """A method of an object of the artifact."""

    def __init__(self, link, number, name):
        if type(number) is not int:
            raise ProtocolError('a method of nothing')
        self._judge_link, self._judge_id, self.__name__ = link, number, name

    def __call__(self, *args, **kwargs):
        return self._judge_link.call({'do': 'method', 'of': self._judge_id, 'name': self.__name__}, args, kwargs)


class RemoteModule(types.ModuleType):
    """A module of the artifact."""

    def __getattr__(self, name):
        if name == '__all__':
            return self._judge_link.value({'do': 'dir', 'of': self._judge_id})
        if name.startswith('_judge') or name in ('__path__', '__file__', '__spec__', 'pytestmark'):
            raise AttributeError(name)
        return self._judge_link.value({'do': 'get', 'of': self._judge_id, 'name': name})

    def __setattr__(self, name, value):
        # Python's import machinery sets these on every module.
        if name.startswith('__'):
            return super().__setattr__(name, value)
        self._judge_link.value({'do': 'set', 'of': self._judge_id, 'name': name, 'value': self._judge_link.leave(value)})


class Stub:
    """Stands for anything of an artifact while tests are only being named."""

    def __init__(self, name):
        self.__name__ = name

    def __getattr__(self, name):
        if name.startswith('__') or name == 'pytestmark':
            raise AttributeError(name)
        return Stub(name)

    def __call__(self, *args, **kwargs):
        raise RuntimeError('%s is called while tests are collected; call it in a test or a fixture' % self.__name__)


class StubModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith('__') or name == 'pytestmark':
            raise AttributeError(name)
        return Stub(name)


class Finder:
    """Imports the artifact's modules from the other box."""

    def __init__(self, names, link):
        self.names, self.link = names, link

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            return importlib.machinery.ModuleSpec(name, self)
        return None

    def create_module(self, spec):
        if self.link is None:
            return StubModule(spec.name)
        module = self.link.value({'do': 'module', 'name': spec.name})
        if not isinstance(module, RemoteModule):
            raise ProtocolError('a module that is none')
        return module

    def exec_module(self, module):
        pass
