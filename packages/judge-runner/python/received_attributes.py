"""Attributes of an object of the test as the artifact reads and changes them: they are where the test has the object. Standard library only."""

#: What an object of ours holds beside the attributes that the artifact has kept from the test.
OWN = '_judge_local', '_judge_put', '_judge_dictionary'


class Dictionary(dict):
    """The `__dict__` of an object of the test, as it was when the artifact read it last. What is changed in it, is changed in the object at once."""

    __slots__ = ('_judge_part',)

    def __init__(self, part):
        self._judge_part = part

    def __setitem__(self, name, value):
        write(self._judge_part, 'hold', name, value)
        super().__setitem__(name, value)

    def __delitem__(self, name):
        super().__delitem__(name)
        remove(self._judge_part, 'drop', name)

    def __ior__(self, other):
        self.update(other)
        return self

    def __reduce_ex__(self, protocol):
        return dict, (dict(self),)

    def update(self, /, *args, **kwargs):
        for name, value in dict(*args, **kwargs).items():
            self[name] = value

    def setdefault(self, name, value=None):
        if name not in self:
            self[name] = value
        return self[name]

    def pop(self, name, *default):
        if name not in self:
            return super().pop(name, *default)
        found = self[name]
        del self[name]
        return found

    def popitem(self):
        if not self:
            raise KeyError('popitem(): dictionary is empty')
        name = list(self)[-1]
        return name, self.pop(name)

    def clear(self):
        for name in list(self):
            del self[name]

    def renew(self, held):
        """Makes it what the object holds now; without a change of its size where that is the same, as a loop may be over it."""
        if list(self) != list(held):
            dict.clear(self)
        dict.update(self, held)
        return self


def held_of(part):
    """What an object itself holds here."""
    return object.__getattribute__(part, '__dict__')


def local_in(part):
    """The number and the origin of an object of the test, or None for one that the artifact has made."""
    return held_of(part).get('_judge_local')


def put_in(part):
    """What the artifact has put into an object of the test, by name: that is the very same as long as the test has it there."""
    return held_of(part).setdefault('_judge_put', {})


def ask(part, do, name='', *args):
    number, asked = local_in(part)
    return asked(number, do, name, args, {})


def is_asked(part, name):
    """True for an attribute that an object of the test has where the test has it."""
    return name == '__dict__' or not name.startswith('_') or name in put_in(part)


def is_of_descriptor(part, name):
    """True for a private name under which a descriptor may keep the value of its attribute, and for which nothing is kept from the test here."""
    is_private = name.startswith('_') and not name.startswith('__') and name not in held_of(part)
    return is_private and any(hasattr(vars(kind).get(name[1:]), '__get__') for kind in type(part).__mro__)


def read(part, name):
    put = put_in(part)
    # Nothing is told of an object of an earlier test.
    return put[name] if name in put and ask(part, 'kept', name) is not False else ask(part, 'get', name)


def write(part, do, name, value):
    ask(part, do, name, value)
    if do == 'hold' or name.startswith('_'):
        put_in(part)[name] = value


def remove(part, do, name):
    ask(part, do, name)
    put_in(part).pop(name, None)


def dictionary_of(part):
    """The `__dict__` of an object of the test."""
    put_plain(part)
    own, put = held_of(part), put_in(part)
    found = own.setdefault('_judge_dictionary', Dictionary(part))
    told = ask(part, 'vars')
    if told is None:
        return found
    here = {name: own[name] for name in own if name not in OWN and not name.startswith('__')}
    return found.renew({**{name: value[0] if value else put[name] for name, *value in told}, **here})


def put_plain(part):
    """Gives an object of the test what the artifact has set in it by `object.__setattr__`."""
    held = held_of(part)
    # What would hide a method of the test stays here.
    for name in [name for name in held if not name.startswith('_') and not callable(getattr(type(part), name, None))] if len(held) > 1 else ():
        ask(part, 'set plainly', name, held.pop(name))
