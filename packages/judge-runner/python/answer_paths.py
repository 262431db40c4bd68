"""Paths of objects within an answer as it arrives. Standard library only.

A component of a path is the index of an item (`0`), the key of a dict (`."name"`), the place of a key that is no text (`k0`) or an item of a
set (`s*`). `*`, `.*` and `k*` stand for all items, values and keys.
"""
import json

from originals import held

json = held(json)
#: Most parts of an answer that are looked at, and most paths that are kept of one.
MAX_PARTS, MAX_PATHS = 100_000, 500
#: Most parts of an answer without objects of which each path is kept, and the path that stands for all of a larger one.
MAX_PLAIN, EVERYTHING = 5000, ('everything',)
#: Most characters of a key in a path.
MAX_KEY = 100
PAIRS = ('Counter', 'OrderedDict', 'SimpleNamespace', 'Namespace', 'mappingproxy')
#: Namespaces, which a program may fill with functions.
SPACES = ('SimpleNamespace', 'Namespace')
ITEMS = ('dict_keys', 'dict_values')
#: Tags of containers, and those of the library.
CONTAINERS = ('$dict', '$set', '$tuple', '$frozenset')
OF_LIBRARY = ('deque', 'OrderedDict', 'defaultdict', 'Counter', 'mappingproxy', *ITEMS, 'dict_items')
#: Components of the items of a list, a tuple or an iterator, and of those of a set.
OF_ITEMS = '*', 's*'
#: Exceptions that one holds.
CAUSES = ('cause', 'context')


def tagged(part):
    """The tag and the content of a part; two times None for one without a tag."""
    if type(part) is dict and len(part) == 1:
        (tag, content), = part.items()
        if tag.startswith('$'):
            return tag, content
    return None, None


def unwrapped(part):
    """A part without the number under which both boxes know it. One that is only named by its number is not told."""
    tag, content = tagged(part)
    while tag == '$own':
        part = content[1] if len(content) > 1 else None
        tag, content = tagged(part)
    return part


def described(part):
    """The description of an object that may act; None for any other part."""
    tag, content = tagged(part)
    if tag == '$sub':
        return content[0]
    acts = tag == '$handle' and type(content) is dict and (content.get('kind') == 'object' or content.get('acts') is True)
    return content if acts else None


def made_in(told):
    """The description of the class and the number of an object that the artifact was asked for; two times None for anything else."""
    tag, content = tagged(told)
    if tag == '$named':
        return content[0], content[1]
    if tag in ('$handle', '$sub'):
        desc = content if tag == '$handle' else content[0]
        return desc.get('class'), desc['id']
    return None, None


def namespace_in(part):
    """The content of a namespace; None for any other part."""
    tag, content = tagged(part)
    return content if tag == '$std' and type(content) is list and content[0] in SPACES else None


def named_tuple_in(part):
    """The content of a named tuple; None for any other part."""
    tag, content = tagged(part)
    return content if tag == '$named' else None


def acts(part):
    """True for an object that may act, and for a namespace of functions, which is used like one."""
    if described(part) is not None:
        return True
    held = namespace_in(part)
    return held is not None and any(is_function(unwrapped(value)) for _, value in held[1])


def is_function(part):
    tag, content = tagged(part)
    return tag == '$method' or tag == '$handle' and type(content) is dict and content.get('kind') == 'function'


def is_container(part):
    """True for a container of the language."""
    if type(part) is list:
        return True
    tag, content = tagged(part)
    if tag is None:
        return type(part) is dict
    return tag in CONTAINERS or tag == '$std' and content[0] in OF_LIBRARY


def standing_in(part, path=(), left=None):
    """The containers and objects in a part, each with its path, in which a star stands for all items of one kind, what it is ('container',
    'context' or None), and its description where it is an object."""
    left = [MAX_PARTS] if left is None else left
    left[0] -= 1
    part = unwrapped(part)
    if type(part) not in (list, dict) or left[0] < 0:
        return
    tag, content = tagged(part)
    if tag == '$sub' or tag == '$handle':
        desc = content[0] if tag == '$sub' else content
        if type(desc) is dict:
            yield path, 'context' if desc.get('kind') == 'context' else None, desc
        return
    if is_container(part):
        yield path, 'container', None
    for _, parts in groups(part):
        for component, each in parts:
            yield from standing_in(each, (*path, kind_of(component) + '*'), left)


def shortened(text):
    """A short name for a text of which the artifact may have chosen parts: no other one with this name is to be found."""
    import hashlib  # It loads OpenSSL, which few suites need.
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def name_of(key, index):
    text = json.dumps(key)
    if '"$handle"' in text or '"$own"' in text:
        return 'k%d' % index
    return '.' + (text if len(text) <= MAX_KEY else shortened(text))


def of_items(items):
    return [('*', [(str(index), each) for index, each in enumerate(items)])]


def of_fields(items):
    # What is none now is a value at another time.
    return [(None if None in items else '*', of_items(items)[0][1])]


def of_pairs(pairs):
    values = [(name_of(key, index), value) for index, (key, value) in enumerate(pairs)]
    return [(None if any(value is None for _, value in values) else '.*', values),
            ('k*', [('k%d' % index, key) for index, (key, _) in enumerate(pairs) if type(key) in (dict, list)])]


def groups(part):
    """The parts of a part in groups of one kind: what stands for all of a group in paths, or None, and its parts with their components."""
    if type(part) is list:
        return of_items(part)
    if type(part) is not dict:
        return []
    tag, content = tagged(part)
    if tag is None:
        return of_pairs([[str(key), value] for key, value in part.items()])
    if tag == '$tuple':
        return of_fields(content)
    if tag in ('$set', '$frozenset'):
        return [('s*', [('s*', each) for each in content])]
    if tag == '$dict':
        return of_pairs(content)
    if tag == '$named':
        return of_fields(content[2])
    if tag == '$sub':
        return groups(unwrapped(content[1]))
    if tag == '$error':
        return [('.*', [('.' + name, {'$error': content[name]} if name in CAUSES else content[name]) for name in ('args', *CAUSES) if name in content])]
    if tag == '$std':
        return of_library(*content)
    return []


def of_library(name, held):
    if name in PAIRS:
        return of_pairs(held)
    if name == 'defaultdict':
        return of_pairs(held[1])
    if name == 'dict_items':
        return of_items([{'$tuple': pair} for pair in held])
    return of_items(held[0]) if name == 'deque' else of_items(held) if name in ITEMS else []


class Looking:
    """One look at an answer, whose parts are counted."""

    def __init__(self):
        self.left = MAX_PARTS

    def paths(self, part):
        """The paths within a part with True for objects and False for plain values. None is neither."""
        self.left -= 1
        part = unwrapped(part)
        if part is None or self.left < 0:
            return {}
        found = {(): acts(part)}
        for star, parts in groups(part):
            below = [(component, path, is_object) for component, each in parts for path, is_object in self.paths(each).items()]
            objects = {path for _, path, is_object in below if is_object}
            plain = {path for _, path, is_object in below if not is_object}
            # Items of a set have no places of their own.
            mixed = clashing(objects, plain) | clashing(plain, objects) if star != 's*' and objects and plain else ()
            for component, path, is_object in below:
                where = (component if star is None or path in mixed else star, *path)
                found[where] = is_object or found.get(where, False)
        return found


def is_looked_at(part):
    """False for a large answer without objects."""
    pending, count = [part], 1
    while pending:
        part = unwrapped(pending.pop())
        if acts(part):
            return True
        for _, parts in groups(part):
            count += len(parts)
            pending += [each for _, each in parts if type(each) in (list, dict)]
    return count <= MAX_PLAIN


def paths_in(part):
    """The paths of the objects in an answer, and those of its plain values."""
    if not is_looked_at(part):
        return frozenset(), frozenset([EVERYTHING])
    found = Looking().paths(part)
    return [frozenset(sorted(path for path, is_object in found.items() if is_object is wanted)[:MAX_PATHS]) for wanted in (True, False)]


def is_alike(one, other):
    """True for components of which one is the other, or stands for it."""
    return one == other or '*' in (one[-1], other[-1]) and kind_of(one) == kind_of(other)


def kind_of(component):
    return component[0] if component[0] in '.ks' else ''


def clashing(paths, others):
    """The paths that one of the others is, or may be."""
    if EVERYTHING in others:
        return set(paths)
    return {path for path in paths if path in others or any(
        len(path) == len(other) and all(map(is_alike, path, other)) for other in others)}


def tree_of(paths):
    """Paths as a tree of their components; an object is where a branch has the component ''."""
    root = {}
    for path in paths:
        branch = root
        for component in path:
            branch = branch.setdefault(component, {})
        branch[''] = True
    return root


def described_in(part, path='', left=None):
    """The numbers of objects in an answer with the paths at which they are."""
    left = [MAX_PARTS] if left is None else left
    left[0] -= 1
    part = unwrapped(part)
    if type(part) not in (list, dict) or left[0] < 0:
        return
    tag, content = tagged(part)
    desc = content[0] if tag == '$sub' else content if tag == '$handle' else None
    if type(desc) is dict:
        yield path, desc.get('id')
    for _, parts in groups(part):
        for component, each in parts:
            yield from described_in(each, path + '/' + component, left)


def objects_at(part, branches, found, iterated):
    """Collects the descriptions of the objects in an answer that are at places of a tree, and the branches below what may be iterated over, by
    its number."""
    part = unwrapped(part)
    desc = described(part) or namespace_in(part) or named_tuple_in(part)
    if desc is not None and any('' in branch for branch in branches):
        found[id(desc)] = desc
    tag, content = tagged(part)
    own = content[0] if tag == '$sub' else content if tag == '$handle' and type(content) is dict and content.get('kind') in ('iterator', 'object') else {}
    if type(own.get('id')) is int:
        iterated[own['id']] = branches
    for star, parts in groups(part):
        for component, each in parts:
            below = [branch[name] for branch in branches for name in {component, star} if name in branch]
            if below:
                objects_at(each, below, found, iterated)
