"""Functions and methods of libraries that a test has put in the place of others, and what the artifact's box puts there. Standard library only."""
MISSING = object()


def held_by(owner, name):
    """What a module has under a name; of a class what it holds itself, as it is bound when it is asked for: MISSING where a base has it."""
    return vars(owner).get(name, MISSING) if isinstance(owner, type) else getattr(owner, name, None)


def cached(parts):
    """A property that keeps what it answers in each object."""
    made = __import__('functools').cached_property(parts[0])
    made.attrname = parts[1]
    return made


def described(parts):
    """A descriptor that asks functions for what its own methods do; None for a method that it does not have."""
    def forward(function):
        return lambda self, *args: function(*args)
    names = '__get__', '__set__', '__delete__'
    return type('Descriptor', (), {name: forward(part) for name, part in zip(names, parts) if part is not None})()


#: How a class binds what a test puts there, by the names that `patching.py` gives.
BINDINGS = {
    None: lambda held: held,
    'static': staticmethod,
    'class': classmethod,
    'property': lambda parts: property(*parts),
    'cached': cached,
    # A mock in the place of a property is called without the object.
    'asked': lambda held: described([lambda part, kind=None: held(), lambda part, value: held(value), None]),
    'described': described,
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
