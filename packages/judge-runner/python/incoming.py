"""Values and objects of the artifact on their way into a tester: which are accepted, and as what. Standard library only.

Every byte may be forged: whoever wrote it wants to be graded as right.
"""
import builtins
import enum
import io
import random

import descriptors
from acting import Acting, special_methods
from base_calls import initializer
from acting_containers import SPECIAL as OF_CONTAINERS, ActingContainer
from base_types import base_of_library, compares_content, shown_class, shown_given
from codec import Unplain, decode
from comparing_members import key_of
from enum_roots import ROOTS
from exported import EXPORTED
from given import Making
from inert import DOC, SPECIAL as OF_INERT, Inert, InertBuiltin
from kept import Keeping
from members import enum_of
from modules import RemoteModule
from named_tuples import members_of_tuples
from noticed import is_random
from originals import collections
from properties import made_property
from refusals import ProtocolError, Refused, RemoteError
from remote import AsyncIterator, Context, Iterator, Method, RemoteClass, RemoteCoroutineFunction, RemoteFunction, RemoteFuture, builtin_exception
from remote_errors import RemoteException, parts_of_errors
from shared import CHANGING
from stand_in import StandIn, held_in, id_of, is_made, same
from standard import NAMESPACES, decode_derived, decode_std, is_namespace, root_of

#: How the suite shows that a call answers an object: it names the function in `objects`, or the function says that it makes one.
SHOWN_BY_NAME = ('named', 'makes')
KINDS = ('module', 'class', 'function', 'coroutine', 'iterator', 'async', 'context', 'future', 'object')
#: Special methods that an object of a class of the library may have.
SPECIAL = ['__%s__' % name for name in (
    'len', 'contains', 'getitem', 'setitem', 'delitem', 'iter', 'reversed', 'next', 'call', 'enter', 'exit', 'aiter', 'anext', 'aenter', 'aexit',
    'iadd', 'ior', 'iand', 'isub', 'ixor')]
#: Special methods of stand-ins that do not act, by what these are derived from.
METHODS = {Inert: OF_INERT, ActingContainer: OF_CONTAINERS}
#: Most classes that a reason names.
MAX_NAMED = 3
#: Most fields, parameters and members that a class may describe.
MAX_DESCRIBED = 5000


def objects_of(names):
    return ' and '.join('an object of %s' % name for name in list(names)[:MAX_NAMED])


class Incoming:
    """The part of a link that decodes answers."""

    def is_copy(self, mine, after):
        """True for a container that arrived by value in the place of one of the test's; one that it gave, or was given before, is itself."""
        is_known = id(after) in self.own_numbers or self.number_of_known(after) is not None
        return isinstance(mine, CHANGING) and type(mine) is type(after) and not is_known

    def update(self, mine, after, known=None, is_own=False):
        """Makes a value of the test what the artifact made of it, in place, so that aliases see it too.

        `known`: what has taken the place of containers of the artifact so far, by their ids, and that is in use; `is_own`: the artifact knows by
        their numbers which containers in it are of the test, so that one without is another one.
        """
        if mine is after or type(mine) is not type(after):
            return
        if known is None:
            known = {}
        if isinstance(mine, (list, collections.deque)):
            held = list(mine)
            after = [self.taken(held[index], each, known, is_own) if index < len(held) else each for index, each in enumerate(after)]
            if isinstance(mine, list):
                mine[:] = after
            else:
                mine.clear()
                mine.extend(after)
        elif is_namespace(mine):
            self.update(vars(mine), vars(after), known, is_own)
        elif isinstance(mine, dict):
            factory = after.default_factory if type(mine) is collections.defaultdict else None
            after = {key: self.taken(mine[key], each, known, is_own) if key in mine else each for key, each in after.items()}
            mine.clear()
            mine.update(after)
            if type(mine) is collections.defaultdict:
                mine.default_factory = factory
        elif isinstance(mine, set):
            mine.clear()
            mine.update(after)
        elif isinstance(mine, bytearray):
            mine[:] = after
        elif is_random(mine):
            mine.setstate(after.getstate())
        elif type(mine).__name__ == 'ndarray' and mine.shape == after.shape and mine.dtype == after.dtype:
            mine[...] = after
        elif isinstance(mine, tuple):
            # A class of named tuples may iterate otherwise, and without end.
            for old, new in zip(tuple.__iter__(mine), tuple.__iter__(after)):
                self.update(old, new, known, is_own)

    def taken(self, mine, after, known, is_own):
        """What stands in a place of the test for what the artifact has there: a container of the test that is no other one of the artifact's, and an object
        that the test made and that stays there. What the artifact answered where it may act must not act here for that."""
        if not isinstance(after, CHANGING):
            return mine if issubclass(type(mine), StandIn) and is_made(mine) and same(mine, after) else after
        if id(after) in known:
            return known[id(after)]
        is_free = self.is_copy(mine, after) and id(mine) not in known and not (is_own and id(mine) in self.own_numbers)
        known[id(after)] = mine if is_free else after
        if is_free:
            known[id(mine)] = mine
            self.update(mine, after, known, is_own)
        return known[id(after)]

    def arrive(self, part, made=False, iterator=False, inert=False, calls=True):
        """A value of the artifact.

        `made`: how the suite shows that it is an object; `iterator`: an object with `__next__` is one; `inert`: nothing in it acts;
        `calls`: what can be called in it is believed, as a part of an answer is and an attribute of one is not.
        """
        def special(tag, content, walk):
            return self.arrive_other(tag, content, walk, made, iterator, inert, calls)
        outer = self.begin_arrival()
        try:
            return decode(part, special, self.again((made, iterator, inert, calls)) if self.repeated else None)
        except (ProtocolError, Refused):
            raise
        except Unplain as error:
            raise self.refuse('gave an answer %s' % error)
        except Exception as error:
            raise self.protocol_error('an answer that is not a value (%s)' % type(error).__name__)
        finally:
            self.end_arrival(outer)

    @staticmethod
    def note_reached(namespace):
        """A namespace whose objects may be called under the names by which the suite reaches them."""
        for name, part in vars(namespace).items():
            if isinstance(part, StandIn):
                held_in(part)['_judge_reached'] = name
            elif isinstance(part, (Method, RemoteFunction)):
                vars(part)['_judge_shown'] = name
        return namespace

    def namespace(self, content, walk, made, iterator, inert):
        is_shown = made in SHOWN_BY_NAME
        calls = not inert and (is_shown or self.believes_functions(content))
        found = decode_std(content, walk if is_shown else lambda part: self.arrive(part, made, iterator, inert, calls=calls))
        if calls:
            self.believed_spaces[id(found)] = found
        return found if is_shown else self.note_reached(found)

    def believed_in(self, space, content):
        """The content that a namespace has from now on: where its functions were believed, those that have come since are as well."""
        if self.believed_spaces.get(id(space)) is not space:
            return content
        found = {name: self.believed_function(each) if isinstance(each, Method) and each._judge_inert else each for name, each in content.items()}
        for name, each in found.items():
            if isinstance(each, (Method, RemoteFunction)):
                vars(each)['_judge_shown'] = name
        return found

    def believed_function(self, part):
        if part._judge_desc is not None:
            return self.wrap(part._judge_desc, False, False, False, True)
        part._judge_inert = False
        return part

    def arrive_other(self, tag, content, walk, made, iterator, inert, calls):
        if tag == '$handle':
            return self.wrap(content, made, iterator, inert, calls)
        if tag == '$sub':
            desc, plain = content
            kind = self.class_of(desc['class'])
            if not inert and (made in SHOWN_BY_NAME or self.accepts(kind, desc) or self.is_used_as_object(kind, desc)):
                return self.wrap(desc, made, iterator, inert, calls)
            self.note_flattened(kind)
            return walk(plain)
        if tag == '$enum':
            kind, number, name, value = content
            return self.member_of(self.class_of(kind), number, name, walk(value))
        if tag == '$named':
            return self.named_tuple(content, inert)
        if tag == '$error':
            return self.error(content)
        if tag == '$method':
            method = Method(self, content[0], str(content[1]))
            method._judge_inert = not self.callable(inert, calls)
            return method
        if tag == '$property':
            return self.property(content, walk, (made, iterator, inert, calls))
        if tag == '$std':
            return self.namespace(content, walk, made, iterator, inert) if content[0] in NAMESPACES else decode_std(content, walk)
        if tag == '$logger':
            return self.loggers[content]
        if tag == '$own':
            mine = self.owned.get(content[0], object()) if type(content[0]) is int else object()
            # Without content, the artifact has changed nothing in it; with content, it may be of an earlier test.
            count = self.come_again(content[0]) if len(content) > 1 else None
            made = walk(content[1]) if len(content) > 1 else mine
            if type(mine) is not type(made):
                return made
            # What is hashed is asked for: that may have brought what a thread has put there since.
            if count is not None and self.arrivals.get(content[0]) != count:
                return mine
            self.update(mine, made, is_own=True)
            self.noticed.note(content[0], mine)
            return mine
        if tag == '$random':
            made = random.Random()
            made.setstate(walk(content))
            return made
        if tag == '$io':
            made = (io.StringIO if type(content[0]) is str else io.BytesIO)(walk(content[0]))
            made.seek(content[1])
            return made
        if tag == '$bytearray':
            return bytearray.fromhex(content)
        if tag == '$opaque':
            return object()
        if tag == '$callback' or tag == '$local':
            return self.answered_own(content)
        if tag == '$derived':
            return self.answered_derived(content[0], content[1:])
        if tag == '$given_member':
            return self.answered_member(*content)
        if tag == '$builtin':
            found = getattr(builtins, content)
            if isinstance(found, type):
                return found if self.callable(inert, calls) else InertBuiltin(self, found)
        if tag == '$given':
            name, told = content
            found, _ = self.library_functions.get(str(name), (None, True))
            if found is None:
                return walk(told)
            return found if self.callable(inert, calls) else InertBuiltin(self, found)
        if tag == '$exported':
            found = EXPORTED.get(tuple(map(str, content[:2])))
            return found if self.arriving.is_reached and found is not None else walk(content[2])
        raise self.protocol_error('an answer with an unknown tag')

    def property(self, content, walk, ways):
        """A property of the library: the same one each time."""
        number, kind, doc, functions = content
        key = ('property', number, ways)
        if key not in self.objects:
            self.objects[key] = made_property(self, number, kind, doc, [walk(each) for each in functions])
        return self.objects[key]

    def note_flattened(self, kind):
        """Notes a class with methods of its own of which an object arrives as the value of the language that it contains."""
        if self.is_alone() and kind._judge_has_methods:
            self.flattened.setdefault(kind.__name__, kind)

    def hint_of_values(self):
        """What may have failed the running test other than the artifact: a method of its own class was not asked, or an object that it has changed and
        answered again is no longer the same one, or one in the assertion that failed cannot be told. None where nothing has."""
        if self.flattened:
            return '%s was compared and read as what it contains, without methods of its own: name its class in `objects`, or add a reference' % \
                objects_of(self.flattened)
        if self.doubled and self.is_alone():
            return '%s was changed and answered again by a call, and is another one since: add a reference that does so' % objects_of(self.doubled)
        return self.unexplained

    def answered_derived(self, number, told):
        """A value of a class of the test that is derived from one of the library. For that of an earlier test, the value of the library."""
        kind = self.given[-number] if type(number) is int and number in self.given_parts else None
        root = root_of(kind) if isinstance(kind, type) else None
        if root is None:
            raise self.protocol_error('a value of no class of the test')
        if number in self.over:
            return self.arrive(told[0], inert=True)
        return decode_derived(kind, root, told, lambda part: self.arrive(part, inert=True))

    def accepts(self, kind, desc):
        """True where an object that acts may be answered."""
        is_believed = self.believes(desc)
        return is_believed or kind is not None and self.is_vouched(kind)

    def callable(self, inert, calls):
        """True where something that can be called is believed."""
        return not inert and (calls or self.allows_in_test('callable', False))

    def wrap(self, desc, made, iterator, inert, calls):
        number, kind = desc['id'], desc['kind']
        if type(number) is not int or kind not in KINDS:
            raise self.protocol_error('an object without a description')
        if kind in ('class', 'function'):
            self.note_answered(number)
        if kind == 'class':
            found = self.class_of(desc)
            self.resolve()
            if calls and not inert or found._judge_id in self.known or self.callable(inert, calls):
                return found
        if inert and kind not in ('object', 'module') or kind in ('class', 'function') and not self.callable(inert, calls):
            method = Method(self, number, str(desc.get('name', 'class')))
            method._judge_inert, method._judge_desc = True, desc
            return method
        if kind == 'coroutine':
            async def made_later():
                return await self.wait(number)
            made = made_later()
            self.coroutines[made] = number
            return made
        own = self.class_of(desc['class']) if desc.get('class') else None
        # A module that no import of the suite names is an object like any other.
        is_object = kind == 'module' and not self.arriving.is_reached
        acting = desc.get('acts') is True and (kind != 'module' or is_object) and not inert and self.accepts(None, desc)
        if acting or is_object:
            kind = 'object'
        elif kind == 'object':
            if iterator and own is not None and '__next__' in own._judge_special:
                kind = 'iterator'
            else:
                acting = not inert and (made in SHOWN_BY_NAME or self.accepts(own, desc))
        # What can be called is believed as the result of a call, and not as an attribute.
        called = kind == 'object' and not acting and self.callable(inert, calls)
        stands = kind == 'object' and not acting and not inert and id(desc) in self.arriving.standing.containers
        is_live = stands and id(desc) in self.arriving.standing.live
        key = (number, kind, acting, called, *(('container', is_live) if stands else ()))
        if key in self.objects and kind == 'object' and self.is_twin(self.objects[key]):
            # Of what the test makes, each is another one.
            key = (*key, 'twin', len(self.objects) if self.is_making is not None or self.is_constructing else None)
        if key in self.objects:
            if kind == 'object':
                held_in(self.objects[key])['_judge_returned'] = True
            return self.objects[key]
        name = str(desc['name'])
        if kind == 'module':
            part = RemoteModule(name)
        elif kind == 'object':
            base = base_of_library(desc.get('library')) if own is None else getattr(own, '_judge_base', None)
            part = object.__new__(self.shape_of(own, Acting if acting else ActingContainer if stands else Inert, name, desc.get('special'), base))
            object.__setattr__(part, '_judge_made', made is True and acting or made == 'named')
            object.__setattr__(part, '_judge_frozen', {})
            object.__setattr__(part, '_judge_born', self.building)
            if called:
                object.__setattr__(part, '_judge_callable', True)
            if stands:
                object.__setattr__(part, '_judge_stands', True)
                object.__setattr__(part, '_judge_live', is_live)
        else:
            function = RemoteCoroutineFunction if desc.get('awaited') is True else RemoteFunction
            part = {'function': function, 'iterator': Iterator, 'async': AsyncIterator, 'context': Context,
                    'future': RemoteFuture}[kind]()
            if kind == 'function':
                object.__setattr__(part, '__name__', name)
                part._judge_binds, part._judge_stays = desc.get('binds') is True, desc.get('stays') is True
                part._judge_is_named = own is not None and '__set_name__' in own._judge_special
            elif kind in ('iterator', 'async'):
                part._judge_kind = name
            if kind in ('iterator', 'async', 'context', 'future'):
                object.__setattr__(part, '_judge_base', base_of_library(desc.get('library')))
        object.__setattr__(part, '_judge_id', number)
        object.__setattr__(part, '_judge_link', self)
        self.objects[key] = part
        if kind == 'object' and not self.is_constructing:
            self.note_answer(part)
        return part

    def shape_of(self, own, root, name, special, base):
        """The class of a stand-in, which is derived from `root`; `special`: the special methods of one of the library, where they are told; `base`:
        its class there."""
        if own is not None and root is Acting:
            return own
        told = None if type(special) is not list else [name for name in METHODS[Inert] if name in special]
        special = SPECIAL if type(special) is not list else [each for each in SPECIAL if each in special]
        key = (own and own._judge_id, root, name, base, told is None, *(told or ()))
        if key not in self.classes:
            equal = own._judge_equal if own else 'library' if compares_content(base) else 'identity'
            held = {'_judge_value': own._judge_value if own else None, '_judge_equal': equal,
                    '_judge_id': own._judge_id if own else -1, '_judge_special': own._judge_special if own else (),
                    '__doc__': DOC, '_judge_making': None, '_judge_keeps': own._judge_keeps if own else None,
                    '_judge_unhashable': own is not None and own._judge_unhashable}
            if base is not None:
                held['__class__'] = shown_class(base, self.suite)
            if root is Acting or root is ActingContainer and own is None:
                held['_judge_special'] = special
            if root is Acting:
                held.update(special_methods(special))
            else:
                known = own._judge_special if own is not None else METHODS[Inert] if told is None else told
                held.update((name, method) for name, method in METHODS[root].items() if name in known)
            if root is Inert:
                held.update(descriptors.methods(held['_judge_special']))
            made = type(name if name.isidentifier() else 'object', (root,), held)
            self.classes[key] = made
        return self.classes[key]

    def class_of(self, desc, depth=0):
        if desc is None:
            return None
        number = desc['id']
        if depth > 20 or type(number) is not int:
            raise self.protocol_error('a class without a description')
        if number not in self.classes and 'name' not in desc:
            desc = self.ask({'do': 'describe', 'of': number})['value']
            if desc.get('id') != number or 'name' not in desc:
                raise self.protocol_error('a class without a description')
        if number not in self.classes:
            self.classes[number] = self.extended_class(desc) or self.make_class(desc, depth)
        return self.classes[number]

    def make_class(self, desc, depth):
        name = str(desc['name'])
        self.check_size(name, desc)
        if 'enum' in desc:
            return self.make_enum(desc, name)
        bases = []
        plain = desc['exception'] or 'named' in desc
        for base in desc['bases'][:20]:
            if isinstance(base, dict):
                found = self.class_of(base, depth + 1)
                # An exception or a named tuple is a value here, whatever else its class is derived from.
                if not (plain and issubclass(found, Acting)):
                    bases.append(found)
            elif desc['exception']:
                bases.append(builtin_exception([base], RemoteError))
        held = {'_judge_special': [str(each) for each in desc['special']], '_judge_value': None, '_judge_equal': 'identity',
                '_judge_abstract': desc.get('abstract') is True, '_judge_protocol': protocol_in(desc), '__slots__': ('__dict__',),
                '_judge_making': Making(desc['making'], lambda told: self.arrive(told, inert=True)) if desc.get('making') else None,
                '_judge_keeps': self.keeping(desc.get('keeps')), '_judge_unhashable': desc.get('unhashable') is True,
                '_judge_has_methods': desc.get('methods') is True, '_judge_has_dictionary': desc.get('dictionary') is True,
                '_judge_overrides': frozenset(str(each) for each in desc.get('overrides', ()))}
        held['_judge_checks'] = desc['checks'] if desc.get('checks') in ('registered', 'classes', 'objects') else None
        base = base_of_library(desc.get('library'))
        held['_judge_base'] = None if plain else base
        if held['_judge_base'] is not None:
            held['__class__'] = shown_class(base, self.suite)

        if desc['exception']:
            root = RemoteException
            named = [base for base in desc['bases'] if type(base) is str]
            held.update(parts_of_errors(named, held['_judge_special'], desc.get('equal'), held['_judge_unhashable']))
            held['__init__'] = initializer(desc['id'])
            del held['__slots__']
        elif 'named' in desc:
            fields = [str(each) for each in desc['named']]
            root = collections.namedtuple(name if name.isidentifier() else 'Tuple', fields, rename=True)
            held.update(members_of_tuples(root, desc))
            del held['__slots__']
        else:
            root = Acting
            held['__doc__'] = property(lambda part: self.value({'do': 'get', 'of': id_of(part), 'name': '__doc__'}))
            del held['__slots__']
            # What a class has of its base, and denies.
            held.update((each, None) for base in bases for each in getattr(base, '_judge_special', ()) if each not in held['_judge_special'])
            held.update(special_methods(held['_judge_special']), __init__=initializer(desc['id']))
            if desc.get('value'):
                held['_judge_value'] = {'fields': [str(each) for each in desc['value']['fields']],
                                        'order': desc['value']['order'] is True, 'hash': desc['value']['hash'] is True,
                                        'unhashed': [str(each) for each in desc['value']['unhashed']]}
            if desc.get('given') in self.given_parts and desc['given'] not in self.over:
                held['__class__'] = shown_given(self.given[desc['given']], self.suite)
            held['__match_args__'] = tuple(str(each) for each in desc.get('match', ()))
            held['_judge_equal'] = desc['equal'] if desc['equal'] in ('value', 'own', 'base', 'library') else 'identity'
            if desc.get('dataclass'):
                import dataclasses
                fields = [(str(each), object, dataclasses.field(init=init is True, **({'default': None} if has_default is True else {})))
                          for each, init, has_default in desc['dataclass'] if str(each).isidentifier()]
                # Without methods: their source, which lists all fields, takes long to compile.
                shape = dataclasses.make_dataclass('Shape', fields, namespace={'__doc__': name}, init=False, repr=False, eq=False)
                held['__dataclass_fields__'] = shape.__dataclass_fields__
                held['__dataclass_params__'] = shape.__dataclass_params__
                shape.__dataclass_params__.frozen = desc.get('frozen') is True
        # Of what the artifact names, only plain exceptions and classes made here become bases.
        usable = tuple(base for base in bases if base is not object and base is not None) + (root,)
        try:
            made = RemoteClass(name, tuple(dict.fromkeys(usable)), dict(held))
        except TypeError:
            made = RemoteClass(name, (root,), dict(held))
        type.__setattr__(made, '_judge_id', desc['id'])
        type.__setattr__(made, '_judge_link', self)
        return made

    def check_size(self, name, desc):
        """Ends the run where a class describes more than any that a person has written."""
        told = {'dataclass': desc.get('dataclass'), 'named': desc.get('named'), 'value': (desc.get('value') or {}).get('fields'),
                'match': desc.get('match'), 'false': desc.get('false'), 'enum': desc['enum'][1] if 'enum' in desc else None, 'special': desc.get('special'),
                'operators': desc.get('operators'), 'hidden': desc.get('hidden')}
        for claim in ('making', 'keeps'):
            told.update(((claim, part), each) for part, each in (desc.get(claim) or {}).items() if type(each) is list)
        most = max((len(each) for each in told.values() if each), default=0)
        if most > MAX_DESCRIBED:
            raise self.protocol_error('a class (%s) of %d fields; a class may have %d' % (name[:100], most, MAX_DESCRIBED))

    def keeping(self, told):
        if told is None:
            return None
        try:
            return Keeping(told, lambda value: self.arrive(value, inert=True))
        except Exception:
            raise self.protocol_error('a class that says what cannot be')

    def make_enum(self, desc, name):
        """The same enumeration, made here: its members compare, sort and print as the real type's do."""
        root, pairs = desc['enum']
        values = [(str(key), self.arrive(value, inert=True)) for key, value in pairs]
        # Other names would not be members: `__eq__` would decide what a member equals.
        if any(key.startswith('_') and key.endswith('_') or key == 'mro' for key, _ in values):
            raise self.protocol_error('an enumeration with a member of a reserved name')
        values = [(key, value.kind if isinstance(value, InertBuiltin) else value) for key, value in values]
        try:
            made = enum_of(self, name, ROOTS[root], values, desc)
        except (TypeError, ValueError, KeyError) as error:
            raise self.protocol_error('an enumeration that is none (%s)' % error)
        type.__setattr__(made, '_judge_aliases', frozenset(key for key, member in made.__members__.items() if member._name_ != key))
        type.__setattr__(made, '_judge_asked', frozenset(str(each) for each in desc.get('asked', ())))
        type.__setattr__(made, '_judge_origin', desc['id'])
        type.__setattr__(made, '_judge_id', desc['id'])
        type.__setattr__(made, '_judge_link', self)
        return made

    def member_of(self, kind, number, name, value):
        if not isinstance(kind, enum.EnumMeta):
            raise self.protocol_error('a member of no enumeration')
        found = kind.__members__.get(name) if type(name) is str else None
        if found is None:
            found = kind(value)
        if type(number) is int:
            self.members.setdefault(key_of(found), number)
        return found

    def named_tuple(self, content, inert):
        desc, number, items = content
        kind = self.class_of(desc)
        if not (isinstance(kind, RemoteClass) and issubclass(kind, tuple)) or type(number) is not int:
            raise self.protocol_error('a named tuple of no such class')
        calls = self.is_vouched(kind)
        made = tuple.__new__(kind, [self.arrive(item, inert=inert, calls=calls) for item in items])
        held_in(made).update(_judge_id=number, _judge_at=self.made_count, _judge_live=not inert and id(content) in (self.arriving.objects or ()))
        return made


def protocol_in(desc):
    """The names of attributes of a protocol; None for any other class."""
    told = desc.get('protocol')
    return [name for name in told if type(name) is str] if type(told) is list and told else None
