import type { WrongParts } from '../wrong-parts.ts';

/** Programs that meet interrupts, fakes of HTTP and named mocks of a test. */
export const errorsAndFakes: readonly WrongParts[] = [
  {
    ...{ id: 'interrupts', language: 'python' },
    artifact: `
def ask():
    try: return input('> ')
    except KeyboardInterrupt: return None
def close(ask, log):
    try: return ask()
    finally: log.append('closed')
`,
    tests: `
import pytest
import solution
def interrupt(prompt=''): raise KeyboardInterrupt
def test_caught(monkeypatch):
    monkeypatch.setattr('builtins.input', interrupt)
    assert solution.ask() is None
def test_passed_on():
    log = []
    with pytest.raises(KeyboardInterrupt): solution.close(interrupt, log)
    assert log == ['closed']
def test_failed():
    with pytest.raises(pytest.fail.Exception, match='no'): solution.close(lambda: pytest.fail('no'), [])
def test_after(): assert solution.close(lambda: 1, []) == 1
`,
    wrong: [
      ['return None', "return ''", 'test_caught'],
      ["log.append('closed')", 'pass', 'test_passed_on'],
      ['    finally:', '    except BaseException: return 2\n    finally:', 'test_failed'],
    ],
  },
  {
    ...{ id: 'fakes of HTTP and named mocks', language: 'python' },
    artifact: `
import functools, io, json, urllib.error, urllib.request
def load(url):
    try:
        with urllib.request.urlopen(url) as response: return json.loads(response.read()), response.headers.get('ETag')
    except urllib.error.HTTPError as error: return error.code, error.headers.get('Retry-After', ''), error.read()
def sign(message): message['X-Signed'] = str(len(message))
def fail(): raise urllib.error.HTTPError('u', 404, 'gone', {'a': 'b'}, io.BytesIO(b'body'))
def parse(text): return json.loads(text)
def traced(function):
    @functools.wraps(function)
    def wrapper(*args): return [function.__qualname__, function(*args)]
    return wrapper
`,
    tests: `
import email.message, io, json, urllib.error
from unittest import mock
import pytest
import solution
def headers(**values):
    message = email.message.Message()
    for name, value in values.items(): message[name.replace('_', '-')] = value
    return message
@pytest.fixture
def urlopen():
    with mock.patch('urllib.request.urlopen') as fake: yield fake
def test_headers(urlopen):
    response = mock.MagicMock(status=200, headers=headers(ETag='abc'))
    response.read.return_value = b'[1]'
    response.__enter__.return_value = response
    urlopen.return_value = response
    assert solution.load('http://x') == ([1], 'abc')
def test_error(urlopen):
    urlopen.side_effect = urllib.error.HTTPError('http://x', 503, 'Oops', headers(Retry_After='3'), io.BytesIO(b'body'))
    assert solution.load('http://x') == (503, '3', b'body')
def test_changed_headers():
    message = headers(A='1')
    solution.sign(message)
    assert message.items() == [('A', '1'), ('X-Signed', '1')]
def test_raised_error():
    with pytest.raises(urllib.error.HTTPError) as info: solution.fail()
    assert (info.value.code, info.value.headers, info.value.read()) == (404, {'a': 'b'}, b'body')
def test_parts_of_error():
    with pytest.raises(json.JSONDecodeError) as info: solution.parse('{')
    assert (info.value.pos, info.value.doc) == (1, '{')
def test_named_mock():
    function = mock.MagicMock(return_value=42, __qualname__='f')
    assert solution.traced(function)(1) == ['f', 42]
    function.assert_called_once_with(1)
`,
    wrong: [
      ["response.headers.get('ETag')", "response.headers.get('Date')", 'test_headers'],
      ["error.headers.get('Retry-After', '')", "''", 'test_error'],
      ['error.read()', "b''", 'test_error'],
      ["message['X-Signed'] = str(len(message))", 'pass', 'test_changed_headers'],
      ["io.BytesIO(b'body')", "io.BytesIO(b'other')", 'test_raised_error'],
      [
        'parse(text): return json.loads(text)',
        "parse(text): return json.loads(text + ' ')",
        'test_parts_of_error',
      ],
      ['function.__qualname__', 'function.__name__', 'test_named_mock'],
    ],
  },
];
