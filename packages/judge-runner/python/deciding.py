"""Notices a test that has changed what decides it: functions of the language, of pytest, of unittest and of the judge. Standard library only."""
import builtins
import re
import sys

from originals import os
from standard import can_be_changed

#: Modules whose functions and classes decide what a test comes to, beside the judge's own.
OF_TOOLS = frozenset('builtins pytest pluggy._callers pluggy._hooks pluggy._manager unittest.case unittest.suite'.split())
OF_TOOLS |= {'_pytest.' + name for name in ('runner reports python python_api raises outcomes unittest nodes main fixtures skipping recwarn config '
                                            'assertion assertion.rewrite assertion.util _code.code').split()}
#: Words of suites that set, or reach, what they do not name.
REFLECTIVE = frozenset('setattr delattr getattr attrgetter methodcaller MonkeyPatch monkeypatch patch __dict__ vars globals modules import_module __import__ '
                       'resolve_name pickle shelve yaml exec eval'.split())
JUDGE = os.path.dirname(os.path.abspath(__file__)) + '/'
MISSING = object()
#: What a class has that says what its objects do.
DESCRIPTORS = staticmethod, classmethod, property, type(type.mro), type(JUDGE.join), type(re.Pattern.pattern), type(os.stat_result.st_mode)


def is_deciding(name, module):
    return name in OF_TOOLS or (getattr(module, '__file__', None) or '').startswith(JUDGE)


def acts(value):
    return callable(value) or isinstance(value, DESCRIPTORS)


def set_by(texts):
    """Names of attributes that programs set, or write as texts, as `monkeypatch.setattr(pytest, 'skip', f)` does."""
    found = set()
    for text in texts:
        found.update(re.findall(r'\.(\w+)\s*=(?!=)', text))
        found.update(name.rpartition('.')[2] for name in re.findall(r'[\'"]([\w.]+)[\'"]', text))
    return found


def watch_deciding(texts):
    """Notes what decides tests. Returns a function that tells what else is there now, such as `builtins.all`, or None, and puts back what was there.

    `texts`: programs of the suite, which may themselves replace what they name.
    """
    allowed, noted, spaces = set_by(texts), [], []
    for path, module in list(sys.modules.items()):
        if not is_deciding(path, module):
            continue
        owners = [(path, module)] + [('%s.%s' % (path, name), kind) for name, kind in vars(module).items()
                                     if isinstance(kind, type) and kind.__module__ == path and can_be_changed(kind)]
        for where, owner in owners:
            space = vars(owner)
            spaces.append((where, owner, space.keys, frozenset(space)))
            noted.extend((where, owner, name, space.get, value) for name, value in space.items() if acts(value) and name not in allowed)
    names, known, module_type = frozenset(vars(builtins)), frozenset(allowed), type(sys)

    # A test may have replaced any name of the language: these are bound here.
    def changed(setattr=setattr, delattr=delattr, type=type, missing=MISSING):
        found = None
        for where, owner, name, get, value in noted:
            if get(name, missing) is not value:
                found = where + '.' + name
                setattr(owner, name, value)
        for where, owner, keys, before in spaces:
            for name in {*keys()} - before:
                # It hides one of the language, or of a base; pytest gives its classes private ones.
                hidden = (names,) if type(owner) is module_type else [base.__dict__ for base in owner.__mro__[1:]]
                if name not in known and name[:1] != '_' and [True for each in hidden if name in each]:
                    found = where + '.' + name
                    delattr(owner, name)
        return found
    return changed
