import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const folder = resolve(import.meta.dirname, '../python');
const python = (program: string, input: string): string =>
  execFileSync(
    '/usr/bin/python3',
    ['-S', '-c', `import sys; sys.path.insert(0, ${JSON.stringify(folder)})\n${program}`],
    {
      input,
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    },
  );

describe("the launchers' JSON", () => {
  it('JDG-16 is made without the slow part of json, and is the same', () => {
    const documents = fc.sample(fc.json({ maxDepth: 4 }), 500);
    const told = python(
      `from lines import make
dumps, loads = make()
assert 'json' not in sys.modules and 're' not in sys.modules, 'the slow part was needed'
import json
for line in sys.stdin:
    value = loads(line)
    assert value == json.loads(line) or value != value, line
    assert dumps(value) == json.dumps(value), line
for bad in ('', '{', '[1,', 'nothing'):
    try: loads(bad)
    except Exception: continue
    raise AssertionError(bad)
print('same')`,
      documents.map((text) => `${text}\n`).join(''),
    );
    expect(told).toBe('same\n');
  });

  it('JDG-16 falls back to json where Python has no such parts', () => {
    expect(
      python(
        "sys.modules['_json'] = None\nfrom lines import make\nprint(make()[0]({'a': [1]}), make()[1]('[2]'))",
        '',
      ),
    ).toBe('{"a": [1]} [2]\n');
  });
});
