"""Where a process writes to: handlers of its loggers, and its standard streams. A tester and an artifact each have what stands for those of the other
side, at the same places. Standard library only.
"""
import io
import re
import sys

from codec import Unplain, decode, encode
from originals import logger_named

STREAMS = 'stdout', 'stderr'
#: Modules whose classes of handlers both sides have.
LIBRARY = 'logging', 'logging.handlers'
#: Modules of handlers that watch, for one side alone.
WATCHING = 'printed', '_pytest.logging'
MAX_LOGGERS, MAX_HANDLERS, MAX_ATTRIBUTES, MAX_NAME, MAX_TEXT = 1000, 100, 30, 200, 1000


def loggers():
    """Loggers by name; that of the root is empty."""
    root = getattr(sys.modules.get('logging'), 'root', None)
    if root is None:
        return {}
    return {'': root, **{name: each for name, each in list(root.manager.loggerDict.items()) if hasattr(each, 'handlers')}}


def name_of_logger(part):
    """The name by which both sides find a logger, empty for that of the root; None for anything else."""
    logging = sys.modules.get('logging')
    if type(part) not in (getattr(logging, 'Logger', None), getattr(logging, 'RootLogger', None)):
        return None
    return '' if part is logging.root else part.name if logging.root.manager.loggerDict.get(part.name) is part else None


def handlers_of(logger):
    # A program may put anything there.
    found = logger.handlers if type(logger.handlers) is list else ()
    return [each for each in found if type(each).__module__ not in WATCHING][:MAX_HANDLERS]


def attributes_of(part):
    """What an object holds, without asking it: one of the other side would be asked for there."""
    try:
        found = object.__getattribute__(part, '__dict__')
    except AttributeError:
        return {}
    return found if type(found) is dict else {}


def plain_attributes(part):
    """Public attributes that are plain values, by name."""
    held = {name: value for name, value in attributes_of(part).items() if type(name) is str and len(name) <= MAX_NAME}
    found = {name: value for name, value in sorted(held.items()) if not name.startswith('_') and name != 'name'
             and (value is None or type(value) is bool or type(value) in (int, float) and abs(value) < 2 ** 53 or type(value) is str and len(value) <= MAX_TEXT)}
    return dict(list(found.items())[:MAX_ATTRIBUTES])


def formats_of(handler):
    formatter = attributes_of(handler).get('formatter')
    texts = [attributes_of(formatter).get(name) for name in ('_fmt', 'datefmt')]
    return None if formatter is None else [text if type(text) is str and len(text) <= MAX_TEXT else None for text in texts]


def stream_of(handler):
    found = attributes_of(handler).get('stream')
    return next((name for name in STREAMS if found is not None and (found is getattr(sys, name) or found is getattr(sys, '__%s__' % name))), None)


class Handlers:
    """Handlers of loggers, in the order in which they are there.

    `tells`: what is told of an own one, beside its class; `pass_on`: what is done with a record for one of the other side.
    """

    def __init__(self, tells, pass_on):
        self.tells, self.pass_on = tells, pass_on
        #: Own ones by number, and what stands for those of the other side. They are kept, so that no other one has their number.
        self.own, self.others = {}, {}

    def look(self):
        numbers = {id(each): [is_own, number] for is_own, known in ((True, self.own), (False, self.others)) for number, each in known.items()}
        found = {}
        for name, logger in loggers().items():
            for each in handlers_of(logger):
                if id(each) not in numbers:
                    numbers[id(each)] = [True, len(self.own) + 1]
                    self.own[len(self.own) + 1] = each
                is_own, number = numbers[id(each)]
                found.setdefault(name, []).append([True, number, *self.described(each)] if is_own else [False, number])
        return dict(list(found.items())[:MAX_LOGGERS])

    def described(self, handler):
        kind = next((each for each in type(handler).__mro__ if each.__module__ in LIBRARY), object)
        return [[kind.__module__, kind.__name__], *self.tells(handler)]

    def told(self, part):
        """How a handler is told that is passed to the other side, whether a logger has it or not."""
        found = next((number for number, each in self.others.items() if each is part), None)
        if found is not None:
            return [False, found]
        number = next((number for number, each in self.own.items() if each is part), len(self.own) + 1)
        self.own[number] = part
        return [True, number, *self.described(part)]

    def entered(self, told, local):
        """A handler that the other side has passed; `local`: asks it there."""
        is_theirs, *rest = told
        if not is_theirs:
            return self.own[rest[0]]
        part = self.standing_for(*rest)
        return part if 'is_lent' in vars(part) else lent_handler(part, local)

    def arrive(self, told):
        """Raises KeyError, TypeError or ValueError for what is no handler."""
        if len(told) > MAX_LOGGERS:
            raise ValueError('more loggers than are told')
        known = loggers()
        for name in [*known, *(name for name in told if name not in known)]:
            logger = logger_named(name)
            parts = [self.standing_for(*rest) if is_theirs else self.own[rest[0]] for is_theirs, *rest in told.get(name, ())]
            if parts != handlers_of(logger):
                logger.handlers[:] = parts + [each for each in logger.handlers if type(each).__module__ in WATCHING]

    def standing_for(self, number, kind, attributes, formats, stream):
        import logging
        import logging.handlers
        part = self.others.get(number)
        if part is None:
            module, name = kind
            found = getattr(sys.modules[module], name, None) if module in LIBRARY else None
            found = found if isinstance(found, type) and issubclass(found, logging.Handler) else logging.Handler
            part = self.others[number] = found.__new__(found)
            logging.Handler.__init__(part)
            if stream is not None:
                part.stream = getattr(sys, stream)
        vars(part).update(attributes)
        part.formatter = None if formats is None else logging.Formatter(formats[0], formats[1], validate=False)
        part.emit = part.flush = part.close = lambda *_: None
        part.handle = lambda record: self.pass_on(number, record)
        return part


def lent_handler(part, local):
    """Has what stands for a handler ask that one for all that is done with it, but for records of loggers: the other side sees these by itself."""
    kind = type(part)

    def asks(name):
        def ask(*args):
            if name == 'setFormatter':
                kind.setFormatter(part, *args)
            # Loggers call these, and the library at its end.
            if sys._getframe(1).f_code.co_name not in ('callHandlers', 'shutdown'):
                return getattr(local, name)(*args)
        return ask
    for name in ('setFormatter', 'setLevel', 'addFilter', 'removeFilter', 'handle', 'emit', 'flush', 'close'):
        setattr(part, name, asks(name))

    def attribute(_, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return getattr(local, name)
    part.__class__ = type(kind.__name__, (kind,), {'__getattr__': attribute})
    part.is_lent = True
    return part


def is_handler(part):
    found = getattr(sys.modules.get('logging'), 'Handler', None)
    return found is not None and issubclass(type(part), found)


def handlers_of_artifact():
    return Handlers(lambda each: [plain_attributes(each), formats_of(each), stream_of(each)], lambda number, record: None)


def handlers_of_tester(pass_on):
    """Of handlers of a test its artifact learns no more than their class."""
    return Handlers(lambda each: [{}, None, None], pass_on)


#: Attributes of a log record that say where it was made.
WHERE = 'funcName', 'module', 'lineno'
#: Formats that a small text may make a very large one of.
WIDE = re.compile(r'%.*(?:\*|\d{4})', re.DOTALL)


def told_plainly(value):
    """A plain value as it is told, in a list; an empty one for any other, and for what is too large."""
    try:
        told = encode(value)
    except Unplain:
        return []
    text = repr(told)
    return [told] if '$opaque' not in text and len(text) <= 10 * MAX_TEXT else []


def attributes_told(record):
    """What an artifact tells of a record beside its name, its level and its text, by name."""
    standard = vars(sys.modules['logging'].makeLogRecord({}))
    held = {name: value for name, value in attributes_of(record).items() if type(name) is str and len(name) <= MAX_NAME}
    wanted = {name: value for name, value in held.items() if name not in standard or name in WHERE}
    if not str(record.levelname).startswith('Level '):
        wanted['levelname'] = record.levelname
    if type(record.msg) is str and record.args and told_plainly(record.args) and not WIDE.search(record.msg):
        wanted.update(msg=record.msg, args=record.args)
    return {name: each[0] for name, each in [(name, told_plainly(value)) for name, value in list(wanted.items())[:MAX_ATTRIBUTES]] if each}


def attributes_made(told, text):
    """The same for the tester's record. Raises TypeError, ValueError, KeyError or IndexError for what is none."""
    made = {name: decode(value) for name, value in told.items()}
    try:
        is_format = type(made['msg']) is str and not WIDE.search(made['msg']) and made['msg'] % made['args'] == text
    except (KeyError, TypeError, ValueError):
        is_format = False
    return made if is_format else {name: value for name, value in made.items() if name not in ('msg', 'args')}


def last_reached(logger):
    """The name of the last logger whose handlers a record comes to, empty for the root."""
    while logger.propagate and logger.parent:
        logger = logger.parent
    return '' if logger.parent is None else str(logger.name)[:MAX_NAME]


def hand_on(logger, record, last):
    """Shows a record to handlers from its logger to the last one that it comes to."""
    at = logger if logger.filter(record) else None
    while at is not None:
        for handler in at.handlers:
            if record.levelno >= handler.level:
                handler.handle(record)
        at = None if at.name == last else at.parent


def record_as_told(record):
    """A record with its text, for the other side."""
    return {**plain_attributes(record), 'name': record.name, 'msg': record.getMessage()}


class Streams:
    """Standard streams of the artifact's box."""

    def __init__(self):
        self.own = {name: getattr(sys, name) for name in STREAMS}

    def look(self):
        return [name for name in STREAMS if getattr(sys, name, None) is not self.own[name]]

    def arrive(self, replaced):
        for name in STREAMS:
            if name not in replaced:
                setattr(sys, name, self.own[name])


class Replaced(io.TextIOBase):
    """What an artifact has put in the place of a standard stream; `before`: that stream."""

    def __init__(self, before, write):
        self.before, self.pass_on = before, write

    def writable(self):
        return True

    def write(self, text):
        self.pass_on(text)
        return len(text)


class StreamsElsewhere:
    """Standard streams of the tester's box, of which the artifact may have replaced its own; `write`: takes the name of one and a text."""

    def __init__(self, write):
        self.write = write

    def look(self):
        return [name for name in STREAMS if isinstance(getattr(sys, name, None), Replaced)]

    def arrive(self, replaced):
        now = self.look()
        for name in STREAMS:
            if name in replaced and name not in now:
                setattr(sys, name, Replaced(getattr(sys, name), lambda text, name=name: self.write(name, text)))
            elif name not in replaced and name in now:
                setattr(sys, name, getattr(sys, name).before)


def own_stream(name):
    """A standard stream of the tester, whatever the artifact has put in its place."""
    found = getattr(sys, name)
    return found.before if isinstance(found, Replaced) else found
