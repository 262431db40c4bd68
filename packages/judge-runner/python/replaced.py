"""Functions and methods of libraries that a test has put in the place of others, and what the artifact's box puts there. Standard library only."""
import types

MISSING = object()


def held_by(owner, name):
    """What a module has under a name; of a class what it holds itself, as it is bound when it is asked for: MISSING where a base has it."""
    return vars(owner).get(name, MISSING) if isinstance(owner, type) else getattr(owner, name, None)


def bound_as(held):
    """How a class binds what it holds, as a name of `BINDINGS`, and the function or value within."""
    if isinstance(held, (staticmethod, classmethod)):
        return 'static' if isinstance(held, staticmethod) else 'class', held.__func__
    if type(held) is property:
        return 'property', held.fget
    if isinstance(held, types.FunctionType) or not callable(held):
        return None, held
    # A mock is called without the object; one of a property is asked for there.
    return ('asked' if hasattr(type(held), '__get__') else 'static'), held


BINDINGS = {
    None: lambda held: held,
    'static': staticmethod,
    'class': classmethod,
    'property': property,
    'asked': lambda held: property(lambda _: held()),
}


def owner_of(path):
    """The module or class of a path such as `pathlib.Path.home`, and the name in it."""
    import pkgutil
    owner, _, name = path.rpartition('.')
    return pkgutil.resolve_name(owner), name


def put(owner, name, held):
    if held is not MISSING:
        setattr(owner, name, held)
    elif name in vars(owner):
        delattr(owner, name)
