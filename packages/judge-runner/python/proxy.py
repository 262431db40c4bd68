"""The connection of a tester to the artifact in another box: what it asks, and which answers it accepts. Standard library only.

An answer is a plain value; an object is accepted only where `remote.py` says. Everything that arrives is checked: whoever wrote
it wants to be graded as right.
"""
import builtins
import collections
import enum
import importlib
import importlib.machinery
import io
import os
import sys
import threading
import types
import weakref

from codec import decode, encode
from loops import run
from remote import (Acting, AsyncIterator, Context, Inert, Iterator, Method, Refused, RemoteClass, RemoteException,
                    RemoteFunction, builtin_exception, id_of, special_methods)
from shared import Shared
from standard import decode_std, encode_std

ERROR_MODULES = {'json.decoder', 'decimal', 'zipfile', 'queue', '_queue', 'csv', '_csv', 're', 'sre_constants', 're._constants',
                 'struct', 'binascii', 'zlib', 'sqlite3', 'configparser', 'dataclasses', 'asyncio.exceptions',
                 'concurrent.futures._base', 'urllib.error', 'xml.etree.ElementTree', 'statistics', 'ipaddress', 'argparse',
                 'subprocess', 'socket', 'shutil', 'tomllib', 'uuid', 'graphlib', 'locale', 'gzip', 'tarfile', 'base64'}
#: How the suite shows that a call answers an object: it names the function in `objects`, or the function says that it makes one.
SHOWN_BY_NAME = ('named', 'makes')
KINDS = ('module', 'class', 'function', 'coroutine', 'iterator', 'async', 'context', 'object')
ENUMS = {'Enum': (enum.Enum,), 'IntEnum': (enum.IntEnum,), 'Flag': (enum.Flag,), 'IntFlag': (enum.IntFlag,),
         'str': (str, enum.Enum), 'int': (int, enum.Enum),
         'StrEnum': (getattr(enum, 'StrEnum', None),) if hasattr(enum, 'StrEnum') else (str, enum.Enum)}
TEMPORARY = '/box/pytest'
#: Containers of one test that keep their identity.
MAX_OWNED = 5000
DECLARED = '/packages/'
#: Private names that a test may read off a module.
SHOWN = {'__version__', '__doc__', '__author__', '__version_info__', '__license__', '__title__'}
UNSYNCED = {'PYTEST_CURRENT_TEST', 'PYTEST_VERSION'}
#: Attributes of mocks that say what was called: nothing that an artifact may change or read.
MOCK = None


class ProtocolError(BaseException):
    """What arrived is no answer. Ends the whole run: no test can catch it."""


class Unsupported(TypeError):
    """The test passes something that cannot leave its box."""


class RemoteError(Exception):
    """The artifact raised what is no Exception."""


class Link:
    """The connection to the artifact.

    `settings`: `suite` folder, `modules` that the suite names, `classes` that its syntax shows, `objects` that it names,
    `remote_eq`, `shapes` of the reference or None, `learn`.
    """

    def __init__(self, exchange, end_run, settings):
        self.exchange, self.end_run, self.settings = exchange, end_run, settings
        self.lock = threading.RLock()
        self.objects, self.classes, self.given, self.numbers, self.members = {}, {}, {}, {}, {}
        self.trusted, self.vouched, self.resolved = set(), set(), False
        self.shapes = None if settings.get('shapes') is None else frozenset(settings['shapes'])
        self.learning, self.learnt = bool(settings.get('learn')), set()
        self.refusal = None
        self.suite = settings['suite'] + '/'
        self.environment, self.arguments, self.folder = self.own_environment(), list(sys.argv), os.getcwd()
        self.shared = Shared(TEMPORARY)
        self.targets = {}
        for path in settings.get('targets', ()):
            owner, _, name = path.rpartition('.')
            try:
                self.targets[path] = (importlib.import_module(owner), name, getattr(importlib.import_module(owner), name))
            except (ImportError, AttributeError):
                pass
        self.replaced = {}
        #: Arguments of calls that the artifact may still hold, by the number of the call.
        self.calls, self.lent = 0, {}
        #: Containers that the running test gave the artifact, by number, and their numbers.
        self.owned, self.own_numbers, self.own_count = {}, {}, 0
        #: Coroutines of the artifact by their numbers there.
        self.coroutines = weakref.WeakKeyDictionary()

    # What is accepted

    def protocol_error(self, reason):
        self.end_run('protocolError', reason)
        return ProtocolError(reason)

    def refuse(self, reason):
        """Fails the running test for good, whatever it catches."""
        if self.refusal is None:
            self.refusal = reason
        return Refused(reason)

    def site(self, op):
        """The place in the suite's files at which something is asked."""
        frame = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            if code.co_filename.startswith(self.suite):
                return '%s:%d:%d:%s' % (code.co_filename[len(self.suite):], code.co_firstlineno, frame.f_lasti, op)
            frame = frame.f_back
        return None

    def allows(self, op, default):
        """True where the reference did this at the same place; without a reference, `default`."""
        if not self.learning and self.shapes is None:
            return default
        place = self.site(op)
        if self.learning:
            self.learnt.add(place)
            return True
        return default and op == 'object' and place is None or place in self.shapes

    def trusts(self, part):
        """True for an object that the test made of a class that the suite's author names."""
        return object.__getattribute__(part, '_judge_made') and type(part)._judge_id in self.trusted \
            or bool(self.settings.get('remote_eq'))

    def resolve(self):
        """Finds the classes that the suite names or shows, by the name under which its tests know them."""
        if self.resolved:
            return
        self.resolved = True
        wanted = [(module, name, False) for module, name in self.settings.get('classes', ())]
        wanted += [(module, name, True) for module in self.settings['modules'] for name in self.settings.get('objects', ())]
        for module, name, trusted in wanted:
            owner = sys.modules.get(module)
            if not isinstance(owner, RemoteModule):
                continue
            try:
                found = getattr(owner, name)
            except Exception:
                continue
            self.named(name, found, trusted)

    def named(self, name, found, trusted=False):
        """Remembers a class that a test knows by name."""
        if not isinstance(found, type) or '_judge_id' not in vars(found):
            return
        if trusted or name in self.settings.get('objects', ()):
            self.trusted.add(found._judge_id)
            self.vouched.add(found._judge_id)
        elif looks_like_class(name):
            self.vouched.add(found._judge_id)

    def is_vouched(self, kind):
        self.resolve()
        ids = [base._judge_id for base in kind.__mro__ if '_judge_id' in vars(base)]
        if any(number in self.trusted for number in ids):
            return True
        return self.shapes is None and any(number in self.vouched for number in ids)

    # Asking

    def ask(self, op):
        with self.lock:
            self.prepare(op)
            reply = self.exchange({'ask': op})
            while 'callback' in reply:
                self.echo(reply)
                reply = self.exchange({'back': self.serve(reply)})
            self.echo(reply)
            if 'files' in reply:
                self.shared.arrive(reply['files'])
        for number, index, after in reply.get('later', ()):
            if number not in self.lent or type(index) is not int or not 0 <= index < len(self.lent[number]):
                raise self.protocol_error('a changed argument that was not given')
            self.update(self.lent[number][index], self.arrive(after))
        if 'raised' in reply:
            raise self.error(reply['raised'])
        if 'value' not in reply:
            raise self.protocol_error('an answer without a value')
        return reply

    def echo(self, reply):
        for key, stream in (('out', sys.stdout), ('err', sys.stderr)):
            if reply.get(key):
                stream.write(reply[key])
        for note in reply.get('notes', ()):
            self.repeat(note)

    def repeat(self, note):
        """Shows a warning or a log record of the artifact to the test."""
        if note[0] == 'warning':
            import warnings
            kind = builtin_exception(note[1], UserWarning)
            warnings.warn_explicit(note[2], kind if issubclass(kind, Warning) else UserWarning, 'artifact', 1, registry={})
            return
        import logging
        logger = logging.getLogger(note[1] if note[1] != 'root' else None)
        if logger.isEnabledFor(note[2]):
            text = note[3] + ('\n' + note[4] if note[4] else '')
            logger.handle(logger.makeRecord(logger.name, note[2], 'artifact', 1, text, (), None))

    @staticmethod
    def own_environment():
        return {key: value for key, value in os.environ.items() if key not in UNSYNCED}

    def prepare(self, op):
        """Tells the artifact's box what the test has changed around it: environment, arguments, files, replaced functions."""
        environment = self.own_environment()
        if environment != self.environment:
            names = set(environment) | set(self.environment)
            op['environment'] = [[name, environment.get(name)] for name in sorted(names)
                                 if environment.get(name) != self.environment.get(name)]
            self.environment = environment
        if sys.argv != self.arguments:
            self.arguments = list(sys.argv)
            op['arguments'] = [str(each) for each in sys.argv]
        for path, (owner, name, original) in self.targets.items():
            now = getattr(owner, name, None)
            if path == 'sys.stdin' and not isinstance(now, (io.StringIO, Inert)) and type(now) is not io.TextIOWrapper:
                now = original
            if now is not self.replaced.get(path, original):
                self.replaced[path] = now
                op.setdefault('replaced', []).append([path, {'$original': True} if now is original else self.leave(now)])
        if os.path.isdir(TEMPORARY):
            files = self.shared.changed()
            if files:
                op['files'] = files
            folder = os.getcwd()
            if folder != self.folder:
                self.folder = folder
                op['folder'] = folder if folder.startswith(TEMPORARY) else '/box'
            op['watch'] = True

    def value(self, op, inert=False):
        return self.arrive(self.ask(op)['value'], inert=inert)

    def value_list(self, op):
        told = self.ask(op)['value']
        if type(told) is not list:
            raise self.protocol_error('an answer that is no list')
        return [self.arrive(part) for part in told]

    def call(self, op, args, kwargs, made=False, iterator=False):
        op['args'] = [self.leave(part) for part in args]
        op['kwargs'] = [[key, self.leave(part)] for key, part in kwargs.items()]
        self.thaw(args, kwargs)
        self.calls += 1
        op['call'] = self.calls
        self.lent[self.calls] = args
        reply = self.ask(op)
        if not reply.get('kept'):
            del self.lent[op['call']]
        for index, after in reply.get('args') or []:
            if type(index) is not int or not 0 <= index < len(args):
                raise self.protocol_error('a changed argument that was not given')
            self.update(args[index], self.arrive(after))
        return self.arrive(reply['value'], made=made, iterator=iterator)

    @staticmethod
    def thaw(args, kwargs):
        """An inert object that the artifact gets back may be another afterwards."""
        for part in list(args) + list(kwargs.values()):
            if isinstance(part, Inert):
                object.__getattribute__(part, '_judge_frozen').clear()

    def serve(self, request):
        """Runs a function of the test for the artifact."""
        try:
            args = [self.arrive(part) for part in request['args']]
            kwargs = {str(key): self.arrive(part) for key, part in request['kwargs']}
            if 'local' in request:
                return {'returns': self.leave(self.serve_local(request['local'], args, kwargs))}
            number = request['callback']
            if number not in self.given:
                raise self.protocol_error('a callback that was not given')
            return {'returns': self.leave(self.given[number](*args, **kwargs))}
        except Exception as error:
            names = [kind.__name__ for kind in type(error).__mro__ if getattr(builtins, kind.__name__, None) is kind]
            return {'throws': [names[0] if names else 'Exception', str(error)[:2000]]}

    def serve_local(self, local, args, kwargs):
        """Does something with an object of the test. Nothing private: an object leads to its module and all that is in it."""
        number, do, name = local
        if number not in self.given:
            raise self.protocol_error('an object that was not given')
        part = self.given[number]
        if do in ('str', 'repr'):
            return str(part) if do == 'str' else repr(part)
        if do == 'method':
            if name not in special_names(part):
                raise AttributeError(name)
            return getattr(type(part), name)(part, *args, **kwargs)
        if type(name) is not str or name.startswith('_') or not name.isidentifier() or is_mock(part) and name in mock_names():
            raise AttributeError(name)
        if do == 'get':
            return getattr(part, name)
        if do == 'set':
            if callable(getattr(type(part), name, None)):
                raise AttributeError(name)
            return setattr(part, name, args[0])
        raise self.protocol_error('an object asked for something unknown')

    # Values on their way out

    def give(self, key, function):
        number = self.numbers.get(id(key))
        if number is None:
            number = len(self.given) + 1
            self.numbers[id(key)] = number
            self.given[number] = function
            self.given[-number] = key  # Kept, so that its id stays its own.
        return number

    def leave(self, part):
        return encode(part, self.leave_other, self.own)

    def own(self, part, told):
        """A container of the test with a number, by which the artifact's box says that it answers the very same."""
        number = self.own_numbers.get(id(part))
        if number is None and len(self.owned) < MAX_OWNED:
            number = self.own_count = self.own_count + 1
            self.own_numbers[id(part)] = number
            self.owned[number] = part
        return told if number is None else {'$own': [number, told]}

    def begin_test(self):
        self.refusal = None
        self.owned, self.own_numbers = {}, {}

    def leave_other(self, part, walk):
        kind = type(part)
        number = vars(kind).get('_judge_origin') if isinstance(kind, enum.EnumMeta) else None
        if number is not None:
            if (kind, part.name) in self.members:
                return {'$handle': self.members[kind, part.name]}
            return {'$member': [number, part.name if part.name in kind.__members__ else None, walk(part.value)]}
        if isinstance(kind, RemoteClass) and isinstance(part, tuple):
            return {'$handle': object.__getattribute__(part, '_judge_id')} if '_judge_id' in vars(part) else None
        if isinstance(part, (Acting, Inert, RemoteFunction, RemoteModule, Iterator, AsyncIterator, Context)):
            return {'$handle': id_of(part)}
        if isinstance(part, RemoteException) and '_judge_id' in part.__dict__:
            return {'$handle': part.__dict__['_judge_id']}
        if isinstance(part, RemoteClass):
            return {'$handle': part._judge_id}
        if isinstance(part, enum.EnumMeta) and '_judge_origin' in vars(part):
            return {'$handle': part._judge_origin}
        if isinstance(part, Method):
            return {'$method': [part._judge_id, part.__name__]}
        std = encode_std(part, walk)
        if std is not None:
            return std
        if isinstance(part, (str, int, float, list, tuple, dict, set, frozenset, bytes, complex)):
            return None
        name = getattr(part, '__name__', None)
        if isinstance(name, str) and getattr(builtins, name, None) is part:
            return {'$builtin': name}
        if isinstance(part, BaseException) and getattr(builtins, kind.__name__, None) is kind:
            return {'$exception': [kind.__name__, walk(list(part.args))]}
        if isinstance(part, types.TracebackType):
            return {'$none': True}
        if isinstance(part, types.ModuleType):
            raise Unsupported('a module cannot be passed to an artifact in another box')
        library = self.library_name(part)
        if library is not None:
            return {'$library': library}
        if isinstance(part, (types.FunctionType, types.MethodType, types.BuiltinFunctionType, type)) and callable(part):
            return {'$callback': self.give(part, part)}
        if self.may_be_shown(part):
            return {'$local': [self.give(part, part), special_names(part)]}
        if kind is types.CoroutineType:
            if part in self.coroutines:
                part.close()
                return {'$handle': self.coroutines[part]}
            if part.cr_code is getattr(getattr(sys.modules.get('asyncio'), 'sleep', None), '__code__', None) and part.cr_await is None:
                # Sleeps there, where it can be cancelled.
                held = dict(part.cr_frame.f_locals)
                part.close()
                return {'$sleep': [walk(held['delay']), walk(held['result'])]}
            return {'$awaitable': self.give(part, lambda: run(part))}
        if hasattr(part, '__next__'):
            def advance():
                for item in part:
                    return [item]
                return []
            return {'$iterator': self.give(part, advance)}
        if callable(part):
            return {'$callback': self.give(part, part)}
        raise Unsupported('a %s cannot be passed to an artifact in another box' % kind.__name__)

    @staticmethod
    def library_name(part):
        """Where the artifact finds the same function or class in its own library: it never calls ours."""
        module, path = getattr(part, '__module__', None), getattr(part, '__qualname__', None)
        if not isinstance(module, str) or not isinstance(path, str) or '<' in path:
            return None
        if module.split('.')[0] not in getattr(sys, 'stdlib_module_names', sys.builtin_module_names):
            return None
        found = sys.modules.get(module)
        for name in path.split('.'):
            found = getattr(found, name, None)
        return [module, path.split('.')] if found is part else None

    def may_be_shown(self, part):
        """True for instances of classes of the suite, for mocks and text streams: nothing with which the artifact could act on
        this box."""
        if type(part) is object or is_mock(part) or isinstance(part, (io.StringIO, io.BytesIO)):
            return True
        kind = type(part)
        if kind.__module__ == 'argparse' and kind.__name__ == 'Namespace' or kind.__module__ == 'threading':
            return True
        source = getattr(sys.modules.get(kind.__module__), '__file__', None) or ''
        return source.startswith(self.suite)

    def is_copy(self, mine, after):
        """True for a container that arrived by value in the place of one of the test's; one that it gave is itself."""
        return isinstance(mine, CHANGING) and type(mine) is type(after) and id(after) not in self.own_numbers

    def update(self, mine, after):
        """Makes a value of the test what the artifact made of it, in place, so that aliases see it too."""
        if mine is after or type(mine) is not type(after):
            return
        if isinstance(mine, (list, collections.deque)):
            after = list(after)
            for index in range(min(len(mine), len(after))):
                if self.is_copy(mine[index], after[index]):
                    self.update(mine[index], after[index])
                    after[index] = mine[index]
            if isinstance(mine, list):
                mine[:] = after
            else:
                mine.clear()
                mine.extend(after)
        elif isinstance(mine, dict):
            for key in mine.keys() & after.keys():
                if self.is_copy(mine[key], after[key]):
                    self.update(mine[key], after[key])
                    after[key] = mine[key]
            mine.clear()
            mine.update(after)
        elif isinstance(mine, set):
            mine.clear()
            mine.update(after)
        elif isinstance(mine, bytearray):
            mine[:] = after
        elif type(mine).__name__ == 'ndarray' and mine.shape == after.shape and mine.dtype == after.dtype:
            mine[...] = after
        elif isinstance(mine, tuple):
            for old, new in zip(mine, after):
                self.update(old, new)

    # Values on their way in

    def arrive(self, part, made=False, iterator=False, inert=False):
        def special(tag, content, walk):
            return self.arrive_other(tag, content, walk, made, iterator, inert)
        try:
            return decode(part, special)
        except (ProtocolError, Refused):
            raise
        except Exception as error:
            raise self.protocol_error('an answer that is not a value (%s)' % type(error).__name__)

    def arrive_other(self, tag, content, walk, made, iterator, inert):
        if tag == '$handle':
            return self.wrap(content, made, iterator, inert)
        if tag == '$sub':
            desc, plain = content
            kind = self.class_of(desc['class'])
            if not inert and (made in SHOWN_BY_NAME or self.accepts(kind)):
                return self.wrap(desc, made, iterator, inert)
            return walk(plain)
        if tag == '$enum':
            kind, number, name, value = content
            return self.member_of(self.class_of(kind), number, name, walk(value))
        if tag == '$named':
            return self.named_tuple(content, walk)
        if tag == '$error':
            return self.error(content)
        if tag == '$method':
            method = Method(self, content[0], str(content[1]))
            method.inert = inert
            return method
        if tag == '$std':
            return decode_std(content, walk)
        if tag == '$own':
            mine = self.owned.get(content[0]) if type(content[0]) is int else None
            # Without content, the artifact has changed nothing in it; with content, it may be of an earlier test.
            made = walk(content[1]) if len(content) > 1 else mine
            if type(mine) is not type(made):
                return made
            self.update(mine, made)
            return mine
        if tag == '$io':
            made = (io.StringIO if type(content[0]) is str else io.BytesIO)(walk(content[0]))
            made.seek(content[1])
            return made
        if tag == '$bytearray':
            return bytearray.fromhex(content)
        if tag == '$opaque':
            return object()
        if tag == '$callback' or tag == '$local':
            return self.given[-content]
        if tag == '$builtin':
            found = getattr(builtins, content)
            if isinstance(found, type):
                return found
        raise self.protocol_error('an answer with an unknown tag')

    def accepts(self, kind):
        """True where an object that acts may be answered."""
        if kind is not None and self.is_vouched(kind):
            self.allows('object', True)
            return True
        return self.allows('object', False)

    def wrap(self, desc, made, iterator, inert):
        number, kind = desc['id'], desc['kind']
        if type(number) is not int or kind not in KINDS:
            raise self.protocol_error('an object without a description')
        if kind == 'class':
            return self.class_of(desc)
        if inert and kind not in ('object', 'module'):
            method = Method(self, number, str(desc['name']))
            method.inert = True
            return method
        if kind == 'coroutine':
            async def made_later():
                return self.value({'do': 'await', 'of': number})
            made = made_later()
            self.coroutines[made] = number
            return made
        own = self.class_of(desc['class']) if desc.get('class') else None
        acting = False
        if kind == 'object':
            if iterator and own is not None and '__next__' in own._judge_special:
                kind = 'iterator'
            else:
                acting = not inert and (made in SHOWN_BY_NAME or self.accepts(own))
        key = (number, kind, acting)
        if key in self.objects:
            return self.objects[key]
        name = str(desc['name'])
        if kind == 'module':
            part = RemoteModule(name)
        elif kind == 'object':
            part = object.__new__(self.shape_of(own, acting, name))
            object.__setattr__(part, '_judge_made', made is True and acting or made == 'named')
            object.__setattr__(part, '_judge_frozen', {})
        else:
            part = {'function': RemoteFunction, 'iterator': Iterator, 'async': AsyncIterator, 'context': Context}[kind]()
            if kind == 'function':
                object.__setattr__(part, '__name__', name)
        object.__setattr__(part, '_judge_id', number)
        object.__setattr__(part, '_judge_link', self)
        self.objects[key] = part
        return part

    def shape_of(self, own, acting, name):
        """The class of a stand-in."""
        if own is not None and acting:
            return own
        key = (own and own._judge_id, acting, name)
        if key not in self.classes:
            held = {'_judge_value': own._judge_value if own else None, '_judge_equal': own._judge_equal if own else 'identity',
                    '_judge_id': own._judge_id if own else -1}
            if acting:  # Of a class of the library: its special methods are not described.
                held['_judge_special'] = ['__%s__' % each for each in ('len', 'contains', 'getitem', 'iter', 'call', 'enter', 'exit')]
                held.update(special_methods(held['_judge_special']))
            made = type(name if name.isidentifier() else 'object', (Acting if acting else Inert,), held)
            self.classes[key] = made
        return self.classes[key]

    def class_of(self, desc, depth=0):
        if desc is None:
            return None
        number = desc['id']
        if depth > 20 or type(number) is not int:
            raise self.protocol_error('a class without a description')
        if number not in self.classes and 'name' not in desc:
            desc = self.ask({'do': 'describe', 'of': number})['value']
            if desc.get('id') != number or 'name' not in desc:
                raise self.protocol_error('a class without a description')
        if number not in self.classes:
            self.classes[number] = self.make_class(desc, depth)
        return self.classes[number]

    def make_class(self, desc, depth):
        name = str(desc['name'])
        if 'enum' in desc:
            return self.make_enum(desc, name)
        bases = []
        for base in desc['bases'][:20]:
            if isinstance(base, dict):
                bases.append(self.class_of(base, depth + 1))
            elif desc['exception']:
                bases.append(builtin_exception([base], RemoteError))
        held = {'_judge_special': [str(each) for each in desc['special']], '_judge_value': None, '_judge_equal': 'identity',
                '_judge_abstract': desc.get('abstract') is True, '__slots__': ('__dict__',)}
        if desc['exception']:
            root = RemoteException
            del held['__slots__']
        elif 'named' in desc:
            fields = [str(each) for each in desc['named']]
            root = collections.namedtuple(name if name.isidentifier() else 'Tuple', fields, rename=True)
            held['__getattr__'] = named_attribute
            del held['__slots__']
        else:
            root = Acting
            del held['__slots__']
            held.update(special_methods(held['_judge_special']))
            if desc.get('value'):
                held['_judge_value'] = {'fields': [str(each) for each in desc['value']['fields']],
                                        'order': desc['value']['order'] is True, 'hash': desc['value']['hash'] is True}
            held['_judge_equal'] = desc['equal'] if desc['equal'] in ('value', 'own', 'base') else 'identity'
            if desc.get('dataclass'):
                import dataclasses
                fields = [(str(each), object, dataclasses.field(init=init is True, default=None))
                          for each, init in desc['dataclass'] if str(each).isidentifier()]
                shape = dataclasses.make_dataclass('Shape', fields)
                held['__dataclass_fields__'] = shape.__dataclass_fields__
                held['__dataclass_params__'] = shape.__dataclass_params__
                held['__match_args__'] = shape.__match_args__ if hasattr(shape, '__match_args__') else ()
        # Of what the artifact names, only plain exceptions and classes made here become bases.
        usable = tuple(base for base in bases if base is not object and base is not None) + (root,)
        try:
            made = RemoteClass(name, tuple(dict.fromkeys(usable)), dict(held))
        except TypeError:
            made = RemoteClass(name, (root,), dict(held))
        type.__setattr__(made, '_judge_id', desc['id'])
        type.__setattr__(made, '_judge_link', self)
        return made

    def make_enum(self, desc, name):
        """The same enumeration, made here: its members compare, sort and print as the real type's do."""
        root, pairs = desc['enum']
        values = [(str(key), self.arrive(value, inert=True)) for key, value in pairs]
        try:
            made = self.enum_of(name, ENUMS[root], values)
        except (TypeError, ValueError, KeyError) as error:
            raise self.protocol_error('an enumeration that is none (%s)' % error)
        type.__setattr__(made, '_judge_origin', desc['id'])
        type.__setattr__(made, '_judge_id', desc['id'])
        return made

    def enum_of(self, name, roots, values):
        link = self

        def attribute(self, key):
            if key.startswith('_'):
                raise AttributeError(key)
            number = link.members.get((type(self), self.name))
            if number is None:
                found = link.ask({'do': 'get', 'of': type(self)._judge_origin, 'name': self.name})
                number = found['value']['$enum'][1]
                link.members[(type(self), self.name)] = number
            if key in ('name', 'value'):
                raise AttributeError(key)
            vouched = link.allows('object', link.is_vouched(type(self)))
            return link.value({'do': 'get', 'of': number, 'name': key}, inert=not vouched)
        space = enum.EnumMeta.__prepare__(name, roots)
        space['__getattr__'] = attribute
        for key, value in values:
            space[key] = value
        return enum.EnumMeta(name, roots, space)

    def member_of(self, kind, number, name, value):
        if not isinstance(kind, enum.EnumMeta):
            raise self.protocol_error('a member of no enumeration')
        found = kind.__members__.get(name) if type(name) is str else None
        if found is None:
            found = kind(value)
        if type(number) is int and found.name is not None:
            self.members.setdefault((kind, found.name), number)
        return found

    def named_tuple(self, content, walk):
        desc, number, items = content
        kind = self.class_of(desc)
        if not (isinstance(kind, RemoteClass) and issubclass(kind, tuple)) or type(number) is not int:
            raise self.protocol_error('a named tuple of no such class')
        made = tuple.__new__(kind, [walk(item) for item in items])
        if len(made) != len(kind._fields):
            raise self.protocol_error('a named tuple of another length')
        vars(made)['_judge_id'] = number
        return made

    def error(self, told):
        try:
            message = str(told['message'])
            if told.get('class'):
                kind = self.class_of(told['class'])
                if not (isinstance(kind, type) and issubclass(kind, Exception)):
                    return RemoteError('%s: %s' % (told['mro'][0], message))
            else:
                kind = library_exception(told) or builtin_exception(told['mro'], RemoteError)
            error = kind.__new__(kind)
            args = self.arrive(told['args']) if 'args' in told else [message]
            if issubclass(kind, OSError) and not isinstance(error, RemoteException) and 2 <= len(args) <= 5:
                error = kind(*args)
            elif not isinstance(error, RemoteException) and kind.__init__ not in (Exception.__init__, BaseException.__init__):
                try:
                    error = kind(*args)
                except Exception:
                    error = kind.__new__(kind)
            error.args = tuple(args)
            if isinstance(error, RemoteException):
                error.__dict__.update(_judge_id=told['self'], _judge_text=message)
            if kind is RemoteError:
                error.args = ('%s: %s' % (told['mro'][0], message),)
            return error
        except (KeyError, TypeError, AttributeError, IndexError, ValueError):
            raise self.protocol_error('an exception without a description')


def named_attribute(self, name):
    """What a named tuple of the artifact has beside its fields: methods and properties, asked for in its box."""
    if name.startswith('_') or '_judge_id' not in vars(self):
        raise AttributeError(name)
    kind = type(self)
    vouched = kind._judge_link.allows('object', kind._judge_link.is_vouched(kind))
    return kind._judge_link.value({'do': 'get', 'of': vars(self)['_judge_id'], 'name': name}, inert=not vouched)


def looks_like_class(name):
    """True for a name that is written as classes are: CapWords."""
    bare = name.lstrip('_')
    return bare[:1].isupper() and (not bare.isupper() or len(bare) == 1) or bare.isupper() and bare.isalpha() and len(bare) <= 4


def is_mock(part):
    mock = sys.modules.get('unittest.mock')
    return mock is not None and isinstance(part, mock.NonCallableMock)


def mock_names():
    global MOCK
    if MOCK is None:
        mock = sys.modules['unittest.mock']
        MOCK = frozenset(dir(mock.MagicMock)) | {'return_value', 'side_effect', 'called', 'call_count', 'call_args',
                                                 'call_args_list', 'mock_calls', 'method_calls'}
    return MOCK


def special_names(part):
    """The special methods of an object of the test that the artifact may use."""
    wanted = ('__len__ __iter__ __next__ __contains__ __getitem__ __setitem__ __delitem__ __call__ __enter__ __exit__ __bool__ '
              '__int__ __float__ __index__ __add__ __sub__ __mul__ __lt__ __le__ __gt__ __ge__').split()
    held = [vars(kind) for kind in type(part).__mro__ if kind is not object]
    return [name for name in wanted if any(each.get(name) is not None for each in held)]


def library_exception(told):
    if told.get('module') in ERROR_MODULES:
        owner = importlib.import_module(told['module'])
    else:
        # A package that the suite declares, and has imported.
        owner = sys.modules.get(told.get('module'))
        if not str(getattr(owner, '__file__', '')).startswith(DECLARED):
            return None
    kind = vars(owner).get(told['mro'][0])
    return kind if isinstance(kind, type) and issubclass(kind, Exception) else None


CHANGING = (list, dict, set, bytearray, collections.deque)


class RemoteModule(types.ModuleType):
    """A module of the artifact."""

    def __getattr__(self, name):
        if name == '__all__':
            own = self._judge_link.value({'do': 'dir', 'of': self._judge_id})
            return [each for each in own if each in self._judge_link.settings['starred'] and not hasattr(builtins, each)]
        if name.startswith(('_judge', '_pytest')) or name == 'pytestmark' or name.startswith('__') and name not in SHOWN:
            raise AttributeError(name)
        found = self._judge_link.value({'do': 'get', 'of': self._judge_id, 'name': name})
        self._judge_link.named(name, found)
        if isinstance(found, RemoteFunction):
            object.__setattr__(found, '__name__', name)
            object.__setattr__(found, 'answered', False)
        return found

    def __setattr__(self, name, value):
        # Python's import machinery sets these on every module.
        if name.startswith('__') or isinstance(value, RemoteModule):
            return super().__setattr__(name, value)
        self._judge_link.value({'do': 'set', 'of': self._judge_id, 'name': name, 'value': self._judge_link.leave(value)})

    def __delattr__(self, name):
        self._judge_link.value({'do': 'delete', 'of': self._judge_id, 'name': name})


class Finder:
    """Imports from the other box what the suite's own files name, and nothing else."""

    def __init__(self, names, link, stub):
        self.names, self.link, self.stub = names, link, stub

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            package = any(each.startswith(name + '.') for each in self.names)
            return importlib.machinery.ModuleSpec(name, self, is_package=package)
        return None

    def create_module(self, spec):
        if self.link is None:
            return self.stub(spec.name)
        module = self.link.value({'do': 'module', 'name': spec.name})
        if not isinstance(module, RemoteModule):
            raise self.link.protocol_error('a module that is none')
        return module

    def exec_module(self, module):
        pass
