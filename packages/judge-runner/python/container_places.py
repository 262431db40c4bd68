"""Places of a suite at which the reference answered containers, or context managers that are none: an object of the artifact that stands there is
used as one. Standard library only."""
from answer_paths import OF_ITEMS, name_of, standing_in
from stand_in import held_in

#: What gives the items of an iterator.
NEXT = ('__next__', '__anext__')


class Standing:
    """Objects in one answer, by the ids of their descriptions: those that stand where the reference had a container, those of them that a context
    manager answered, and those that are objects if they can be entered."""

    def __init__(self):
        self.containers, self.entered, self.contexts = set(), set(), set()
        #: Those of them that a context manager, or a call of a function of the test, gives the test to be changed.
        self.live = set()


class ContainerPlaces:
    """The part of a link that knows where the reference answered containers."""

    def begin_containers(self):
        #: Where iterators and objects were answered in the running test, as the place and the path within the answer, by number.
        self.sources = {}

    def stand(self, place, part, op, kind):
        """Finds the objects in an answer that stand for containers, and notes those of the reference; `kind`: of the question."""
        found, noted = Standing(), set()
        if place is None:
            return found
        above = self.sources.get(op.get('of'))
        places = [(place, ())]
        if op.get('name') in NEXT and above is not None:
            places += [(above[0], (*above[1], star)) for star in OF_ITEMS]
        is_entered = kind == 'enter' or kind == 'await' and above is not None and above[0].endswith(':enter')
        for path, role, desc in self.parts_of_answer(part, kind):
            # Items of one kind have one path.
            if desc is None and (not self.learning or (path, role) in noted):
                continue
            noted.add((path, role))
            at = [(each, (*start, *path)) for each, start in places]
            if self.learning and role is not None:
                self.note_roles(role, at)
            if desc is not None:
                self.sources[desc.get('id')] = above if above is not None and op.get('name') == '__iter__' else at[-1]
                self.note_standing(found, desc, at, is_entered and path == (), kind == 'give' and len(path) == 1)
        return found

    def note_roles(self, role, at):
        """Notes what the reference answered at places, each with a path."""
        for place, path in at:
            self.uses.setdefault(use_of(place, role, path), set()).add(self.test)

    def stands_for(self, role, at):
        return any(self.test in self.known_uses.get(use_of(place, role, path), ()) for place, path in at)

    def note_standing(self, found, desc, at, is_entered, is_given):
        """Notes of an object in an answer what it stands for."""
        is_container = self.stands_for('container', at)
        if is_container:
            found.containers.add(id(desc))
        if is_container and (is_entered or is_given):
            found.live.add(id(desc))
        if is_container and is_entered:
            found.entered.add(id(desc))
        # What can be entered is no value.
        if is_container and is_given or self.stands_for('context', at):
            found.contexts.add(id(desc))

    @staticmethod
    def parts_of_answer(part, kind):
        """Containers and objects in an answer, with their paths; of the arguments of a function of the test, those of each by its name."""
        if kind != 'give':
            return standing_in(part)
        pairs = enumerate(part['$dict'])
        return [found for index, (name, each) in pairs for found in standing_in(each, (name_of(name, index),))]

    def is_used_as_object(self, kind, desc):
        """True for an object of a subclass of a container that is no value here: one that answers otherwise than its content does, that was entered, or
        that can be where the reference's was."""
        standing = self.arriving.standing
        if id(desc) in standing.containers and kind is not None and kind._judge_overrides - {'__hash__', '__ne__'}:
            return True
        can_be_entered = kind is not None and not {'__enter__', '__aenter__'}.isdisjoint(kind._judge_special)
        return id(desc) in standing.entered or id(desc) in standing.contexts and can_be_entered


def use_of(place, role, path):
    return '%s:%s %s' % (place, role, '/'.join(path))


def stands_for_container(part):
    """True for an object that is used as the container of the reference was."""
    return '_judge_stands' in held_in(part)
