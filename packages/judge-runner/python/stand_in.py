"""What every stand-in for an object of the artifact has, and what is known of it in the tester's box. Standard library only.

An answer is a plain value. An object that acts (`acting.py`) is believed only where the suite's author has said so, where the suite's own
syntax shows it, or where the reference solution answered one at that very place; every other object is inert (`inert.py`): its plain
attributes can be read, and all else fails the test.
"""


def link_of(part):
    return object.__getattribute__(part, '_judge_link')


class StandIn:
    """Stands for an object of the artifact. Its `__dict__` is that of this object, for which its classes show the artifact's."""

    #: Methods of containers that a class derived from one defines itself.
    _judge_overrides = frozenset()
    #: What the bodies of classes of the test have written, of which it is.
    _judge_written = frozenset()


OWN_DICTIONARY, ERROR_DICTIONARY = vars(StandIn)['__dict__'].__get__, vars(BaseException)['__dict__'].__get__


def held_in(part):
    """What is known of a stand-in in this box, by name."""
    # A mock says that it is of the class that it stands for.
    own = OWN_DICTIONARY if issubclass(type(part), StandIn) else ERROR_DICTIONARY if issubclass(type(part), BaseException) else None
    return object.__getattribute__(part, '__dict__') if own is None else own(part)


def id_of(part):
    """The number of an object in the artifact's box, which is told of it now if it was not before."""
    held, link = held_in(part), link_of(part)
    if '_judge_id' not in held:
        link.make_now(part)
    if '_judge_given' in held and not link.is_making:
        held['_judge_used'] = True
    return held['_judge_id']


def number_of(part):
    held = held_in(part)
    return held['_judge_id'] if '_judge_id' in held else id_of(part)


def given_of(part):
    """What the test gave an object that it has not used since; None for any other."""
    return held_in(part).get('_judge_given')


def is_waiting(part):
    """True for an object of which the artifact has not been told."""
    given = given_of(part)
    return given is not None and given.told is None


def is_local(part):
    """True for an object that holds what it was given, whatever the artifact says: it was only compared, or read."""
    given = given_of(part)
    return given is not None and (given.told is None or given.is_read and is_pure(part))


def is_made(part):
    """True for an object that the test made of a class."""
    return '_judge_new' in held_in(part)


def note_equated(*parts):
    """Notes that a test compares objects, by whatever operator, or hashes them: of those the reference shows what they are for."""
    for part in parts:
        if issubclass(type(part), StandIn) or isinstance(part, tuple) and hasattr(type(part), '_judge_link'):
            held_in(part)['_judge_equated'] = True


def is_pure(part):
    """True where the class of an object says that making one does nothing but keep what it is given."""
    making = type(part)._judge_making
    return making is not None and making.simple


def is_simple(part):
    """The same for a class with fields."""
    return is_pure(part) and type(part)._judge_making.base is None


def use(part):
    """Notes that the artifact may have changed an object since the test made it."""
    held = held_in(part)
    held.pop('_judge_kept', None)
    held.pop('_judge_fresh', None)
    if '_judge_given' in held:
        given = held['_judge_given']
        id_of(part)
        held['_judge_used'] = True
        del held['_judge_given']
        for each in given.reached():
            use(each)


def is_copy(part, other):
    """True for an object and a copy of it: what the test gave the one is all that is expected of the other."""
    return held_in(part).get('_judge_original') is other or held_in(other).get('_judge_original') is part


def same(one, other):
    """Equality of values; of objects of the artifact, that they are the same."""
    if is_stand_in(one) or is_stand_in(other):
        numbers = [held_in(each).get('_judge_id') if is_stand_in(each) else None for each in (one, other)]
        return one is other or numbers[0] is not None and numbers[0] == numbers[1]
    if type(one) is type(other) and type(one) in (list, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one is other or one == other


def alike(one, other):
    """Equality of values; of named tuples of the artifact, that they hold the same, whichever box has made them."""
    if type(one) is type(other) and (type(one) is list or isinstance(one, tuple)):
        return len(one) == len(other) and all(map(alike, iter_plainly(one), iter_plainly(other)))
    return one is other or one == other


def iter_plainly(items):
    """The items of a list or tuple, whatever its class says."""
    return tuple.__iter__(items) if isinstance(items, tuple) else iter(items)


def same_given(one, other):
    """True for the same arguments, by position and by name."""
    names = sorted(one[1])
    return same(one[0], other[0]) and names == sorted(other[1]) and all(same(one[1][name], other[1][name]) for name in names)


def is_stand_in(part):
    return hasattr(type(part), '_judge_equal')


def objects_in(value, depth=0):
    """Objects of the artifact that a value is or contains."""
    if hasattr(type(value), '_judge_keeps'):
        return [value]
    items = value.values() if type(value) is dict else value if type(value) in (list, tuple, set, frozenset) and depth < 4 else ()
    return [found for each in items for found in objects_in(each, depth + 1)]


def is_plain(args, kwargs):
    """True for arguments that are no objects or functions: what is made of them changes nothing else."""
    return not any(hasattr(type(each), '_judge_link') or callable(each) for each in (*args, *kwargs.values()))


def is_derived(part):
    """True for an object that the test has made, and for what it has calculated from one."""
    return object.__getattribute__(part, '_judge_made') or '_judge_derived' in held_in(part)
