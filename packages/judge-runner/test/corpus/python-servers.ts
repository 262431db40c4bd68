import type { WrongParts } from '../wrong-parts.ts';

/** Programs whose threads, signals, loggers, contexts and operators reach into what serves them. */
export const pythonServers: readonly WrongParts[] = [
  {
    id: 'signals and threads beside questions',
    artifact: `
import _thread, asyncio, gc, signal, threading, time
def plus(a, b): return a + b
def limited(call, seconds):
    def late(*_): raise TimeoutError
    before = signal.signal(signal.SIGALRM, late)
    main = threading.main_thread().ident
    timer = threading.Timer(seconds, lambda: signal.pthread_kill(main, signal.SIGALRM))
    timer.start()
    try: return call()
    except TimeoutError: return 'late'
    finally:
        timer.cancel()
        signal.signal(signal.SIGALRM, before)
def interrupt_later(): threading.Timer(0.02, _thread.interrupt_main).start()
def handler(): return signal.getsignal(signal.SIGINT) is signal.default_int_handler
class Worker:
    def __init__(self, stats): self.stats, self.thread = stats, threading.Thread(target=self.run)
    def run(self):
        for n in range(2000):
            self.stats['k%d' % n] = n
            if n % 10 == 0: time.sleep(0.0005)
    def start(self): self.thread.start()
    def done(self): return not self.thread.is_alive()
    def join(self): self.thread.join()
async def three(): return 3
def left_open(): return asyncio.new_event_loop().run_until_complete(three())
def collect(): return gc.collect() >= 0
`,
    tests: `
import time
import solution as s
def test_plus(): assert s.plus(1, 2) == 3
def test_limit(): assert s.limited(lambda: time.sleep(0.3) or 'done', 0.05) == 'late'
def test_no_limit(): assert s.limited(lambda: 'done', 5) == 'done'
def test_interrupted():
    s.interrupt_later()
    for n in range(10):
        time.sleep(0.01)
        assert s.plus(n, n) == 2 * n
def test_handler(): assert s.handler()
def test_worker():
    stats = {}
    worker = s.Worker(stats)
    worker.start()
    while not worker.done(): pass
    worker.join()
    assert len(stats) == 2000
def test_loops():
    for _ in range(3): assert s.left_open() == 3
    assert s.collect()
def test_last(): assert s.plus(2, 2) == 4
`,
    wrong: [
      ['raise TimeoutError', 'pass', 'test_limit'],
      ["'k%d' % n", "'k%d' % (n % 1000)", 'test_worker'],
    ],
  },
  {
    id: 'what loggers let through',
    artifact: `
import logging
logging.addLevelName(25, 'NOTICE')
class Lines(logging.Handler):
    def __init__(self): super().__init__(); self.lines = []
    def emit(self, record): self.lines.append(record.getMessage())
def collected():
    log, lines = logging.getLogger('app1'), Lines()
    log.setLevel(logging.INFO)
    log.addHandler(lines)
    log.info('hi')
    log.removeHandler(lines)
    return lines.lines
def shown(): return 'on' if logging.getLogger('app2').isEnabledFor(logging.DEBUG) else 'off'
def alone():
    log = logging.getLogger('app3')
    log.propagate = False
    log.addHandler(logging.NullHandler())
    log.warning('own')
def tidy(): pass
def calm(): pass
def quiet(): logging.disable(logging.WARNING)
def loud(): logging.disable(logging.NOTSET)
def setup(): logging.basicConfig(level=logging.INFO, force=True)
def warns(): logging.getLogger('app6').warning('w')
def many(): [logging.getLogger('app7').warning('n') for _ in range(1001)]
def pay(user):
    logging.getLogger('app8').warning('user %s', user, extra={'tags': ['a', {'b': 1}]})
    logging.getLogger('app8').log(25, 'x' * 3000 + 'end')
`,
    tests: `
import logging
import unittest
import solution as s
def test_collected(): assert s.collected() == ['hi']
def test_shown(caplog):
    assert s.shown() == 'off'
    with caplog.at_level(logging.DEBUG): assert s.shown() == 'on'
    assert s.shown() == 'off'
def test_alone(caplog):
    s.alone()
    assert caplog.messages == []
def test_tidy(caplog):
    s.tidy()
    logging.getLogger('app4').warning('x')
    assert caplog.messages == ['x']
def test_calm(caplog):
    s.calm()
    logging.getLogger('app5').warning('x')
    assert caplog.messages == ['x']
def test_quiet(caplog):
    s.quiet()
    try:
        logging.getLogger('app9').warning('x')
        assert caplog.messages == []
    finally:
        s.loud()
def test_setup(): assert s.setup() is None
def test_warns(caplog):
    s.warns()
    assert caplog.messages == ['w']
def test_asserted():
    with unittest.TestCase().assertLogs('app6', logging.WARNING) as found: s.warns()
    assert found.output == ['WARNING:app6:w']
def test_many(caplog):
    s.many()
    assert len(caplog.records) == 1001
def test_attributes(caplog):
    caplog.set_level(1)
    s.pay('ann')
    one, two = caplog.records
    assert one.tags == ['a', {'b': 1}]
    assert (one.msg, one.args) == ('user %s', ('ann',))
    assert two.levelname == 'NOTICE' and two.getMessage().endswith('end')
`,
    wrong: [
      ['    log.setLevel(logging.INFO)\n', '', 'test_collected'],
      ["'on' if logging", "'on' if True or logging", 'test_shown'],
      ['    log.propagate = False\n', '', 'test_alone'],
      ['tidy(): pass', "tidy(): logging.getLogger('app4').propagate = False", 'test_tidy'],
      ['calm(): pass', "calm(): logging.getLogger('app5').disabled = True", 'test_calm'],
      ['logging.disable(logging.WARNING)', 'pass', 'test_quiet'],
      ["warns(): logging.getLogger('app6').warning('w')", 'warns(): pass', 'test_warns'],
      ['range(1001)', 'range(1000)', 'test_many'],
      ["'user %s', user", "'user ' + user", 'test_attributes'],
    ],
  },
  {
    id: 'warnings and logged errors of own classes',
    artifact: `
import logging, warnings
class Old(UserWarning): pass
class Rich(DeprecationWarning):
    def __init__(self, name): super().__init__('use ' + name); self.name = name
class Bad(Exception): pass
def old(): warnings.warn('old', Old)
def rich(): warnings.warn(Rich('x'))
def plain(): warnings.warn('p', DeprecationWarning)
def logs():
    try: raise Bad('x')
    except Bad: logging.getLogger('app').exception('failed')
`,
    tests: `
import warnings
import pytest
import solution as s
def test_own():
    with pytest.warns(s.Old, match='old'): s.old()
def test_rich():
    with pytest.warns(s.Rich) as found: s.rich()
    assert str(found[0].message) == 'use x' and found[0].message.name == 'x'
def test_plain():
    with pytest.warns(DeprecationWarning, match='p'): s.plain()
def test_ignored():
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        warnings.simplefilter('ignore', s.Old)
        s.old()
def test_logs(caplog):
    s.logs()
    kind, error, _ = caplog.records[0].exc_info
    assert kind is s.Bad and str(error) == 'x'
`,
    wrong: [
      ["warnings.warn('old', Old)", "warnings.warn('old', UserWarning)", 'test_own'],
      ["warnings.warn(Rich('x'))", "warnings.warn(Rich('y'))", 'test_rich'],
      ["warnings.warn('p', Deprecation", "warnings.warn('p', User", 'test_plain'],
      ["raise Bad('x')\n    except Bad", "raise ValueError('x')\n    except ValueError", 'test_logs'],
    ],
  },
  {
    id: 'contexts of decimal numbers',
    artifact: `
import decimal
def root(n):
    with decimal.localcontext() as own:
        own.prec = 50
        return decimal.Decimal(n).sqrt()
def divide(a, b): return decimal.Decimal(a) / decimal.Decimal(b)
def rounded(text): return decimal.Decimal(text).quantize(decimal.Decimal('0.1'))
`,
    tests: `
import decimal
import pytest
import solution as s
def test_leaves():
    assert len(str(s.root(2))) == 51
    assert decimal.getcontext().prec == 28
def test_takes():
    with decimal.localcontext() as own:
        own.prec = 5
        assert s.divide(1, 3) == decimal.Decimal('0.33333')
    assert len(str(s.divide(1, 3))) == 30
def test_rounds():
    assert str(s.rounded('0.25')) == '0.2'
    with decimal.localcontext(decimal.Context(rounding=decimal.ROUND_UP)): assert str(s.rounded('0.21')) == '0.3'
def test_raises():
    with decimal.localcontext() as own:
        own.traps[decimal.DivisionByZero] = False
        assert s.divide(1, 0) == decimal.Decimal('Infinity')
    with pytest.raises(decimal.DivisionByZero): s.divide(1, 0)
`,
    wrong: [
      [
        'with decimal.localcontext() as own:\n        own.prec',
        'if True:\n        decimal.getcontext().prec',
        'test_leaves',
      ],
      [
        'decimal.Decimal(a) / decimal.Decimal(b)',
        'decimal.Context(prec=28).divide(decimal.Decimal(a), decimal.Decimal(b))',
        'test_takes',
      ],
      ["decimal.Decimal('0.1'))", "decimal.Decimal('0.1'), decimal.ROUND_HALF_EVEN)", 'test_rounds'],
    ],
  },
  {
    id: 'operators that raise',
    artifact: `
class Money:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return isinstance(other, Money) and self.n == other.n
    def __hash__(self): return hash(self.n)
class Name:
    def __init__(self, text): self.text = text
    def __eq__(self, other): return isinstance(other, Name) and self.text == other.text
    def __hash__(self): return hash(self.text)
class Word:
    def __init__(self, text): self.text = text
    def __eq__(self, other): return isinstance(other, Word) and self.text == other.text
    def __hash__(self): return hash(self.text)
def name(): return Name('a')
`,
    tests: `
import solution as s
def test_none():
    one = s.Money(5)
    assert not one == None
    assert one not in [None, 'x']
def test_text(): assert s.name() != 'x'
def test_exit(): assert s.Word('a') != 5
def test_last(): assert s.Money(1) == s.Money(1)
`,
    wrong: [
      ['isinstance(other, Money) and self.n == other.n', 'self.n == other.n', 'test_none'],
      ['isinstance(other, Name) and self.text == other.text', 'self.text == other.text', 'test_text'],
      [
        'return isinstance(other, Word) and',
        'if type(other) is int: raise SystemExit\n        return isinstance(other, Word) and',
        'test_exit',
      ],
    ],
  },
];

/** A program that serves its tests well, and what in the place of a line cannot be told: one test fails, and no other one. */
export const untoldParts = {
  artifact: `
import logging
def plus(a, b): return a + b
def link(a, b): raise ValueError('no')
def log(): return [1]
class Proxy:
    @property
    def __class__(self): raise RuntimeError('unbound')
`,
  tests: `
import logging
import pytest
import solution as s
def test_first(): assert s.plus(1, 2) == 3
def test_link():
    a, b = {'name': 'a'}, {'name': 'b'}
    with pytest.raises(ValueError): s.link(a, b)
    assert a['name'] == 'a'
def test_log(): assert s.log() == [1]
def test_last(): assert s.plus(2, 2) == 4
`,
  wrong: [
    ["raise ValueError('no')", "a['next'], b['prev'] = b, a; raise ValueError('no')", 'test_link'],
    ["raise ValueError('no')", "a['self'] = a; raise ValueError('no')", 'test_link'],
    ["raise ValueError('no')", "a['p'] = Proxy(); raise ValueError('no')", 'test_link'],
    [
      "raise ValueError('no')",
      "__import__('functools').reduce(lambda at, _: at.setdefault('d', {}), range(100), a); raise ValueError('no')",
      'test_link',
    ],
    ['return [1]', "[logging.getLogger('app').warning('n') for _ in range(10_001)]; return [1]", 'test_log'],
  ],
  /** What no test sees. */
  harmless: [
    ['return [1]', "logging.getLogger('app').level = 'INFO'; return [1]"],
    ['return [1]', "logging.getLogger('app').handlers = None; return [1]"],
    ['return [1]', 'import os; os.environ["LEFT"] = "1"; return [1]'],
  ],
} as const;
