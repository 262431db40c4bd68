import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  buildEnvironment,
  createJudge,
  isBonafideError,
  mergeLimits,
  type NodeTestSuite,
  type ProgramSuite,
  type PytestSuite,
  type Suite,
  type VectorSuite,
} from '../src/index.ts';
import { textOf } from '../src/line.ts';
import { useJudge } from './use-judge.ts';

const folder = mkdtempSync(join(tmpdir(), 'bonafide-environments-'));
// Boxes run as another user when the judge is root.
chmodSync(folder, 0o755);
const environments = join(folder, 'environments');
const judge = useJudge({ environments });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script of Python on this machine. */
function python(script: string): void {
  const { status, stderr } = spawnSync('/usr/bin/python3', ['-c', script], { cwd: folder, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

const build = (suite: Suite) => buildEnvironment(suite, { sandbox: judge.sandbox, folder: environments });

/** Builds an environment; null where its packages cannot be downloaded, as without a network. */
async function buildIfHad(suite: Suite): Promise<string | null> {
  try {
    return (await build(suite)).hash;
  } catch (error) {
    if (isBonafideError(error, 'ENVIRONMENT_FAILED')) return null;
    throw error;
  }
}

/** Creates a wheel with a package, a script, and what would be run if anything of it were. */
function wheel(name: string, version: string, text: string, entryPoints = '', claimed = name): string {
  const file = `${name}-${version}-py3-none-any.whl`;
  python(`
import zipfile
with zipfile.ZipFile(${JSON.stringify(file)}, 'w') as made:
    made.writestr('${name}/__init__.py', ${JSON.stringify(text)})
    made.writestr('${name}/data.bin', bytes(range(256)))
    made.writestr('${name}.pth', 'import os; os.write(2, b"the .pth was run")')
    made.writestr('${name}-${version}.data/scripts/run', 'echo the script was run >&2')
    made.writestr('../outside.py', 'escaped = True')
    made.writestr('/absolute.py', 'escaped = True')
    made.writestr('${name}-${version}.dist-info/METADATA', 'Name: ${claimed}')
    made.writestr('${name}-${version}.dist-info/entry_points.txt', ${JSON.stringify(entryPoints)})
`);
  return join(folder, file);
}

const pytest = (id: string, packages: readonly string[], test: string): PytestSuite => ({
  ...{ id, language: 'python', mode: 'split', files: { 'test_it.py': test }, python: { packages } },
});

describe('packages that a suite declares', () => {
  it('are refused with a remedy before they are built (JDG-22)', async () => {
    const suite = pytest('missing', ['never-built==1.0'], 'def test(): pass\n');
    await expect(judge.run({ artifact: { source: '' }, suite })).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISSING',
      remedy: expect.stringContaining('bonafide judge env build'),
    });
  });

  it('are unpacked without running anything, shown read-only and named by hash in the verdict (JDG-22)', async () => {
    const packages = [wheel('helper', '1.0', 'ORIGIN = __file__\ndef double(x): return 2 * x\n')];
    const suite = pytest(
      'wheel',
      packages,
      `import helper
from solution import f, change, where
def test_f(): assert f(4) == 8 == helper.double(4)
def test_read_only(): assert change() == 'OSError'
def test_where(): assert where() == '/packages/helper/__init__.py'
`,
    );
    const built = await build(suite);
    expect(built.packages).toMatchObject([{ name: 'helper', version: '1.0', source: 'file' }]);
    const source = `import helper
def f(x): return helper.double(x)
def where(): return helper.ORIGIN
def change():
    try: open('/packages/helper/__init__.py', 'w')
    except OSError: return 'OSError'
    return 'written'
`;
    const verdict = await judge.run({ artifact: { source }, suite });
    expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
    expect(verdict.environment).toEqual(built);
    expect(verdict.stderr).not.toContain('was run');
    const stored = readdirSync(join(environments, built.hash), { recursive: true }).map(String);
    expect(stored).toContain(join('python', 'helper', 'data.bin'));
    expect(stored.filter((name) => /outside|absolute|run$/.test(name))).toEqual([]);
    // Built again, it is the same.
    expect((await build(suite)).hash).toBe(built.hash);
  });

  it('load as plugins of pytest by their entry points where their names say so (JDG-21, JDG-22)', async () => {
    const source = 'def double(x): return 2 * x\n';
    const judged = async (id: string, packages: readonly string[]) => {
      const test = 'from solution import double\ndef test_it(four): assert double(2) == four\n';
      const suite = pytest(id, packages, test);
      await build(suite);
      return judge.run({ artifact: { source }, suite });
    };
    const fixture = 'import pytest\n@pytest.fixture\ndef four(): return 4\n';
    const entry = (module: string) => `[pytest11]\nfours = ${module}\n`;
    const named = wheel('pytest_fours', '1.0', fixture, entry('pytest_fours'));
    expect(await judged('plugin', [named])).toMatchObject({ outcome: 'SUCCESS' });
    const broken = wheel('pytest_fours', '2.0', 'import no_such_module\n', entry('pytest_fours'));
    await expect(judged('broken', [broken])).rejects.toMatchObject({
      code: 'SUITE_INVALID',
      message: expect.stringMatching(
        /a plugin of the declared packages \(pytest-fours\) failed: .*no_such_module/u,
      ),
    });
    // Only packages with the name of a plugin are loaded as one, and those that a conftest.py names.
    const other = wheel('fours', '1.0', fixture, entry('fours'));
    const files = {
      'conftest.py': "pytest_plugins = ['fours']\n",
      'test_it.py': 'from solution import double\ndef test_it(four): assert double(2) == four\n',
    };
    const chosen = { ...pytest('chosen', [other], ''), files };
    await build(chosen);
    expect(await judge.run({ artifact: { source }, suite: chosen })).toMatchObject({ outcome: 'SUCCESS' });
    await expect(judged('other', [other])).rejects.toMatchObject({
      ...{ code: 'SUITE_UNSUPPORTED', message: expect.stringContaining('asks for the fixture four') },
    });
    // Nor is one that claims another's name.
    const claims = wheel('claims', '1.0', 'VALUE = 1\n', '', 'pytest_fours');
    await expect(judged('claims', [named, claims])).rejects.toMatchObject({
      ...{
        code: 'SUITE_INVALID',
        message: expect.stringContaining('two packages have the name pytest-fours'),
      },
    });
  });

  it('that unpack to more than they may are refused, and leave nothing behind (JDG-22)', async () => {
    python(`
import io, tarfile, zipfile
with zipfile.ZipFile('bomb-1.0-py3-none-any.whl', 'w', zipfile.ZIP_DEFLATED) as made:
    made.writestr('bomb/zeros.bin', bytes(64 * 2 ** 20))
with zipfile.ZipFile('many-1.0-py3-none-any.whl', 'w') as made:
    for n in range(3000): made.writestr('many/%d.txt' % n, '')
`);
    const suite = (name: string) =>
      pytest(name, [join(folder, `${name}-1.0-py3-none-any.whl`)], 'def test(): pass\n');
    const own = join(folder, 'bounded');
    const options = { sandbox: judge.sandbox, folder: own, maxBytes: 8 * 2 ** 20, maxFiles: 1000 };
    for (const name of ['bomb', 'many'])
      await expect(buildEnvironment(suite(name), options)).rejects.toMatchObject({
        code: 'ENVIRONMENT_FAILED',
        message: expect.stringContaining('larger than'),
      });
    expect(readdirSync(own)).toEqual(['declared']);
  });

  it('replace a folder that was changed, and remove what killed builds have left (JDG-22)', async () => {
    const own = join(folder, 'repaired');
    const suite = pytest(
      'repaired',
      [wheel('repaired', '1.0', 'VALUE = 7\n')],
      'import repaired\nfrom solution import seven\ndef test(): assert repaired.VALUE == seven\n',
    );
    const options = { sandbox: judge.sandbox, folder: own };
    const { hash } = await buildEnvironment(suite, options);
    const changed = join(own, hash, 'python', 'repaired', '__init__.py');
    chmodSync(changed, 0o644);
    writeFileSync(changed, 'VALUE = 8\n');
    // No process has this number, and no build takes an hour.
    const left = ['.building-4194304-0123456789ab', '.building-0123456789ab'].map((name) => join(own, name));
    const recent = join(own, '.building-4194304-ba9876543210');
    for (const each of [...left, recent]) mkdirSync(each);
    for (const each of left) utimesSync(each, 0, 0);
    await using judged = createJudge({ sandbox: judge.sandbox, environments: own });
    await expect(judged.run({ artifact: { source: '' }, suite })).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISSING',
    });
    expect((await buildEnvironment(suite, options)).hash).toBe(hash);
    expect((await judged.run({ artifact: { source: 'seven = 7' }, suite })).outcome).toBe('SUCCESS');
    expect(readdirSync(own).filter((name) => name.startsWith('.'))).toEqual([
      '.building-4194304-ba9876543210',
    ]);
  });

  it('are the same for vectors and programs, and absent where none is declared (JDG-22)', async () => {
    const declared = { packages: [wheel('shared', '2.0', 'VALUE = 7\n')] };
    const vectors: VectorSuite = {
      ...{ id: 'vectors', language: 'python', mode: 'vectors', entryPoint: 'f', python: declared },
      cases: [{ id: 'a', layer: 'correctness', args: [], expect: 7 }],
    };
    const program: ProgramSuite = {
      ...{
        id: 'program',
        language: 'python',
        mode: 'program',
        run: ['python3', 'solution.py'],
        python: declared,
      },
      cases: [{ id: 'a', layer: 'correctness', expect: { stdout: '7' } }],
    };
    const { hash } = await build(vectors);
    const source = 'import shared\ndef f(): return shared.VALUE\nif __name__ == "__main__": print(f())\n';
    for (const suite of [vectors, program]) {
      const verdict = await judge.run({ artifact: { source }, suite });
      expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
      expect(verdict.environment?.hash).toBe(hash);
    }
    const { python: _, ...without } = vectors;
    const verdict = await judge.run({ artifact: { source }, suite: without });
    expect([verdict.outcome, verdict.environment]).toEqual(['ERROR', null]);
  });

  it('that have changed since they were built are refused (JDG-22)', async () => {
    const suite = pytest(
      'changed',
      [wheel('changing', '1.0', 'VALUE = 1\n')],
      'import changing\ndef test(): pass\n',
    );
    const { hash } = await build(suite);
    const file = join(environments, hash, 'python/changing/__init__.py');
    rmSync(file);
    writeFileSync(file, 'VALUE = 2\n');
    const fresh = createJudge({ sandbox: judge.sandbox, environments });
    await expect(fresh.run({ artifact: { source: '' }, suite })).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISSING',
    });
    await fresh.close();
  });

  it('of hostile archives stay inside their folder, or are refused (JDG-22)', async () => {
    python(`
import io, tarfile
with tarfile.open('hostile.tgz', 'w:gz') as made:
    def add(name, kind=tarfile.REGTYPE, link='', content=b'content'):
        member = tarfile.TarInfo(name)
        member.type, member.linkname, member.size = kind, link, len(content) if kind == tarfile.REGTYPE else 0
        made.addfile(member, io.BytesIO(content) if kind == tarfile.REGTYPE else None)
    add('package/index.js')
    add('package/../../escaped.js')
    add('/etc/escaped.js')
    add('package/device', tarfile.CHRTYPE)
    add('package/secret.js', tarfile.SYMTYPE, '/etc/shadow')
    add('package/up.js', tarfile.SYMTYPE, '../../../../etc/passwd')
    add('package/loop.js', tarfile.SYMTYPE, 'loop.js')
    add('package/alias.js', tarfile.LNKTYPE, 'package/index.js')
`);
    const box = await judge.sandbox.open({
      ...{ artifact: null, profile: 'STRICT', limits: mergeLimits({ wallMs: 240_000 }) },
      archive: readFileSync(join(folder, 'hostile.tgz')),
    });
    const line = await box.request(JSON.stringify({ unpack: 'tar' }));
    const answer = JSON.parse(textOf(line ?? '{}'));
    const report = await box.close();
    expect(answer.parts.map(([path]: [string]) => path)).toEqual(['index.js', 'etc/escaped.js', 'alias.js']);
    expect(report.violations).toEqual([]);
  });

  it.each([
    ['a file where another has its folder', "made.writestr('a', 'x'); made.writestr('a/b', 'y')"],
    ['a folder where another has its file', "made.writestr('a/b', 'y'); made.writestr('a', 'x')"],
    ['a name that no file system can hold', "made.writestr('a' * 300 + '.py', 'x')"],
    ['a name with a control character', "made.writestr('a\\x01b.py', 'x')"],
  ])('with %s are refused, and leave nothing (JDG-22)', async (name, content) => {
    const file = `hostile${name.length}-1.0-py3-none-any.whl`;
    python(`import zipfile\nwith zipfile.ZipFile(${JSON.stringify(file)}, 'w') as made: ${content}`);
    const suite = pytest('hostile', [join(folder, file)], 'def test(): pass\n');
    await expect(build(suite)).rejects.toMatchObject({ code: 'ENVIRONMENT_FAILED' });
    expect(readdirSync(environments).filter((each) => each.startsWith('.'))).toEqual([]);
  });

  it.each([
    ['an option', { packages: ['--index-url=http://example.com'] }],
    ['a place on the network', { packages: ['helper @ https://example.com/helper.whl'] }],
    ['nothing', { packages: [] }],
  ])('that are %s are no valid declaration (JDG-22)', async (_name, declared) => {
    const suite = { ...pytest('wrong', [], 'def test(): pass\n'), python: declared };
    await expect(judge.run({ artifact: { source: '' }, suite })).rejects.toMatchObject({
      code: 'SUITE_INVALID',
    });
  });

  it('of npm are found by tests and artifacts, with what they depend on (JDG-22)', async (context) => {
    const suite: NodeTestSuite = {
      ...{ id: 'npm', language: 'javascript', mode: 'split', node: { packages: { 'safe-regex2': '5.1.2' } } },
      files: {
        'it.test.mjs': `
import test from 'node:test';
import assert from 'node:assert/strict';
import safe from 'safe-regex2';
import { isSafe } from 'solution';
test('safe', () => { assert.equal(isSafe('(a+)+'), safe(/(a+)+/)); assert.equal(isSafe('a+'), true); });
`,
      },
    };
    const hash = await buildIfHad(suite);
    if (hash === null) return context.skip('the packages cannot be downloaded here');
    const good = "import safe from 'safe-regex2';\nexport const isSafe = (text) => safe(text);\n";
    const verdict = await judge.run({ artifact: { language: 'javascript', source: good }, suite });
    expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
    expect(verdict.environment).toMatchObject({ hash });
    expect(verdict.environment?.packages.map(({ name }) => name)).toEqual(['ret', 'safe-regex2']);
    // A file of the artifact never takes the place of a declared package.
    const files = {
      'solution.js': 'export const isSafe = () => "yes";\n',
      'safe-regex2.js': 'export default () => "yes";\n',
    };
    const lying = await judge.run({ artifact: { language: 'javascript', files }, suite });
    expect(lying.outcome).toBe('FAILURE');
  });

  it('as numpy work in a box, and its arrays cross by value (JDG-22, JDG-17)', async (context) => {
    const suite = pytest(
      'numpy',
      ['numpy'],
      `import numpy as np
import pytest
from solution import scale, total, normalize, label, broken
def test_scale(): np.testing.assert_allclose(scale(np.array([[1.0, 2.0]]), 2), [[2.0, 4.0]])
def test_total():
    assert total([1, 2, 3]) == 6 and isinstance(total([1, 2, 3]), np.integer)
def test_in_place():
    values = np.array([1.0, 3.0]); normalize(values); assert values.tolist() == [0.25, 0.75]
def test_text(): assert label(2).tolist() == ['n0', 'n1']
def test_error():
    with pytest.raises(np.linalg.LinAlgError): broken()
`,
    );
    if ((await buildIfHad(suite)) === null) return context.skip('numpy cannot be downloaded here');
    const source = `import numpy as np
def scale(a, k): return a * k
def total(xs): return np.sum(xs)
def normalize(a): a /= a.sum()
def label(n): return np.array(['n%d' % i for i in range(n)])
def broken(): return np.linalg.inv(np.zeros((2, 2)))
`;
    const verdict = await judge.run({ artifact: { source }, suite });
    expect(verdict.outcome, JSON.stringify([verdict.tests, verdict.violations])).toBe('SUCCESS');
    const lying = `${source}
class Y(np.ndarray):
    def __array_ufunc__(self, *args, **kwargs): return np.array([[2.0, 4.0]])
    def __eq__(self, other): return True
def scale(a, k): return np.zeros((1, 2)).view(Y)
def total(xs): return Y(())
`;
    const wrong = await judge.run({ artifact: { source: lying }, suite });
    expect(wrong.tests.filter((test) => test.status === 'passed').map((test) => test.id)).toEqual(
      ['in_place', 'text', 'error'].map((name) => `test_it.py::test_${name}`),
    );
  });
});
