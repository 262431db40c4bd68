"""What a run of the reference shows of the objects that a test makes. Standard library only."""
import enum
import json

from codec import encode
from fields import plain_of
from given import MEMBER, Making
from originals import held
from stand_in import held_in, is_pure, is_stand_in, same
from standard import encode_std

json = held(json)
#: How objects are made whose class compares them itself.
OPAQUE = json.dumps({'opaque': True})
#: Most objects that the reference made at one place, of which some were only compared.
MAX_PLACES = 200


class Learning:
    """The part of a link that notes what the reference does."""

    def begin_learning(self):
        #: Places at which the reference's objects knew what they were compared with, and those at which it refused to make one.
        self.early, self.failed_places = [], set()
        #: How the reference made objects by place, the objects, and places at which it did not keep what it was given.
        self.learnt_makings, self.learnt_made, self.unlike = {}, [], set()
        #: Objects that the reference made, with their places.
        self.learnt_objects = []
        #: Places at which the artifact is told of objects when the test uses them, and those at which it is told at once.
        self.waits, self.keeps = {}, {}
        for each in self.shapes or ():
            for found, mark in ((self.waits, ':waits='), (self.keeps, ':keeps=')):
                place, is_found, told = each.partition(mark)
                if is_found:
                    found[place] = Making(json.loads(told), self.arrive)

    def learn_made(self, part, given, places):
        """Notes how the reference makes objects at a place, if it keeps what it is given."""
        kind, place, making = type(part), places[0], given.making
        if making is None or not place:
            return
        self.learnt_made.append((*places, part))
        if self.is_made_otherwise(kind):
            self.unlike.add(place)
            return
        if making.base is not None:
            if given.fits() and making.content(given.args, given.kwargs) == plain_of(part):
                self.learnt_makings.setdefault(place, json.dumps({**making.told, 'simple': making.simple}))
            else:
                self.unlike.add(place)
            return
        fields = kind._fields if issubclass(kind, tuple) else kind._judge_value['fields']
        fields = [name for _, name, _ in making.parameters or () if name in fields]
        values = dict(zip(fields, self.reported(part, fields)))
        # A named tuple is made beside the artifact only where each of its fields is known.
        is_known = set(fields) == set(kind._fields) if issubclass(kind, tuple) else is_held(kind, given)
        if not is_known or given.names is None or not all(same(given.names[name], values[name]) for name in fields if name in given.names):
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

    def learn_object(self, place, part):
        """Notes an object that the reference makes at a place, whose use says in the end whether tests compare it."""
        if self.learning and place and is_stand_in(part):
            self.learnt_objects.append((place, part))

    def learnt_parts(self):
        """Objects of which the end of the run says something."""
        return [each[-1] for each in (*self.learnt_made, *self.learnt_objects, *self.early)]

    def forget_learnt(self, twins):
        """Puts other objects in the places of those of these ids."""
        for table in (self.learnt_made, self.learnt_objects, self.early):
            table[:] = [(*each[:-1], twins.get(id(each[-1]), each[-1])) for each in table]

    def note_apart(self, kind):
        """Notes which of the things that a data class of the reference is given its objects are not compared by, at this place."""
        # What a decorator of the artifact makes of a class of the test has no such fields.
        if self.learning and hasattr(kind, '__dataclass_fields__'):
            names = set(kind.__dataclass_fields__) - set(kind._judge_value['fields'])
            placed = placed_parameters(kind._judge_making.parameters) if kind._judge_making is not None else {}
            self.learnt.update('%s=%s' % (self.site('apart'), each) for each, name in placed.items() if name in names)

    def apart(self, kind):
        """The parameters of a class by which the reference does not compare objects at this place: those that take what the reference's take."""
        keeping = kind._judge_keeps
        if keeping is None or self.is_alone():
            return frozenset()
        place = self.site('apart')
        return frozenset(name for each, name in placed_parameters(keeping.parameters).items() if '%s=%s' % (place, each) in self.shapes)

    def makings_found(self):
        """Places at which an artifact's objects wait, as the reference's were only compared, or keep what they are given; those at which the reference's
        were only compared, in whatever way it made them; those at which no test compared its objects, and at which none of these came back either; and
        those of comparisons at which it knows the object before."""
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
        found += ['%s:idle' % place for place in compared if place not in used]
        places = {place for place, _ in self.learnt_objects}
        for mark in ('equated', 'returned'):
            places -= {place for place, part in self.learnt_objects if '_judge_' + mark in held_in(part)}
            found += ['%s:not %s' % (place, mark) for place in places]
        return found + [place for place, part in self.early if place is not None and id(part) not in waiting]


def placed_parameters(parameters):
    """The parameters of a constructor that are given by name, each by its place and name."""
    return {'%d:%s' % (-1 if kind == 'named' else at, name): name for at, (kind, name, _) in enumerate(parameters or ()) if kind in ('both', 'named')}


def is_held(kind, given):
    """True for a data class that has a field for all that it is given: by fewer, objects would be equal that are not."""
    fields = getattr(kind, '__dataclass_fields__', None)
    # A class of the test that a decorator of the artifact makes one is told without them.
    return fields is None or given.names is not None and set(given.names) <= set(fields)


def plainly(part, walk):
    """A value of the library on its way into what is noted of a reference."""
    told = encode_std(part, walk)
    if told is None:
        raise TypeError('an object')
    return told
