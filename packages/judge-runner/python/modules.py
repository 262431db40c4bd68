"""Modules of the artifact, as the files of a suite import them. Standard library only."""
import builtins
import importlib
import importlib.machinery
import opcode
import sys
import types

from inner_tests import is_in_folders
from naming import caller_of
from remote import RemoteFunction
from stand_in import number_of

#: What a program does that takes all names of a module.
TAKING = frozenset(opcode.opmap[name] for name in ('IMPORT_STAR', 'CALL_INTRINSIC_1') if name in opcode.opmap)
#: Private names that a test may read off a module.
SHOWN = {'__version__', '__doc__', '__author__', '__version_info__', '__license__', '__title__'}


def is_read(frame, suite):
    """True where a file of the suite reads `module.__all__`, and the language does not ask for what `from module import *` takes."""
    code = frame.f_code
    return code.co_filename.startswith(suite) and code.co_code[frame.f_lasti] not in TAKING


class RemoteModule(types.ModuleType):
    """A module of the artifact."""

    def __getattr__(self, name):
        if name == '__all__':
            own = self._judge_link.value({'do': 'dir', 'of': self._judge_id})
            if is_read(caller_of(sys._getframe(1)), self._judge_link.suite):
                return own
            return [each for each in own if each in self._judge_link.settings['starred'] and not hasattr(builtins, each)]
        if name.startswith(('_judge', '_pytest')) or name == 'pytestmark' or name.startswith('__') and name not in SHOWN:
            raise AttributeError(name)
        # What the suite has in a folder of the package is the suite's.
        if is_in_folders(vars(self).get('__path__', ()), name):
            return importlib.import_module('%s.%s' % (self.__name__, name))
        found = self._judge_link.reach_by_name(lambda: self._judge_link.value({'do': 'get', 'of': self._judge_id, 'name': name}))
        self._judge_link.named(name, found)
        is_class, link = self._judge_link.is_class_name(name), self._judge_link
        # Which of two functions is one and the same is the artifact's word: what the suite shows of one name is not believed of another.
        is_other = isinstance(found, RemoteFunction) and not found._judge_answered and link.trust_in(found.__name__) != link.trust_in(name)
        if is_other or is_class and '__call__' in getattr(type(found), '_judge_special', ()):
            # An object that is called in the place of a class, or a function that stands there under another name.
            number, own, found = found._judge_id if is_other else number_of(found), found, type(found)() if is_other else RemoteFunction()
            found._judge_id, found._judge_link, found._judge_object = number, link, None if is_other else own
        if isinstance(found, RemoteFunction):
            object.__setattr__(found, '__name__', name)
            object.__setattr__(found, '_judge_answered', False)
        return found

    def __setattr__(self, name, value):
        # Python's import machinery sets these on every module, and a module on the package that it is part of.
        if name.startswith('__') or isinstance(value, types.ModuleType) and value.__name__ == '%s.%s' % (self.__name__, name):
            return super().__setattr__(name, value)
        self._judge_link.value({'do': 'set', 'of': self._judge_id, 'name': name, 'value': self._judge_link.leave(value)})

    def __delattr__(self, name):
        self._judge_link.value({'do': 'delete', 'of': self._judge_id, 'name': name})


RemoteModule.__doc__ = property(lambda module: module._judge_link.value({'do': 'get', 'of': module._judge_id, 'name': '__doc__'}), lambda module, text: None)


class Finder:
    """Imports from the other box what the suite's own files name, and nothing else."""

    def __init__(self, names, starred, link, stub):
        self.names, self.starred, self.link, self.stub = names, starred, link, stub

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            package = any(each.startswith(name + '.') for each in self.names)
            return importlib.machinery.ModuleSpec(name, self, is_package=package)
        return None

    def create_module(self, spec):
        if self.link is None:
            stub = self.stub(spec.name)
            stub.__all__ = self.starred
            return stub
        module = self.link.reach_by_name(lambda: self.link.value({'do': 'module', 'name': spec.name}))
        if not isinstance(module, RemoteModule):
            raise self.link.protocol_error('a module that is none')
        return module

    def exec_module(self, module):
        pass
