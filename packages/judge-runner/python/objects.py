"""Serves the artifact's objects to a tester in another box: calls, attributes, call-backs. Standard library only.

Everything that leaves is an answer. Comparisons are never asked for, so that no expected value comes in.
"""
import builtins
import inspect
import io
import operator
import os
import sys
import threading

from codec import Unplain, decode, encode
from standard import decode_std, encode_std

MAX_ECHO = 1_000_000
OWN = ('codec', 'launch', 'lines', 'analysis', 'objects', 'standard')
METHODS = (type(print), type([].append), type('x'.join), type(lambda: 0))


class Tap(io.RawIOBase):
    """A stream that is also kept, so that the tester can show it to the test."""

    def __init__(self, descriptor):
        self.descriptor, self.kept, self.size = descriptor, [], 0

    def writable(self):
        return True

    def fileno(self):
        return self.descriptor

    def write(self, data):
        count = os.write(self.descriptor, data)
        if self.size < MAX_ECHO:
            self.kept.append(bytes(data[:count]))
            self.size += count
        return count

    def take(self):
        data, self.kept, self.size = b''.join(self.kept), [], 0
        return data.decode('utf-8', 'replace')


def serve(first, requests, answer, loads):
    settings = first['serve']
    sys.path[0] = settings['folder']
    for name in OWN:
        sys.modules.pop(name, None)
    artifact_modules = frozenset(settings['modules'])
    table, numbers = {}, {}
    lock = threading.RLock()
    state = {'id': first['id'], 'depth': 0}
    taps = {}
    for name, descriptor in (('stdout', 1), ('stderr', 2)):
        taps[name] = Tap(descriptor)
        stream = io.TextIOWrapper(io.BufferedWriter(taps[name]), 'utf-8', 'backslashreplace', write_through=True)
        setattr(sys, name, stream)

    def number_of(part):
        number = numbers.get(id(part))
        if number is None:
            number = len(table)
            table[number] = part  # Kept for good, so that its id stays its own.
            numbers[id(part)] = number
        return number

    def describe_class(kind):
        bases = []
        for base in kind.__bases__:
            if getattr(base, '__module__', None) in artifact_modules:
                bases.append(describe_class(base))
            elif getattr(builtins, base.__name__, None) is base:
                bases.append(str(base.__name__))
        return {'id': number_of(kind), 'kind': 'class', 'name': str(kind.__name__)[:200],
                'exception': issubclass(kind, BaseException), 'bases': bases}

    def leave(part):
        std = encode_std(part)
        if std is not None:
            return std
        callback = getattr(part, '_judge_callback', None) if type(part) is type(serve) else None
        if callback is not None:
            return {'$callback': callback}
        if isinstance(part, type):
            if getattr(builtins, part.__name__, None) is part:
                return {'$builtin': part.__name__}
            return {'$handle': describe_class(part)}
        kind = type(part)
        desc = {'id': number_of(part), 'name': str(kind.__name__)[:200],
                'class': describe_class(kind) if kind.__module__ in artifact_modules else None}
        if inspect.ismodule(part):
            desc['kind'] = 'module'
        elif inspect.iscoroutine(part):
            desc['kind'] = 'coroutine'
        elif isinstance(part, METHODS) or inspect.isroutine(part):
            desc['kind'] = 'function'
            desc['name'] = str(getattr(part, '__name__', ''))[:200]
        else:
            desc['kind'] = 'object'
        return {'$handle': desc}

    def enter(tag, content):
        if tag == '$handle':
            return table[content]
        if tag == '$method':
            return getattr(table[content[0]], content[1])
        if tag == '$std':
            return decode_std(content)
        if tag == '$bytearray':
            return bytearray.fromhex(content)
        if tag == '$builtin':
            return getattr(builtins, content)
        if tag == '$exception':
            return getattr(builtins, content[0])(*arrive(content[1]))
        if tag == '$callback':
            def callback(*args, **kwargs):
                return call_back(content, args, kwargs)
            callback._judge_callback = content
            return callback
        if tag == '$iterator':
            def iterate():
                while True:
                    more = call_back(content, (), {})
                    if not more:
                        return
                    yield more[0]
            return iterate()
        raise ValueError('unknown tag')

    def arrive(part):
        return decode(part, enter)

    def go(part):
        return encode(part, leave)

    def call_back(number, args, kwargs):
        with lock:
            if state['depth'] == 0:
                raise RuntimeError('Nobody is calling: a call-back has nobody to go to')
            send({'callback': number, 'args': [go(a) for a in args], 'kwargs': [[k, go(v)] for k, v in kwargs.items()]})
            back = loop()
        if 'throws' in back:
            name, text = back['throws']
            kind = getattr(builtins, name, None)
            raise (kind if isinstance(kind, type) and issubclass(kind, Exception) else RuntimeError)(text)
        return arrive(back['returns'])

    def send(reply):
        for name, tap in taps.items():
            try:
                getattr(sys, name).flush()
            except BaseException:
                pass
            if tap.size:
                reply['out' if name == 'stdout' else 'err'] = tap.take()
        reply['id'] = state['id']
        answer(reply)

    def mutated(sent, args):
        """Arguments that look different after the call than they did before it."""
        changed = []
        for index, (before, after) in enumerate(zip(sent, args)):
            if isinstance(after, (list, dict, set, bytearray)) or isinstance(after, tuple):
                now = go(after)
                if now != before:
                    changed.append([index, now])
        return changed

    def perform(op):
        do = op['do']
        if do == 'module':
            module = __import__(op['name'])
            for part in op['name'].split('.')[1:]:
                module = getattr(module, part)
            return {'value': go(module)}
        target = table[op['of']]
        if do == 'get':
            value = getattr(target, op['name'])
            if not inspect.ismodule(target) and not isinstance(target, type) and inspect.ismethod(value):
                return {'value': {'$method': [op['of'], op['name']]}}
            return {'value': go(value)}
        if do == 'set':
            setattr(target, op['name'], arrive(op['value']))
            return {'value': None}
        if do == 'dir':
            names = getattr(target, '__all__', None) or [name for name in vars(target) if not name.startswith('_')]
            return {'value': [str(name) for name in names]}
        if do == 'await':
            import asyncio
            return {'value': go(asyncio.run(target))}
        if do == 'bool':
            return {'value': bool(target)}
        if do in ('str', 'repr'):
            return {'value': go((str if do == 'str' else repr)(target))}
        args = [arrive(part) for part in op['args']]
        kwargs = {key: arrive(value) for key, value in op['kwargs']}
        if do == 'compare':
            return {'value': bool(getattr(operator, op['name'])(target, args[0]))}
        function = target if do == 'call' else getattr(target, op['name'])
        value = function(*args, **kwargs)
        reply = {'value': go(value)}
        changed = mutated(op['args'], args)
        if changed:
            reply['args'] = changed
        return reply

    def raised(error):
        kind = type(error)
        names = [str(base.__name__)[:200] for base in kind.__mro__][:50]
        try:
            text = str(error)[:2000]
        except BaseException:
            text = ''
        told = {'mro': names, 'message': text, 'module': str(kind.__module__)[:200]}
        try:
            told['args'] = go(list(error.args))
        except BaseException:
            pass
        if kind.__module__ in artifact_modules:
            told['class'] = describe_class(kind)
            told['self'] = number_of(error)
        return {'raised': told}

    def loop():
        """Answers questions until a call-back of ours returns."""
        for line in requests:
            request = loads(line)
            with lock:
                state['id'] = request['id']
                if 'op' not in request:
                    return request
            state['depth'] += 1
            try:
                reply = perform(request['op'])
            except Unplain as error:
                reply = {'raised': {'mro': ['ValueError', 'Exception'], 'message': 'an answer ' + str(error),
                                    'module': 'builtins'}}
            except BaseException as error:  # SystemExit and KeyboardInterrupt are failures like any other.
                reply = raised(error)
            with lock:
                state['depth'] -= 1
                send(reply)  # To whatever was asked last: a call-back may have come between.
        os._exit(0)

    send({'serving': True})
    loop()
