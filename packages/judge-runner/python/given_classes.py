"""Classes of a test on their way to the artifact, which gets real ones with the same names, bases, attributes and methods. Standard
library only."""
import abc
import functools
import sys
import types

from given_hints import hints_in, leave_hint, names_in
from refusals import Unsupported
from remote import RemoteClass

#: What a class statement adds by itself, and methods by which a class of the test would take the place of what ours do.
LEFT_OUT = frozenset('''__dict__ __weakref__ __module__ __qualname__ __doc__ __new__ __del__ __getattribute__ __getattr__ __setattr__
    __delattr__ __init_subclass__ __class_getitem__ __slots__ __set_name__ __reduce__ __reduce_ex__ __getstate__ __setstate__ __copy__
    __deepcopy__ __dataclass_fields__ __dataclass_params__ __match_args__ __annotations__ __abstractmethods__ _abc_impl __orig_bases__
    __parameters__ __firstlineno__ __static_attributes__ __annotate__ __annotate_func__ __annotations_cache__ _is_protocol
    __protocol_attrs__ __non_callable_proto_members__ _is_runtime_protocol __subclasshook__ pytestmark'''.split())
#: The same in a class of classes: the test makes the objects of its classes itself.
OF_META = frozenset(('__init__', '__call__', '__prepare__'))
#: Types of the language whose objects leave as values.
VALUES = (BaseException, str, int, float, complex, bytes, bytearray, list, tuple, dict, set, frozenset)
METHODS = (types.FunctionType, staticmethod, classmethod, property, functools.cached_property, types.MemberDescriptorType,
           types.GetSetDescriptorType)
#: Modules of the library whose classes a class of the test may be derived from.
BASES = ('abc', 'collections.abc')


#: What may be asked about a class: its values have left with it, as far as they are to.
OF_CLASS = frozenset(('put', 'new'))
NOTHING = frozenset()
#: How much of a class the artifact gets beside its methods: no values where a function only names it in its annotations, what an object
#: of it shows, or all.
NONE, PUBLIC, ALL = range(3)


class GivingClasses:
    """The part of a link that encodes classes of the test."""

    def begin_giving_classes(self):
        #: Functions, members and classes in the bodies of classes that were given, and how much of the classes was, by their numbers.
        self.given_parts, self.given_values = {}, {}
        #: Classes that the annotations of functions name, by the numbers of the functions.
        self.named_parts = {}

    def leave_class(self, kind, walk, values):
        """A class of the test as it leaves; None for one that can only be called."""
        if not self.is_given_whole(kind):
            return None
        number = self.show_again(kind, OF_CLASS)
        is_new = number not in self.given_parts
        self.given_parts.setdefault(number, [])
        told = [number]
        if is_new:
            bases = [self.leave_base(base, walk, values) for base in kind.__bases__
                     if base is not object and (base.__module__ != 'typing' or base.__name__ == 'Protocol')]
            told.append([kind.__name__, kind.__qualname__, kind.__module__, doc_in(kind), bases, self.methods_of(kind, number, walk),
                         self.annotations_of(kind, walk), data_fields(kind, walk),
                         [*shape_of(kind), self.names_in(kind, number, walk)],
                         self.methods_of(type(kind), number, walk) if self.is_own_meta(type(kind)) else []])
        if self.given_values.get(number, NONE) < values:
            self.given_values[number] = values
            told += [None] * (2 - len(told)) + [self.values_of(kind, walk, values)]
        return {'$class': told}

    def show_again(self, part, questions):
        """The number of a class; its methods and what its annotations name may be used again, as those of an earlier test may not."""
        is_over = self.numbers.get(id(part)) in self.over
        number = self.show(part, questions)
        for each in (*self.given_parts.get(number, ()), *self.named_parts.get(number, ())) if is_over else ():
            if id(each) in self.numbers:
                self.show_again(each, self.askable.get(self.numbers[id(each)], NOTHING))
        return number

    def leave_base(self, base, walk, values):
        return self.leave_class(base, walk, values) or walk(base) if self.is_of_suite(base) else walk(base)

    def is_given_whole(self, kind):
        is_of_meta = type(kind) in (type, abc.ABCMeta, RemoteClass) or type(kind).__module__ == 'typing' or self.is_own_meta(type(kind))
        if not is_of_meta or issubclass(kind, VALUES):
            return False
        if '_judge_id' in vars(kind):
            return True
        # What pytest collects holds expected values.
        if not self.is_of_suite(kind) or kind.__name__.startswith('Test'):
            return False
        return all(base is object or base.__module__ in ('typing', *BASES) or self.is_of_library(base) or self.is_given_whole(base)
                   for base in kind.__bases__)

    def is_of_library(self, kind):
        """True for a class of the library that both boxes have."""
        return type(kind) in (type, abc.ABCMeta) and not issubclass(kind, VALUES) and self.library_name(kind) is not None

    def is_own_meta(self, meta):
        """True for a class of classes that the test has written: `isinstance()` asks it."""
        return self.is_of_suite(meta) and all(base in (type, abc.ABCMeta) for base in meta.__bases__)

    def is_of_suite(self, kind):
        source = getattr(sys.modules.get(kind.__module__), '__file__', None) or ''
        return source.startswith(self.suite) or is_made_data_class(kind)

    def methods_of(self, kind, number, walk):
        """Functions in the body as `[name, what it is, function]`."""
        def function(part):
            self.given_parts[number].append(part)
            return walk(part)
        found = []
        for name, part in list(vars(kind).items()):
            # The library gives enumerations and protocols methods.
            if name in LEFT_OUT or name.startswith('_judge') or getattr(part, '__module__', None) in ('enum', 'typing'):
                continue
            if issubclass(kind, type) and name in OF_META:
                continue
            if isinstance(part, types.FunctionType):
                found.append([name, 'function', function(part)])
            elif isinstance(part, (staticmethod, classmethod)) and isinstance(part.__func__, types.FunctionType):
                found.append([name, type(part).__name__, function(part.__func__)])
            elif isinstance(part, property):
                found.append([name, 'property', [each and function(each) for each in (part.fget, part.fset)]])
            elif isinstance(part, functools.cached_property):
                found.append([name, 'property', [function(part.func), None]])
        return found

    def values_of(self, kind, walk, values):
        """The other attributes in the body by name, without what cannot leave."""
        found = []
        for name, part in list(vars(kind).items()):
            is_private = name.startswith('_') and not name.startswith('__')
            if name in LEFT_OUT or name.startswith('_judge') or isinstance(part, METHODS) or is_private and values < ALL:
                continue
            try:
                found.append([name, walk(part)])
            except Unsupported:
                pass  # It is missing where the artifact asks for it.
        return found

    def annotations_of(self, part, walk):
        """The annotations that a function or a class itself has, without those that cannot leave."""
        found = []
        for name, annotation in list(vars(part).get('__annotations__', {}).items() if isinstance(part, type) else
                                     (getattr(part, '__annotations__', None) or {}).items()):
            try:
                found.append([name, self.leave_named(annotation, walk)])
            except Unsupported:
                pass
        return found

    def leave_named(self, part, walk):
        """A class, or a hint of classes, that is only named."""
        # Those of the artifact it knows itself.
        if isinstance(part, type) and '_judge_id' in vars(part):
            return walk(part)
        told = self.leave_class(part, walk, NONE) if isinstance(part, type) else self.leave_hint(part, lambda each: self.leave_named(each, walk))
        return told or walk(part)

    def leave_hint(self, part, leave):
        """A hint with parameters, by which the artifact may answer the very same; None for anything else."""
        told = leave_hint(part, leave)
        return told and {'$hint': [self.give(part, part), *told]}

    def names_of(self, part, number, walk):
        """What the names in the annotations of a function stand for, where these are texts."""
        owner = part.__func__ if isinstance(part, types.MethodType) else part
        if type(owner) is not types.FunctionType:
            return []
        hints = list(owner.__annotations__.values())
        named = names_in(hints, owner.__globals__)
        self.named_parts[number] = [found for each in (*hints, *named.values()) for found in hints_in(each)]
        return self.tell_names(named, walk)

    def names_in(self, kind, number, walk):
        """The same for a class, where the library looks in its module."""
        module, hints = sys.modules.get(kind.__module__), list(vars(kind).get('__annotations__', {}).values())
        named = names_in(hints, vars(module) if module else {})
        self.given_parts[number] += [found for each in (*hints, *named.values()) for found in hints_in(each)]
        return self.tell_names(named, walk)

    def tell_names(self, named, walk):
        told = []
        for name, part in named.items():
            try:
                told.append([name, self.leave_named(part, walk)])
            except (Unsupported, TypeError):
                pass  # The library does not find it.
        return told


def is_made_data_class(kind):
    """True for a class that `make_dataclass` has made: its module is that of the library which makes classes."""
    return kind.__module__ == 'types' and '__dataclass_fields__' in vars(kind) and all(base is object or is_made_data_class(base) for base in kind.__bases__)


def doc_in(kind):
    doc = vars(kind).get('__doc__')
    return doc[:10_000] if isinstance(doc, str) else None


def shape_of(kind):
    """The names of abstract methods of a class, and whether isinstance() knows objects of it by their attributes."""
    return [sorted(getattr(kind, '__abstractmethods__', ())), vars(kind).get('_is_runtime_protocol') is True]


def data_fields(kind, walk):
    """What @dataclass says of a class: its fields as `[name, is given, is shown, is compared, has a default, what makes one, metadata]`, and
    its parameters by name."""
    fields = vars(kind).get('__dataclass_fields__')
    if fields is None:
        return None
    missing = sys.modules['dataclasses'].MISSING
    told = [[name, each.init is True, each.repr is True, each.compare is True, each.default is not missing,
             None if each.default_factory is missing else walk(each.default_factory), walk(dict(each.metadata))] for name, each in fields.items()]
    params = vars(kind)['__dataclass_params__']
    return [told, [[name, getattr(params, name) is True] for name in ('init', 'repr', 'eq', 'order', 'unsafe_hash', 'frozen')]]
