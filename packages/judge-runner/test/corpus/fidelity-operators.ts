import type { FidelityCase } from './fidelity-case.ts';

/** Classes with operators of their own, and tests that reach them in roundabout ways: helpers, tables, fixtures, doubles. */
export const fidelityOperators: readonly FidelityCase[] = [
  {
    id: 'fractions-and-helpers',
    needsReference: true,
    artifact: `
import functools
import math

@functools.total_ordering
class Ratio:
    def __init__(self, top, bottom=1):
        if bottom == 0:
            raise ZeroDivisionError('no ratio')
        if isinstance(top, Ratio):
            top, bottom = top.top, top.bottom * bottom
        common = math.gcd(top, bottom) * (1 if bottom > 0 else -1)
        self.top, self.bottom = top // common, bottom // common
    @classmethod
    def parse(cls, text):
        top, _, bottom = text.partition('/')
        return cls(int(top), int(bottom or 1))
    def _of(self, other):
        return other if isinstance(other, Ratio) else Ratio(other) if isinstance(other, int) else None
    def __add__(self, other):
        other = self._of(other)
        if other is None:
            return NotImplemented
        return Ratio(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)
    __radd__ = __add__
    def __mul__(self, other):
        other = self._of(other)
        if other is None:
            return NotImplemented
        return Ratio(self.top * other.top, self.bottom * other.bottom)
    __rmul__ = __mul__
    def __sub__(self, other): return self + other * Ratio(-1)
    def __neg__(self): return Ratio(-self.top, self.bottom)
    def __eq__(self, other):
        other = self._of(other)
        return NotImplemented if other is None else (self.top, self.bottom) == (other.top, other.bottom)
    def __lt__(self, other):
        other = self._of(other)
        return NotImplemented if other is None else self.top * other.bottom < other.top * self.bottom
    def __hash__(self): return hash((self.top, self.bottom))
    def __float__(self): return self.top / self.bottom
    def __repr__(self): return 'Ratio(%d, %d)' % (self.top, self.bottom)
    def __str__(self): return '%d/%d' % (self.top, self.bottom)
    def inverse(self): return Ratio(self.bottom, self.top)

def mean(items):
    items = list(items)
    return sum(items, Ratio(0)) * Ratio(1, len(items))

def steps(start, stop, count):
    return [start + (stop - start) * Ratio(index, count) for index in range(count + 1)]
`,
    tests: `
import bisect
import functools
import heapq
import operator
from collections import Counter, defaultdict
import pytest
from solution import Ratio, mean, steps

HALF = Ratio(1, 2)
TABLE = [
    pytest.param('1/2', '1/3', '5/6', id='halves'),
    pytest.param('1/4', '1/4', '1/2', id='quarters'),
]

def r(text):
    return Ratio.parse(text)

def check_sum(items, want):
    total = functools.reduce(operator.add, items)
    assert total == want, total

class Check:
    def __init__(self, value):
        self.value = value
    def equals(self, text):
        assert self.value == r(text)
        return self
    def shows(self, text):
        assert str(self.value) == text
        return self

@pytest.fixture(params=['1/2', '2/4', '3/6'])
def half(request):
    return r(request.param)

@pytest.fixture
def ladder():
    return steps(Ratio(0), Ratio(1), 4)

def test_text(): assert str(Ratio(2, 4)) == '1/2' and repr(Ratio(3)) == 'Ratio(3, 1)'
def test_parts():
    found = Ratio(3, -6)
    assert (found.top, found.bottom) == (-1, 2)
def test_zero():
    with pytest.raises(ZeroDivisionError, match='no ratio'): Ratio(1, 0)
def test_lowest(half): assert half == HALF
def test_inverse(half): assert half.inverse().top == 2
@pytest.mark.parametrize('one, two, want', TABLE)
def test_add(one, two, want): assert r(one) + r(two) == r(want)
@pytest.mark.parametrize('value, want', [(Ratio(1, 2), '0.5'), (Ratio(1, 4), '0.25')])
def test_float(value, want): assert str(float(value)) == want
@pytest.mark.parametrize('op', [operator.lt, operator.le, operator.ne], ids=['lt', 'le', 'ne'])
def test_orders(op): assert op(Ratio(1, 3), HALF)
def test_sums(): check_sum([HALF, HALF, Ratio(1)], Ratio(2))
def test_chain(): Check(HALF + HALF).equals('1').shows('1/1')
def test_shows(): Check(Ratio(4, 6)).shows('2/3')
def test_mean(): assert mean([Ratio(1), Ratio(2)]) == Ratio(3, 2)
def test_mean_text(): assert str(mean([Ratio(1), Ratio(2)])) == '3/2'
def test_ladder(ladder):
    low, *middle, high = ladder
    assert low == 0 and high == 1
    assert middle[1] == HALF
def test_ladder_texts(ladder): assert [str(each) for each in ladder] == ['0/1', '1/4', '1/2', '3/4', '1/1']
def test_ladder_rises(ladder):
    for before, after in zip(ladder, ladder[1:]):
        assert before < after
def test_heap():
    heap = []
    for text in ('3/4', '1/4', '1/2'):
        heapq.heappush(heap, r(text))
    assert str(heapq.heappop(heap)) == '1/4'
def test_bisect(ladder): assert bisect.bisect_left(ladder, HALF) == 2
def test_counts():
    counts = Counter([HALF, Ratio(2, 4), Ratio(1)])
    assert counts.most_common(1)[0][1] == 2
def test_groups():
    groups = defaultdict(list)
    for text in ('1/2', '2/4', '1/3'):
        groups[r(text)].append(text)
    assert sorted(map(len, groups.values())) == [1, 2]
def test_cache():
    @functools.lru_cache
    def name(value): return str(value)
    assert name(HALF) == name(Ratio(2, 4))
    assert name.cache_info().hits == 1
def test_dict_of_results(): assert {each: r(each) for each in ('1/2', '1')} == {'1/2': HALF, '1': Ratio(1)}
def test_largest(): assert max(['1/2', '2/3'], key=r) == '2/3'
def test_sorted_by_float(): assert [str(each) for each in sorted([Ratio(1), HALF], key=lambda each: each.top / each.bottom)] == ['1/2', '1/1']
def test_range_of_values(): assert 0 < HALF < 1
def test_wrong_types():
    with pytest.raises(TypeError): HALF + 'x'
def test_index(ladder): assert ladder.index(Ratio(3, 4)) == 3
`,
    breaks: ['* other.top, self.bottom * other.bottom', '* other.top, self.bottom + other.bottom'],
  },
  {
    id: 'messages-and-doubles',
    needsReference: true,
    artifact: `
class Message:
    def __init__(self, topic, **body):
        self.topic, self.body = topic, body
    def __eq__(self, other):
        return isinstance(other, Message) and (self.topic, self.body) == (other.topic, other.body)
    def __hash__(self): return hash(self.topic)
    def __repr__(self): return 'Message(%r)' % self.topic
    def reply(self, **body): return Message('re:' + self.topic, **body)

class Queue:
    def __init__(self): self.items, self.listeners = [], []
    def listen(self, listener): self.listeners.append(listener); return listener
    def put(self, message):
        self.items.append(message)
        for each in self.listeners: each(message)
    def get(self): return self.items.pop(0)
    def peek(self): return self.items[0]
    def drain(self):
        items, self.items = self.items, []
        return items
    def by_topic(self):
        found = {}
        for each in self.items: found.setdefault(each.topic, []).append(each)
        return found
    def __len__(self): return len(self.items)

class Router:
    def __init__(self): self.routes = {}
    def route(self, topic):
        def wrap(function):
            self.routes[topic] = function
            return function
        return wrap
    def send(self, message):
        return self.routes[message.topic](message)

async def fetch(queue): return queue.get()
`,
    tests: `
import asyncio
import unittest
from unittest import mock
from solution import Message, Queue, Router, fetch

class QueueCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.hello = Message('hello', to='you')
    def setUp(self):
        self.queue = Queue()
        self.listener = mock.Mock(name='listener')
    def send(self, topic, **body):
        message = Message(topic, **body)
        self.queue.put(message)
        return message
    def assertNext(self, want):
        self.assertEqual(self.queue.get(), want)

class TestPut(QueueCase):
    def test_length(self):
        self.send('a')
        self.assertEqual(len(self.queue), 1)
    def test_same(self):
        sent = self.send('a')
        self.assertIs(self.queue.get(), sent)
    def test_next(self):
        self.send('hello', to='you')
        self.assertNext(Message('hello', to='you'))
    def test_shared(self):
        self.queue.put(Message('hello', to='you'))
        assert self.hello == self.queue.peek()
    def test_topics(self):
        self.send('a', n=1)
        self.send('b')
        self.assertEqual([each.topic for each in self.queue.drain()], ['a', 'b'])
    def test_drain(self):
        self.send('a', n=1)
        self.send('b')
        self.assertListEqual(self.queue.drain(), [Message('a', n=1), Message('b')])
    def test_by_topic(self):
        self.send('a', n=1)
        self.assertDictEqual(self.queue.by_topic(), {'a': [Message('a', n=1)]})
    def test_is_there(self):
        self.send('a')
        self.assertIn(Message('a'), self.queue.items)
    def test_listener(self):
        self.queue.listen(self.listener)
        self.send('a', n=1)
        self.listener.assert_called_once_with(Message('a', n=1))
    def test_calls(self):
        self.queue.listen(self.listener)
        self.send('a')
        self.assertEqual(self.listener.call_args, mock.call(Message('a')))
    def test_count(self):
        self.queue.listen(self.listener)
        self.send('a')
        self.assertEqual(self.listener.call_count, 1)
    def test_collects(self):
        seen = []
        self.queue.listen(seen.append)
        self.send('a')
        self.assertEqual(seen, [Message('a')])
    def test_topics_seen(self):
        seen = []
        self.queue.listen(lambda message: seen.append(message.topic))
        self.send('a')
        self.assertEqual(seen, ['a'])

class TestReply(unittest.TestCase):
    def test_topic(self): self.assertEqual(Message('a').reply().topic, 're:a')
    def test_whole(self): self.assertEqual(Message('a').reply(ok=True), Message('re:a', ok=True))
    def test_differs(self): self.assertNotEqual(Message('a'), Message('b'))
    def test_once(self): self.assertEqual(len({Message('a'), Message('a')}), 1)
    def test_sub_tests(self):
        for topic in ('a', 'b'):
            with self.subTest(topic=topic):
                self.assertEqual(Message(topic), Message(topic))

class TestRouter(unittest.TestCase):
    def test_route(self):
        router = Router()
        @router.route('a')
        def on(message): return message.reply(n=1)
        self.assertEqual(router.send(Message('a')), Message('re:a', n=1))
    def test_text(self):
        router = Router()
        @router.route('a')
        def on(message): return message.topic.upper()
        self.assertEqual(router.send(Message('a')), 'A')

class TestFetch(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.queue = Queue()
    async def test_fetch(self):
        self.queue.put(Message('a'))
        self.assertEqual(await fetch(self.queue), Message('a'))
    async def test_gather(self):
        self.queue.put(Message('a'))
        self.queue.put(Message('b'))
        one, two = await asyncio.gather(fetch(self.queue), fetch(self.queue))
        self.assertEqual({one.topic, two.topic}, {'a', 'b'})
`,
    breaks: ["'re:' + self.topic", "'re: ' + self.topic"],
  },
  {
    id: 'temperatures-and-versions',
    needsReference: true,
    artifact: `
class degrees:
    def __init__(self, value): self.value = value
    def __eq__(self, other): return isinstance(other, degrees) and abs(self.value - other.value) < 1e-9
    def __lt__(self, other): return self.value < other.value
    def __gt__(self, other): return self.value > other.value
    def __sub__(self, other): return degrees(self.value - other.value) if isinstance(other, degrees) else degrees(self.value - other)
    def __add__(self, other): return degrees(self.value + (other.value if isinstance(other, degrees) else other))
    def __round__(self, digits=0): return round(self.value, digits)
    def __int__(self): return int(self.value)
    def __format__(self, spec): return format(self.value, spec or '.1f') + '°'
    def __abs__(self): return degrees(abs(self.value))
    def __bool__(self): return self.value != 0
    def fahrenheit(self): return self.value * 9 / 5 + 32

def celsius(value): return degrees(value)
def kelvin(value): return degrees(value - 273.15)
def warmest(readings): return max(readings, key=lambda each: each.value)
def convert(text):
    number, unit = float(text[:-1]), text[-1]
    return {'C': celsius, 'K': kelvin, 'F': lambda value: degrees((value - 32) * 5 / 9)}[unit](number)

class Station:
    def __init__(self, name): self.name, self.readings = name, []
    def read(self, text):
        self.readings.append(convert(text))
        return self.latest
    @property
    def latest(self): return self.readings[-1]
    def mean(self): return degrees(sum(each.value for each in self.readings) / len(self.readings))
    def __iter__(self): return iter(self.readings)
    def __getitem__(self, index): return self.readings[index]
    def summary(self): return {'name': self.name, 'mean': self.mean(), 'count': len(self.readings)}
`,
    tests: `
import pytest
import solution
from solution import Station, celsius, convert, kelvin, warmest

@pytest.fixture
def station():
    made = Station('north')
    for text in ('10C', '20C'):
        made.read(text)
    return made

def approx(one, two):
    return abs((one - two).value) < 1e-6

def test_value(): assert celsius(5).value == 5
def test_fahrenheit(): assert celsius(100).fahrenheit() == 212
def test_name(station): assert station.name == 'north'
def test_latest(station): assert station.latest.value == 20
def test_kelvin(): assert kelvin(273.15) == celsius(0)
def test_convert(): assert convert('50F') == celsius(10)
def test_convert_value(): assert convert('50F').value == pytest.approx(10)
def test_mean(station): assert station.mean() == celsius(15)
def test_mean_value(station): assert station.mean().value == 15
def test_iterates(station): assert [each.value for each in station] == [10, 20]
def test_iterates_objects(station): assert list(station) == [celsius(10), celsius(20)]
def test_first(station): assert station[0] < station[1]
def test_summary(station):
    found = station.summary()
    assert found['count'] == 2
    assert found['mean'] == solution.celsius(15)
def test_summary_name(station): assert station.summary()['name'] == 'north'
def test_warmest(): assert warmest([celsius(1), celsius(3)]).value == 3
def test_warmer(): assert kelvin(300) > celsius(20)
def test_difference(): assert (celsius(5) - celsius(3)).value == 2
def test_close(): assert approx(celsius(1), kelvin(274.15))
def test_round(): assert round(convert('51F'), 1) == 10.6
def test_format(): assert f'{celsius(21.25):.2f}' == '21.25°'
def test_int(): assert int(celsius(7.9)) == 7
def test_truth():
    assert celsius(1)
    assert not celsius(0)
def test_reading(station): assert station.read('0C') == station.latest
def test_walrus(station):
    if (latest := station.latest) == celsius(20):
        return
    pytest.fail(str(latest.value))
def test_sorted():
    values = sorted(convert(text) for text in ('3C', '1C', '2C'))
    assert [each.value for each in values] == [1, 2, 3]
def test_abs(): assert abs(celsius(-4)).value == 4
`,
    breaks: ['value * 9 / 5 + 32', 'value * 9 / 5'],
  },
];
