"""Has a test look up by name only what no artifact has chosen. Standard library only.

Functions, settings of loggers, templates and inner attributes lead to what the tests run in: a name of one has to stand in the suite, or to be
the reference's.
"""
import builtins
import functools
import importlib
import importlib.metadata
import operator
import re
import sys
import types

#: Functions that put others in places that a test names, by their modules.
PATCHING = ('unittest.mock', '__enter__'), ('_pytest.monkeypatch', 'setattr')
#: What settings of loggers name everywhere.
OF_LOGGING = re.compile(r'(?:ext://)?(?:logging\.(?:handlers\.)?[A-Z]\w*|sys\.std(?:out|err))')
#: Attributes that lead from an object to the program around it.
INNER = frozenset('gi_frame cr_frame ag_frame gi_code cr_code f_back f_globals f_locals f_builtins f_code tb_frame tb_next mro'.split())
INNER |= {'__%s__' % name for name in ('globals builtins getattribute getattr setattr delattr class init new subclasses bases base mro dict code closure '
                                       'func self import loader spec reduce reduce_ex wrapped').split()}

#: What asks for an inner attribute in a text that `str.format()` fills; the name of a class, which is none; and functions that fill such texts.
INNER_FIELD = re.compile(r'\{[^{}]*?[.\[](?:_|(?:%s)\b)' % '|'.join(name for name in sorted(INNER) if not name.startswith('_')))
CLASS_NAME = re.compile(r'\.__class__\.__(?:qual)?name__(?=[!:}])')
FILLING = 'format', 'format_map', 'vformat', 'Formatter', 'basicConfig'


def is_inner(name):
    """True for an attribute that leads out of an object. Stand-ins for the artifact's have some of the judge's."""
    return name in INNER or name.startswith('_judge')


def asks_inside(text):
    """True for a text that asks what it is filled with for an inner attribute."""
    return INNER_FIELD.search(CLASS_NAME.sub('', text)) is not None


def caller_of(frame):
    """The frame that asks for an attribute, or sets one, by a function of the language that stands here."""
    return frame.f_back if frame.f_code.co_filename == caller_of.__code__.co_filename else frame


def is_written(name, code):
    """True for a name that stands in a function, also in a tuple."""
    return any(name == each or type(each) in (tuple, frozenset) and name in each for each in code.co_consts)


class Naming:
    """What may be named. `code` tells whether a name is none of the artifact's, `refuse` fails the running test whatever it catches."""

    def __init__(self, suite, code, refuse, calls_import):
        self.suite, self.may_name, self.may_replace, self.refuse = suite, code.may_name, code.may_replace, refuse
        #: True for a suite that calls `__import__()`: each import is slower then.
        self.calls_import = calls_import

    def check(self, name):
        if not self.may_name(name):
            raise self.refuse('the test looks up a name that the artifact may have chosen (%s): a reference allows those to which it leads' % name[:100])

    def check_replaced(self, name):
        """Refuses a function of the suite, or of the library, to be replaced under a name that a program computes: it may check what is expected."""
        if not self.may_replace(name):
            raise self.refuse('the test replaces %s(), whose name the artifact may have chosen: a reference allows what it replaces' % name[:100])

    def check_attributes(self, names, frame):
        """Refuses inner attributes that a file of the suite asks for; `a.b` are two."""
        if not frame.f_code.co_filename.startswith(self.suite + '/'):
            return
        for name in names:
            for part in name.split('.') if type(name) is str else ():
                if is_inner(part):
                    self.check(part)

    def watch_settings(self, config):
        """Settings of loggers call what they name, and set its attributes."""
        own = config.BaseConfigurator.resolve

        def resolve(configurator, text):
            if not OF_LOGGING.fullmatch(text):
                self.check(str(text))
            return own(configurator, text)
        config.BaseConfigurator.resolve = resolve

    def watch_function(self, name):
        """Returns what has a function of a module look up only such names."""
        def watch(module):
            own = getattr(module, name)

            @functools.wraps(own)
            def checked(path, *args, **kwargs):
                self.check(str(path))
                return own(path, *args, **kwargs)
            setattr(module, name, checked)
        return watch

    def watch_mocks(self, mock):
        """Special methods of a mock, such as `port.__eq__.return_value`, say what it equals."""
        own = mock.NonCallableMock.configure_mock

        @functools.wraps(own)
        def configure_mock(part, /, **parts):
            for name in parts:
                if '__' in name:
                    self.check(name)
            return own(part, **parts)
        mock.NonCallableMock.configure_mock = configure_mock

    def watch_imports(self):
        own, imported, load = importlib.import_module, builtins.__import__, importlib.metadata.EntryPoint.load

        def import_module(name, package=None):
            if sys._getframe(1).f_code.co_filename.startswith(self.suite + '/'):
                self.check(str(name))
            return own(name, package)

        def load_checked(point):
            self.check(point.value)
            return load(point)

        def __import__(name, globals=None, *args, **kwargs):
            # A statement gives what stands there with it.
            if globals is None and sys._getframe(1).f_code.co_filename.startswith(self.suite + '/'):
                self.check(str(name))
            return imported(name, globals, *args, **kwargs)
        importlib.import_module, importlib.metadata.EntryPoint.load = import_module, load_checked
        if self.calls_import:
            builtins.__import__ = __import__

    def watch_attributes(self):
        own, setter, getter, caller = builtins.getattr, builtins.setattr, operator.attrgetter, operator.methodcaller

        def getattr(part, name, *default):
            if type(name) is str and is_inner(name):
                self.check_attributes([name], sys._getframe(1))
            elif type(part) is types.ModuleType and sys._getframe(1).f_code.co_filename.startswith(self.suite + '/'):
                self.check(str(name))
            return own(part, name, *default)

        def setattr(part, name, value):
            # Also by what puts others in their places for a while.
            if type(part) is types.ModuleType or isinstance(part, type) and '_judge_id' not in vars(part):
                frame = sys._getframe(1)
                is_own = frame.f_code.co_filename.startswith(self.suite + '/')
                if is_own and callable(vars(part).get(name)) and not is_written(name, frame.f_code):
                    self.check_replaced(str(name))
                elif is_own or (frame.f_globals.get('__name__'), frame.f_code.co_name) in PATCHING:
                    self.check(str(name))
            return setter(part, name, value)

        def attrgetter(*names):
            self.check_attributes(names, sys._getframe(1))
            return getter(*names)

        def methodcaller(name, *args, **kwargs):
            self.check_attributes([name], sys._getframe(1))
            return caller(name, *args, **kwargs)
        for module, made in ((builtins, getattr), (builtins, setattr), (operator, attrgetter), (operator, methodcaller)):
            made.__module__, made.__qualname__ = module.__name__, made.__name__  # By which pickle finds it.
            setter(module, made.__name__, made)
