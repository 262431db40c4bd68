"""Launcher and worker of the judge: the only program in the box beside the artifact, which it imports.

It reads one JSON line per request on fd 3 and answers with one line on fd 4. First it narrows the system
calls of its own process to the profile it is sent, then it loads the artifact, then it calls functions.
From the moment the artifact is loaded nothing here is trusted: whatever leaves the box is an answer, and
answers are judged elsewhere. Python 3.9 or newer, standard library only.
"""
import binascii
import ctypes
import json
import os
import sys

REQUESTS, ANSWERS = 3, 4
MAX_DEPTH, MAX_NODES = 64, 1_000_000
MAX_SAFE = 2 ** 53 - 1
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2


class Unplain(Exception):
    """The answer is too deep or too large to leave the box."""


class Filter(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('program', ctypes.c_char_p)]


def close_inherited():
    """Whoever started the judge may have left descriptors open, and one of them would be a way out."""
    for name in os.listdir('/proc/self/fd'):
        if int(name) > ANSWERS:
            try:
                os.close(int(name))
            except OSError:
                pass  # The one that listed the folder.


def narrow(program):
    """Loads a second seccomp filter; it can only ever tighten the one that is there."""
    libc = ctypes.CDLL(None, use_errno=True)
    wanted = Filter(len(program) // 8, program)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(wanted), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), 'prctl(PR_SET_SECCOMP)')


def decode(part):
    """Tagged JSON to a Python value."""
    if isinstance(part, list):
        return [decode(item) for item in part]
    if not isinstance(part, dict):
        return part
    if len(part) == 1:
        (tag, content), = part.items()
        if tag == '$int':
            return int(content, 16 if 'x' in content else 10)
        if tag == '$float':
            return float(content)
        if tag == '$complex':
            return complex(float(content[0]), float(content[1]))
        if tag == '$bytes':
            return bytes.fromhex(content)
        if tag == '$tuple':
            return tuple([decode(item) for item in content])
        if tag == '$set':
            return {decode(item) for item in content}
        if tag == '$frozenset':
            return frozenset([decode(item) for item in content])
        if tag == '$dict':
            return {decode(key): decode(value) for key, value in content}
    return {key: decode(value) for key, value in part.items()}


def encode(value):
    """A Python value to tagged JSON. Subclasses leave as their base value, other objects as their type's name."""
    nodes = 0

    def items(values, depth):
        return [walk(item, depth + 1) for item in values]

    def walk(part, depth):
        nonlocal nodes
        nodes += 1
        if depth > MAX_DEPTH:
            raise Unplain('deeper than %d levels' % MAX_DEPTH)
        if nodes > MAX_NODES:
            raise Unplain('more than %d parts' % MAX_NODES)
        if part is None or part is True or part is False:
            return part
        if isinstance(part, str):
            text = str.__str__(part)
            try:
                text.encode()
            except UnicodeEncodeError:
                # Two lone surrogates side by side would become one character on the way.
                pairs = zip(text, text[1:])
                if any('\ud800' <= a <= '\udbff' and '\udc00' <= b <= '\udfff' for a, b in pairs):
                    return {'$opaque': 'str of surrogate pairs'}
            return text
        if isinstance(part, int):
            number = int.__pos__(part)
            return number if -MAX_SAFE <= number <= MAX_SAFE else {'$int': hex(number)}
        if isinstance(part, float):
            return {'$float': float.__repr__(part)}
        if isinstance(part, list):
            return items(list.__iter__(part), depth)
        if isinstance(part, tuple):
            return {'$tuple': items(tuple.__iter__(part), depth)}
        if isinstance(part, dict):
            return {'$dict': [[walk(k, depth + 1), walk(v, depth + 1)] for k, v in dict.items(part)]}
        if isinstance(part, set):
            return {'$set': items(set.__iter__(part), depth)}
        if isinstance(part, frozenset):
            return {'$frozenset': items(frozenset.__iter__(part), depth)}
        if isinstance(part, (bytes, bytearray)):
            return {'$bytes': bytes(part).hex()}
        if isinstance(part, complex):
            return {'$complex': [float.__repr__(part.real), float.__repr__(part.imag)]}
        return {'$opaque': str(type(part).__name__)[:200]}

    return walk(value, 0)


CONVERSIONS = {'list': list, 'tuple': tuple, 'set': set, 'sorted': sorted, 'len': len}


def describe(error):
    """The classes of an exception by name, most derived first, and its text."""
    names = [str(kind.__name__)[:200] for kind in type(error).__mro__][:50]
    try:
        text = str(error)[:500]
    except BaseException:  # Even this is the artifact's code.
        text = ''
    return {'raised': {'mro': names, 'message': text}}


def load(request):
    sys.path[0] = request['folder']  # In the place of this file's own folder.
    return __import__(request['load'])


def call(module, request):
    function = module
    for name in request['fn'].split('.'):
        try:
            function = getattr(function, name)
        except AttributeError:
            return {'missing': request['fn']}
    answer = function(*decode(request['args']))
    if 'as' in request:
        answer = CONVERSIONS[request['as']](answer)
    return {'value': encode(answer)}


def main():
    write, flush = os.write, sys.stdout.flush
    requests = os.fdopen(REQUESTS, 'r', encoding='utf-8')
    dumps, loads = json.dumps, json.loads

    def answer(reply):
        line = dumps(reply).encode() + b'\n'
        while line:
            line = line[write(ANSWERS, line):]

    close_inherited()
    narrow(binascii.a2b_base64(loads(requests.readline())['narrow']))
    answer({'narrowed': True})
    module = None
    for line in requests:
        request = loads(line)
        try:
            if 'load' in request:
                module = load(request)
                reply = {'loaded': True}
            else:
                reply = call(module, request)
        except Unplain as error:
            reply = {'unplain': str(error)}
        except BaseException as error:  # SystemExit and KeyboardInterrupt are failures like any other.
            reply = describe(error)
        reply['id'] = request['id']
        answer(reply)
    try:
        flush()
    finally:
        # Nothing that the artifact registered for the end gets a say.
        os._exit(0)


if __name__ == '__main__':
    main()
