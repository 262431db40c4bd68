import type { WrongParts } from '../wrong-parts.ts';

/** Programs that are given mocks, and functions of the library by which they are known. */
export const mockCases: readonly WrongParts[] = [
  {
    id: 'open files and special methods that a test fakes',
    artifact: `
import json
def lines(path):
    with open(path) as f: return [l.strip() for l in f]
def head(path, n):
    with open(path, 'rb') as f: return f.read(n)
def first(path):
    f = open(path)
    try: return f.readline(), f.read()
    finally: f.close()
def every(path):
    with open(path, encoding='utf-8') as f: return f.readlines()
def save(path, rows):
    with open(path, 'w') as f:
        for row in rows: f.write(row + '\\n')
def dump(path, value):
    with open(path, 'w') as f: json.dump(value, f)
def load(path):
    with open(path) as f: return json.load(f)
def skip(path):
    with open(path) as f:
        next(f)
        return list(f)
def use(thing):
    with thing as t:
        return [len(t), t['k'], 'x' in t, int(t), list(t), bool(t), t + 1, t < 2]
def put(thing):
    thing['a'] = 1
    del thing['b']
`,
    tests: `
from unittest.mock import MagicMock, call, mock_open, patch
import pytest
import solution
def test_lines():
    with patch('builtins.open', mock_open(read_data='a\\nb\\n')) as opened:
        assert solution.lines('f') == ['a', 'b'] and solution.lines('g') == ['a', 'b']
    assert opened.call_args_list == [call('f'), call('g')]
def test_read():
    with patch('builtins.open', mock_open(read_data=b'abcdef')) as opened: assert solution.head('f', 3) == b'abc'
    opened.assert_called_once_with('f', 'rb')
    opened().read.assert_called_once_with(3)
def test_readline():
    with patch('builtins.open', mock_open(read_data='one\\ntwo\\nthree')) as opened: assert solution.first('f') == ('one\\n', 'two\\nthree')
    opened.return_value.close.assert_called_once_with()
def test_readlines():
    with patch('solution.open', mock_open(read_data='one\\ntwo'), create=True) as opened: assert solution.every('f') == ['one\\n', 'two']
    opened.assert_called_once_with('f', encoding='utf-8')
def test_write():
    with patch('builtins.open', mock_open()) as opened: solution.save('f', ['a', 'b'])
    opened.assert_called_once_with('f', 'w')
    handle = opened()
    handle.write.assert_called_with('b\\n')
    assert handle.write.call_args_list == [call('a\\n'), call('b\\n')]
    handle.__enter__.assert_called_once_with()
    handle.__exit__.assert_called_once_with(None, None, None)
def test_dump():
    with patch('builtins.open', mock_open()) as opened: solution.dump('f', {'a': 1})
    assert ''.join(c.args[0] for c in opened().write.call_args_list) == '{"a": 1}'
def test_load():
    with patch('builtins.open', mock_open(read_data='{"a": [1]}')): assert solution.load('f') == {'a': [1]}
def test_skip():
    with patch('builtins.open', mock_open(read_data='h\\n1\\n2\\n')): assert solution.skip('f') == ['1\\n', '2\\n']
def test_magic():
    m = MagicMock()
    m.__enter__.return_value = m
    m.__len__.return_value = 3
    m.__getitem__.side_effect = lambda key: key * 2
    m.__contains__.return_value = True
    m.__int__.return_value = 4
    m.__iter__.return_value = iter([1, 2])
    m.__bool__.return_value = False
    m.__add__.side_effect = lambda other: 10 + other
    m.__lt__ = lambda self, other: self is m and other == 2
    assert solution.use(m) == [3, 'kk', True, 4, [1, 2], False, 11, True]
    m.__getitem__.assert_called_once_with('k')
    m.__contains__.assert_called_once_with('x')
    m.__len__.assert_called_with()
    assert m.__len__.call_count == 2
def test_put():
    m = MagicMock()
    solution.put(m)
    m.__setitem__.assert_called_once_with('a', 1)
    m.__delitem__.assert_called_once_with('b')
def test_missing():
    with patch('builtins.open', side_effect=FileNotFoundError(2, 'none')):
        with pytest.raises(FileNotFoundError): solution.lines('f')
`,
    wrong: [
      ['return [l.strip() for l in f]', 'return [l.strip() for l in f][:1]', 'test_lines'],
      ['return f.read(n)', 'return f.read()[:n]', 'test_read'],
      ['return f.readline(), f.read()', 'return f.readline(), f.readline()', 'test_readline'],
      ['    finally: f.close()', '    finally: pass', 'test_readline'],
      [
        "with open(path, encoding='utf-8') as f: return f.readlines()",
        'with open(path) as f: return f.readlines()',
        'test_readlines',
      ],
      [
        "for row in rows: f.write(row + '\\n')",
        "f.write(''.join(row + '\\n' for row in rows))",
        'test_write',
      ],
      ['json.dump(value, f)', 'f.write(repr(value))', 'test_dump'],
      ['return json.load(f)', "return {'a': 1}", 'test_load'],
      [
        `        next(f)
`,
        `        f.read(1)
`,
        'test_skip',
      ],
      ["'x' in t, int(t)", "'y' in t, int(t)", 'test_magic'],
      ["thing['a'] = 1", "thing['a'] = 2", 'test_put'],
    ],
  },
  {
    id: 'functions of the library that a test gives',
    artifact: `
import threading
def start(f, *args):
    t = threading.Thread(target=f, args=args, daemon=True)
    t.start()
    return t
def later(f): return [f, {'f': f}]
class Task:
    def __init__(self, run): self.run, self.kept = run, [run]
def pick(name, table): return table[name]
DEFAULT = len
def default(): return DEFAULT
HELD = {}
def hold(name, f): HELD[name] = f
def held(name): return HELD[name]
def sort(items, key=len): return sorted(items, key=key)
`,
    tests: `
import json, math, operator, time
from unittest.mock import patch
from solution import Task, default, held, hold, later, pick, sort, start
def test_target():
    with patch('threading.Thread') as Thread: start(len, 1)
    Thread.assert_called_once_with(target=len, args=(1,), daemon=True)
    Thread.return_value.start.assert_called_once_with()
def test_library():
    with patch('threading.Thread') as Thread:
        for f in (time.sleep, json.dumps, math.sqrt, operator.add): start(f)
    assert [c.kwargs['target'] for c in Thread.call_args_list] == [time.sleep, json.dumps, math.sqrt, operator.add]
def test_identity():
    first, second = later(max)
    assert first is max and second == {'f': max} and later(sorted)[0]([2, 1]) == [1, 2]
    assert pick('a', {'a': abs, 'b': min}) is abs and pick('b', {'a': abs, 'b': min})(1, 2) == 1
def test_object():
    task = Task(print)
    assert task.run is print and task.kept == [print]
def test_default():
    assert default()('abc') == 3 and sort(['bb', 'a']) == ['a', 'bb'] and sort([2, -1], key=abs) == [-1, 2]
def test_hold():
    hold('f', sum)
    assert held('f') is sum
def test_held(): assert held('f')([1, 2]) == 3
`,
    wrong: [
      [
        'threading.Thread(target=f, args=args, daemon=True)',
        'threading.Thread(target=lambda *a: f(*a), args=args, daemon=True)',
        'test_target',
      ],
      [
        'threading.Thread(target=f, args=args, daemon=True)',
        'threading.Thread(target=sum, args=args, daemon=True)',
        'test_library',
      ],
      ["def later(f): return [f, {'f': f}]", "def later(f): return [f, {'f': min}]", 'test_identity'],
      [
        'def pick(name, table): return table[name]',
        "def pick(name, table): return table['b']",
        'test_identity',
      ],
      ['self.run, self.kept = run, [run]', 'self.run, self.kept = run, [repr]', 'test_object'],
      ['DEFAULT = len', 'DEFAULT = sum', 'test_default'],
      ['def hold(name, f): HELD[name] = f', 'def hold(name, f): HELD[name] = len', 'test_hold'],
      [
        'def held(name): return HELD[name]',
        'def held(name): return lambda items: HELD[name](items) + 1',
        'test_held',
      ],
    ],
  },
];
