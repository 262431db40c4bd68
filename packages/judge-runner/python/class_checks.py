"""What `isinstance()` and `issubclass()` of a test say of the artifact's classes. Standard library only.

A class is asked in the artifact's box where it may say something else than what it is derived from: its metaclass checks objects itself, or it is
abstract, with a `__subclasshook__` or classes that are registered with it. That is believed where the reference said otherwise at this place as well.
"""
from base_types import is_type_test
from refusals import Unsupported
from stand_in import StandIn


def checked_instance(cls, part, held):
    """What `isinstance()` says. `held`: what follows from the bases."""
    if not is_asked(cls, held):
        return held
    if cls._judge_checks == 'objects' or stands_for_object(part):
        return believed(cls, held, said(cls, part, 'isinstance'))
    kinds = dict.fromkeys((part.__class__, type(part)))
    found = [said(cls, kind, 'issubclass') for kind in kinds]
    return believed(cls, held, True if True in found else None if None in found else False)


def checked_subclass(cls, kind, held):
    """What `issubclass()` says."""
    return believed(cls, held, said(cls, kind, 'issubclass')) if is_asked(cls, held) else held


def is_asked(cls, held):
    """True where a test asks a class that may say otherwise. With one that only may have others registered, all that are derived from it are of it."""
    checks = getattr(cls, '_judge_checks', None)
    return checks is not None and not (checks == 'registered' and held) and '_judge_id' in vars(cls) and is_type_test(cls._judge_link.suite, 4)


def stands_for_object(part):
    """True for an object of the artifact whose class the test does not know, or that does not act as one of it."""
    return '_judge_link' not in vars(type(part)) and (issubclass(type(part), StandIn) or hasattr(type(part), '_judge_answered'))


def said(cls, part, name):
    """What the artifact says; None of what it cannot be given."""
    try:
        found = cls._judge_link.call({'do': 'check', 'of': cls._judge_id, 'name': name}, (part,), {})
    except Unsupported:
        return None
    return found if type(found) is bool else None


def believed(cls, held, found):
    link = cls._judge_link
    if found is None or found is held or link.is_trusted(cls) or link.settings.get('remote_eq') or link.allows_in_test('class check', False):
        return held if found is None else found
    raise link.refuse('its class %s says itself what its objects are, and otherwise than their bases do; name it in `objects`, or add a reference'
                      % cls.__name__)
