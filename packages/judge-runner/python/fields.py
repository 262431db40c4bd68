"""Fields and contents of objects, read and set: in the tester's box for an object of which the artifact has not been told. Standard library
only."""
from stand_in import given_of, is_local, is_simple, is_waiting, link_of, number_of

FORGETS = 'its class %s does not show in its fields what the test gave an object that is compared, as that of the reference does: name it in `objects` of the suite'


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
    given_of(part).hold(name, type(part)._judge_making)
    return given_of(part).field(name, type(part)._judge_making)


def hold_containers(part):
    """Gives an object of which the artifact has not been told containers of its own, where its class makes new ones for each object."""
    own = type(part)._judge_making
    for name in own.constants if is_waiting(part) and is_simple(part) else ():
        given_of(part).hold(name, own)


def attributes_given(part):
    """All attributes of an object of which the artifact has not been told, by name; None where the artifact has to say."""
    own = type(part)._judge_making if is_simple(part) else None
    hold_containers(part)
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
        if given_of(part).making is not type(part)._judge_making:
            link_of(part).note_beside(part)
        return given_of(part).making.content(given_of(part).args, given_of(part).kwargs)
    return link_of(part).value({'do': 'plain', 'of': number_of(part)})
