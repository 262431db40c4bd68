"""Objects that a test makes of the artifact's classes, and what is believed when they are compared with answers.
Standard library only.

The artifact could give its answers the values of the objects that they are compared with, and those the values of its answers. So what
such an object holds is what it was given, by the rule of its class, and the artifact is not told of it before the test uses it in
another way. Where making one may do more, the artifact is told at once, and answers are read before that.
"""
import builtins
import copy
import enum
import json
import zlib

from codec import encode
from standard import encode_std
from suite_makers import makers_of

#: How classes are compared whose objects are values.
COMPARED = ('value', 'base', 'library')
FORGETS = 'its class %s does not keep or compare what it is given'
EARLY = 'told the artifact what is expected before it answered'
ELSE, CHANGES = 'makes something else', 'changes what it is given'
FORGETS_NAMES = 'does not say how it keeps what it is given'
MAX_DEPTH = 64
#: Tags of values that are told in another way when they are told again.
TOLD_AGAIN = frozenset(('$own', '$callback', '$local', '$enum', '$named', '$sub', '$error'))
#: How objects are made whose class compares them itself.
OPAQUE = json.dumps({'opaque': True})
#: Stands for a member of an enumeration of the artifact in what is noted of a reference.
MEMBER = {'$member': True}
COPIED = ('list', 'dict', 'set', 'tuple', 'frozenset')
CONTAINERS = ('list', 'dict', 'set', 'tuple', 'frozenset', 'str', 'bytes', 'bytearray', 'int', 'float', 'complex')
#: Most answers that are read before an object is made; most plain answers of a test that are kept, and parts of one that are looked at.
MAX_READ, MAX_PLAIN, MAX_PARTS = 2000, 2000, 100_000
#: Most answers that are read again, as they may have changed: each object of a test would read all others.
MAX_AGAIN = 20
#: Most answers of earlier tests that may be compared.
MAX_KEPT = 50
#: Most objects that the reference made at one place, of which some were only compared.
MAX_PLACES = 200
IMMUTABLE = (type(None), bool, int, float, complex, str, bytes)


def link_of(part):
    return object.__getattribute__(part, '_judge_link')


class StandIn:
    """Stands for an object of the artifact. Its `__dict__` is that of this object, for which its classes show the artifact's."""


OWN_DICTIONARY, ERROR_DICTIONARY = vars(StandIn)['__dict__'].__get__, vars(BaseException)['__dict__'].__get__


def held_in(part):
    """What is known of a stand-in in this box, by name."""
    own = OWN_DICTIONARY if isinstance(part, StandIn) else ERROR_DICTIONARY if isinstance(part, BaseException) else None
    return object.__getattribute__(part, '__dict__') if own is None else own(part)


def id_of(part):
    """The number of an object in the artifact's box, which is told of it now if it was not before."""
    held, link = held_in(part), link_of(part)
    if '_judge_id' not in held:
        link.make_now(part)
    if '_judge_given' in held and not link.is_making:
        held['_judge_used'] = True
    return held['_judge_id']


class Making:
    """How a class makes objects of what they are given."""

    def __init__(self, told, arrive):
        self.told, self.base, self.simple = told, told.get('base'), told.get('simple') is True
        #: True for objects that are compared by the `==` of their own class: what they hold is not known here.
        self.is_opaque = told.get('opaque') is True
        self.settable = told.get('settable') is True
        parameters = told.get('parameters')
        self.parameters = None if parameters is None else [(str(kind), str(name), optional is True) for kind, name, optional in parameters]
        self.constants = {str(name): value for name, value in told.get('constants', ())}
        self.compared = told.get('compared')
        self.arrive = arrive
        if self.base is not None and self.base not in CONTAINERS:
            raise ValueError('no container')

    def bind(self, args, kwargs):
        """What is given by the names of the parameters, or None where it does not fit."""
        if self.parameters is None or any(kind in ('args', 'kwargs') for kind, _, _ in self.parameters):
            return None
        names = [name for kind, name, _ in self.parameters if kind in ('only', 'both')]
        given = dict(zip(names, args))
        if len(args) > len(names) or any(key in given for key in kwargs):
            return None
        given.update(kwargs)
        known = {name for kind, name, _ in self.parameters if kind != 'only'}
        if not set(kwargs) <= known or any(name not in given for _, name, optional in self.parameters if not optional):
            return None
        return given

    def constant(self, name):
        return self.arrive(self.constants[name])

    def beside(self, own):
        """The same with what the artifact's class says of members of its enumerations; None where it does not."""
        missing = [name for name, told in self.constants.items() if told == MEMBER]
        if not missing:
            return self
        if own is None or not set(missing) <= set(own.constants):
            return None
        constants = {**self.constants, **{name: own.constants[name] for name in missing}}
        return Making({**self.told, 'constants': list(constants.items())}, self.arrive)

    def kinds(self, is_tuple):
        """How classes are compared whose objects are made like this."""
        return ('own',) if self.is_opaque else ('base', 'library') if self.base else ('identity',) if is_tuple else ('value',)

    def content(self, args, kwargs):
        """What a container holds that is made of these arguments."""
        return getattr(builtins, self.base)(*args, **kwargs)


class Given:
    """What the test gave an object, and how the artifact was told of it.

    `told`: None before it was; the number of the object where it was told only by making it; else False.
    """

    def __init__(self, making, args, kwargs, told):
        self.making, self.args, self.kwargs, self.told = making, args, kwargs, told
        #: True where the artifact was told of it because the test has read it.
        self.is_read = False
        #: True where another object was made of it.
        self.is_passed = False
        self.names = None if making is None or making.base is not None else making.bind(args, kwargs)
        #: What the test may still change in its arguments, as it is now, by index or name.
        self.copies = {}
        if making is not None and making.base in COPIED:
            self.copy()

    def copy(self):
        """Keeps the content of a container as it is now: an iterator gives it once, and the test may change what it gave."""
        try:
            self.args, self.kwargs = (self.making.content(self.args, self.kwargs),), {}
        except Exception:
            self.making = None

    def copy_parts(self):
        """Keeps containers as they are now, for a class that may have copied them."""
        self.copies = {key: copied(value) for key, value in (*enumerate(self.args), *self.kwargs.items()) if type(value) in (list, dict, set)}

    def settle(self):
        """Goes back to what containers were when the object was made, where the test has changed them since."""
        if self.copies:
            held, self.copies = self.copies, {}
            told = [(key, value, held.get(key, value)) for key, value in (*enumerate(self.args), *self.kwargs.items())]
            kept = {key: value if same(value, before) else before for key, value, before in told}
            self.args, self.kwargs = tuple(kept[at] for at in range(len(self.args))), {name: kept[name] for name in self.kwargs}
            self.names = self.making.bind(self.args, self.kwargs)

    def fits(self):
        if self.making is None:
            return False
        if self.making.is_opaque:
            return True
        if self.making.base is None:
            return self.names is not None
        try:
            self.making.content(self.args, self.kwargs)
        except Exception:
            return False
        return True

    def covers(self, kind, is_tuple):
        """True where all that an object is compared by is known, and nothing that was given is left out."""
        if is_tuple:
            return set(self.names) <= set(kind._fields) and all(map(self.knows, kind._fields))
        if kind._judge_equal != 'value':
            return True
        fields = (kind._judge_value or {'fields': ()})['fields'] if self.making.compared is None else self.making.compared
        return all(map(self.knows, fields))

    def holds(self, content):
        """True where a container of this content holds what was given."""
        return self.making is not None and self.making.base is not None and self.fits() and self.making.content(self.args, self.kwargs) == content

    def is_like(self, value):
        """True for a plain value that is what was given."""
        if len(self.args) == 1 and not self.kwargs and same(value, self.args[0]):
            return True
        try:
            return type(value) is dict and value == dict(*self.args, **self.kwargs)
        except (TypeError, ValueError):
            return False

    def set_part(self, name, value):
        """Notes what the test sets in an object of a class with a `==` of its own. False where the artifact has to do that."""
        return False

    def attributes(self, own):
        """All attributes by name, of an object whose class keeps what it is given as `own` says; None where they are not known."""
        if own is None:
            return None
        names = [*(name for _, name, _ in own.parameters or ()), *own.constants]
        found = {name: self.field(name, own) for name in names}
        return None if None in found.values() else {name: value for name, (value,) in found.items()}

    def field(self, name, own):
        """The value of a field in a list; None where it is not known."""
        if self.names is not None and name in self.names:
            return [self.names[name]]
        if name not in own.constants:
            return None
        # What a class makes for each object could be changed by the test.
        value = own.constant(name)
        return [value] if type(value) in IMMUTABLE else None

    def set_later(self):
        """What the test has set in it, by name."""
        return ()

    def reached(self):
        """Objects that the artifact may change with this one."""
        return ()

    def of_copy(self, original):
        """The same for a copy that the artifact has made, which it has known as long."""
        found = copy.copy(self)
        found.is_read = False
        # At its own place, a reference may have shown how the object is made: not the copy.
        if self.making is not None and self.making.compared is not None:
            found.making = type(original)._judge_making
            found.names = found.making.bind(self.args, self.kwargs) if found.making is not None else None
        return found

    def knows(self, name):
        return self.names is not None and (name in self.names or name in self.making.constants)

    def value(self, name):
        return self.names[name] if name in self.names else self.making.constant(name)


def copied(part):
    """A container with containers in it, and not with other parts, as copies."""
    if type(part) is dict:
        return {key: copied(value) for key, value in part.items()}
    return [copied(each) for each in part] if type(part) is list else set(part) if type(part) is set else part


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


def use(part):
    """Notes that the artifact may have changed an object since the test made it."""
    held = held_in(part)
    held.pop('_judge_kept', None)
    if '_judge_given' in held:
        given = held['_judge_given']
        id_of(part)
        held['_judge_used'] = True
        del held['_judge_given']
        for each in given.reached():
            use(each)


def is_pure(part):
    """True where the class of an object says that making one does nothing but keep what it is given."""
    making = type(part)._judge_making
    return making is not None and making.simple


def is_simple(part):
    """The same for a class with fields."""
    return is_pure(part) and type(part)._judge_making.base is None


def set_field(part, name, value):
    """Sets a field of an object of which the artifact has not been told. False where the artifact has to do that."""
    given = given_of(part)
    if is_waiting(part) and given.set_part(name, value):
        return True
    if not is_waiting(part) or given.names is None or not is_simple(part) or not type(part)._judge_making.settable:
        return False
    if name not in {each for _, each, _ in given.making.parameters}:
        return False
    given.args, given.kwargs, given.names = (), {**given.names, name: value}, {**given.names, name: value}
    return True


def is_set(part, name, value):
    """Notes what the test sets in an object that the artifact knows. False for one that the artifact may have changed."""
    given = given_of(part)
    if given is None or is_waiting(part):
        return False
    given.parts = {**given.parts, name: value}
    return True


def field_of(part, name):
    """The value of a field of an object of which the artifact has not been told, in a list; None where the artifact has to say."""
    if not is_waiting(part) or not is_simple(part):
        return None
    return given_of(part).field(name, type(part)._judge_making)


def attributes_given(part):
    """All attributes of an object of which the artifact has not been told, by name; None where the artifact has to say."""
    own = type(part)._judge_making if is_simple(part) else None
    return given_of(part).attributes(own) if is_waiting(part) and type(part)._judge_has_dictionary else None


def names_compared(left, right):
    """The fields by which two objects of one data class are compared."""
    fields = type(left)._judge_value['fields']
    for part in (left, right):
        given = given_of(part)
        if given is not None and given.told is None and given.making.compared is not None:
            if not set(given.making.compared) <= set(fields):
                raise link_of(part).refuse(FORGETS % type(part).__name__)
            fields = given.making.compared
    return fields


def values_of(part, names):
    """The values of fields: of an object that the artifact does not know, what it was given."""
    given = given_of(part)
    if is_local(part) and all(given.knows(name) for name in names):
        given.settle()
        return [given.value(name) for name in names]
    return link_of(part).value_list({'do': 'fields', 'of': number_of(part), 'names': list(names)})


def plain_of(part):
    """What an object of a class contains that is derived from a type of the language."""
    if is_local(part):
        return given_of(part).making.content(given_of(part).args, given_of(part).kwargs)
    return link_of(part).value({'do': 'plain', 'of': number_of(part)})


def number_of(part):
    held = held_in(part)
    return held['_judge_id'] if '_judge_id' in held else id_of(part)


def pair_of(left, right, read):
    """What two objects hold. Answers first: they are not to know what they are compared with."""
    held_in(left)['_judge_compared'] = held_in(right)['_judge_compared'] = True
    if given_of(left) is None:
        first = read(left)
        return first, read(right)
    second = read(right)
    return read(left), second


def values_equal(left, right):
    """Equality of two objects of one data class."""
    names = names_compared(left, right)
    values = pair_of(left, right, lambda part: values_of(part, names))
    if not values[0] == values[1]:
        return False
    vouch(left, right, values)
    return True


def contents_equal(left, right):
    """Equality of two objects of classes that are derived from one type of the language."""
    values = pair_of(left, right, plain_of)
    if not values[0] == values[1]:
        return False
    vouch(left, right, values)
    return True


def values_ordered(left, right, order):
    """What an operator of order says of two objects of a data class that leaves it to @dataclass."""
    names = names_compared(left, right)
    values = pair_of(left, right, lambda part: tuple(values_of(part, names)))
    found = order(*values)
    vouch(left, right, values)
    return found


def vouch(left, right, values):
    """Refuses a comparison of an answer with an object of the test that the artifact knew before, or whose class could give it any
    value."""
    for part, other, own, others in ((left, right, *values), (right, left, *reversed(values))):
        given, link = given_of(part), link_of(part)
        if given is None or given_of(other) is not None:
            continue
        is_told = type(given.told) is int
        if type(part)._judge_equal == 'value':
            names = names_compared(left, right)
            if given.making is not None and given.making.compared is None and not set(given.names or ()) <= set(names):
                link.doubt(part, 'does not compare what it is given')
            if is_told and given.names is None:
                link.doubt(part, FORGETS_NAMES)
            elif is_told and any(given.knows(name) and not same(given.value(name), value) for name, value in zip(names, own)):
                link.doubt(part, CHANGES)
        elif is_told and not given.holds(own):
            link.doubt(part, CHANGES)
        read = held_in(other).get('_judge_read')
        if is_copy(part, other) or given.is_read and held_in(other).get('_judge_came', -1) >= given.told:
            continue
        if is_told and (read is None or read[0] >= given.told or not same(read[1], list(others) if type(others) is tuple else others)):
            link.doubt_early(part)


def is_copy(part, other):
    """True for an object and a copy of it: what the test gave the one is all that is expected of the other."""
    return held_in(part).get('_judge_original') is other or held_in(other).get('_judge_original') is part


def vouch_plain(part, held, value):
    """The same for a plain value: as an answer it may be what the object was given, or the object may have taken it."""
    given, link = given_of(part), link_of(part)
    if given is None or type(given.told) is not int or given.is_read:
        return
    came = link.answered_at(value)
    if came is None:
        return
    if issubclass(type(part), tuple):
        if given.names is None or not set(given.names) <= set(type(part)._fields):
            link.doubt(part, FORGETS_NAMES)
        elif any(given.knows(name) and not same(given.value(name), each) for name, each in zip(type(part)._fields, held)):
            link.doubt(part, CHANGES)
    elif not given.holds(held):
        link.doubt(part, CHANGES)
    if came >= given.told:
        link.doubt_early(part)


def held_before(left, right):
    """The answer of two objects that their own class compares, with its parts and text as they are before the artifact is told of the
    other one; None where it knows both."""
    held_in(left)['_judge_compared'] = held_in(right)['_judge_compared'] = True
    waiting = [part for part in (left, right) if is_waiting(part)]
    if len(waiting) != 1:
        return None
    part = right if waiting[0] is left else left
    told = link_of(part).ask({'do': 'held', 'of': number_of(part)})['value']
    if type(told) is not list or len(told) != 2 or type(told[0]) is not list:
        raise link_of(part).protocol_error('an answer that is no list')
    return part, {str(name): link_of(part).arrive(value) for name, value in told[0]}, told[1]


def unchanged(before, parts, texts, is_left):
    """Refuses an answer that has become another one since the test made the object with which it is compared."""
    part, held, text = before
    looked = [(name, one if is_left else two) for is_looked_at, one, two, name in parts if is_looked_at]
    if any(name not in held or not same(held[name], value) for name, value in looked) or texts and texts[0 if is_left else 1] != text:
        raise link_of(part).refuse('changes an answer (%s) while it is compared' % type(part).__name__)


def vouch_tuples(left, right):
    """The same as `vouch` for named tuples, which are values from the moment at which they arrive."""
    held_in(left)['_judge_compared'] = held_in(right)['_judge_compared'] = True
    for part, other in ((left, right), (right, left)):
        given, link = given_of(part), link_of(part)
        if given is None or given_of(other) is not None or type(given.told) is not int or given.is_read:
            continue
        fields = type(part)._fields
        if given.names is None or not set(given.names) <= set(fields):
            link.doubt(part, FORGETS_NAMES)
        elif any(given.knows(name) and not same(given.value(name), value) for name, value in zip(fields, part)):
            link.doubt(part, CHANGES)
        if held_in(other).get('_judge_at', given.told) >= given.told:
            link.doubt_early(part)


def same(one, other):
    """Equality of values; of objects of the artifact, that they are the same."""
    if is_stand_in(one) or is_stand_in(other):
        numbers = [held_in(each).get('_judge_id') if is_stand_in(each) else None for each in (one, other)]
        return one is other or numbers[0] is not None and numbers[0] == numbers[1]
    if type(one) is type(other) and type(one) in (list, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one is other or one == other


def same_given(one, other):
    """True for the same arguments, by position and by name."""
    names = sorted(one[1])
    return same(one[0], other[0]) and names == sorted(other[1]) and all(same(one[1][name], other[1][name]) for name in names)


def is_stand_in(part):
    return hasattr(type(part), '_judge_equal')


class Expecting:
    """The part of a link that makes objects for the test."""

    def begin_expecting(self):
        #: Answers that could be compared: of the running test, and those that tests share.
        self.answers, self.shared_answers = [], []
        #: Objects that were told of by making them, the number of the one that is being made, and how often answers could change.
        self.made_count, self.is_making, self.is_constructing, self.changes = 0, None, False, 0
        #: What an object is made of now; plain answers of the running test, with how many objects were made before.
        self.is_given, self.plain_answers = ((), {}), []
        #: How many objects the running test has made at each place; where the reference's objects knew what they were compared with.
        self.made_at, self.early = {}, []
        #: Names that the suite's files call like classes; None before they are asked for.
        self.suite_makers = None
        #: Places at which the reference refused to make an object.
        self.failed_places = set()
        #: How the reference made objects by place, the objects, and places at which it did not keep what it was given.
        self.learnt_makings, self.learnt_made, self.unlike = {}, [], set()
        #: Places at which the artifact is told of objects when the test uses them, and those at which it is told at once.
        self.waits, self.keeps = {}, {}
        #: What answers held when the test made the next object, by number, with how often answers could have changed before.
        self.read_parts = {}
        for each in self.shapes or ():
            for found, mark in ((self.waits, ':waits='), (self.keeps, ':keeps=')):
                place, is_found, told = each.partition(mark)
                if is_found:
                    found[place] = Making(json.loads(told), self.arrive)

    def begin_answers(self):
        known = set(map(id, self.shared_answers))
        self.answers = [*self.shared_answers, *[each for each in self.answers if id(each) not in known][-MAX_KEPT:]]
        self.plain_answers, self.made_at = [], {}

    def note_answer(self, part):
        shared = self.sharing > 0 or not self.test
        held_in(part).setdefault('_judge_came', self.made_count)
        self.answers.append(part)
        if shared:
            self.shared_answers.append(part)

    def note_plain(self, value):
        if self.is_making is None and not self.is_constructing and not is_stand_in(value) and len(self.plain_answers) < MAX_PLAIN:
            self.plain_answers.append((self.made_count, value))

    def answered_at(self, value):
        """How many objects were made when a value was last answered by itself or in another; None for one that was not."""
        left = MAX_PARTS
        for count, answer in reversed(self.plain_answers):
            pending = [answer]
            while pending and left:
                part, left = pending.pop(), left - 1
                if type(part) is type(value) and part == value:
                    return count
                if isinstance(part, (list, tuple, set, frozenset)):
                    pending.extend(part)
                elif isinstance(part, dict):
                    pending.extend(part.values())
        return None if left else self.made_count

    def is_twin(self, part):
        """True for an object that stands for both an answer and what the test has made, and not given: they are not the same, unless
        they were with the reference."""
        held = held_in(part)
        if self.is_making is not None or self.is_constructing:
            is_other = '_judge_new' not in held or not same_given(held['_judge_new'], self.is_given)
            is_given = any(part is each for each in (*self.is_given[0], *self.is_given[1].values()))
            return any(self.is_given) and not is_given and is_other and not self.allows('same', False)
        given = given_of(part)
        is_kept = '_judge_kept' in held or given is not None and type(given.told) is int and not given.is_read and not given.is_passed
        return is_kept and not self.allows('same', False)

    def places(self):
        """The place at which the test makes an object, and the same with the number of the object in the running test. Both are empty
        without a reference."""
        place = '' if self.is_alone() else (self.site('makes') or '').rpartition(':')[0]
        if not place:
            return '', ''
        count = self.made_at[place] = self.made_at.get(place, 0) + 1
        return place, '%s#%08x#%d' % (place, zlib.crc32(self.test.encode('utf-8', 'surrogatepass')), count)

    def doubt(self, part, reason, op='word'):
        """Fails the test where nothing but the artifact vouches for a comparison, and did for that of the reference."""
        self.doubt_class(type(part), reason, op)

    def doubt_class(self, kind, reason, op):
        is_trusted = kind._judge_id in self.trusted or bool(self.settings.get('remote_eq'))
        if not is_trusted and not self.allows(op, False):
            raise self.refuse('its class %s %s; name it in `objects`, or add a reference' % (kind.__name__, reason))

    def doubt_early(self, part):
        if self.learning:
            # Whether an artifact will know the object as early is known in the end.
            self.early.append((self.site('early'), part))
        else:
            self.doubt(part, EARLY, 'early')

    def expect(self, kind, args, kwargs, places):
        """An object of which the artifact is told when the test uses it; None where it has to be told at once."""
        own = kind._judge_making
        if self.learning:
            return None
        if self.agrees(kind):
            return self.expect_kept(kind, args, kwargs)
        learnt = self.waits.get(places[0]) or self.waits.get(places[1])
        is_tuple = issubclass(kind, tuple) and kind._judge_equal not in COMPARED
        found = [learnt and learnt.beside(own), own if own is not None and own.simple else None]
        making = next((each for each in found if each is not None and kind._judge_equal in each.kinds(is_tuple)), None)
        if making is None:
            return None
        if not is_tuple and not self.accepts(kind):
            return None
        given = Given(making, args, kwargs, None)
        if not given.fits() or not given.covers(kind, is_tuple):
            return None
        if making.base is None and not (own is not None and own.simple):
            given.copy_parts()
        if is_tuple:
            part = tuple.__new__(kind, [given.value(name) for name in kind._fields])
            held_in(part).update(_judge_given=given, _judge_link=self, _judge_new=(args, kwargs))
            return part
        part = object.__new__(kind)
        held_in(part).update(_judge_given=given, _judge_link=self, _judge_made=True, _judge_frozen={}, _judge_new=(args, kwargs))
        if kind._judge_equal == 'own':
            held_in(part)['_judge_kept'] = True
        return part

    def make(self, kind, args, kwargs, places):
        """An object of which the artifact is told now. It may know what the test expects from here on: answers are read before."""
        op = {'do': 'call', 'of': kind._judge_id}
        self.read_answers()
        if kind._judge_equal not in COMPARED and not issubclass(kind, tuple) and not self.agrees(kind):
            return self.make_opaque(kind, op, args, kwargs, places)
        outer, outer_given = self.is_making, self.is_given
        if outer is None:
            self.made_count += 1
            self.is_making = self.made_count
        self.is_given = args, kwargs
        # What an iterator gives is gone afterwards.
        given = Given(None if any(hasattr(each, '__next__') for each in args) else kind._judge_making, args, kwargs, self.is_making)
        try:
            part = self.call(op, args, kwargs, made=True)
            if self.check_made(kind, part, given) and not any(part is each for each in args):
                self.note_made(kind, part, self.given_to(kind, args, kwargs, given.told) if self.agrees(kind) else given, places)
        except Exception:
            self.failed_places.add(places[0])
            raise
        finally:
            self.is_making, self.is_given = outer, outer_given
        return part

    def check_made(self, kind, part, given):
        """True for an object of the class that the test has called; refuses anything else that is not what it was given."""
        if isinstance(part, kind):
            return True
        own = self.classes.get(type(part)._judge_id) if is_stand_in(part) else None
        if isinstance(own, type) and issubclass(own, kind):
            return True
        if not given.is_like(part):
            self.doubt_class(kind, ELSE, 'else')
        return False

    def make_opaque(self, kind, op, args, kwargs, places):
        """An object of a class that does not leave its comparison to the language."""
        changes, outer = self.changes, (self.is_constructing, self.is_given)
        self.is_constructing, self.is_given = True, (args, kwargs)
        try:
            part = self.call(op, args, kwargs, made=True)
        except Exception:
            self.failed_places.add(places[0])
            raise
        finally:
            self.is_constructing, self.is_given = outer
        if is_plain(args, kwargs):
            self.changes = changes
        is_error = issubclass(kind, Exception)
        if not is_error and not self.check_made(kind, part, Given(None, args, kwargs, None)) or is_error:
            return part
        held_in(part)['_judge_new'] = args, kwargs
        if kind._judge_equal == 'own':
            held_in(part)['_judge_kept'] = True
            if self.learning and type(part) is kind and places[0]:
                held_in(part)['_judge_given'] = Given(None, args, kwargs, self.made_count)
                self.learnt_makings.setdefault(places[0], OPAQUE)
                self.learnt_made.append((*places, part))
        return part

    def makes_like_class(self, name):
        """True for a name whose results the suite compares with answers, or gives to the artifact."""
        if self.suite_makers is None:
            self.suite_makers = makers_of(self.settings['suite'])
        return name in self.suite_makers

    def make_by(self, args, kwargs, call, name):
        """What a function makes that has the name of a class. Its class has not said how it keeps what it is given."""
        self.read_answers()
        self.made_count += 1
        told, outer = self.made_count, (self.is_constructing, self.is_given)
        self.is_constructing, self.is_given = True, (args, kwargs)
        try:
            part = call()
        finally:
            self.is_constructing, self.is_given = outer
        if is_stand_in(part) and not isinstance(part, Exception) and not any(part is each for each in (*args, *kwargs.values())):
            held = held_in(part)
            held['_judge_new'] = args, kwargs
            held.setdefault('_judge_given', self.given_to(None, args, kwargs, told) if self.agrees(type(part)) else Given(None, args, kwargs, told))
            if type(part)._judge_equal == 'own':
                held['_judge_kept'] = True
        elif not is_stand_in(part) and (args or kwargs) and self.makes_like_class(name) and not Given(None, args, kwargs, None).is_like(part):
            if not self.allows('else', False):
                raise self.refuse('its class %s %s; add a reference' % (name, ELSE))
        return part

    def make_copy(self, part, call):
        """A copy of an object that the artifact makes: it has to hold what the test gave that object, and is another one."""
        given, outer = given_of(part), (self.is_constructing, self.is_given)
        self.is_constructing, self.is_given = True, ((part,), {})
        try:
            found = call()
        finally:
            self.is_constructing, self.is_given = outer
        if found is part and not self.allows('same', False):
            raise self.refuse('its class %s answers the object itself for a copy; a reference allows it' % type(part).__name__)
        if is_stand_in(found):
            held_in(found)['_judge_original'] = part
        if given is not None and is_stand_in(found) and not objects_in([*given.args, *given.kwargs.values()]):
            held_in(found).update(_judge_given=given.of_copy(part), _judge_new=(given.args, given.kwargs))
        elif is_stand_in(found):
            self.note_answer(found)
        return found

    def make_now(self, part):
        """Tells the artifact of an object that the test has made before."""
        given, kind = given_of(part), type(part)
        given.settle()
        if self.is_making is None:
            self.read_answers()
            self.made_count += 1
            given.is_read = True
        given.told = self.is_making or self.made_count
        changes = self.changes
        told = self.send_call({'do': 'call', 'of': kind._judge_id}, given.args, given.kwargs, is_use=False)[0]['value']
        number = self.made_number(kind, told)
        self.set_parts(number, given)
        if is_plain(given.args, given.kwargs):
            self.changes = changes
        held_in(part)['_judge_id'] = number
        if not issubclass(kind, tuple):
            known = self.objects.setdefault((number, 'object', True, False), part)
            if known is not part and not self.allows('same', False):
                raise self.refuse('its class %s %s' % (kind.__name__, ELSE))
            self.note_answer(part)

    def made_number(self, kind, told):
        """The number of an object that the artifact was asked to make."""
        tag, content = next(iter(told.items())) if type(told) is dict and len(told) == 1 else ('', None)
        desc = number = None
        if tag == '$named':
            desc, number = content[0], content[1]
        elif tag in ('$handle', '$sub'):
            described = content if tag == '$handle' else content[0]
            desc, number = described['class'], described['id']
        if desc is None or desc['id'] != kind._judge_id or type(number) is not int:
            raise self.refuse('its class %s %s' % (kind.__name__, ELSE))
        return number

    def note_made(self, kind, part, given, places):
        if type(part)._judge_id != kind._judge_id:
            given = Given(None, given.args, given.kwargs, given.told)
        kind, held = type(part), held_in(part)
        held.update(_judge_given=given, _judge_new=self.is_given)
        if self.agrees(type(part)):
            if type(given) is Given:
                held['_judge_given'] = given = self.given_to(None, given.args, given.kwargs, given.told)
            earlier = held.setdefault('_judge_first', given)
            if not same([*earlier.args], [*given.args]) or earlier.kwargs != given.kwargs:
                raise self.refuse('its class %s answers an object that it has made before' % kind.__name__)
            return
        if self.learning:
            self.learn_made(part, given, places)
        elif places[0] in self.keeps and given.making is not None:
            given = Given(self.keeps[places[0]], given.args, given.kwargs, given.told)
            names = [name for name in given.making.compared if given.names is not None and name in given.names]
            fields = kind._fields if issubclass(kind, tuple) else (kind._judge_value or {'fields': ()})['fields']
            if given.names is not None and (not set(names) <= set(fields) or
                                            not same([given.value(name) for name in names], self.reported(part, names))):
                raise self.refuse(FORGETS % kind.__name__)

    def reported(self, part, names):
        if isinstance(part, tuple):
            return [tuple.__getitem__(part, type(part)._fields.index(name)) for name in names]
        return self.value_list({'do': 'fields', 'of': number_of(part), 'names': list(names)})

    def learn_made(self, part, given, places):
        """Notes how the reference makes objects at a place, if it keeps what it is given."""
        kind, place, making = type(part), places[0], given.making
        if making is None or not place:
            return
        if making.base is not None:
            if given.fits() and making.content(given.args, given.kwargs) == plain_of(part):
                self.learnt_makings.setdefault(place, json.dumps({'base': making.base, 'simple': making.simple}))
                self.learnt_made.append((*places, part))
            else:
                self.unlike.add(place)
            return
        fields = kind._fields if issubclass(kind, tuple) else kind._judge_value['fields']
        fields = [name for _, name, _ in making.parameters or () if name in fields]
        values = dict(zip(fields, self.reported(part, fields)))
        if given.names is None or not all(same(given.names[name], values[name]) for name in fields if name in given.names):
            self.unlike.add(place)
            return
        constants = {}
        for name in fields:
            if name not in given.names:
                try:
                    constants[name] = MEMBER if isinstance(values[name], enum.Enum) else encode(values[name], plainly)
                except TypeError:
                    self.unlike.add(place)
        told = json.dumps({**making.told, 'constants': sorted(constants.items()), 'compared': fields}, sort_keys=True)
        if self.learnt_makings.setdefault(place, told) != told:
            self.unlike.add(place)
        self.learnt_made.append((*places, part))

    def makings_found(self):
        """Places at which an artifact's objects wait, as the reference's were only compared, or keep what they are given; and those of
        comparisons at which it knows the object before."""
        used, compared = set(self.failed_places), {}
        for place, exact, part in self.learnt_made:
            if ('_judge_used' in held_in(part) or '_judge_compared' not in held_in(part)) and not is_pure(part):
                used.add(place)
            else:
                compared.setdefault(place, {})[exact] = part
        found, waiting = [], set()
        for place, told in self.learnt_makings.items():
            parts = compared.get(place, {})
            if place in self.unlike or place in used and len(parts) > MAX_PLACES:
                parts = {}
            waiting.update(map(id, parts.values()))
            if place not in self.unlike and place not in used:
                found.append('%s:waits=%s' % (place, told))
            elif place not in self.unlike:
                found += ['%s:waits=%s' % (exact, told) for exact in parts]
                found += ['%s:keeps=%s' % (place, told)] if '"compared"' in told else []
        return found + [place for place, part in self.early if place is not None and id(part) not in waiting]

    def read_answers(self):
        """Reads what answers hold, and what objects in them do, as long as the artifact does not know more."""
        for _ in range(MAX_DEPTH):
            unread = []
            known = len(self.answers) - MAX_AGAIN
            for at, part in enumerate(self.answers[-MAX_READ:], max(0, len(self.answers) - MAX_READ)):
                read = held_in(part).get('_judge_read')
                is_due = read is None or at >= known and read[2] != self.changes
                if given_of(part) is None and is_due and not any(part is each for each in unread[-1:]):
                    unread.append(part)
            if not unread:
                return
            told = self.ask({'do': 'read', 'of': number_of(unread[0]), 'parts': [[number_of(part), *wanted_of(part)] for part in unread]})['value']
            if type(told) is not list or len(told) != len(unread) or any(type(each) is not list or len(each) != 2 for each in told):
                raise self.protocol_error('an answer that is no list')
            for part, (values, parts) in zip(unread, told):
                values = self.arrive(values[0]) if type(values) is list and len(values) == 1 else None
                before = held_in(part).get('_judge_read')
                is_same = before is not None and same(before[1], values)
                held_in(part)['_judge_read'] = before[0] if is_same else self.made_count, values, self.changes
                self.read_parts[number_of(part)] = self.changes, {str(name): value for name, value in parts or ()}

    def check_read(self, number, name, told):
        """Refuses an attribute of an answer that has changed though the test has only made objects since."""
        changes, parts = self.read_parts.get(number, (None, {}))
        if name == '__dict__' and type(told) is dict and type(told.get('$dict')) is list:
            for each, value in told['$dict']:
                self.check_read(number, each, value)
        if changes != self.changes or type(name) is not str or name not in parts:
            return
        try:
            if outline(parts[name]) == outline(told):
                return
        except ValueError:
            return
        if not self.allows('changed part', False):
            raise self.refuse('changes what it has answered (%s) when the test makes another object' % name)


def objects_in(value, depth=0):
    """Objects of the artifact that a value is or contains."""
    if hasattr(type(value), '_judge_keeps'):
        return [value]
    items = value.values() if type(value) is dict else value if type(value) in (list, tuple, set, frozenset) and depth < 4 else ()
    return [found for each in items for found in objects_in(each, depth + 1)]


def is_plain(args, kwargs):
    """True for arguments that are no objects or functions: what is made of them changes nothing else."""
    return not any(hasattr(type(each), '_judge_link') or callable(each) for each in (*args, *kwargs.values()))


def wanted_of(part):
    """What is read of an answer: its fields, what it contains, or nothing but its parts."""
    equal = type(part)._judge_equal
    if equal == 'own' and link_of(part).agrees(type(part)):
        return ['own', None]
    return [equal if equal in COMPARED else None, type(part)._judge_value['fields'] if equal == 'value' else None]


def outline(told):
    """A value of the artifact as it was told, with objects by their numbers only.

    Raises ValueError where it holds what is told in more than one way.
    """
    if type(told) is list:
        return [outline(each) for each in told]
    if type(told) is not dict:
        return told
    if '$handle' in told and type(told['$handle']) is dict:
        return {'$handle': told['$handle'].get('id')}
    if not TOLD_AGAIN.isdisjoint(told):
        raise ValueError('told otherwise the next time')
    return {tag: outline(held) for tag, held in told.items()}


def plainly(part, walk):
    """A value of the library on its way into what is noted of a reference."""
    told = encode_std(part, walk)
    if told is None:
        raise TypeError('an object')
    return told
