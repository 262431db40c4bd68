"""Notes the places at which a test uses an operator of the artifact's own classes. Standard library only."""
import ast
import re

from method_names import MAKES_OBJECTS, PLAIN_NAMES, PREDICATES
from suite_syntax import VALUE_METHODS
from suite_values import NONE, PLAIN, Asked, Derived, Group, Thing, asked_by, carrying, joined, part_of, truth_told

MAX_PLACES = 1000
#: Methods of plain values that are given something: called without, they are those of an object.
GIVEN = set('count get index find append add insert remove extend setdefault join replace'.split())
#: Names of methods that say whether something is as expected.
ASKING = re.compile('(?:is|has|eq|equals?|same|match|matches|contains?|includes?|verify|check|accepts?|compare|cmp|diff|differences?|differs|distance|delta)(?:_|$)')
#: Names of methods that confirm something by raising no error.
CONFIRMING = re.compile(ASKING.pattern + '|(?:assert|expect|should|must|ensure|require|demand|validate|confirm|satisf|raise|prove|test|to_|be_)')
#: What is reached by nothing but attributes of an object that a test makes (`Bus().hooks`), and what a method of one answers.
REACHED, ANSWERED = re.compile(r'\w+\(\)(?:\.[A-Za-z]\w*)+'), re.compile(r'.*\.[A-Za-z]\w*\(\)')


class Uses:
    """What operators mean for values of a test, as far as they are followed."""

    def note(self, node, thing, text, file=None):
        if self.test is None or thing is not None and self.known.name(thing.origin).startswith('?'):
            return
        kind = None if thing is None else self.known.kinds.get(self.known.name(thing.origin))
        construct = text if thing is None else text % self.known.label(thing)
        place = {'file': file or self.file.name, 'line': node.lineno, 'test': self.test, 'construct': construct, 'class': kind}
        if place not in self.places and len(self.places) < MAX_PLACES:
            self.places.append(place)

    def object_in(self, value):
        """The object of the artifact that a value is or holds, or None."""
        part = part_of(value)
        return part if part is not None and self.known.is_object(part) else None

    def is_by_fields(self, thing):
        return self.known.kinds.get(self.known.name(thing.origin)) in self.known.by_fields

    def compare(self, node, left, right, is_equal=True):
        """Notes a comparison by an own `==`, and returns what it says."""
        self.see_equality(node, left, right, is_equal)
        return truth_told(left, right)

    def see_equality(self, node, left, right, is_equal):
        one, two = self.object_in(left), self.object_in(right)
        left_part, right_part = part_of(left), part_of(right)
        if one is not None and right_part is not None and type(left) is type(right):
            self.known.show(right_part, self.known.kinds.get(self.known.name(one.origin)))
        elif two is not None and left_part is not None and type(left) is type(right):
            self.known.show(left_part, self.known.kinds.get(self.known.name(two.origin)))
        if right is NONE or left is NONE:
            return
        # What is unequal to a value of the test needs nobody's word.
        found = one or two
        other = right if found is one else left
        if isinstance(other, Group) and other.kind is not None and isinstance(left if found is one else right, Thing) and found is not None:
            if other.kind not in self.known.alike:
                self.known.alike.add(other.kind)
                self.known.changed = True
        if found is None:
            thing, other = (left, right) if isinstance(left, Thing) else (right, left)
            if is_equal and isinstance(thing, Thing) and isinstance(other, Group) and other.kind in self.known.alike and \
                    re.fullmatch(r'\w+\(\)', self.known.name(thing.origin)):
                self.note(node, thing, 'compares %s, which may be an object of the artifact, by its own ==')
        if found is None or not is_equal and (left_part is None or right_part is None):
            return
        if not self.is_by_fields(found):
            self.note(node, found, 'compares %s by its own ==')
        elif is_equal and isinstance(left, Thing) and isinstance(right, Thing) and left.is_given_other(right):
            self.note(node, found, 'compares %s with one that was given something else')

    def order(self, node, *values, text='orders %s by its own operators'):
        for value in values:
            found = self.object_in(value)
            if found is not None:
                return self.note(node, found, text)

    def sort(self, node, values, kwargs, scope):
        if 'key' in kwargs:
            values = [self.call(node, kwargs['key'], values[:1], {}, scope)]
        self.order(node, *values, text='sorts %s by its own operators')

    def hash(self, node, value):
        found = self.object_in(value)
        if found is not None and not self.is_by_fields(found):
            self.note(node, found, 'uses %s as a key, by its own hash')

    def calculate(self, node, left, right=PLAIN):
        """The result of arithmetic: an object where an object takes part."""
        if isinstance(left, Group) or isinstance(right, Group) and not isinstance(left, Thing):
            return joined([left, right])
        one = left if isinstance(left, Thing) and self.known.is_object(left) else None
        two = right if isinstance(right, Thing) and self.known.is_object(right) else None
        own = one or two
        if own is None:
            return joined([left, right]) if isinstance(left, Thing) or isinstance(right, Thing) else PLAIN
        if not own.made and not own.calculated:
            self.note(node, own, 'calculates with %s')
        other = right if own is left else left
        # What a method of a class answers may be a number.
        both = own.made and (other is PLAIN and right is PLAIN and node is not None and isinstance(node, ast.UnaryOp) or
                             isinstance(other, Thing) and other.made and self.known.is_object(other))
        return Thing(own.origin, both, not both)

    def convert(self, node, values, strict=False):
        for value in values:
            if isinstance(value, Thing) and self.known.is_object(value) and (strict or not value.made):
                return self.note(node, value, 'converts %s to a number or text')

    def truth(self, node, value):
        if isinstance(value, Thing) and self.known.is_object(value) and not value.made:
            self.note(node, value, 'asks for the truth of %s')
        elif isinstance(value, Thing) and value.origin in self.known.invoked:
            # A method is always true: what is called elsewhere is an object that says whether it can be.
            self.note(node, value, 'asks for the truth of %s')

    def see_invoked(self, function):
        if function.of_made and function.origin not in self.known.invoked:
            self.known.invoked.add(function.origin)
            self.known.changed = True

    def contains(self, node, wanted, owner):
        found = part_of(wanted)
        # A list that the artifact has answered is the test's.
        if isinstance(owner, Thing) and not self.known.is_object(owner) and self.object_in(wanted):
            self.compare(node, wanted, Thing(self.known.name(owner.origin) + '[]'))
        if not isinstance(owner, Group) or found is None or not (self.object_in(wanted) or self.object_in(owner)):
            return
        if owner.key is not None:
            self.hash(node, wanted)
        elif part_of(owner) is not None:
            self.compare(node, wanted, owner.part)

    def see_method(self, node, owner, method, is_made):
        """Notes a method of what a function answers, unless the suite shows the class of that."""
        thing, maker = Thing(owner), owner[:-2]
        if method in PREDICATES and not is_made and self.known.is_object(thing):
            return self.note(node, thing, 'calls the method %s() of %%s, which stands for a plain value as well' % method)
        if is_made:
            self.known.methods.add(method)
        if not owner.endswith('()') or self.known.kinds.get(owner):
            return
        if not maker.isidentifier():
            # What has a method of an object that the test makes is probably of the same class.
            maker = maker.rpartition('.')[2]
            if '(' not in owner[:-2] or not maker.isidentifier() or method in self.known.methods:
                return
        if method in VALUE_METHODS or method.startswith('_'):
            return
        makers = {each.rpartition('.')[2] for each in self.file.makers}
        if MAKES_OBJECTS.match(maker) or maker in makers or any(name == maker for _, name in self.file.shown):
            return
        self.note(node, Thing(owner), 'calls the method %s() of %%s' % method)

    def see_called(self, node, owner, method, is_given):
        """Notes where the suite calls what no plain value has: on what it reaches by attributes of an object that it has made, or on what a
        method of one answers. Returns what the answer of a call that is given something carries."""
        owner = self.known.name(owner).replace('.__enter__()', '')
        is_plain = method in VALUE_METHODS and method != 'close' and (is_given or method not in GIVEN)
        if is_plain or method.startswith('_') or is_given and ASKING.match(method) or not self.is_class(re.split(r'\W', owner)[0]):
            return self.see_other_call(node, method)
        if re.fullmatch(r'\w+\(\)', owner):
            return frozenset()
        if not (ANSWERED.fullmatch(owner) or REACHED.fullmatch(owner)):
            return self.see_other_call(node, method)
        call = Asked(self.file.name, node, owner, method)
        self.known.called |= call.lines()
        self.followed.append(call)
        return frozenset([call] if is_given else [])

    def see_discarded(self, node, method):
        """Notes a call whose answer the suite does not use: only an object has such a method, and it is told nothing that it could confirm."""
        if method in PLAIN_NAMES or method.startswith('_') or CONFIRMING.match(method):
            return False
        self.known.called |= Asked(self.file.name, node, None, method).lines()
        return True

    def see_other_call(self, node, method):
        """Notes a call that nothing shows to be one of such an object: another on its line is not told apart from it."""
        self.known.doubted |= Asked(self.file.name, node, None, method).lines()
        return frozenset()

    def assert_truth(self, value):
        """Takes back the belief in calls of which a test asks no more than that they say yes: they are told what it expects."""
        for call in asked_by(value):
            self.known.doubted |= call.lines()
            self.note(call.node, Thing(call.owner), 'asserts the truth of what %s() of %%s says' % call.method, call.file)

    def items(self, value):
        """What iterating a value yields."""
        if isinstance(value, Group):
            return value.part if value.key is None else value.key
        if isinstance(value, Thing):
            return carrying(Thing(self.known.name(value.origin) + '[]'), value)
        return value if isinstance(value, Derived) else None
