#!/usr/bin/env python3
"""Checks an opened test of a judge against what the judge published before the work. Standard library only.

    python3 verify-commitment.py commitment.json opening.json [verdict.json]

`commitment.json` holds what was published, `{ "root": "<hex>", "count": 20 }`; `opening.json` what is shown now: `{
"index": 3, "salt": "<hex>", "case": { … }, "path": ["<hex>", …] }`, or a list of such. With a verdict, the commitment
that it names is compared, and the inputs of its fresh cases are drawn again from its seed and the opened generators.
What must come of them is what the opened oracle (`oracle/…`) says; those that the oracle draws itself are named with
the number that its function was called with. Exit code 0: every opening belongs to the commitment, the verdict names no
other, and every case was drawn as it says. 1: one does not, or was not. 2: a file cannot be read.

The tree is that of RFC 6962: leaf = SHA-256(0x00 || salt || canonical JSON of the case), node = SHA-256(0x01 || left ||
right). Canonical JSON is RFC 8785: keys in order of their UTF-16 code units, no spaces, numbers as JavaScript writes
them.
"""
import hashlib
import json
import re
import sys


def number(value):
    """A number as JavaScript writes it."""
    if isinstance(value, int):
        return str(value)
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    digits, _, exponent = repr(value).partition('e')
    if not exponent:
        return digits
    # Python begins with exponents at 1e16 and 1e-5, JavaScript at 1e21 and 1e-7.
    power = int(exponent)
    if -7 < power < 0:
        sign = '-' if digits.startswith('-') else ''
        return sign + '0.' + '0' * (-power - 1) + digits.lstrip('-').replace('.', '')
    return '%se%s%d' % (digits, '+' if power > 0 else '', power)


def canonical(value):
    if value is None or value is True or value is False:
        return json.dumps(value)
    if isinstance(value, str):
        # A lone surrogate is written as its escape.
        text = json.dumps(value, ensure_ascii=False)
        return re.sub('[\ud800-\udfff]', lambda found: '\\u%04x' % ord(found[0]), text)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, list):
        return '[' + ','.join(canonical(item) for item in value) + ']'
    keys = sorted(value, key=lambda key: key.encode('utf-16-be', 'surrogatepass'))
    return '{' + ','.join(canonical(key) + ':' + canonical(value[key]) for key in keys) + '}'


def sha256(*parts):
    return hashlib.sha256(b''.join(parts)).digest()


def belongs(commitment, opening):
    index, count = opening['index'], commitment['count']
    if not 0 <= index < count:
        return False
    text = canonical(opening['case']).encode('utf-8', 'surrogatepass')
    node = sha256(b'\0', bytes.fromhex(opening['salt']), text)
    position, last = index, count - 1
    for step in opening['path']:
        if last == 0:
            return False
        sibling = bytes.fromhex(step)
        if position % 2 == 1 or position == last:
            node = sha256(b'\1', sibling, node)
            while position % 2 == 0 and position != 0:
                position, last = position // 2, last // 2
        else:
            node = sha256(b'\1', node, sibling)
        position, last = position // 2, last // 2
    return last == 0 and node.hex() == commitment['root']


class Stream:
    """Numbers of one drawn case: block i = SHA-256(key || i), key = SHA-256(canonical [seed, generator, number])."""

    def __init__(self, seed, generator, index):
        self.key, self.rest, self.block = sha256(text_of([seed, generator, index])), b'', 0

    def below(self, count):
        size = (count.bit_length() + 7) // 8 + 8
        while len(self.rest) < size:
            self.rest += sha256(self.key, self.block.to_bytes(4, 'big'))
            self.block += 1
        taken, self.rest = self.rest[:size], self.rest[size:]
        return int.from_bytes(taken, 'big') % count

    def unit(self):
        return self.below(2 ** 53) / 2 ** 53


def text_of(value):
    return canonical(value).encode('utf-8', 'surrogatepass')


def written(value):
    """A drawn value as a suite writes it."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2 ** 53 else {'$int': hex(value)}
    return {'$float': '-0.0' if str(value) == '-0.0' else number(value)}


def plain(value):
    """A value of a suite, written in the one way in which drawn ones are."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if not isinstance(value, dict):
        return written(value)
    if len(value) == 1:
        (tag, content), = value.items()
        if tag == '$int':
            return written(int(content, 16 if 'x' in content else 10))
        if tag == '$float':
            return value if content in ('nan', 'inf', '-inf') else written(float(content))
        if tag in ('$tuple', '$set', '$frozenset'):
            return {tag: [plain(item) for item in content]}
        if tag == '$dict':
            return {tag: [[plain(key), plain(item)] for key, item in content]}
        if tag == '$complex':
            return {tag: [plain({'$float': part})['$float'] for part in content]}
        if tag.startswith('$'):
            return value
    return {'$dict': [[key, plain(item)] for key, item in value.items()]}


def draw(spec, stream):
    """One input, as its generator describes it."""
    (kind, content), = [(key, spec[key]) for key in spec if key not in ('length', 'unique', 'sorted')]

    def whole(low, high):
        low, high = int(low), int(high)
        return low + stream.below(high - low + 1)

    def length(wanted):
        return wanted if isinstance(wanted, int) else whole(*wanted)

    def unlike(wanted, make):
        """Pairs of key and item, no two keys alike."""
        count, found, redraws = length(wanted), {}, 0
        while len(found) < count and redraws <= 100:
            key, item = make()
            text = canonical(key)
            redraws = redraws + 1 if text in found else 0
            found.setdefault(text, (key, item))
        return list(found.values())

    def twice():
        item = draw(content, stream)
        return item, item

    if kind == 'const':
        return plain(content)
    if kind == 'choice':
        return plain(content[stream.below(len(content))])
    if kind == 'oneOf':
        return draw(content[stream.below(len(content))], stream)
    if kind == 'bool':
        return stream.below(2) == 1
    if kind == 'int':
        return written(whole(*content))
    if kind == 'float':
        low, high = map(float, content)
        return written(min(high, low + (high - low) * stream.unit()))
    if kind == 'string':
        return ''.join([content[stream.below(len(content))] for _ in range(length(spec['length']))])
    if kind == 'bytes':
        return {'$bytes': bytes([stream.below(256) for _ in range(length(content))]).hex()}
    if kind == 'tuple':
        return {'$tuple': [draw(part, stream) for part in content]}
    if kind == 'set':
        return {'$set': [item for item, _ in unlike(spec['length'], twice)]}
    if kind == 'dict':
        pairs = unlike(spec['length'], lambda: (draw(content[0], stream), draw(content[1], stream)))
        return {'$dict': [list(pair) for pair in pairs]}
    if spec.get('unique'):
        items = [item for item, _ in unlike(spec['length'], twice)]
    else:
        items = [draw(content, stream) for _ in range(length(spec['length']))]
    return sorted(items, key=amount) if spec.get('sorted') else items


def amount(item):
    if not isinstance(item, dict):
        return item
    (tag, content), = item.items()
    return float(content) if tag == '$float' else int(content, 16)


def drawn_as(case, generators, seed):
    """(whether it was drawn so, what to say) of one fresh case."""
    name, _, index = case['id'].rpartition('#')
    generator = generators.get(name)
    if generator is None:
        return True, 'its generator is not opened'
    stream = Stream(seed, name, int(index))
    if isinstance(generator['args'], dict):
        return True, '%s(%d) of the oracle draws it' % (generator['args']['from'], stream.below(2 ** 53))
    expected = [draw(spec, stream) for spec in generator['args']]
    right = canonical(expected) == canonical([plain(arg) for arg in case['args']])
    return right, 'drawn from the seed' if right else 'NOT DRAWN from the seed'


USAGE = 'Usage: python3 verify-commitment.py commitment.json opening.json [verdict.json]'


def read(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def names_commitment(verdict, commitment):
    """What a verdict says of the commitment: whether that is right, and in words. One that names none was judged without."""
    named = verdict['commitment'] if 'commitment' in verdict else None
    if named is None:
        return True, 'names no commitment'
    if [named['root'], named['count']] == [commitment['root'], commitment['count']]:
        return True, 'was judged by the commitment'
    return False, 'WAS JUDGED BY ANOTHER COMMITMENT'


def main():
    paths = sys.argv[1:]
    if {'-h', '--help'} & set(paths):
        print(USAGE + '\n\n' + __doc__.strip())
        return
    if len(paths) not in (2, 3):
        print(USAGE, file=sys.stderr)
        sys.exit(2)
    try:
        commitment, opened, *verdicts = map(read, paths)
        openings = opened if isinstance(opened, list) else [opened]
        results = [('test %d' % opening['index'], belongs(commitment, opening)) for opening in openings]
        generators = {opening['case']['id']: opening['case'] for opening, (_, right) in zip(openings, results)
                      if right and 'args' in opening['case'] and not {'expect', 'raises'} & set(opening['case'])
                      or right and isinstance(opening['case'].get('raises'), bool)}
        fresh = [(case['id'],) + drawn_as(case, generators, verdict['fresh']['seed'])
                 for verdict in verdicts if verdict['fresh'] for case in verdict['fresh']['cases']]
        named = [names_commitment(verdict, commitment) for verdict in verdicts]
    except (OSError, ValueError) as error:
        print('Cannot be read: %s' % error, file=sys.stderr)
        sys.exit(2)
    except (KeyError, TypeError, AttributeError) as error:
        wrong = 'the field %s is missing' % error if isinstance(error, KeyError) else error
        print('Not a commitment, its openings and a verdict: %s\n%s' % (wrong, USAGE), file=sys.stderr)
        sys.exit(2)
    for name, result in results:
        print('%s: %s' % (name, 'belongs to the commitment' if result else 'DOES NOT BELONG to the commitment'))
    for _, said in named:
        print('verdict: %s' % said)
    for name, _, said in fresh:
        print('case %s: %s' % (name, said))
    sys.exit(0 if all([*(result for _, result in results), *(right for right, _ in named), *(right for _, right, _ in fresh)]) else 1)


if __name__ == '__main__':
    main()
