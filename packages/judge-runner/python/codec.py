"""Tagged JSON to Python values and back. Runs in boxes; standard library only."""
import marshal
import sys

#: By what `asyncio` knows an object that is called like a coroutine function, and boxes tell one another of it.
COROUTINE = '_is_coroutine'

MAX_DEPTH, MAX_NODES = 64, 1_000_000
MAX_SAFE = 2 ** 53 - 1


PLAIN = (str, int, float, list, tuple, dict, set, frozenset, bytes, bytearray, complex)

#: Collections of the library that hold containers, and which of the abstract classes of `collections.abc` they are.
COLLECTIONS = {'UserDict': 'MutableMapping', 'ChainMap': 'MutableMapping', 'UserList': 'MutableSequence'}
#: Values that hold no others.
ATOMS = frozenset((type(None), bool, int, float, complex, str, bytes))
#: Containers of the test that keep their identity on their way through the artifact's box.
OWNED = (list, dict, set, bytearray)


class Unplain(Exception):
    """The answer is too deep or too large to leave the box."""


def seal(told):
    """Bytes that are the same for values that are told alike, and for no others: of JSON, `==` takes 1 for true. None for what cannot be told."""
    return None if told is None else marshal.dumps(told, 2)


def key_of(part):
    """A key, or an item of a set, as it is told: one of a class that extends a type of the language is a value of that type, which is hashed here."""
    if type(part) is not dict or len(part) != 1:
        return part
    (tag, content), = part.items()
    if tag == '$sub':
        return content[1]
    return {tag: [key_of(each) for each in content]} if tag in ('$tuple', '$frozenset') else part


def hashed(kind, items):
    """A dict or a set. Raises Unplain where something in it cannot be hashed."""
    try:
        return kind(items)
    except TypeError as error:
        raise Unplain('that has a key without a hash (%s)' % error) from None


def decode(part, special=None, again=None):
    """A Python value. `special(tag, content, walk)` reads the tags that only some boxes know. `again(part, make)` makes what may have been made
    before."""

    def walk(part):
        return make(part) if again is None else again(part, make)

    def walk_key(part):
        return walk(key_of(part))

    def make(part):
        if isinstance(part, list):
            return [walk(item) for item in part]
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
                return tuple([walk(item) for item in content])
            if tag == '$set':
                return hashed(set, [walk_key(item) for item in content])
            if tag == '$frozenset':
                return hashed(frozenset, [walk_key(item) for item in content])
            if tag == '$dict':
                return hashed(dict, [(walk_key(key), walk(value)) for key, value in content])
            if special is not None and tag.startswith('$'):
                return special(tag, content, walk)
        return {key: walk(value) for key, value in part.items()}

    return walk(part)


def encode(value, special=None, own=None, repeats=None):
    """Tagged JSON. `own(part, told)` says how a list, dict or set leaves that both boxes know. `special(part, walk)` says what becomes of objects that are no plain values, and of instances of
    subclasses; where it returns None, those leave as their base value. `repeats`: finds containers that occur more than once."""
    nodes = 0

    def owned(part, told):
        return own(part, told) if own is not None and type(part) in OWNED else told

    def items(values, depth):
        # A thread may change a container while it is told.
        return [walk(item, depth + 1) for item in list(values)]

    numpy = sys.modules.get('numpy')
    scalar = getattr(numpy, 'generic', None)

    def walk(part, depth):
        return tell(part, depth) if repeats is None or type(part) in ATOMS else repeats.walk(part, depth, tell)

    def tell(part, depth):
        nonlocal nodes
        nodes += 1
        if depth > MAX_DEPTH:
            raise Unplain('deeper than %d levels' % MAX_DEPTH)
        if nodes > MAX_NODES:
            raise Unplain('more than %d parts' % MAX_NODES)
        if part is None or part is True or part is False:
            return part
        if special is not None and type(part) not in PLAIN:
            told = special(part, lambda inner: walk(inner, depth + 1))
            if told is not None:
                return told
        if special is None and isinstance(scalar, type) and isinstance(part, scalar) and type(part) not in PLAIN:
            part = part.item()
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
            return owned(part, items(list.__iter__(part), depth))
        if isinstance(part, tuple):
            return {'$tuple': items(tuple.__iter__(part), depth)}
        if isinstance(part, dict):
            return owned(part, {'$dict': [[walk(k, depth + 1), walk(v, depth + 1)] for k, v in list(dict.items(part))]})
        if isinstance(part, set):
            return owned(part, {'$set': items(set.__iter__(part), depth)})
        if isinstance(part, frozenset):
            return {'$frozenset': items(frozenset.__iter__(part), depth)}
        if isinstance(part, bytearray) and special is not None:
            return owned(part, {'$bytearray': bytes(part).hex()})
        if isinstance(part, (bytes, bytearray)):
            return {'$bytes': bytes(part).hex()}
        if isinstance(part, complex):
            return {'$complex': [float.__repr__(part.real), float.__repr__(part.imag)]}
        return {'$opaque': str(type(part).__name__)[:200]}

    return walk(value, 0) if repeats is None else repeats.marked(walk(value, 0))
