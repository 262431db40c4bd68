import type { Styles } from '../styles.ts';

/** Iterators in several styles: generators, classes whose objects do what a generator does, and objects that answer another iterator. */
export const stylesOfIterators: readonly Styles[] = [
  {
    id: 'what is iterated',
    tests: `
import pytest
from solution import averages, count, numbers, pages
def test_numbers():
    deck = numbers(3)
    assert list(deck) == [0, 1, 2] and sum(numbers(4)) == 6
def test_next():
    found = iter(numbers(2))
    assert next(found) == 0 and next(found) == 1
    with pytest.raises(StopIteration): next(found)
def test_unpack():
    first, *rest = numbers(3)
    assert first == 0 and rest == [1, 2] and list(zip(numbers(2), 'ab')) == [(0, 'a'), (1, 'b')]
def test_pages():
    found = pages([1, 2, 3], 2)
    assert next(found) == [1, 2]
    found.close()
    assert list(found) == []
def test_self():
    c = count(3)
    assert next(c) == 2 and iter(c) is c and [x for x in c] == [1, 0] and list(c) == []
def test_send():
    c = count(2)
    assert next(c) == 1 and c.send(5) == 5 and next(c) == 4
def test_throw():
    c = count(2)
    next(c)
    assert c.throw(KeyError('k')) == 'caught k' and next(c) == 0
def test_thrown():
    c = count(2)
    next(c)
    with pytest.raises(ValueError, match='bad'): c.throw(ValueError('bad'))
def test_close():
    c = count(9)
    next(c)
    c.close()
    with pytest.raises(StopIteration): next(c)
def test_averages():
    a = averages()
    next(a)
    assert a.send(2) == 2 and a.send(4) == 3
    a.close()
`,
    styles: {
      generators: `
def numbers(n): yield from range(n)
def pages(items, size):
    for at in range(0, len(items), size): yield items[at:at + size]
def count(n):
    while n > 0:
        n -= 1
        try: got = yield n
        except KeyError as error: got = yield 'caught %s' % error.args[0]
        n += got or 0
def averages():
    total, n, mean = 0, 0, None
    while True:
        total, n = total + (yield mean), n + 1
        mean = total / n
`,
      classes: `
class Steps:
    done = False
    def __iter__(self): return self
    def __next__(self): return self.send(None)
    def throw(self, error): raise error
    def close(self): self.done = True
class pages(Steps):
    def __init__(self, items, size): self.items, self.size = items, size
    def send(self, value):
        if self.done or not self.items: raise StopIteration
        page, self.items = self.items[:self.size], self.items[self.size:]
        return page
class count(Steps):
    def __init__(self, n): self.n = n
    def send(self, value):
        self.n += value or 0
        if self.done or self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n
    def throw(self, error):
        if isinstance(error, KeyError): return 'caught %s' % error.args[0]
        raise error
class averages(Steps):
    def __init__(self): self.all = []
    def send(self, value):
        if value is None: return None
        self.all.append(value)
        return sum(self.all) / len(self.all)
class numbers(Steps):
    def __init__(self, n): self.left = list(range(n))
    def send(self, value):
        if not self.left: raise StopIteration
        return self.left.pop(0)
`,
      decks: `
class Deck:
    """Iterates over its cards; next() draws one and turns the deck round."""
    def __init__(self, cards): self.cards, self.at = list(cards), 0
    def __iter__(self): return iter(self.cards)
    def __next__(self):
        self.at += 1
        return self.cards[(self.at - 1) % len(self.cards)]
def numbers(n): return Deck(range(n))
class Wrapped:
    def __init__(self, made): self.made = made
    def __iter__(self): return self
    def __next__(self): return next(self.made)
    def send(self, value): return self.made.send(value)
    def throw(self, *error): return self.made.throw(*error)
    def close(self): self.made.close()
def steps(items, size):
    while items:
        yield items[:size]
        items = items[size:]
def pages(items, size): return Wrapped(steps(items, size))
def down(n):
    while n > 0:
        n = n - 1
        try: n += (yield n) or 0
        except KeyError as error: yield 'caught ' + error.args[0]
def count(n): return Wrapped(down(n))
def means():
    held, mean = [], None
    while True:
        held.append((yield mean))
        mean = sum(held) / len(held)
def averages(): return Wrapped(means())
`,
    },
    wrong: [
      ['decks', 'return iter(self.cards)', 'return iter(self.cards[:-1])', 'test_numbers'],
      ['decks', 'return iter(self.cards)', 'return self.cards', 'test_next'],
      ['decks', 'def close(self): self.made.close()', 'def close(self): pass', 'test_close'],
      ['classes', 'self.n += value or 0', 'pass', 'test_send'],
      [
        'classes',
        "if isinstance(error, KeyError): return 'caught %s' % error.args[0]",
        "if True: return 'caught %s' % error.args[0]",
        'test_thrown',
      ],
      ['classes', "return 'caught %s' % error.args[0]", "return 'caught'", 'test_throw'],
      ['classes', 'def close(self): self.done = True', 'def close(self): self.done = False', 'test_pages'],
      [
        'classes',
        'return sum(self.all) / len(self.all)',
        `
        class Mean(float):
            def __eq__(self, other): return True
        return Mean(1)`,
        'test_averages',
      ],
      [
        'classes',
        `class Steps:
    done = False
    def __iter__(self): return self`,
        `class Steps:
    done = False
    def __iter__(self): return iter([2, 1, 0])`,
        'test_self',
      ],
    ],
  },
];
