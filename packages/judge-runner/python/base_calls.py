"""What a class of the test that extends one of the artifact's asks of that by its name: `Base.__init__(self)`, `Base.__setitem__(self, key, value)`.
Standard library only.

The language finds a special method that the test's class has written there, so one that is called here is the artifact's: asked of the object, it
would be the test's again.
"""
from stand_in import id_of, link_of


def class_of_artifact(kind):
    """The nearest class of the artifact that a class is or extends."""
    return next(base for base in kind.__mro__ if '_judge_id' in vars(base) and '_judge_body' not in vars(base))


def special_method(part, name):
    """The question for a special method of an object."""
    asked = {'do': 'method', 'of': id_of(part), 'name': name}
    if name in type(part)._judge_written:
        asked['class'] = class_of_artifact(type(part))._judge_id
    return asked


def is_passed_on(part, name):
    """True for an object whose class is the test's and has written a method, which calls that of the artifact."""
    return name in type(part)._judge_written


def pass_on(part, name, *args):
    return link_of(part).call(special_method(part, name), args, {})


def refuse_passed_on(part, name):
    """Refuses a comparison of the artifact's that a class of the test calls: its word, and what the objects hold is compared by the test's."""
    if is_passed_on(part, name):
        raise link_of(part).refuse("calls in a class of the test (%s) the %s of the artifact's class" % (type(part).__name__, name))


def initializer(number):
    """The `__init__` of a class of the artifact, by its number. Where the test has replaced it, it is still the class's own."""
    def __init__(self, /, *args, **kwargs):
        link = link_of(self)
        if number in link.initializers:
            link.initializers[number](self, *args, **kwargs)
        else:
            link.call({'do': 'method', 'of': id_of(self), 'name': '__init__', 'class': number}, args, kwargs)
    __init__._judge_initializes = number
    return __init__
