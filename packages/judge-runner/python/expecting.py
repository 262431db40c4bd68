"""Objects that a test makes of the artifact's classes. Standard library only.

The artifact could give its answers the values of the objects that they are compared with, and those the values of its answers. So what
such an object holds is what it was given, by the rule of its class, and the artifact is not told of it before the test uses it in
another way. Where making one may do more, the artifact is told at once, and answers are read before that.
"""
import zlib

from answer_paths import made_in
from answers import Answers
from equality import CHANGES, COMPARED, EARLY, ELSE, FORGETS_NAMES
from fields import FORGETS, hold_containers
from kept import keeps
from given import Given, Making
from learning import OPAQUE, Learning
from remote import RemoteFunction
from stand_in import given_of, held_in, is_plain, is_stand_in, number_of, objects_in, same
from standard import is_namespace
from suite_makers import makers_of


#: How objects are made that their own class compares, whatever those of the reference are.
UNKNOWN = Making({'opaque': True}, None)


class Expecting(Answers, Learning):
    """The part of a link that makes objects for the test."""

    def begin_expecting(self):
        self.begin_answering()
        self.begin_learning()
        #: Objects that were told of by making them, the number of the one that is being made, and how often answers could change.
        self.made_count, self.is_making, self.is_constructing, self.changes = 0, None, False, 0
        #: True while an object is made of plain values, which changes no answer.
        self.is_making_plainly = False
        #: What an object is made of now, and how many objects the running test has made at each place.
        self.is_given, self.made_at = ((), {}), {}
        #: Names that the suite's files call like classes; None before they are asked for.
        self.suite_makers = None

    def begin_making(self):
        self.begin_answers()
        self.made_at = {}

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
        # Where the reference compared by an operator of its own, what its objects were given said nothing either.
        if reason in (CHANGES, FORGETS_NAMES) and self.shapes is not None and self.allows('comparison', False):
            return
        self.doubt_class(type(part), reason, op)

    def compares_all(self, part, other, names):
        """True for objects that a constructor of their own makes and that hold nothing else than what is compared, where the reference compared by an
        operator of its own."""
        if self.shapes is None or not self.allows('comparison', False):
            return False
        held = [self.ask_state(number_of(each)) for each in (part, other)]
        return all(held) and all(set(each) <= set(names) for each in held)

    def doubt_class(self, kind, reason, op):
        if not self.is_trusted(kind) and not self.settings.get('remote_eq') and not self.allows(op, False):
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
        if self.learning or self.is_made_otherwise(kind):
            return None
        learnt = self.waits.get(places[0]) or self.waits.get(places[1])
        is_idle = places[0] + ':idle' in (self.shapes or ())
        if self.agrees(kind):
            return self.expect_kept(kind, args, kwargs, is_idle or learnt is not None)
        is_tuple = issubclass(kind, tuple) and kind._judge_equal not in COMPARED
        found = [learnt and learnt.beside(own), own if own is not None and own.simple else None, UNKNOWN if is_idle else None]
        if is_tuple:
            # A test reads what a tuple holds without asking the artifact: the defaults are those of its own class.
            found = [found[1], found[0]]
        makings = [each for each in found if each is not None and kind._judge_equal in each.kinds(is_tuple)]
        if not makings or not is_tuple and not self.is_vouched(kind) and not self.expects_made():
            return None
        # A named tuple has fields by which the reference's objects are not compared.
        given = next((each for each in (Given(making, args, kwargs, None) for making in makings) if each.fits() and each.covers(kind, is_tuple)), None)
        if given is None:
            return None
        making = given.making
        if making.base is None and not (own is not None and own.simple):
            given.copy_parts()
        if is_tuple:
            part = tuple.__new__(kind, [given.value(name) for name in kind._fields])
            held_in(part).update(_judge_given=given, _judge_link=self, _judge_new=(args, kwargs))
            if making is not own:
                self.note_beside(part)
            return part
        part = object.__new__(kind)
        held_in(part).update(_judge_given=given, _judge_link=self, _judge_made=True, _judge_frozen={}, _judge_new=(args, kwargs))
        if kind._judge_equal == 'own':
            held_in(part)['_judge_kept'] = True
        elif kind._judge_equal == 'value' and not (own is not None and own.simple):
            self.note_beside(part)
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
        if self.learning and is_stand_in(part) and '__call__' in getattr(type(part), '_judge_special', ()):
            self.allows_in_test('called object', False)
        if isinstance(part, kind):
            return True
        own = self.classes.get(type(part)._judge_id) if is_stand_in(part) else None
        if isinstance(own, type) and issubclass(own, kind):
            return True
        if not given.is_like(part) and not self.is_like_function(part):
            self.doubt_class(kind, ELSE, 'else')
        return False

    def is_like_function(self, part):
        """True for what a class makes where the reference had a function, whose results are answers, or an object that is called like one."""
        return self.allows_in_test('by function', False) or isinstance(part, RemoteFunction) and self.allows_in_test('called object', False)

    def make_opaque(self, kind, op, args, kwargs, places):
        """An object of a class that does not leave its comparison to the language."""
        outer = self.is_constructing, self.is_given, self.is_making_plainly
        self.is_constructing, self.is_given, self.is_making_plainly = True, (args, kwargs), is_plain(args, kwargs)
        try:
            part = self.call(op, args, kwargs, made=True)
        except Exception:
            self.changes += 1
            self.failed_places.add(places[0])
            raise
        finally:
            self.is_constructing, self.is_given, self.is_making_plainly = outer
        is_error = issubclass(kind, Exception)
        if is_error and isinstance(part, kind):
            held_in(part)['_judge_made_of'] = args, kwargs
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
            is_believed = name in self.settings.get('objects', ()) or self.allows('else', False)
            if not is_believed and not self.is_free_to_make(self.places()[0], part, args, kwargs):
                raise self.refuse('its function %s stands for a class and answered a value that may not show what the test gave it; '
                                  'name it in `objects`, or add a reference' % name)
        return part

    def is_uncompared(self, place, mark='not equated'):
        """True for a place at which the reference made objects that no test has compared."""
        return '%s:%s' % (place, mark) in (self.shapes or ())

    def is_free_to_make(self, place, part, args, kwargs):
        """True for a plain value that a function may make where the reference made an object: one of which nothing was expected, or that shows what it was
        given."""
        return self.is_uncompared(place, 'not returned') or self.is_uncompared(place) and shows_given(part, args, kwargs)

    def make_copy(self, part, call):
        """A copy of an object that the artifact makes: it has to hold what the test gave that object, and is another one."""
        given, outer = given_of(part), (self.is_constructing, self.is_given)
        self.is_constructing, self.is_given = True, ((part,), {})
        try:
            found = call()
        finally:
            self.is_constructing, self.is_given = outer
        if found is part and not self.allows('same', False) and not self.trusts_operators(part):
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
        hold_containers(part)
        if self.is_making is None:
            self.read_answers()
            self.made_count += 1
            given.is_read = True
        given.told = self.is_making or self.made_count
        outer, self.is_making_plainly = self.is_making_plainly, is_plain(given.args, given.kwargs)
        try:
            told = self.send_call({'do': 'call', 'of': kind._judge_id}, given.args, given.kwargs, is_use=False)[0]['value']
            number = self.made_number(kind, told)
            self.set_parts(number, given)
        finally:
            self.is_making_plainly = outer
        held_in(part)['_judge_id'] = number
        own = self.class_of(made_in(told)[0])
        if own is not kind:
            # Its class makes objects of another one, whose methods these have.
            vars(object)['__class__'].__set__(part, own)
        if not issubclass(kind, tuple):
            known = self.objects.setdefault((number, 'object', True, False), part)
            if known is not part and not self.allows('same', False):
                raise self.refuse('its class %s %s' % (kind.__name__, ELSE))
            self.note_answer(part)

    def made_number(self, kind, told):
        """The number of an object that the artifact was asked to make."""
        desc, number = made_in(told)
        if desc is None or type(number) is not int or desc['id'] != kind._judge_id and not self.makes_object_of(kind, self.class_of(desc)):
            raise self.refuse('its class %s %s' % (kind.__name__, ELSE))
        return number

    def makes_object_of(self, kind, own):
        """True for another class whose objects a class may make: one that is derived from it and leaves it to compare them."""
        return issubclass(own, kind) and own._judge_equal == kind._judge_equal == 'own'

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
        elif places[0] in self.keeps and given.making is not None and not self.is_uncompared(places[0]):
            given = Given(self.keeps[places[0]], given.args, given.kwargs, given.told)
            names = [name for name in given.making.compared if given.names is not None and name in given.names]
            fields = kind._fields if issubclass(kind, tuple) else (kind._judge_value or {'fields': ()})['fields']
            if given.names is not None and (not set(names) <= set(fields) or
                                            not keeps([given.value(name) for name in names], self.reported(part, names))):
                raise self.refuse(FORGETS % kind.__name__)

    def reported(self, part, names):
        if isinstance(part, tuple):
            return [tuple.__getitem__(part, type(part)._fields.index(name)) for name in names]
        return self.value_list({'do': 'fields', 'of': number_of(part), 'names': list(names)})


def shows_given(part, args, kwargs):
    """True for a namespace or dict that a function answers in the place of a class, which holds all that the function was given."""
    held = vars(part) if is_namespace(part) else part if type(part) is dict else {}
    is_kept = all(any(each is value or keeps(each, value) for value in held.values()) for each in args)
    return bool(held) and is_kept and all(name in held and keeps(each, held[name]) for name, each in kwargs.items())
