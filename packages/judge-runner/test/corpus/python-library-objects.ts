import type { WrongParts } from '../wrong-parts.ts';

/** Programs that are given objects of the library, answer such objects, or have their tests put others in the place of its methods. */
export const pythonLibraryObjects: readonly WrongParts[] = [
  {
    id: 'loggers and log records as arguments',
    artifact: `
import json, logging, io, sys
from logging.handlers import RotatingFileHandler

class JsonFormatter(logging.Formatter):
    def format(self, record):
        out = {'level': record.levelname, 'msg': record.getMessage(), 'name': record.name}
        if record.exc_info:
            out['exc'] = self.formatException(record.exc_info).splitlines()[-1]
        if hasattr(record, 'user'):
            out['user'] = record.user
        return json.dumps(out)

class Redact(logging.Filter):
    def __init__(self, words):
        super().__init__()
        self.words = words
    def filter(self, record):
        for w in self.words:
            record.msg = record.msg.replace(w, '***')
        return True

class ListHandler(logging.Handler):
    def __init__(self):
        super().__init__()
        self.rows = []
    def emit(self, record):
        self.rows.append(self.format(record))

class Service:
    def __init__(self, logger=None):
        self.log = logger or logging.getLogger(__name__)
    def run(self, n):
        self.log.info('run %d', n)
        if n < 0:
            self.log.error('negative', extra={'n': n})
        return n * 2

def get_logger(name, level=logging.INFO):
    log = logging.getLogger(name)
    log.setLevel(level)
    return log

def configure(name, stream=None, fmt='%(levelname)s:%(message)s'):
    log = logging.getLogger(name)
    log.handlers.clear()
    h = logging.StreamHandler(stream or sys.stderr)
    h.setFormatter(logging.Formatter(fmt))
    log.addHandler(h)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    return log

def logged(logger):
    def deco(f):
        def wrapped(*a):
            logger.debug('calling %s', f.__name__)
            return f(*a)
        return wrapped
    return deco

def file_handler(path):
    h = logging.FileHandler(path)
    h.setFormatter(logging.Formatter('%(message)s'))
    return h

class Adapter(logging.LoggerAdapter):
    def process(self, msg, kwargs):
        return '[%s] %s' % (self.extra['id'], msg), kwargs

def adapter(logger, id):
    return Adapter(logger, {'id': id})

def explode(logger):
    try:
        1 / 0
    except ZeroDivisionError:
        logger.exception('boom')
`,
    tests: `
import io, json, logging, sys
import pytest
from unittest.mock import Mock, MagicMock, patch
import solution
from solution import *

def rec(msg='hi', level=logging.INFO, **extra):
    r = logging.LogRecord('n', level, __file__, 1, msg, (), None)
    for k, v in extra.items(): setattr(r, k, v)
    return r

def test_formatter():
    assert json.loads(JsonFormatter().format(rec())) == {'level': 'INFO', 'msg': 'hi', 'name': 'n'}
def test_formatter_extra():
    assert json.loads(JsonFormatter().format(rec(user='ann')))['user'] == 'ann'
def test_formatter_args():
    r = logging.LogRecord('n', logging.WARNING, 'a.py', 3, 'x %s', ('y',), None)
    assert json.loads(JsonFormatter().format(r))['msg'] == 'x y'
def test_formatter_exc():
    try: raise ValueError('bad')
    except ValueError: r = logging.LogRecord('n', 40, 'a.py', 3, 'x', (), sys.exc_info())
    assert json.loads(JsonFormatter().format(r))['exc'] == 'ValueError: bad'
def test_make_record():
    r = logging.makeLogRecord({'msg': 'q', 'levelname': 'DEBUG', 'name': 'z'})
    assert json.loads(JsonFormatter().format(r)) == {'level': 'DEBUG', 'msg': 'q', 'name': 'z'}
def test_filter():
    r = rec('my secret'); assert Redact(['secret']).filter(r) is True; assert r.msg == 'my ***'
def test_handler_emit():
    h = ListHandler(); h.emit(rec('a')); assert h.rows == ['a']
def test_handler_handle():
    h = ListHandler(); h.setFormatter(JsonFormatter()); h.handle(rec('a')); assert json.loads(h.rows[0])['msg'] == 'a'
def test_handler_added():
    h = ListHandler(); log = logging.getLogger('t1'); log.setLevel(10); log.addHandler(h); log.info('yo %d', 3); log.removeHandler(h); assert h.rows == ['yo 3']
def test_formatter_on_test_handler():
    s = io.StringIO(); h = logging.StreamHandler(s); h.setFormatter(JsonFormatter()); log = logging.getLogger('t2'); log.addHandler(h); log.warning('w'); log.removeHandler(h); assert json.loads(s.getvalue())['msg'] == 'w'
def test_filter_on_test_logger(caplog):
    f = Redact(['pw']); log = logging.getLogger('t3'); log.addFilter(f)
    try: log.warning('pw is')
    finally: log.removeFilter(f)
    assert caplog.messages == ['*** is']
def test_logger_arg(caplog):
    caplog.set_level(logging.INFO); s = Service(logging.getLogger('svc')); assert s.run(2) == 4; assert caplog.record_tuples == [('svc', 20, 'run 2')]
def test_logger_mock():
    m = Mock(); Service(m).run(1); m.info.assert_called_once_with('run %d', 1)
def test_logger_spec():
    m = Mock(spec=logging.Logger); Service(m).run(-1); m.error.assert_called_once_with('negative', extra={'n': -1})
def test_default_logger(caplog):
    caplog.set_level(logging.INFO, logger='solution'); Service().run(-1); assert [r.levelname for r in caplog.records] == ['INFO', 'ERROR']; assert caplog.records[1].n == -1
def test_get_logger():
    log = get_logger('g1'); assert log.name == 'g1'; assert log.level == logging.INFO
def test_get_logger_same():
    assert get_logger('g3') is get_logger('g3')
def test_get_logger_isinstance():
    assert isinstance(get_logger('g4'), logging.Logger)
def test_get_logger_used(caplog):
    log = get_logger('g6'); log.info('mine'); assert 'mine' in caplog.text
def test_setup_stream():
    s = io.StringIO(); log = configure('s1', s); log.info('a %s', 'b'); assert s.getvalue() == 'INFO:a b\\n'
def test_setup_handlers():
    log = configure('s2'); configure('s2'); assert len(log.handlers) == 1; assert isinstance(log.handlers[0], logging.StreamHandler)
def test_setup_capsys(capsys):
    log = configure('s3'); log.error('e'); assert capsys.readouterr().err == 'ERROR:e\\n'
def test_logged(caplog):
    caplog.set_level(10, 'dec'); f = logged(logging.getLogger('dec'))(lambda x: x + 1); assert f(1) == 2; assert 'calling' in caplog.text
def test_adapter(caplog):
    a = adapter(logging.getLogger('ad'), 7); a.warning('x'); assert caplog.messages == ['[7] x']
def test_explode(caplog):
    explode(logging.getLogger('ex')); r = caplog.records[0]; assert r.exc_info[0] is ZeroDivisionError; assert 'division' in caplog.text
def test_assert_logs():
    import unittest
    class T(unittest.TestCase):
        def runTest(self):
            with self.assertLogs('svc2', level='INFO') as cm: Service(logging.getLogger('svc2')).run(1)
            self.assertEqual(cm.output, ['INFO:svc2:run 1'])
    T().debug()
`,
    wrong: [
      ["'level': record.levelname", "'level': record.levelno", 'test_formatter'],
      ["if hasattr(record, 'user'):", "if hasattr(record, 'users'):", 'test_formatter_extra'],
      ["'msg': record.getMessage()", "'msg': record.msg", 'test_formatter_args'],
      ['.splitlines()[-1]', '.splitlines()[0]', 'test_formatter_exc'],
      ["'name': record.name", "'name': record.module", 'test_make_record'],
      ["record.msg = record.msg.replace(w, '***')", "record.msg.replace(w, '***')", 'test_filter'],
      ['self.rows.append(self.format(record))', 'self.rows.append(record.levelname)', 'test_handler_emit'],
      [
        'self.log = logger or logging.getLogger(__name__)',
        'self.log = logging.getLogger(__name__)',
        'test_logger_arg',
      ],
      ["self.log.info('run %d', n)", "self.log.info('run %d' % n)", 'test_logger_mock'],
      ["extra={'n': n}", "extra={'m': n}", 'test_logger_spec'],
      ['log.setLevel(level)', 'log.setLevel(level + 10)', 'test_get_logger'],
      ['    log.handlers.clear()\n', '', 'test_setup_handlers'],
      [
        'h = logging.StreamHandler(stream or sys.stderr)',
        'h = logging.StreamHandler(sys.stderr)',
        'test_setup_stream',
      ],
      ["logger.debug('calling %s'", "logger.debug('called %s'", 'test_logged'],
      ["'[%s] %s' % (self.extra['id'], msg)", "'[%s] %s' % (msg, self.extra['id'])", 'test_adapter'],
      ["logger.exception('boom')", "logger.error('boom')", 'test_explode'],
    ],
  },
  {
    id: 'methods of classes of the library that a test replaces',
    artifact: `
import json, os, smtplib, socket, subprocess, random, datetime, time, urllib.request, shutil
from pathlib import Path
def config_dir():
    return Path.home() / '.app'
def load(path):
    p = Path(path)
    if not p.exists():
        return {}
    return json.loads(p.read_text())
def save(path, data):
    p = Path(path)
    p.parent.mkdir(parents=True, exist_ok=True)
    p.write_text(json.dumps(data))
def here():
    return Path.cwd().name
def files(folder):
    return sorted(p.name for p in Path(folder).iterdir())
def send(to, body):
    with smtplib.SMTP('localhost', 25) as s:
        s.sendmail('me', [to], body)
    return True
def run(cmd):
    p = subprocess.Popen(cmd, stdout=subprocess.PIPE)
    out, _ = p.communicate()
    return out.decode().strip()
def size(path):
    return Path(path).stat().st_size
def is_dir(p):
    return Path(p).is_dir()
def draw(seed):
    return random.Random(seed).randint(1, 6)
def expand(p):
    return str(Path(p).expanduser())
`,
    tests: `
import json, pathlib, random, smtplib, socket, subprocess
from pathlib import Path
from types import SimpleNamespace
from unittest import mock
from unittest.mock import patch, MagicMock, PropertyMock
import pytest
import solution
from solution import *

def test_home(monkeypatch, tmp_path):
    monkeypatch.setattr(Path, 'home', lambda: tmp_path); assert config_dir() == tmp_path / '.app'
def test_home_class(monkeypatch, tmp_path):
    monkeypatch.setattr(pathlib.Path, 'home', classmethod(lambda cls: tmp_path)); assert config_dir() == tmp_path / '.app'
def test_home_static(monkeypatch, tmp_path):
    monkeypatch.setattr(Path, 'home', staticmethod(lambda: tmp_path)); assert config_dir() == tmp_path / '.app'
def test_home_str(monkeypatch, tmp_path):
    monkeypatch.setattr('pathlib.Path.home', lambda: tmp_path); assert config_dir() == tmp_path / '.app'
def test_home_patch():
    with patch('pathlib.Path.home', return_value=Path('/h')): assert config_dir() == Path('/h/.app')
    assert config_dir() == Path.home() / '.app'
def test_exists_patch():
    with patch.object(Path, 'exists', return_value=True), patch.object(Path, 'read_text', return_value='{"a": 1}') as m:
        assert load('/x') == {'a': 1}
    m.assert_called_once_with()
    assert load('/nope') == {}
@patch('pathlib.Path.exists', return_value=False)
def test_exists_deco(m):
    assert load('/etc/passwd') == {}; m.assert_called_once()
def test_autospec():
    with patch.object(Path, 'exists', autospec=True, return_value=True), patch.object(Path, 'read_text', autospec=True, return_value='{}') as m:
        assert load('/x') == {}
    m.assert_called_once_with(Path('/x'))
def test_self(monkeypatch):
    seen = []
    monkeypatch.setattr(Path, 'exists', lambda self: seen.append(str(self)) or False); assert load('/a/b') == {}; assert seen == ['/a/b']
def test_write(monkeypatch):
    got = {}
    monkeypatch.setattr(Path, 'mkdir', lambda self, **k: got.update(k)); monkeypatch.setattr(Path, 'write_text', lambda self, t: got.__setitem__(str(self), t))
    save('/q/w', [1]); assert got == {'parents': True, 'exist_ok': True, '/q/w': '[1]'}
def test_cwd(monkeypatch):
    monkeypatch.setattr(Path, 'cwd', lambda: Path('/a/zed')); assert here() == 'zed'
def test_iterdir():
    with patch.object(Path, 'iterdir', return_value=iter([Path('b'), Path('a')])): assert files('/') == ['a', 'b']
def test_smtp():
    with patch('smtplib.SMTP') as S:
        assert send('a@b', 'x'); S.return_value.__enter__.return_value.sendmail.assert_called_once_with('me', ['a@b'], 'x')
def test_communicate():
    with patch('subprocess.Popen') as P:
        P.return_value.communicate.return_value = (b'out\\n', None); assert run(['x']) == 'out'
def test_stat():
    with patch.object(Path, 'stat', return_value=SimpleNamespace(st_size=9)): assert size('/x') == 9
def test_isdir(monkeypatch):
    monkeypatch.setattr('pathlib.Path.is_dir', lambda self: self.name == 'yes'); assert is_dir('/a/yes'); assert not is_dir('/a/no')
def test_raises():
    with patch.object(Path, 'read_text', side_effect=PermissionError('no')), patch.object(Path, 'exists', return_value=True):
        with pytest.raises(PermissionError): load('/x')
def test_random(monkeypatch):
    monkeypatch.setattr(random.Random, 'randint', lambda self, a, b: b); assert draw(1) == 6
def test_expand(monkeypatch):
    monkeypatch.setenv('HOME', '/hh'); assert expand('~/a') == '/hh/a'
def test_real(tmp_path):
    save(tmp_path / 'a' / 'b.json', {'x': 1}); assert load(tmp_path / 'a' / 'b.json') == {'x': 1}; assert files(tmp_path) == ['a']
`,
    wrong: [
      ["Path.home() / '.app'", "Path('~').expanduser() / '.app'", 'test_home'],
      ['if not p.exists():', 'if not os.path.exists(path):', 'test_exists_patch'],
      ['json.loads(p.read_text())', 'json.loads(open(path).read())', 'test_autospec'],
      ['p.parent.mkdir(parents=True, exist_ok=True)', 'p.parent.mkdir(parents=True)', 'test_write'],
      ['Path.cwd().name', 'os.path.basename(os.getcwd())', 'test_cwd'],
      ['sorted(p.name for p in Path(folder).iterdir())', 'sorted(os.listdir(folder))', 'test_iterdir'],
      ["s.sendmail('me', [to], body)", "s.sendmail('me', to, body)", 'test_smtp'],
      [
        'p = subprocess.Popen(cmd, stdout=subprocess.PIPE)\n    out, _ = p.communicate()',
        'p = subprocess.Popen(cmd, stdout=subprocess.PIPE)\n    out = p.stdout.read()',
        'test_communicate',
      ],
      ['Path(path).stat().st_size', 'os.stat(path).st_size', 'test_stat'],
      ['Path(p).is_dir()', 'os.path.isdir(p)', 'test_isdir'],
      ['random.Random(seed).randint(1, 6)', 'random.Random(seed).randrange(1, 7)', 'test_random'],
      ['str(Path(p).expanduser())', 'p', 'test_expand'],
      ['p.write_text(json.dumps(data))', 'p.write_text(str(data))', 'test_real'],
    ],
  },
  {
    id: 'objects of classes of the library',
    artifact: `
import argparse
import ast
import cmd
import collections.abc
import configparser
import contextlib
import html.parser
import json
import queue
import sqlite3
import threading
import types
import xml.etree.ElementTree as ET
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import ThreadingMixIn

class Worker(threading.Thread):
    def __init__(self, items):
        super().__init__(name='worker')
        self.items, self.total = items, 0
    def run(self):
        self.total = sum(self.items)

class Encoder(json.JSONEncoder):
    def default(self, part):
        return sorted(part) if isinstance(part, set) else super().default(part)

class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []
    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name == 'href']

class Names(ast.NodeVisitor):
    def __init__(self):
        self.found = set()
    def visit_Name(self, node):
        self.found.add(node.id)
    def of(self, text):
        self.visit(ast.parse(text))
        return self.found

class Registry(collections.abc.MutableMapping):
    def __init__(self):
        self._held = {}
    def __getitem__(self, key):
        return self._held[key.lower()]
    def __setitem__(self, key, value):
        self._held[key.lower()] = value
    def __delitem__(self, key):
        del self._held[key.lower()]
    def __iter__(self):
        return iter(self._held)
    def __len__(self):
        return len(self._held)

class Shell(cmd.Cmd):
    prompt = '> '

class Server(ThreadingMixIn, HTTPServer):
    daemon_threads = True

class Quiet(contextlib.ContextDecorator):
    def __enter__(self):
        return self
    def __exit__(self, *_):
        return True

def build_parser():
    parser = argparse.ArgumentParser(prog='tool')
    parser.add_argument('--level', type=int, default=1)
    return parser

def read_settings(text):
    settings = configparser.ConfigParser()
    settings.read_string(text)
    return settings

def open_store():
    store = sqlite3.connect(':memory:')
    store.execute('create table t (a)')
    return store

def build_page(title):
    root = ET.Element('page')
    ET.SubElement(root, 'title').text = title
    return root

def jobs():
    return queue.Queue(maxsize=2)

def server():
    return Server.__new__(Server)
`,
    tests: `
import argparse
import ast
import cmd
import collections.abc
import configparser
import contextlib
import html.parser
import json
import queue
import sqlite3
import threading
import xml.etree.ElementTree as ET
from http.server import HTTPServer
from socketserver import ThreadingMixIn
import pytest
from solution import Encoder, Links, Names, Quiet, Registry, Shell, Worker, build_page, build_parser, jobs, open_store, read_settings, server

def test_thread():
    worker = Worker([1, 2])
    assert isinstance(worker, threading.Thread) and worker.name == 'worker'
    worker.start(); worker.join(); assert worker.total == 3
def test_encoder():
    assert isinstance(Encoder(), json.JSONEncoder) and Encoder().encode({1, 2}) == '[1, 2]'
def test_links():
    links = Links(); assert isinstance(links, html.parser.HTMLParser)
    links.feed('<a href="x">'); assert links.found == ['x']
def test_names():
    names = Names(); assert isinstance(names, ast.NodeVisitor)
    assert names.of('a + b') == {'a', 'b'}
def test_registry():
    registry = Registry(); registry['A'] = 1
    assert isinstance(registry, collections.abc.MutableMapping) and isinstance(registry, collections.abc.Mapping) and registry['a'] == 1
    assert not isinstance(registry, collections.abc.Set)
def test_shell():
    assert isinstance(Shell(), cmd.Cmd) and Shell().prompt == '> '
def test_server():
    assert isinstance(server(), ThreadingMixIn) and isinstance(server(), HTTPServer)
def test_quiet():
    assert isinstance(Quiet(), contextlib.ContextDecorator)
def test_parser():
    parser = build_parser(); assert isinstance(parser, argparse.ArgumentParser)
    assert parser.parse_args(['--level', '3']).level == 3
def test_settings():
    settings = read_settings('[a]\\nb = 1'); assert isinstance(settings, configparser.ConfigParser)
def test_store():
    assert isinstance(open_store(), sqlite3.Connection)
def test_page():
    page = build_page('x'); assert isinstance(page, ET.Element) and [each.tag for each in page] == ['title']
def test_jobs():
    found = jobs(); assert isinstance(found, queue.Queue) and found.maxsize == 2
`,
    wrong: [
      [
        "class Worker(threading.Thread):\n    def __init__(self, items):\n        super().__init__(name='worker')\n",
        "class Worker:\n    name = 'worker'\n    start = join = lambda self: self.run()\n    def __init__(self, items):\n",
        'test_thread',
      ],
      [
        'class Encoder(json.JSONEncoder):',
        'class Encoder:\n    def encode(self, part): return json.dumps(sorted(part))',
        'test_encoder',
      ],
      ["if name == 'href'", "if name == 'src'", 'test_links'],
      ['def visit_Name(self', 'def visit_Names(self', 'test_names'],
      ['class Registry(collections.abc.MutableMapping):', 'class Registry:', 'test_registry'],
      ['class Shell(cmd.Cmd):', 'class Shell:', 'test_shell'],
      ['class Server(ThreadingMixIn, HTTPServer):', 'class Server(HTTPServer):', 'test_server'],
      ['class Quiet(contextlib.ContextDecorator):', 'class Quiet:', 'test_quiet'],
      ['type=int, default=1', 'type=str, default=1', 'test_parser'],
      [
        'settings = configparser.ConfigParser()',
        'settings = configparser.RawConfigParser()',
        'test_settings',
      ],
      [
        "store = sqlite3.connect(':memory:')\n    store.execute('create table t (a)')",
        'store = contextlib.nullcontext()',
        'test_store',
      ],
      [
        "ET.SubElement(root, 'title').text = title",
        "ET.SubElement(root, 'titles').text = title",
        'test_page',
      ],
      ['queue.Queue(maxsize=2)', 'queue.SimpleQueue()', 'test_jobs'],
    ],
  },
  {
    id: 'handlers of loggers as arguments',
    artifact: `
import json
import logging

class Lines(logging.Formatter):
    def format(self, record):
        return json.dumps([record.levelname, record.getMessage()])

def attach(name, handler, level=logging.INFO):
    logger = logging.getLogger(name)
    logger.setLevel(level)
    if handler not in logger.handlers:
        logger.addHandler(handler)
    return logger

def attach_lines(name, handler):
    handler.setFormatter(Lines())
    attach(name, handler)

def detach(name, handler):
    logging.getLogger(name).removeHandler(handler)

def work(name, n):
    logging.getLogger(name).info('step %d', n)
    return n + 1

def raise_level(handler):
    handler.setLevel(logging.ERROR)

def directly(handler):
    handler.handle(logging.makeLogRecord({'msg': 'direct', 'levelno': 20, 'levelname': 'INFO'}))
`,
    tests: `
import io
import json
import logging
import pytest
from solution import Lines, attach, attach_lines, detach, directly, raise_level, work

class Kept(logging.Handler):
    def __init__(self):
        super().__init__()
        self.texts = []
    def emit(self, record):
        self.texts.append(record.getMessage())

@pytest.fixture
def kept():
    handler = Kept()
    yield handler
    for name in ('a', 'b'):
        logging.getLogger(name).removeHandler(handler)

def test_added(kept):
    attach('a', kept); assert work('a', 1) == 2; assert kept.texts == ['step 1']
def test_added_once(kept):
    attach('a', kept); attach('a', kept); assert logging.getLogger('a').handlers.count(kept) == 1
    work('a', 1); assert kept.texts == ['step 1']
def test_removed(kept):
    attach('a', kept); detach('a', kept); work('a', 1); assert kept.texts == []
    assert kept not in logging.getLogger('a').handlers
def test_stream():
    stream = io.StringIO(); handler = logging.StreamHandler(stream)
    attach('b', handler)
    work('b', 2)
    logging.getLogger('b').removeHandler(handler)
    assert stream.getvalue() == 'step 2\\n'
def test_file(tmp_path):
    handler = logging.FileHandler(tmp_path / 'a.log'); attach('b', handler); work('b', 3)
    logging.getLogger('b').removeHandler(handler); handler.close()
    assert (tmp_path / 'a.log').read_text() == 'step 3\\n'
def test_formatter():
    stream = io.StringIO(); handler = logging.StreamHandler(stream)
    attach_lines('b', handler); assert isinstance(handler.formatter, Lines)
    logging.getLogger('b').warning('w'); logging.getLogger('b').removeHandler(handler)
    assert json.loads(stream.getvalue()) == ['WARNING', 'w']
def test_level(kept):
    raise_level(kept); assert kept.level == logging.ERROR
    attach('a', kept); work('a', 1); assert kept.texts == []
def test_directly(kept):
    directly(kept); assert kept.texts == ['direct']
`,
    wrong: [
      [
        '    if handler not in logger.handlers:\n        logger.addHandler(handler)',
        '    logger.propagate = False',
        'test_added',
      ],
      [
        'logging.getLogger(name).removeHandler(handler)',
        'logging.getLogger(name).removeHandler(None)',
        'test_removed',
      ],
      ["'step %d', n", "'step %d', n + 1", 'test_stream'],
      ['[record.levelname, record.getMessage()]', '[record.levelno, record.getMessage()]', 'test_formatter'],
      ['handler.setLevel(logging.ERROR)', 'handler.level = logging.INFO', 'test_level'],
      ["'msg': 'direct'", "'msg': 'indirect'", 'test_directly'],
    ],
  },
  {
    id: 'signatures of functions of the test',
    artifact: `
import inspect

def usage(function):
    return str(inspect.signature(function))

def filled(function, **given):
    bound = inspect.signature(function).bind(**given)
    bound.apply_defaults()
    return dict(bound.arguments)

def optional(function):
    return [name for name, each in inspect.signature(function).parameters.items() if each.default is not each.empty]

def called(function, *args):
    return function(*args)
`,
    tests: `
from solution import called, filled, optional, usage

def command(a, b=1, *rest, c='x', d=None, e=(1, 2)):
    return [a, b, rest, c, d, e]

def test_usage():
    def add(a, b=1, *, name='n'): pass
    assert usage(add) == "(a, b=1, *, name='n')"
def test_filled():
    def add(a, b=1, *, name=None): pass
    assert filled(add, a=5) == {'a': 5, 'b': 1, 'name': None}
def test_optional(): assert optional(command) == ['b', 'c', 'd', 'e']
def test_called(): assert called(command, 1) == [1, 1, (), 'x', None, (1, 2)]
def test_called_with_more(): assert called(command, 1, 2, 3) == [1, 2, (3,), 'x', None, (1, 2)]
`,
    wrong: [
      [
        'str(inspect.signature(function))',
        "str(inspect.signature(function)).replace('=1', '=2')",
        'test_usage',
      ],
      ['    bound.apply_defaults()\n', '', 'test_filled'],
      ['is not each.empty', 'is each.empty', 'test_optional'],
      ['function(*args)', 'function(*args, None)', 'test_called'],
    ],
  },
  {
    id: 'collections of the library that hold containers, and data classes that a function has made',
    artifact: `
import dataclasses
from collections import UserDict
from collections.abc import Mapping, Sequence

def header(rows):
    first = rows[0]
    if dataclasses.is_dataclass(first): return [each.name for each in dataclasses.fields(first)]
    return list(first.keys())
def cells(rows):
    if dataclasses.is_dataclass(rows[0]): return [[getattr(row, name) for name in header(rows)] for row in rows]
    return [list(row.values()) for row in rows]
def kind(value):
    if isinstance(value, UserDict): return 'dict'
    return 'mapping' if isinstance(value, Mapping) else 'sequence' if isinstance(value, Sequence) else 'other'
def fill(held, defaults):
    for name, value in defaults.items(): held.setdefault(name, value)
    held.pop('debug', None)
def total(held): return sum(value for _, value in held.items())
def joined(items): return ', '.join(items[1:]) + str(len(items))
def extend(items, more): items.append(more)
def same(a, b): return a == b
`,
    tests: `
from collections import ChainMap, UserDict, UserList
from dataclasses import make_dataclass
from solution import cells, extend, fill, header, joined, kind, same, total

def test_rows():
    rows = [UserDict(a=1, b=2), UserDict({'a': 3, 'b': 4})]
    assert header(rows) == ['a', 'b']
    assert cells(rows) == [[1, 2], [3, 4]]
def test_kinds():
    assert [kind(each) for each in (UserDict(), ChainMap(), UserList(), object())] == ['dict', 'mapping', 'sequence', 'other']
def test_filled():
    held = UserDict(a=1, debug=True)
    fill(held, {'a': 5, 'b': 2})
    assert held == {'a': 1, 'b': 2}
def test_untouched():
    defaults = UserDict(a=1)
    fill({}, defaults)
    assert defaults.data == {'a': 1}
def test_chain(): assert total(ChainMap({'a': 1}, {'a': 5, 'b': 2})) == 3
def test_front():
    front = {}
    fill(ChainMap(front, {'a': 1}), {'a': 4, 'b': 3})
    assert front == {'b': 3}
def test_list():
    items = UserList(['a', 'b', 'c'])
    assert joined(items) == 'b, c3'
    extend(items, 'd')
    assert items == ['a', 'b', 'c', 'd']
def test_same():
    held = UserDict(a=1)
    assert same(held, UserDict(a=1))
    assert not same(held, {'a': 2})
def test_made():
    Person = make_dataclass('Person', ['name', 'age'])
    people = [Person('Ada', 36), Person('Alan', 41)]
    assert header(people) == ['name', 'age']
    assert cells(people) == [['Ada', 36], ['Alan', 41]]
`,
    wrong: [
      ['list(row.values())', 'list(row.values())[:1]', 'test_rows'],
      ["isinstance(value, UserDict): return 'dict'", "hasattr(value, 'data'): return 'dict'", 'test_kinds'],
      ['held.setdefault(name, value)', 'held[name] = value', 'test_filled'],
      ['held.setdefault(', "(held.maps[-1] if hasattr(held, 'maps') else held).setdefault(", 'test_front'],
      ["held.pop('debug', None)", "defaults['debug'] = 1", 'test_untouched'],
      ['in held.items()', 'in held.maps[1].items()', 'test_chain'],
      ['items.append(more)', 'items = items + [more]', 'test_list'],
      ['return a == b', 'return a is b', 'test_same'],
      ['[each.name for', '[each.name.upper() for', 'test_made'],
    ],
  },
  {
    id: 'temporary folders of the older kind',
    artifact: `
import os
class Store:
    def __init__(self, path): self.path = path
    def put(self, text):
        with open(self.path, 'w') as file: file.write(text)
def lines(path):
    with open(path) as file: return len(file.readlines())
def written(name):
    with open(name, 'w') as file: file.write('x')
    return os.path.abspath(name)
`,
    tests: `
import pytest
from solution import Store, lines, written

@pytest.fixture(scope='session')
def data(tmpdir_factory):
    folder = tmpdir_factory.mktemp('data')
    folder.join('a.txt').write('one\\ntwo\\n')
    return folder
def test_read(data): assert lines(data.join('a.txt')) == lines(str(data.join('a.txt'))) == 2
def test_write(tmpdir):
    path = tmpdir.join('b.txt')
    Store(path).put('hello')
    assert path.read() == 'hello'
    assert [each.basename for each in tmpdir.listdir()] == ['b.txt']
def test_folder(tmpdir):
    with tmpdir.as_cwd():
        assert written('c.txt') == str(tmpdir.join('c.txt'))
    assert tmpdir.join('c.txt').check()
`,
    wrong: [
      ['len(file.readlines())', 'len(file.read())', 'test_read'],
      ['file.write(text)', 'file.write(text[1:])', 'test_write'],
      ['os.path.abspath(name)', "'/tmp/' + name", 'test_folder'],
    ],
  },
  {
    id: 'modules and open files of the library as arguments, and errors that a test changes',
    artifact: `
import io, sys
class BadData(Exception):
    def __init__(self, text, payload=None):
        super().__init__(text)
        self.payload = payload
class Serializer:
    def __init__(self, module): self.module = module
    def dumps(self, value): return self.module.dumps(value)
    def loads(self, text): return self.module.loads(text)
def names_of(module): return [name for name in dir(module) if not name.startswith('_')]
def count(source):
    if isinstance(source, io.IOBase): return len(source.readlines())
    with open(source) as file: return count(file)
def main(): print(count(sys.stdin))
def size(file):
    first = len(file.read(1))
    return first + len(file.read())
class Signer:
    def check(self, text): raise BadData('bad', payload=text)
    def tried(self, text):
        try: return self.check(text)
        except BadData as error: return error.payload
class Missing(AttributeError): pass
class Chain:
    def __getattr__(self, name): raise Missing('no ' + name)
`,
    tests: `
import codecs, gzip, io, json, math, pickle
from unittest.mock import patch
import pytest
from solution import BadData, Chain, Missing, Serializer, Signer, count, main, names_of, size

def test_json(): assert Serializer(json).dumps({'a': 1}) == '{"a": 1}'
def test_pickle():
    held = Serializer(pickle)
    assert held.loads(held.dumps([1, 2])) == [1, 2]
def test_fake(monkeypatch):
    monkeypatch.setattr(json, 'dumps', lambda value: 'fake')
    assert Serializer(json).dumps(1) == 'fake'
def test_names(): assert names_of(math)[:2] == ['acos', 'acosh']
def test_text(): assert count(io.StringIO('a\\nb\\n')) == 2
def test_bytes(): assert count(io.BytesIO(b'a\\nb\\nc')) == 3
def test_file(tmp_path):
    path = tmp_path / 'a.txt'
    path.write_text('a\\nb\\n')
    with open(path) as file: assert count(file) == count(path) == 2
def test_packed(tmp_path):
    with gzip.open(tmp_path / 'a.gz', 'wb') as file: file.write(b'a\\nb\\n')
    with gzip.open(tmp_path / 'a.gz') as file: assert size(file) == 4
    with codecs.open(str(tmp_path / 'b.txt'), 'w', 'latin-1') as file: file.write('\\xe9a\\n')
    with codecs.open(str(tmp_path / 'b.txt'), encoding='latin-1') as file: assert size(file) == 3
def test_input(capsys):
    with patch('sys.stdin', io.StringIO('x\\ny\\n')): main()
    assert capsys.readouterr().out == '2\\n'
def test_changed():
    class Quiet(Signer):
        def check(self, text):
            try: return super().check(text)
            except BadData as error:
                error.payload, error.seen = None, True
                raise
    assert Signer().tried('x') == 'x'
    assert Quiet().tried('x') is None
def test_caught():
    with pytest.raises(BadData) as info: Signer().check('abc')
    assert info.value.payload == 'abc'
    info.value.payload = 'd'
    assert info.value.payload == 'd'
def test_missing():
    with pytest.raises(Missing, match='no map'): Chain().map
    with pytest.raises(AttributeError) as info: Chain().filter(1)
    assert isinstance(info.value, Missing)
    assert not hasattr(Chain(), 'map')
`,
    wrong: [
      ['return self.module.dumps(value)', 'return str(value)', 'test_json'],
      ['self.module.loads(text)', 'self.module.loads(text)[:1]', 'test_pickle'],
      ['return self.module.dumps(value)', "return __import__('marshal').dumps(value)", 'test_fake'],
      ['in dir(module)', 'in reversed(dir(module))', 'test_names'],
      ['len(source.readlines())', 'len(source.read())', 'test_text'],
      ['isinstance(source, io.IOBase)', 'isinstance(source, io.TextIOBase)', 'test_bytes'],
      ['return count(file)', 'return count(file) + 1', 'test_file'],
      ['return first + len', 'return len', 'test_packed'],
      ['print(count(sys.stdin))', 'print(count(sys.__stdin__))', 'test_input'],
      ['return error.payload', 'return text', 'test_changed'],
      ['payload=text)', 'payload=text[1:])', 'test_caught'],
      ["'no ' + name", 'name', 'test_missing'],
    ],
  },
];
