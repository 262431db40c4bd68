"""What comparisons of the artifact's objects look at, and functions of a test as the artifact sees them. Standard library only."""
import itertools
import operator

MAX_PARTS, MAX_CONTENT = 64, 100_000
ORDERS = ('lt', 'le', 'gt', 'ge')
#: Types of the language whose content an object has beside its attributes.
CONTAINERS = (str, int, float, list, tuple, dict, set, frozenset, bytes, bytearray, complex)
#: How a value of a class derived from one of them is read that is no collection.
ITSELF = {str: str.__str__, int: int.__int__, float: float.__float__, complex: complex.__pos__}


def parts_of(part):
    """The attributes that an object itself holds, by name, those in slots as well."""
    held = {**getattr(part, '__dict__', {}), **slots_of(part)}
    return dict(itertools.islice(held.items(), MAX_PARTS))


def slots_of(part):
    held = {}
    for kind in type(part).__mro__:
        slots = vars(kind).get('__slots__', ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            name = '_%s%s' % (kind.__name__.lstrip('_'), slot) if slot.startswith('__') and not slot.endswith('__') else slot
            try:
                if slot not in ('__dict__', '__weakref__'):
                    held[name] = object.__getattribute__(part, name)
            except AttributeError:
                pass  # Nothing was put there.
    return held


def looks_at(part, other, held, name):
    """True where `==` answers otherwise, or not at all, for an object that holds something else under this name."""
    try:
        twin = object.__new__(type(part))
        for each, value in held.items():
            object.__setattr__(twin, each, object() if each == name else value)
        return not twin == other
    except Exception:
        return True


def compared(part, other, copy):
    """Whether `==` calls two objects equal, their parts as `[looked at, one, other]`, and their texts.

    The parts are read before `==`, which could make them equal. All else is found on copies, which `copy` makes: the test has compared once.
    """
    for kind in CONTAINERS:
        if isinstance(part, kind):
            pair = [plain(part, kind), plain(other, kind) if isinstance(other, kind) else object()]
            return bool(part == other), [[True, *pair, '']], []
    held, others = parts_of(part), parts_of(other)
    pairs = [[name, value, others[name] if name in others else getattr(other, name, None)] for name, value in held.items()]
    pairs += [[name, None, value] for name, value in others.items() if name not in held]
    if not part == other:
        return False, [], []
    twins = copy(part), copy(other)
    shown = parts_of(twins[0])
    looked = [[name in held and looks_at(*twins, shown, name), one, two, name] for name, one, two in pairs]
    return True, looked, list(map(text_of, twins))


def held_by(part, copy):
    """What an object holds by name, as `compared` reads it, and its text."""
    for kind in CONTAINERS:
        if isinstance(part, kind):
            return [['', plain(part, kind)]], None
    return list(parts_of(part).items()), text_of(copy(part))


def text_of(part):
    """The text of an object whose class says how it is written; None for any other."""
    for name in ('__repr__', '__str__'):
        maker = next(base for base in type(part).__mro__ if name in vars(base))
        if maker is not object:
            return str(getattr(part, name)())[:10_000]
    return None


def plain(part, kind):
    """The content of an object as a value of the type of the language that it is derived from, whatever methods of its own say."""
    if kind is dict:
        return dict(dict.items(part))
    return ITSELF[kind](part) if kind in ITSELF else kind(kind.__iter__(part))


def ranked(left, right, tell):
    """The answers of all operators of order, for both orders of the operands: true, false, null where the operator is not
    supported, what `tell` makes of another error, and 'other' for what is no truth value."""
    def answer(name, first, second):
        try:
            found = getattr(operator, name)(first, second)
        except Exception as error:
            # Raised by the operator itself, as no method answers.
            return None if type(error) is TypeError and error.__traceback__.tb_next is None else tell(error)
        return found if found is True or found is False else 'other'
    return [[answer(name, left, right), answer(name, right, left)] for name in ORDERS]


def content_of(part):
    """What a collection contains, as a dict or list; None for any other object and for more than a test would look at."""
    kind = type(part)
    if hasattr(kind, '__next__') or not (hasattr(kind, '__iter__') or hasattr(kind, '__getitem__')):
        return None
    if hasattr(kind, 'keys') and hasattr(kind, '__getitem__'):
        names = list(itertools.islice(iter(part.keys()), MAX_CONTENT + 1))
        return {name: part[name] for name in names} if len(names) <= MAX_CONTENT else None
    found = list(itertools.islice(iter(part), MAX_CONTENT + 1))
    return found if len(found) <= MAX_CONTENT else None


class Missing:
    """Stands for a default of a function of the test."""

    def __repr__(self):
        return '...'


MISSING = Missing()


#: How a function of each kind answers.
ANSWERING = {'plain': ('', ''), 'coroutine': ('async ', 'await '), 'generator': ('', 'yield from ')}


def shaped(parameters, call, answers='plain'):
    """A function that calls `call(args, kwargs)` and has the parameters of a function of the test, so that the artifact can count
    them, and is told at once when it leaves one out. `answers`: a key of ANSWERING."""
    if parameters is None or not all(name.isidentifier() for _, name, _ in parameters):
        parameters = [['args', 'args', False], ['kwargs', 'kwargs', False]]
    written, given, named, rest = [], [], [], ('()', '{}')
    kinds = [kind for kind, _, _ in parameters]
    for at, (kind, name, optional) in enumerate(parameters):
        if kind == 'named' and 'args' not in kinds and 'named' not in kinds[:at]:
            written.append('*')
        mark = {'args': '*', 'kwargs': '**'}.get(kind, '')
        written.append(mark + name + ('=_judge_missing' if optional else ''))
        if kind == 'only' and 'only' not in kinds[at + 1:]:
            written.append('/')
        if kind == 'args':
            rest = (name, rest[1])
        elif kind == 'kwargs':
            rest = (rest[0], name)
        else:
            (named if kind == 'named' else given).append('(%r, %s)' % (name, name))
    defaults = {name: default[0] if type(default) is list else MISSING for _, name, default in parameters if default}
    space = {'_judge_missing': MISSING, '_judge_call': call, '_judge_pack': pack}
    # Names only, and checked: nothing of this text is the artifact's.
    exec('%sdef made(%s): return (%s_judge_call(*_judge_pack([%s], [%s], %s, %s)))'
         % (ANSWERING[answers][0], ', '.join(written), ANSWERING[answers][1], ', '.join(given), ', '.join(named), *rest), space)
    # Its own variables do not hold it: it lives as long as something else does.
    made = space.pop('made')
    made.__defaults__ = tuple(defaults[name] for kind, name, _ in parameters if kind in ('only', 'both') and name in defaults) or None
    made.__kwdefaults__ = {name: defaults[name] for kind, name, _ in parameters if kind == 'named' and name in defaults} or None
    return made


def pack(given, named, more, others):
    """Arguments as they were passed: without defaults that only the test's own function knows."""
    args, kwargs = [], {}
    for name, value in given:
        if value is MISSING:
            continue
        if len(args) + len(kwargs) < len(given) and given[len(args)][0] == name:
            args.append(value)
        else:
            kwargs[name] = value
    kwargs.update((name, value) for name, value in named if value is not MISSING)
    return (*args, *more), {**kwargs, **others}


def mark_abstract(part):
    """Marks a method as abstract, as @abstractmethod does."""
    for each in (part.fget, part.fset, part.fdel) if isinstance(part, property) else (getattr(part, '__func__', part),):
        if each is not None:
            each.__isabstractmethod__ = True
