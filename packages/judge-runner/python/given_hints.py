"""Type hints of a test on their way to the artifact: what they are made of, and what the names in those that are texts stand for. Standard
library only."""
import re
import sys
import types

#: Names in a hint that is a text.
NAMES = re.compile(r'[A-Za-z_]\w*')
MOST_NAMES = 200
#: Classes of hints that are not of the module typing.
ALIASES = (types.GenericAlias, getattr(types, 'UnionType', types.GenericAlias))


def leave_hint(part, leave):
    """A hint with parameters (`list[int]`, `Optional[int]`, `int | None`): its class or its name in the module typing, and what it is made
    of; None for anything else. `leave(part)` encodes a part of it."""
    typing = sys.modules.get('typing')
    if issubclass(type(part), types.GenericAlias):
        is_plain = type(part) is types.GenericAlias or typing is None
        origin, arguments = leave(part.__origin__), part.__args__ if is_plain else typing.get_args(part)
    elif type(part) in ALIASES:
        origin, arguments = '|', part.__args__
    elif typing is None or not isinstance(part, typing._GenericAlias):
        return None
    elif hasattr(part, '__metadata__'):
        return ['Annotated', [leave_argument(part.__origin__, leave), *map(leave, part.__metadata__)]]
    else:
        origin, arguments = name_of(part, typing), typing.get_args(part)
    return origin and [origin, [leave_argument(each, leave) for each in arguments]]


def name_of(part, typing):
    """The name of what was given parameters, in the module typing; None for a class of the test."""
    if getattr(part.__origin__, '__module__', None) in ('typing', 'builtins', 'collections', 'collections.abc', 'contextlib', 're'):
        name = part._name or getattr(part.__origin__, '_name', None)
        # The library writes a union with None under another name.
        return 'Union' if name == 'Optional' else name if isinstance(name, str) and hasattr(typing, name) else None
    return None


def leave_argument(part, leave):
    """A parameter of a hint."""
    if part is type(None):
        return None
    text = getattr(part, '__forward_arg__', None)
    if isinstance(part, list):
        return [leave_argument(each, leave) for each in part]
    return leave(part) if text is None else text


def names_in(hints, space):
    """What the names in hints that are texts stand for where they are written: classes and hints, by name."""
    texts = [text for each in hints for text in texts_in(each)]
    names = dict.fromkeys(name for text in texts for name in NAMES.findall(text) if name in space)
    # A value would be no hint, and may be one that the test expects.
    return {name: space[name] for name in list(names)[:MOST_NAMES] if is_hint(space[name])}


def is_hint(part):
    return isinstance(part, type) or getattr(type(part), '__module__', None) == 'typing' or issubclass(type(part), ALIASES)


def texts_in(hint):
    """Texts that a hint is or contains."""
    text = getattr(hint, '__forward_arg__', hint)
    return [text] if isinstance(text, str) else [found for each in parts_of(hint) for found in texts_in(each)]


def hints_in(hint):
    """Classes and hints that a hint is or contains."""
    return [hint, *(found for each in parts_of(hint) for found in hints_in(each))] if is_hint(hint) or isinstance(hint, list) else []


def parts_of(hint):
    held = hint if isinstance(hint, list) else getattr(hint, '__args__', ()) if is_hint(hint) else ()
    return held if isinstance(held, (list, tuple)) else ()
