import { describe, expect, it } from 'vitest';
import { type Artifact, commitOracle, parseSuite, type Suite } from '../src/index.ts';
import { failures, javascript, nodeTest, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** Tests that give the path of a file of data, and a file that no test gives. */
const data = { 'data/a.json': '{"a":1}', 'data/deep/b.txt': 'b', 'expected.txt': 'the secret' };
const languages = [
  {
    language: 'python',
    files: {
      ...data,
      'test_it.py': `
from pathlib import Path
import solution
HERE = Path(__file__).parent
def test_path(): assert solution.load(HERE / 'data' / 'a.json') == {'a': 1}
def test_relative(): assert solution.load('data/a.json') == {'a': 1}
def test_folder(): assert solution.names(str(HERE / 'data')) == ['a.json', 'b.txt']
def test_secret(): assert solution.secret() == (HERE / 'expected.txt').read_text()
`,
    },
    right: `
import json
from pathlib import Path
def load(path): return json.loads(Path(path).read_text())
def names(path): return sorted(each.name for each in Path(path).rglob('*.*'))
def secret(): return 'the secret'
`,
    thief: `
def secret():
    for path in ('/suite/expected.txt', 'expected.txt', '../suite/expected.txt'):
        if Path(path).exists(): return Path(path).read_text()
`,
  },
  {
    language: 'javascript',
    files: {
      ...data,
      'test/it.test.mjs': `
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import * as s from 'solution';
const here = path.join(import.meta.dirname, '..');
test('path', () => { assert.deepEqual(s.load(path.join(here, 'data', 'a.json')), { a: 1 }); assert.deepEqual(s.load(new URL('../data/a.json', import.meta.url)), { a: 1 }); });
test('relative', () => { assert.deepEqual(s.load('data/a.json'), { a: 1 }); assert.equal(s.whole('data/a.json'), path.resolve('data/a.json')); });
test('folder', () => { assert.deepEqual(s.names(path.join(here, 'data')), ['a.json', 'b.txt']); });
test('secret', () => { assert.equal(s.secret(), readFileSync(path.join(here, 'expected.txt'), 'utf8')); });
`,
    },
    right: `
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
export const load = (path) => JSON.parse(readFileSync(path, 'utf8'));
export const names = (path) => readdirSync(path, { recursive: true }).filter((each) => each.includes('.')).map((each) => basename(each)).sort();
export const whole = (path) => resolve(path);
export let secret = () => 'the secret';
`,
    thief:
      "secret = () => ['/suite/expected.txt', 'expected.txt', '../suite/expected.txt'].filter(existsSync).map((path) => readFileSync(path, 'utf8'))[0];\n",
  },
] as const;

describe.concurrent.each(languages)('files of a suite in $language', ({ language, files, right, thief }) => {
  const own = language === 'python' ? python : javascript;
  const suite = { id: 'files', language, mode: 'split', files } as Suite;
  const withReference = { ...suite, reference: own(right) };
  const failing = async (source: string, given: Suite) =>
    failures(await judge.run({ artifact: own(source), suite: given })).map((each) =>
      each.slice(0, each.indexOf(':')).replace('test_', ''),
    );

  it('are where a test gives their paths, with a reference or where the suite shares them (JDG-18, JDG-21)', async () => {
    expect(await failing(right, withReference)).toEqual([]);
    expect(await failing(right, { ...suite, shared: ['data/'] } as Suite)).toEqual([]);
    const { shapes, failing: unreferred } = await judge.checkSuite(withReference, { mutants: 0 });
    expect(unreferred).toEqual([]);
    expect(shapes).toContain('file data/a.json');
  });

  it('are not there otherwise, and the reason says what helps (JDG-17, JDG-21)', async () => {
    expect(await failing(right, suite)).toEqual(['path', 'relative', 'folder']);
    const [first] = failures(await judge.run({ artifact: own(right), suite }));
    expect(first).toContain('name it in `shared`');
  });

  it('hold what is expected, and no artifact reads those whose paths no test gives (JDG-17)', async () => {
    for (const given of [withReference, { ...suite, shared: ['data'] } as Suite])
      expect(await failing(right + thief, given)).toEqual(['secret']);
  });

  it('that are none, or programs, cannot be shared (JDG-14)', async () => {
    for (const shared of ['nothing', 'dat', Object.keys(files).at(-1) ?? ''])
      await expect(
        judge.run({ artifact: own(right), suite: { ...suite, shared: [shared] } as Suite }),
      ).rejects.toMatchObject({ code: 'SUITE_INVALID' });
  });
});

describe('bytes among the files of a suite', () => {
  const bytes = Buffer.from([0, 255, 254, 10, 13, 0]);
  const files = { 'data/a.bin': { base64: bytes.toString('base64') } };
  const suites = [
    {
      own: python("def load(path): return list(open(path, 'rb').read())\n"),
      wrong: python("def load(path): return list(open(path, 'rb').read())[:-1]\n"),
      suite: {
        ...{ id: 'bytes', language: 'python', mode: 'split', shared: ['data'] },
        files: {
          ...files,
          'test_it.py': `from pathlib import Path
import solution
FILE = Path(__file__).parent / 'data' / 'a.bin'
def test_load(): assert solution.load(FILE) == list(FILE.read_bytes()) == [0, 255, 254, 10, 13, 0]
`,
        },
      },
    },
    {
      own: javascript(
        "import { readFileSync } from 'node:fs';\nexport const load = (path) => [...readFileSync(path)];\n",
      ),
      wrong: javascript(
        "import { readFileSync } from 'node:fs';\nexport const load = (path) => [...readFileSync(path, 'utf8')];\n",
      ),
      suite: {
        ...{ id: 'bytes', language: 'javascript', mode: 'split', shared: ['data'] },
        files: {
          ...files,
          'it.test.mjs': `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { load } from 'solution';
const file = join(import.meta.dirname, 'data/a.bin');
test('load', () => { assert.deepEqual(load(file), [...readFileSync(file)]); assert.deepEqual(load(file), [0, 255, 254, 10, 13, 0]); });
`,
        },
      },
    },
  ] as const satisfies readonly { own: Artifact; wrong: Artifact; suite: Suite }[];

  it.each(suites)('arrive as they are: $suite.language (JDG-21, JDG-22)', async ({ own, wrong, suite }) => {
    expect(failures(await judge.run({ artifact: own, suite }))).toEqual([]);
    expect((await judge.run({ artifact: wrong, suite })).outcome).toBe('FAILURE');
  });

  it('are a part of what is committed, and have to be base64 (JDG-6, JDG-22)', () => {
    const [{ suite }] = suites;
    const salt = () => new Uint8Array(32);
    const other = { ...suite, files: { ...suite.files, 'data/a.bin': { base64: 'AAAA' } } };
    expect(commitOracle(suite, { salt }).root).not.toBe(commitOracle(other, { salt }).root);
    for (const wrong of [{ base64: '*' }, { base64: 1 }, { hex: '00' }, 7])
      expect(() => parseSuite({ ...suite, files: { ...suite.files, 'data/a.bin': wrong } })).toThrow(
        expect.objectContaining({ code: 'SUITE_INVALID', message: expect.stringContaining('data/a.bin') }),
      );
  });
});

describe('the current folder of tests and artifact', () => {
  const suites = [
    pytest(`
import os
from pathlib import Path
from solution import full, where
def test_where(): assert where() == os.getcwd()
def test_full(): assert full('a.txt') == Path('a.txt').resolve() and full('b') == Path.cwd() / 'b'
`),
    nodeTest(`
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { full, where } from 'solution';
test('where', () => assert.equal(where(), process.cwd()));
test('full', () => assert.equal(full('a.txt'), path.resolve('a.txt')));
`),
  ];
  const programs = [
    python(
      'import os\nfrom pathlib import Path\ndef where(): return os.getcwd()\ndef full(path): return Path(path).resolve()\n',
    ),
    javascript(
      "import path from 'node:path';\nexport const where = () => process.cwd();\nexport const full = (name) => path.resolve(name);\n",
    ),
  ];
  const written = [
    pytest(`
import os
from pathlib import Path
from solution import load, names, save
def test_save():
    save('out.txt', 'hi')
    with open('out.txt') as file: assert file.read() == 'hi'
    os.remove('out.txt')
def test_load():
    Path('in.txt').write_text('a')
    assert load('in.txt') == 'a'
    Path('in.txt').unlink()
    assert names() == [] and os.listdir('.') == []
`),
    nodeTest(`
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import { load, names, save } from 'solution';
test('save', () => {
  save('out.txt', 'hi');
  assert.equal(fs.readFileSync('out.txt', 'utf8'), 'hi');
  fs.unlinkSync('out.txt');
});
test('load', () => {
  fs.writeFileSync('in.txt', 'a');
  assert.equal(load('in.txt'), 'a');
  fs.rmSync('in.txt');
  assert.deepEqual([names(), fs.readdirSync('.')], [[], []]);
});
`),
  ];
  const writers = [
    python(`
import os
def save(path, text):
    with open(path, 'w') as file: file.write(text)
def load(path): return open(path).read()
def names(): return os.listdir('.')
`),
    javascript(`
import fs from 'node:fs';
export const save = (path, text) => fs.writeFileSync(path, text);
export const load = (path) => fs.readFileSync(path, 'utf8');
export const names = () => fs.readdirSync('.');
`),
  ];
  it.each(programs.map((each, at) => [each.language, each, suites[at] as Suite] as const))(
    'is one where a suite holds nothing but tests: %s (JDG-21)',
    async (_language, artifact, suite) => {
      expect(failures(await judge.run({ artifact, suite }))).toEqual([]);
    },
  );

  it.each(writers.map((each, at) => [each.language, each, written[at] as Suite] as const))(
    'has the files that tests and artifact write there, in both boxes: %s (JDG-17, JDG-21)',
    async (language, artifact, suite) => {
      expect(failures(await judge.run({ artifact, suite }))).toEqual([]);
      const made = language === 'python' ? python : javascript;
      const lies = (artifact as { source: string }).source
        .replace('file.write(text)', 'file.write(path)')
        .replace('fs.writeFileSync(path, text)', 'fs.writeFileSync(path, path)');
      const [failed] = failures(await judge.run({ artifact: made(lies), suite }));
      expect(failed).toContain('save');
    },
  );
});

it('what an artifact has written is not imported by its tests in JavaScript (JDG-17, JDG-19)', async () => {
  const tests = `
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { write } from 'solution';
test('it', () => { const file = join(mkdtempSync(join(tmpdir(), 'x-')), 'a.cjs'); write(file); try { createRequire(import.meta.url)(file); } catch {} assert.equal(1, 1); });
`;
  const source =
    "import { writeFileSync } from 'node:fs'; export const write = (file) => writeFileSync(file, 'module.exports = 1;');";
  const suite = {
    ...{ id: 'import', language: 'javascript', mode: 'split', files: { 'it.test.mjs': tests } },
  } as Suite;
  const verdict = await judge.run({ artifact: javascript(source), suite });
  expect(failures(verdict)).toEqual(['it: the test imports a file that the artifact may have written']);
});
