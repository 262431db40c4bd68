"""Values of the standard library that cross between two boxes by value. Standard library only.

Modules that take long to import are used only when the program that sends a value has imported them already.
"""
import _datetime as datetime
import sys
import types

from codec import ATOMS, MAX_DEPTH, hashed, key_of
from originals import collections, is_folder

MAX_TEXT = 100_000
MAX_ARRAY_BYTES = 4_000_000
#: Kinds of numpy's types that hold plain values: no objects, no structures.
NUMPY_KINDS = frozenset('biufcSUMm')
BY_TEXT = {'Decimal': 'decimal', 'Fraction': 'fractions', 'UUID': 'uuid', 'IPv4Address': 'ipaddress', 'IPv6Address': 'ipaddress',
           'IPv4Network': 'ipaddress', 'IPv6Network': 'ipaddress', 'PosixPath': 'pathlib', 'PurePosixPath': 'pathlib',
           'PureWindowsPath': 'pathlib'}
#: Values of the library that never change, by the names under which they leave.
LASTING = frozenset('Decimal Fraction UUID PosixPath PurePosixPath date datetime time timedelta range constant'.split())
#: The modules of their types.
LASTING_TYPES = {**{name: module for name, module in BY_TEXT.items() if name in LASTING}, 'range': 'builtins',
                 **{name: 'datetime' for name in ('date', 'datetime', 'time', 'timedelta')}}
FACTORIES = {kind.__name__: kind for kind in (list, dict, set, int, float, str, tuple, bool, frozenset, bytes)}


#: Modules of the library, which both boxes have, and most bases of one class that are told.
STANDARD = frozenset(getattr(sys, 'stdlib_module_names', sys.builtin_module_names))
MAX_BASES = 5
#: Objects of the library that hold attributes and nothing else, by the module of their class.
NAMESPACES = {'SimpleNamespace': 'types', 'Namespace': 'argparse', 'LogRecord': 'logging', 'CompletedProcess': 'subprocess'}


#: Classes of the library by their modules and names: a test may put others in their place.
KNOWN = {('datetime', each): getattr(datetime, each) for each in ('date', 'datetime', 'time', 'timedelta', 'timezone')}


def loaded(module, name):
    """A class of a module that is imported, or an object that nothing is an instance of."""
    if (module, name) not in KNOWN:
        found = getattr(sys.modules.get(module), name, None)
        if not isinstance(found, type) or found.__module__.partition('.')[0] != module:
            return found
        KNOWN[module, name] = found
    return KNOWN[module, name]


def know_all():
    """Looks at the classes whose objects are values, before others are put in their place."""
    for name, module in (*BY_TEXT.items(), *NAMESPACES.items(), ('ZoneInfo', 'zoneinfo'), ('Match', 're'), ('Pattern', 're'), ('Field', 'dataclasses')):
        loaded(module, name)


def imported(module, name):
    """The same, after the import of that module."""
    __import__(module)
    return loaded(module, name)


def is_namespace(part):
    kind = type(part)
    return kind.__name__ in NAMESPACES and kind is loaded(NAMESPACES[kind.__name__], kind.__name__)


def can_be_changed(kind):
    """True for a class whose methods can be replaced: one that was made while a program ran, and not by the language (`Py_TPFLAGS_HEAPTYPE`)."""
    return bool(kind.__flags__ & 1 << 9)


def lasts(part, depth=0):
    """True for a value that never changes: an atom, a value of the library or of an enumeration, or a tuple or frozen set of such."""
    kind = type(part)
    if kind in ATOMS:
        return True
    if kind is tuple or kind is frozenset:
        return depth < MAX_DEPTH and all(lasts(each, depth + 1) for each in part)
    enum = sys.modules.get('enum')
    if enum is not None and isinstance(kind, enum.EnumMeta):
        return True
    return kind.__name__ in LASTING_TYPES and kind is loaded(LASTING_TYPES[kind.__name__], kind.__name__)


def encode_numpy(part, numpy):
    """An array or a number of numpy by value. None where it holds objects or is too large."""
    if type(part) is not numpy.ndarray and not isinstance(part, numpy.generic) or part.nbytes > MAX_ARRAY_BYTES:
        return None
    if part.dtype.kind not in NUMPY_KINDS or type(part) is not numpy.ndarray and type(part) is not part.dtype.type:
        return None
    name = 'ndarray' if type(part) is numpy.ndarray else 'numpy'
    return {'$std': [name, [part.dtype.str, list(part.shape), numpy.ascontiguousarray(part).tobytes().hex()]]}


def decode_numpy(name, held):
    kind, shape, content = held
    # Only what the suite declares: an artifact must not have other packages imported.
    if not is_folder('/packages/numpy') or type(kind) is not str or not kind.isascii() or len(kind) > 20 or ',' in kind:
        raise ValueError('unknown')
    if any(type(size) is not int or size < 0 for size in shape) or len(shape) > 32:
        raise ValueError('no shape')
    import numpy
    if numpy.dtype(kind).kind not in NUMPY_KINDS:
        raise ValueError('no plain type')
    made = numpy.frombuffer(bytes.fromhex(content), dtype=kind).reshape(shape).copy()
    return made if name == 'ndarray' else made[()]


def zone(part, walk):
    """A time zone of the standard library as a value; None for any other."""
    kind = type(part)
    if part is None:
        return 'naive'
    if kind is loaded('zoneinfo', 'ZoneInfo') and part.key:
        return ['key', str(part.key)]
    if kind is loaded('datetime', 'timezone'):
        offset = part.utcoffset(None)
        return ['offset', offset.days * 86400 + offset.seconds, offset.microseconds, str(part)]
    return None


#: Types of the library whose values a class may be derived from.
DERIVED = {('datetime', name) for name in ('datetime', 'date', 'time', 'timedelta')}
DERIVED |= {('decimal', 'Decimal'), ('fractions', 'Fraction'), ('pathlib', 'PurePath'), ('pathlib', 'PurePosixPath'), ('pathlib', 'PosixPath')}


def is_root(kind):
    return (kind.__module__.lstrip('_').partition('.')[0], kind.__name__) in DERIVED


def root_of(kind):
    """The type of the library from whose values those of a class are derived; None for that type itself, and for any other class."""
    at = next((at for at, base in enumerate(kind.__mro__) if is_root(base)), 0)
    return kind.__mro__[at] if at else None


def made_of(root, part):
    """What a value of the library, or of a class that is derived from its type, is made of."""
    return (root.__reduce_ex__(part, 4) if root.__module__ == 'datetime' else root.__reduce__(part))[1]


def base_value(part):
    """The value of the library that an object of a derived class is; None for any other, and for one that has more than that value."""
    root = root_of(type(part))
    if root is None:
        return None
    above = type(part).__mro__[:type(part).__mro__.index(root)]
    has_more = getattr(part, '__dict__', None) or any(not name.startswith('__') for base in above for name in vars(base))
    return None if has_more else root(*made_of(root, part))


def encode_derived(part, root, walk):
    """The value of the library that an object of a derived class is, and its attributes; None where that value has no form."""
    told = encode_std(root(*made_of(root, part)), walk)
    held = getattr(part, '__dict__', {})
    return told and [told, [[str(name), walk(value)] for name, value in list(held.items()) if not name.startswith('_judge')]]


def decode_derived(kind, root, told, walk):
    """The object of a derived class, without a call of that class."""
    value, held = walk(told[0]), [(str(name), walk(each)) for name, each in told[1]]
    if type(value) is not root:
        raise ValueError('no value of that type')
    args = made_of(root, value)
    part = root.__new__(kind, *args)
    if root.__init__ is not object.__init__:
        root.__init__(part, *args)
    for name, each in held:
        if name.isidentifier() and not name.startswith('__') and not callable(getattr(kind, name, None)):
            vars(part)[name] = each
    return part


def field_of(part, walk):
    """A field of a data class, as what `dataclasses.field()` is given, by name."""
    missing = sys.modules['dataclasses'].MISSING
    told = {name: getattr(part, name, missing) for name in ('default', 'default_factory', 'init', 'repr', 'hash', 'compare', 'kw_only')}
    return [*([name, walk(value)] for name, value in told.items() if value is not missing), ['metadata', walk(dict(part.metadata))]]


def encode_std(part, walk):
    """The tagged value, or None. Exact types only, so that no subclass with behaviour passes as one of these.

    `walk(part)` encodes what a container holds.
    """
    kind = type(part)
    name = kind.__name__
    numpy = sys.modules.get('numpy')
    if hasattr(numpy, 'ndarray'):
        told = encode_numpy(part, numpy)
        if told is not None:
            return told
    if BY_TEXT.get(name) and kind is loaded(BY_TEXT[name], name):
        return {'$std': [name, str(part)]}
    if kind is range or kind is slice:
        return {'$std': [name, [walk(part.start), walk(part.stop), walk(part.step)]]}
    if kind is collections.Counter or kind is collections.OrderedDict:
        # The order of an OrderedDict is its own, and not that of the dictionary in it.
        return {'$std': [name, [[walk(key), walk(value)] for key, value in list(part.items())]]}
    if kind is collections.defaultdict:
        factory = part.default_factory
        known = factory if factory is None else FACTORIES.get(getattr(factory, '__name__', '')) is factory
        if known is False:
            return None
        pairs = [[walk(key), walk(value)] for key, value in list(dict.items(part))]
        return {'$std': [name, [factory and factory.__name__, pairs]]}
    if kind is collections.deque:
        return {'$std': [name, [[walk(each) for each in list(part)], part.maxlen]]}
    if kind is type({}.keys()) or kind is type({}.values()):
        return {'$std': [name, [walk(each) for each in list(part)]]}
    if kind is type({}.items()):
        return {'$std': [name, [[walk(key), walk(value)] for key, value in list(part)]]}
    views = sys.modules.get('collections.abc')
    if views is not None and kind in (views.KeysView, views.ValuesView, views.ItemsView):
        # Those of a mapping that is no dict.
        name = {'K': 'dict_keys', 'V': 'dict_values', 'I': 'dict_items'}[name[0]]
        held = [[walk(each[0]), walk(each[1])] for each in part] if name == 'dict_items' else [walk(each) for each in list(part)]
        return {'$std': [name, held]}
    if kind is types.MappingProxyType:
        return {'$std': [name, [[walk(key), walk(value)] for key, value in list(part.items())]]}
    if is_namespace(part):
        return {'$std': [name, [[str(key), walk(value)] for key, value in list(vars(part).items())]]}
    if kind is loaded('re', 'Match') and type(part.string) in (str, bytes) and len(part.string) < MAX_TEXT:
        return {'$std': [name, [walk(part.re.pattern), part.re.flags, walk(part.string), part.pos, part.endpos, list(part.span())]]}
    if kind is memoryview:
        return {'$std': [name, bytes(part).hex()]}
    if kind is loaded('dataclasses', 'Field'):
        return {'$std': [name, field_of(part, walk)]}
    if part is Ellipsis or part is NotImplemented:
        return {'$std': ['constant', str(part)]}
    if 'datetime' in sys.modules:
        if kind in (datetime.datetime, datetime.time):
            told = zone(part.tzinfo, walk)
            return told and {'$std': [name, [part.replace(tzinfo=None).isoformat(), part.fold, told]]}
        if kind is datetime.date:
            return {'$std': [name, part.isoformat()]}
        if kind is datetime.timedelta:
            return {'$std': [name, [part.days, part.seconds, part.microseconds]]}
        if kind is datetime.timezone or kind is loaded('zoneinfo', 'ZoneInfo'):
            told = zone(part, walk)
            return told and {'$std': ['zone', told]}
    if kind is loaded('array', 'array'):
        return {'$std': [name, [part.typecode, [walk(each) for each in part]]]}
    if kind is loaded('re', 'Pattern') and len(part.pattern) < MAX_TEXT:
        return {'$std': [name, [walk(part.pattern), part.flags]]}
    return None


def decode_zone(told):
    if told == 'naive':
        return None
    if told[0] == 'key':
        return imported('zoneinfo', 'ZoneInfo')(told[1])
    offset = datetime.timedelta(seconds=told[1], microseconds=told[2])
    made = datetime.timezone(offset)
    return made if str(made) == told[3] else datetime.timezone(offset, str(told[3])[:200])


def decode_match(held, walk):
    """The same match, found again."""
    pattern, text, span = decode_std(['Pattern', held[:2]], walk), walk(held[2]), tuple(held[5])
    if type(text) is not type(pattern.pattern) or len(text) > MAX_TEXT:
        raise ValueError('no text')
    for find, start, end in ((pattern.search, held[3], held[4]), (pattern.match, held[3], held[4]), (pattern.fullmatch, held[3], held[4]),
                             (pattern.match, span[0], held[4]), (pattern.fullmatch, span[0], span[1])):
        found = find(text, start, end)
        if found is not None and found.span() == span:
            return found
    return object()


def decode_std(content, walk):
    """The value. Whoever calls treats every error as a malformed value."""
    name, held = content
    if name in BY_TEXT:
        if type(held) is not str or len(held) > 10_000:
            raise ValueError('too long')
        if name == 'Fraction' and 'e' in held.lower():
            # No fraction is written so, and '1e999999999' would be worked out.
            raise ValueError('no fraction')
        return imported(BY_TEXT[name], name)(held)
    if name in ('ndarray', 'numpy'):
        return decode_numpy(name, held)
    if name == 'range':
        return range(*walk(held))
    if name == 'slice':
        return slice(*walk(held))
    if name in ('Counter', 'OrderedDict'):
        made = getattr(collections, name)()
        for key, value in hashed(dict, [(walk(key_of(key)), walk(value)) for key, value in held]).items():
            dict.__setitem__(made, key, value) if name == 'Counter' else made.__setitem__(key, value)
        return made
    if name == 'defaultdict':
        factory, pairs = held
        return collections.defaultdict(factory and FACTORIES[factory], hashed(dict, [(walk(key_of(key)), walk(value)) for key, value in pairs]))
    if name == 'deque':
        return collections.deque(walk(held[0]), held[1])
    if name == 'dict_keys':
        return hashed(dict.fromkeys, [walk(key_of(each)) for each in held]).keys()
    if name == 'dict_values':
        return dict(enumerate(walk(held))).values()
    if name in ('dict_items', 'mappingproxy'):
        made = hashed(dict, [(walk(key_of(key)), walk(value)) for key, value in held])
        return made.items() if name == 'dict_items' else types.MappingProxyType(made)
    if name in NAMESPACES:
        kind = imported(NAMESPACES[name], name)
        made = kind.__new__(kind)
        vars(made).update({str(key): walk(value) for key, value in held})
        return made
    if name == 'Match':
        return decode_match(held, walk)
    if name == 'memoryview':
        return memoryview(bytes.fromhex(held))
    if name == 'Field':
        import dataclasses
        return dataclasses.field(**{str(key): walk(value) for key, value in held})
    if name == 'constant':
        return {'Ellipsis': Ellipsis, 'NotImplemented': NotImplemented}[held]
    if name == 'array':
        import array
        return array.array(str(held[0]), walk(held[1]))
    if name == 'Pattern':
        import re
        pattern = walk(held[0])
        if type(pattern) not in (str, bytes) or len(pattern) > 10_000:
            raise ValueError('too long')
        return re.compile(pattern, held[1] & ~32 if type(pattern) is bytes else held[1])
    __import__('datetime')
    if name in ('datetime', 'time'):
        text, fold, told = held
        return getattr(datetime, name).fromisoformat(text).replace(fold=fold, tzinfo=decode_zone(told))
    if name == 'date':
        return datetime.date.fromisoformat(held)
    if name == 'timedelta':
        return datetime.timedelta(*[int(each) for each in held])
    if name == 'zone':
        return decode_zone(held)
    raise ValueError('unknown')
