#!/usr/bin/env python3
"""Checks an opened test of a judge against what the judge published before the work. Standard library only.

    python3 verify-commitment.py commitment.json opening.json

`commitment.json` holds what was published, `{ "root": "<hex>", "count": 20 }`; `opening.json` what is shown now:
`{ "index": 3, "salt": "<hex>", "case": { … }, "path": ["<hex>", …] }`, or a list of such. Exit code 0: every opening
belongs to the commitment. 1: one does not. 2: a file cannot be read.

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


def main():
    try:
        commitment, opened = (json.load(open(path, encoding='utf-8')) for path in sys.argv[1:3])
        openings = opened if isinstance(opened, list) else [opened]
        results = [(opening['index'], belongs(commitment, opening)) for opening in openings]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print('Cannot be read: %s' % error, file=sys.stderr)
        sys.exit(2)
    for index, result in results:
        print('test %d: %s' % (index, 'belongs to the commitment' if result else 'DOES NOT BELONG to the commitment'))
    sys.exit(0 if all(result for _, result in results) else 1)


if __name__ == '__main__':
    main()
