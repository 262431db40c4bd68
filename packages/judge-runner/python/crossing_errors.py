"""Exceptions on their way between a tester and the artifact: one of the test that the artifact keeps, answers or raises again is that very
one. Standard library only."""
import importlib
import sys

from known_errors import MAX_CHAIN, Known, attributes_in, made_by_name
from refusals import ProtocolError, Refused, RemoteError
from remote import RemoteClass, builtin_exception
from remote_errors import GROUP, RemoteException
from stand_in import held_in

ERROR_MODULES = {'json.decoder', 'decimal', 'zipfile', 'queue', '_queue', 'csv', '_csv', 're', 'sre_constants', 're._constants',
                 'struct', 'binascii', 'zlib', 'sqlite3', 'configparser', 'dataclasses', 'asyncio.exceptions',
                 'concurrent.futures._base', 'urllib.error', 'xml.etree.ElementTree', 'statistics', 'ipaddress', 'argparse',
                 'subprocess', 'socket', 'shutil', 'tomllib', 'uuid', 'graphlib', 'locale', 'gzip', 'tarfile', 'base64'}
DECLARED = '/packages/'
#: What may be asked about exceptions of the test, and about classes of them.
OF_ERROR, OF_ERROR_CLASS = frozenset(('str', 'repr', 'get')), frozenset(('get',))


class CrossingErrors:
    """The part of a link that encodes and decodes exceptions."""

    def begin_errors(self):
        #: Exceptions that the artifact has answered, by number, with how; numbers of those that the running test gave it.
        self.answered_errors, self.given_errors = Known(), set()
        #: How many exceptions are being encoded, one within the other.
        self.leaving = 0

    def end_errors(self):
        """Of another test an exception would be a copy: none is known beyond its own."""
        for number in self.given_errors & self.over:
            self.numbers.pop(id(self.given.pop(-number)), None)
            self.given.pop(number)
        self.given_errors -= self.over
        self.answered_errors = Known()

    # Leaving

    def leave_error(self, part, walk):
        number = held_in(part).get('_judge_id') if isinstance(part, RemoteException) else None
        if number is not None:
            if self.answered_errors.get(number)[0] is None:
                self.answered_errors.add(number, part)
            return {'$handle': number}
        number = self.show(part, OF_ERROR)
        if number in self.running:
            self.given_errors.add(number)
        told = [number, self.answered_errors.number_of(part), self.leave(type(part))]
        self.leaving += 1
        try:
            if self.leaving > MAX_CHAIN:
                return {'$exception': told + [None, [], None]}
            args = self.parted(list(part.args), walk) or [[str(part)[:2000]]]
            held = [[name, *each] for name, each in [(name, self.parted(value, walk)) for name, value in attributes_in(part)] if each]
            return {'$exception': told + [args[0], held, None if part.__cause__ is None else self.leave(part.__cause__)]}
        finally:
            self.leaving -= 1

    def parted(self, value, walk):
        """A part of an exception in a list, or None where it cannot leave."""
        return self.looked(lambda: [walk(value)])

    def leave_error_class(self, part):
        """A class of exceptions that the test defines."""
        bases = [self.leave(base) for base in part.__bases__ if issubclass(base, BaseException)]
        texts = [name for name in ('__str__', '__repr__') if any(name in vars(kind) for kind in part.__mro__ if kind.__module__ != 'builtins')]
        return {'$raises': [self.show(part, OF_ERROR_CLASS), part.__name__, bases, texts]}

    # Arriving

    def error(self, told):
        try:
            own = self.own_error(told)
            return self.answered_error(told) if own is None else own
        except (KeyError, TypeError, AttributeError, IndexError, ValueError):
            raise self.protocol_error('an exception without a description')

    def own_error(self, told):
        """An exception of the running test, as the artifact has changed it; None for any other."""
        number = told.get('mine')
        error = self.given.get(-number) if type(number) is int and number > 0 and number not in self.over else None
        if not isinstance(error, BaseException) or isinstance(error, (ProtocolError, Refused)):
            return None
        self.set_attributes(error, told.get('held', ()))
        if 'cause' in told:
            error.__cause__ = self.error(told['cause'])
        elif told.get('suppressed') is True:
            # Raised `from None`.
            error.__cause__ = None
        return error

    def answered_error(self, told):
        """An exception of the artifact: the same one as before, unless it has changed or the test has just made it."""
        number = told.get('self')
        is_known = type(number) is int and self.is_making is None and not self.is_constructing
        earlier, before = self.answered_errors.get(number) if is_known else (None, None)
        if earlier is not None and before in (None, outline(told)):
            return earlier
        error = self.new_error(told)
        if is_known and (earlier is None or before is not None):
            self.answered_errors.add(number, error, outline(told))
        return error

    def new_error(self, told):
        message = str(told['message'])
        if told.get('class'):
            kind = self.class_of(told['class'])
            if not (isinstance(kind, type) and issubclass(kind, Exception)):
                return RemoteError('%s: %s' % (told['mro'][0], message))
        else:
            kind = library_exception(told) or builtin_exception(told['mro'], RemoteError)
        args = self.arrive(told['args']) if 'args' in told else [message]
        error = kind.__new__(kind, *(args[:2] if issubclass(kind, GROUP) else ()))
        if issubclass(kind, OSError) and not isinstance(error, RemoteException) and 2 <= len(args) <= 5:
            error = kind(*args)
        elif not isinstance(error, RemoteException) and kind.__init__ not in (Exception.__init__, BaseException.__init__):
            held = {name: self.arrive(value, inert=True) for name, value in told.get('held', ())}
            error = made_by_name(kind, held)
            try:
                error = kind(*args) if error is None else error
            except Exception:
                error = kind.__new__(kind)
        error.args = tuple(args)
        if isinstance(error, RemoteException):
            held_in(error).update(_judge_id=told['self'], _judge_text=message, _judge_repr=told.get('repr'))
        self.set_attributes(error, told.get('held', ()))
        for name in ('cause', 'context'):
            if name in told:
                setattr(error, '__%s__' % name, self.error(told[name]))
        error.__suppress_context__ = told.get('suppressed') is True
        if kind is RemoteError:
            error.args = ('%s: %s' % (told['mro'][0], message),)
        return error

    def set_attributes(self, error, held):
        # Of its own error the artifact knows them.
        put = Exception.__setattr__ if isinstance(error, RemoteException) else setattr
        for name, value in held:
            is_notes = name == '__notes__'
            if not is_notes and (not name.isidentifier() or name.startswith('_') or hasattr(type(error), name)):
                continue
            value = self.arrive(value, inert=True)
            if is_notes and (type(value) is not list or any(type(each) is not str for each in value)):
                continue
            put(error, name, value)


def outline(told):
    """How an exception was told, with the objects and exceptions in it by their numbers only."""
    if type(told) is list:
        return [outline(each) for each in told]
    if type(told) is not dict:
        return told
    if 'id' in told and 'kind' in told:
        return {'id': told['id']}
    parts = {name: outline(each) for name, each in told.items() if name not in ('context', 'cause')}
    if 'cause' in told and type(told['cause']) is dict:
        parts['cause'] = told['cause'].get('mine'), told['cause'].get('self')
    return parts


def library_exception(told):
    if told.get('module') in ERROR_MODULES:
        owner = importlib.import_module(told['module'])
    else:
        # A package that the suite declares, and has imported.
        owner = sys.modules.get(told.get('module'))
        if not str(getattr(owner, '__file__', '')).startswith(DECLARED):
            return None
    kind = vars(owner).get(told['mro'][0])
    return kind if isinstance(kind, type) and issubclass(kind, Exception) else None


def is_error_class(part):
    return isinstance(part, type) and issubclass(part, BaseException) and not isinstance(part, RemoteClass)
