"""What modules of the library hold, which a test reads in its own process: an artifact that changes it in its own changes nothing there. Standard
library only."""
import sys

from standard import can_be_changed, lasts

CONTAINERS = (list, dict, set)
FUNCTIONS = (type(lambda: 0), staticmethod, classmethod, property)
#: Most methods of one module.
MAX_METHODS = 200
MISSING = object()


def held_at(path):
    """What a path such as `sys.excepthook` leads to; MISSING where its module is not loaded or has none."""
    names = path.split('.')
    for count in range(len(names) - 1, 0, -1):
        found = sys.modules.get('.'.join(names[:count]))
        if found is not None:
            for name in names[count:]:
                found = getattr(found, name, MISSING)
            return found
    return MISSING


def outline(part):
    """What is compared of it: of a container its items, none of which is asked whether it equals another."""
    if type(part) in CONTAINERS:
        return type(part), [id(each) for each in (*part, *(part.values() if type(part) is dict else ()))]
    return (type(part), part) if lasts(part) else (object, id(part))


class LibraryState:
    """Paths whose values an artifact has changed. `is_replaced`: true for what the test has put others in the place of."""

    def __init__(self, is_replaced):
        self.is_replaced = is_replaced
        #: What was there at first, kept so that no other object has its number.
        self.before = {}
        #: Methods of classes of the same modules, as `(path, how to look, name, function)`; names of modules of which these are noted.
        self.methods, self.noted = [], set()

    def begin(self, paths):
        self.before = {path: None for path in paths}
        self.look()

    def note_methods(self, name):
        """Notes the methods of the classes of a module: tests use these without naming them, as `json.dumps()` does JSONEncoder."""
        module = sys.modules.get(name)
        if module is None or name in self.noted:
            return
        self.noted.add(name)
        kinds = [kind for kind in vars(module).values() if type(kind) is type and kind.__module__.partition('.')[0] == name and can_be_changed(kind)]
        found = [('%s.%s.%s' % (name, kind.__name__, each), vars(kind).get, each, part) for kind in kinds for each, part in vars(kind).items()
                 if isinstance(part, FUNCTIONS)]
        self.methods += found[:MAX_METHODS]

    def look(self):
        found = []
        for path, before in self.before.items():
            part = held_at(path)
            if part is MISSING or self.is_replaced(path):
                continue
            if before is None:
                self.before[path] = part, outline(part), list(part) if type(part) in CONTAINERS else None
                self.note_methods(path.partition('.')[0])
            elif outline(part) != before[1]:
                found.append(path)
        return found + [path for path, get, name, part in self.methods if get(name) is not part and not self.is_replaced(path)]

    def arrive(self, told):
        """Does nothing: what a test changes in its own process is told as replaced."""
