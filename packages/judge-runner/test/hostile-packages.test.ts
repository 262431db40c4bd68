import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  buildEnvironment,
  createJudge,
  isBonafideError,
  type NodeTestSuite,
  type ProgramSuite,
  type PytestSuite,
  parseSuite,
  type Suite,
} from '../src/index.ts';
import { startRegistry } from './npm-registry.ts';
import { useJudge } from './use-judge.ts';

const folder = mkdtempSync(join(tmpdir(), 'bonafide-hostile-'));
// Boxes run as another user when the judge is root.
chmodSync(folder, 0o755);
const environments = join(folder, 'environments');
const marker = join(folder, 'something-was-run');
const judge = useJudge({ environments });
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  const wasRun = existsSync(marker);
  rmSync(marker, { force: true });
  expect(wasRun, 'code of a package was run outside of a box').toBe(false);
});

let count = 0;
/** Creates a wheel of `name`, with the code of Python that fills `made`, a zip file. */
function wheel(name: string, content: string, into = folder): string {
  count += 1;
  const file = join(into, `${name}-1.${count}-py3-none-any.whl`);
  const script = `import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w') as made:\n    put = made.writestr\n    put('${name}-1.${count}.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: ${name}\\nVersion: 1.${count}\\n')\n    put('${name}-1.${count}.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n    ${content.replaceAll('\n', '\n    ')}\n`;
  const { status, stderr } = spawnSync('/usr/bin/python3', ['-c', script, file], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return file;
}

const pytest = (packages: readonly string[], test: string): PytestSuite => ({
  ...{
    id: 'hostile',
    language: 'python',
    mode: 'split',
    files: { 'test_it.py': test },
    python: { packages },
  },
});
const anyTest = 'from solution import f\ndef test_it(): assert f(2) == 4\n';
const build = (suite: Suite) => buildEnvironment(suite, { sandbox: judge.sandbox, folder: environments });
const refusal = (suite: Suite): Promise<string> =>
  build(suite).then(
    () => 'built',
    (error: unknown) => (isBonafideError(error) ? `${error.code}: ${error.message}` : String(error)),
  );
const stored = (hash: string): string[] =>
  readdirSync(join(environments, hash, 'python'), { recursive: true }).map(String);

describe('wheels that reach for more than their own modules', () => {
  it.each([
    ["a library of the machine's", "put('.lib/libc.so.6', 'x')", "the distribution's libraries"],
    ['a module that every program runs', "put('sitecustomize.py', 'x = 1')", 'no package may have'],
    ['a package that every program runs', "put('usercustomize/__init__.py', '')", 'no package may have'],
    ["the artifact's name", "put('solution.py', 'def f(x): return 4')", 'no package may have'],
    ["the artifact's name, as a package", "put('solution/__init__.py', 'f = 1')", 'no package may have'],
    [
      "the artifact's name, compiled",
      "put('solution.cpython-311-x86_64-linux-gnu.so', 'x')",
      'no package may have',
    ],
    [
      "the artifact's name, by its data",
      "put('hostile-1.0.data/purelib/solution.py', 'f = 1')",
      'no package may have',
    ],
    ['a name with a back slash', "put('a\\\\..\\\\b.py', 'x')", 'cannot be stored'],
    ['a file below a file', "put('pkg', 'x'); put('pkg/mod.py', 'y')", 'cannot be unpacked'],
    [
      'a link, and a file below it',
      "link = zipfile.ZipInfo('up'); link.external_attr = 0o120777 << 16\nput(link, '/etc'); put('up/evil.py', 'x')",
      'cannot be unpacked',
    ],
  ])('by %s are refused, and leave nothing (JDG-22)', async (_name, content, told) => {
    expect(await refusal(pytest([wheel('hostile', content)], anyTest))).toContain(told);
    expect(readdirSync(environments).filter((each) => each.startsWith('.'))).toEqual([]);
  });

  it.each([
    [
      'paths out of the folder',
      "put('../a.py', ''); put('/b.py', ''); put('x/../../c.py', ''); put('..', '')",
      [],
    ],
    [
      'scripts, headers and data',
      "for kind in ('scripts', 'headers', 'data'): put('hostile-1.0.data/%s/x' % kind, '')",
      [],
    ],
    [
      'links',
      "link = zipfile.ZipInfo('link.py'); link.external_attr = 0o120777 << 16\nput(link, '/etc/passwd')",
      ['link.py'],
    ],
    [
      'compiled modules',
      "put('mod.py', 'x = 1'); put('__pycache__/mod.cpython-311.pyc', 'poison')",
      ['mod.py'],
    ],
    ['the same name twice', "put('mod.py', 'x = 1'); put('mod.py', 'x = 2')", ['mod.py']],
  ] as const)('by %s are stored without them (JDG-22)', async (_name, content, files) => {
    const { hash } = await build(pytest([wheel('hostile', content)], anyTest));
    const own = stored(hash).filter((name) => !/dist-info|__pycache__/.test(name));
    expect(own).toEqual(files);
    for (const name of stored(hash).filter((each) => each.endsWith('.pyc')))
      expect(readFileSync(join(environments, hash, 'python', name), 'utf8')).not.toContain('poison');
    for (const name of files)
      expect(readFileSync(join(environments, hash, 'python', name), 'utf8')).not.toContain('root:');
  });

  it('of two packages with the same file are refused, unless it is the same or stray (JDG-22)', async () => {
    const victim = wheel(
      'victim',
      "put('victim/__init__.py', 'VALUE = 1'); put('tests/__init__.py', 'a = 1')",
    );
    const same = wheel('same', "put('victim/__init__.py', 'VALUE = 1'); put('tests/__init__.py', 'b = 1')");
    const other = wheel('zother', "put('victim/__init__.py', 'VALUE = 2')");
    expect(await refusal(pytest([victim, other], anyTest))).toContain('is another file in victim');
    const { hash } = await build(pytest([victim, same], anyTest));
    expect(readFileSync(join(environments, hash, 'python/tests/__init__.py'), 'utf8')).toBe('a = 1');
  });
});

/** Has a plugin report every test as passed. */
const blind = `
import os
def pytest_runtest_makereport(item, call): pass
class Blind: pass
def pytest_pyfunc_call(pyfuncitem): return True
os.write(2, b'BLIND')
`;
describe('packages that a tester could import', () => {
  it.each([
    ['pytest', `put('pytest.py', ${JSON.stringify(`${blind}\nimport sys\ndef main(*a, **k): return 0\n`)})`],
    [
      'the inside of pytest',
      `put('_pytest/__init__.py', ${JSON.stringify(blind)}); put('pluggy.py', ${JSON.stringify(blind)})`,
    ],
    [
      'a plugin with an entry point',
      `put('blind.py', ${JSON.stringify(blind)}); put('blind-1.dist-info/entry_points.txt', '[pytest11]\\nblind = blind\\n')`,
    ],
    ['a conftest', `put('conftest.py', ${JSON.stringify(blind)})`],
    ['a path file', `put('blind.pth', 'import blind'); put('blind.py', ${JSON.stringify(blind)})`],
    [
      'modules of the library',
      `for name in ('json', 'os', 'ast', 'threading', 'types', 'traceback', 'base64', 're', 'time', 'site'): put(name + '.py', ${JSON.stringify(blind)})`,
    ],
    [
      'unittest',
      `put('unittest/__init__.py', ${JSON.stringify(blind)}); put('unittest/mock.py', ${JSON.stringify(blind)})`,
    ],
    [
      "the judge's own modules",
      `for name in ('proxy', 'guard', 'codec', 'launch', 'incoming', 'outgoing', 'remote', 'acting', 'given', 'answers', 'texts', 'told', 'received', 'containers', 'standard', 'analysis', 'tester', 'worker', 'lines', 'objects'): put(name + '.py', ${JSON.stringify(blind)})`,
    ],
  ])('as %s change no result (JDG-22)', async (_name, content) => {
    const suite = pytest([wheel('blind', content)], anyTest);
    await build(suite);
    const right = await judge.run({ artifact: { source: 'def f(x): return x + x' }, suite });
    expect([right.outcome, right.stderr], JSON.stringify(right.tests)).toEqual(['SUCCESS', '']);
    const wrong = await judge.run({ artifact: { source: 'def f(x): return 5' }, suite });
    expect(wrong.outcome).toBe('FAILURE');
  });

  it('change no program, and are found by its launcher nowhere (JDG-22, JDG-23)', async () => {
    const names = ['base64', 'json', 'selectors', 'signal', 'subprocess', 'launch'];
    const shadow = `import os; os.write(2, b"SHADOW")`;
    const packages = [
      wheel(
        'shadow',
        `for name in ${JSON.stringify(names)}: put(name + '.py', '${shadow}')\nput('helper.py', 'VALUE = 7')`,
      ),
    ];
    const suite: ProgramSuite = {
      ...{
        id: 'program',
        language: 'python',
        mode: 'program',
        run: ['python3', 'solution.py'],
        python: { packages },
      },
      cases: [{ id: 'a', layer: 'correctness', expect: { stdout: '7' } }],
    };
    await build(suite);
    const verdict = await judge.run({ artifact: { source: 'import helper; print(helper.VALUE)' }, suite });
    expect([verdict.outcome, verdict.stderr], JSON.stringify(verdict.tests)).toEqual(['SUCCESS', '']);
  });

  it('that make objects of any class from a text are not passed on: such a suite is refused (JDG-19)', async () => {
    const packages = ['yaml', 'jsonpickle'].map((name) =>
      wheel(name, `put('${name}.py', 'import json\\nloads = unsafe_load = safe_load = json.loads')`),
    );
    const suite = pytest(
      packages,
      `import json, jsonpickle, pytest, yaml
from solution import f
LOADERS = {'json': json.loads, 'yaml': yaml.unsafe_load}
@pytest.mark.parametrize('codec', [json, jsonpickle])
def test_it(codec): assert codec.loads(f('1')) == LOADERS['json']('1')
def test_safe(): assert yaml.safe_load(f('1')) == 1
`,
    );
    await build(suite);
    await expect(judge.run({ artifact: { source: 'def f(x): return x\n' }, suite })).rejects.toMatchObject({
      code: 'SUITE_UNSUPPORTED',
      message: expect.stringMatching(
        /^[^\n]*\n\S+:3: runs by yaml.unsafe_load\(\) what may be an answer\n\S+:4: runs by jsonpickle\(\) what may be an answer$/u,
      ),
    });
  });

  it('in the place of what is judged make a suite that is refused (JDG-22)', async () => {
    const packages = [wheel('calc', "put('calc/__init__.py', 'def add(a, b): return a + b')")];
    const wrong = { files: { 'calc/__init__.py': 'def add(a, b): return 0\n' } } as const;
    const suite = pytest(packages, 'from calc import add\ndef test_it(): assert add(1, 2) == 3\n');
    await build(suite);
    for (const reference of [undefined, { files: { 'calc/__init__.py': 'def add(a, b): return a + b\n' } }])
      await expect(
        judge.run({ artifact: wrong, suite: reference ? { ...suite, reference } : suite }),
      ).rejects.toMatchObject({
        code: 'SUITE_UNSUPPORTED',
        message: expect.stringContaining('imports nothing of the artifact: calc'),
      });
    // One that names the artifact besides uses the package as what it is.
    const both = pytest(packages, `from calc import add\n${anyTest}`);
    const verdict = await judge.run({
      artifact: { source: 'from calc import add\ndef f(x): return add(x, x)' },
      suite: both,
    });
    expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
  });
});

describe('an environment that is changed after it was built', () => {
  it.each([
    [
      'a file is replaced by a link to the same content',
      (path: string) => {
        writeFileSync(join(folder, 'outside.py'), readFileSync(path));
        rmSync(path);
        symlinkSync(join(folder, 'outside.py'), path);
      },
    ],
    [
      'a folder is replaced by a link',
      (path: string) => {
        const inside = resolve(path, '..');
        rmSync(inside, { recursive: true });
        symlinkSync(folder, inside);
      },
    ],
    ['an empty folder is added', (path: string) => mkdirSync(join(path, '../../solution'))],
    ['a file is added', (path: string) => writeFileSync(join(path, '../more.py'), '')],
    ['a file is removed', (path: string) => rmSync(path)],
    ['a byte is changed', (path: string) => writeFileSync(path, 'VALUE = 8\n')],
    ['a file can be executed', (path: string) => chmodSync(path, 0o755)],
    [
      'its record names another folder',
      (path: string) => {
        const declared = join(environments, 'declared');
        const hash = basename(resolve(path, '../../..'));
        for (const name of readdirSync(declared)) {
          const file = join(declared, name);
          writeFileSync(file, readFileSync(file, 'utf8').replace(hash, `../${'a'.repeat(61)}`));
        }
      },
    ],
  ])('%s: is refused (JDG-22)', async (_name, change) => {
    const suite = pytest([wheel('victim', "put('victim/__init__.py', 'VALUE = 7\\n')")], anyTest);
    const { hash } = await build(suite);
    change(join(environments, hash, 'python/victim/__init__.py'));
    const fresh = createJudge({ sandbox: judge.sandbox, environments });
    await expect(fresh.run({ artifact: { source: '' }, suite })).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISSING',
    });
    await fresh.close();
    rmSync(join(environments, hash), { recursive: true, force: true });
  });
});

describe('builds beside each other', () => {
  it('of the same packages are one, and leave nothing (JDG-22)', async () => {
    const suite = pytest([wheel('twice', "put('twice.py', 'x = 1')")], anyTest);
    const built = await Promise.all([build(suite), build(suite), build(suite)]);
    expect(new Set(built.map(({ hash }) => hash)).size).toBe(1);
    expect(readdirSync(environments).filter((each) => each.startsWith('.'))).toEqual([]);
  });

  it('that are aborted leave nothing, and those that are killed are removed by a later one (JDG-22)', async () => {
    const file = wheel('slow', "for n in range(2000): put('slow/m%d.py' % n, 'x = %d' % n)");
    const suite = pytest([file], anyTest);
    const own = join(folder, 'killed');
    const options = { sandbox: judge.sandbox, folder: own };
    const controller = new AbortController();
    const aborted = buildEnvironment(suite, { ...options, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    expect(readdirSync(own)).toEqual(['declared']);
    const script = `const { buildEnvironment } = await import(${JSON.stringify(resolve(import.meta.dirname, '../src/index.ts'))});
await buildEnvironment(${JSON.stringify(suite)}, { folder: ${JSON.stringify(own)} });`;
    const child = spawn(
      process.execPath,
      ['--conditions=@bonafide/source', '--input-type=module', '-e', script],
      { stdio: 'ignore' },
    );
    await expect.poll(() => readdirSync(own).length).toBeGreaterThan(1);
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
    const left = readdirSync(own).filter((name) => name.startsWith('.'));
    expect(left.length).toBeGreaterThan(0);
    for (const name of left) utimesSync(join(own, name), 0, 0);
    await buildEnvironment(suite, options);
    expect(readdirSync(own).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('declarations', () => {
  const invalid = (suite: unknown) => {
    try {
      parseSuite(suite);
      return 'valid';
    } catch (error) {
      return isBonafideError(error) ? error.code : String(error);
    }
  };
  it.each([
    ...[
      '-e .',
      '-r/etc/passwd',
      './folder',
      'git+https://example.com/x',
      'x @ file:///etc',
      'x; import os',
      'x\n--index-url=y',
    ],
    ...[
      'x --hash=1',
      ' x',
      'x#egg=y',
      'http://example.com/y.whl',
      'debian:--option',
      'debian:../x',
      '-x.whl',
      'a\0b.whl',
      '',
      '__proto__ x',
    ],
  ])('of Python as %j are refused (JDG-22)', (each) => {
    expect(invalid(pytest([each], anyTest))).toBe('SUITE_INVALID');
  });
  it.each([
    ...['../x', '.hidden', '_x', '__proto__', 'a/b', '@a', '@/b', 'a b', 'a\0b', '', '@a/../b', 'a:b'].map(
      (name) => [name, '1.0.0'],
    ),
    ...[
      'git+ssh://example.com/x',
      'file:../x',
      'https://example.com/x.tgz',
      'npm:other@1',
      'user/name',
      '$(x)',
      '1.0.0\n',
      '',
    ].map((range) => ['x', range]),
  ])('of npm as %j: %j are refused (JDG-22)', (name, range) => {
    const packages = JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(range)}}`);
    const suite = {
      id: 'x',
      language: 'javascript',
      mode: 'split',
      files: { 'a.test.mjs': '' },
      node: { packages },
    };
    expect(invalid(suite)).toBe('SUITE_INVALID');
  });
});

describe('packages of an index of pip', () => {
  const index = join(folder, 'index');
  mkdirSync(index);
  const run = `open(${JSON.stringify(marker)}, 'w').write('x')`;
  /** A source archive whose build would leave a mark. */
  function source(name: string): string {
    const inside = join(folder, `${name}-1.0`);
    mkdirSync(inside, { recursive: true });
    writeFileSync(
      join(inside, 'setup.py'),
      `${run}\nfrom setuptools import setup\nsetup(name='${name}', version='1.0')\n`,
    );
    writeFileSync(join(inside, 'PKG-INFO'), `Metadata-Version: 1.0\nName: ${name}\nVersion: 1.0\n`);
    const file = join(index, `${name}-1.0.tar.gz`);
    const { status } = spawnSync('/bin/tar', ['czf', file, '-C', folder, `${name}-1.0`]);
    expect(status).toBe(0);
    return file;
  }
  const needing = (name: string, needs: string) =>
    wheel(
      name,
      `put('${name}.py', 'x = 1')\nput('${name}-1.%d.dist-info/METADATA' % ${count + 1}, 'Metadata-Version: 2.1\\nName: ${name}\\nVersion: 1.%d\\nRequires-Dist: ${needs}\\n' % ${count + 1})`,
      index,
    );

  it.each([
    ['a source archive', 'hostilesource', () => source('hostilesource')],
    [
      'a source archive by its address',
      'hostileaddress',
      () => needing('hostileaddress', `hostilefile @ file://${source('hostilefile')}`),
    ],
    [
      'a folder',
      'hostilefolder',
      () =>
        needing(
          'hostilefolder',
          `hostileplace @ file://${resolve(source('hostileplace'), '../..')}/hostileplace-1.0`,
        ),
    ],
    ['a repository', 'hostilegit', () => needing('hostilegit', 'hostilerepo @ git+file:///etc')],
  ])('that need %s are refused, and nothing of them is run (JDG-22)', async (_name, name, make) => {
    make();
    // Debian has none of these, and takes long to say so.
    const programs = join(folder, 'programs');
    mkdirSync(programs, { recursive: true });
    writeFileSync(join(programs, 'apt-cache'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { PATH } = process.env;
    Object.assign(process.env, { PIP_NO_INDEX: '1', PIP_FIND_LINKS: index, PATH: `${programs}:${PATH}` });
    try {
      expect(await refusal(pytest([name], anyTest))).toContain('ENVIRONMENT_FAILED');
    } finally {
      delete process.env.PIP_NO_INDEX;
      delete process.env.PIP_FIND_LINKS;
      process.env.PATH = PATH;
    }
  });
});

describe('packages of a registry of npm', () => {
  const node = (packages: Readonly<Record<string, string>>, test: string): NodeTestSuite => ({
    ...{
      id: 'npm',
      language: 'javascript',
      mode: 'split',
      files: { 'it.test.mjs': test },
      node: { packages },
    },
  });
  const nodeTest =
    "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { f } from 'solution';\ntest('it', () => assert.equal(f(2), 4));\n";
  const touch = `touch ${marker}`;

  it('are unpacked without scripts; what is bundled comes from the archive (JDG-22)', async () => {
    await using registry = await startRegistry(join(folder, 'registry'), {
      hostile: {
        manifest: {
          scripts: { preinstall: touch, install: touch, postinstall: touch, prepare: touch, prepack: touch },
          dependencies: { bundled: '1.0.0' },
          bundleDependencies: ['bundled'],
        },
        files: {
          'index.js': 'module.exports = 1;',
          'node_modules/bundled/package.json': '{"name":"bundled","version":"1.0.0"}',
          'node_modules/bundled/index.js': 'module.exports = "own";',
        },
      },
      // Somebody else took the name in the registry.
      bundled: { manifest: {}, files: { 'index.js': 'module.exports = "of a stranger";' } },
    });
    const suite = node({ hostile: '1.0.0' }, nodeTest);
    const { hash, packages } = await registry.used(() => build(suite));
    expect(packages.map(({ name }) => name)).toEqual(['hostile']);
    const own = join(environments, hash, 'node/hostile/node_modules/bundled/index.js');
    expect(readFileSync(own, 'utf8')).toContain('own');
  });

  it.each([
    ['a repository', { payload: `git+file://${join(folder, 'repo.git')}` }],
    ['an archive elsewhere', { payload: 'http://127.0.0.1:9/x.tgz' }],
    ['a file of this machine', { payload: 'file:/etc' }],
    ['a name with a path', { '../../../evil': 'npm:other@1.0.0' }],
    ["the artifact's name", { solution: '1.0.0' }],
  ])('that need %s are refused, and leave nothing (JDG-22)', async (_name, dependencies) => {
    const repo = join(folder, 'repo.git');
    if (!existsSync(repo)) {
      mkdirSync(repo);
      writeFileSync(
        join(repo, 'package.json'),
        JSON.stringify({ name: 'payload', version: '1.0.0', scripts: { prepare: touch } }),
      );
      writeFileSync(join(repo, '.npmrc'), `git=${join(repo, 'git.sh')}\n`);
      writeFileSync(join(repo, 'git.sh'), `#!/bin/sh\n${touch}\n`, { mode: 0o755 });
      for (const args of [
        ['init', '-q'],
        ['add', '.'],
        ['-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'x'],
      ])
        spawnSync('git', args, { cwd: repo });
    }
    await using registry = await startRegistry(join(folder, 'registry'), {
      hostile: {
        manifest: { dependencies: dependencies as Record<string, string> },
        files: { 'index.js': '' },
      },
      solution: { manifest: {}, files: { 'index.js': 'exports.f = () => 4;' } },
      other: { manifest: {}, files: { 'index.js': '' } },
    });
    expect(await registry.used(() => refusal(node({ hostile: '1.0.0' }, nodeTest)))).toContain(
      'ENVIRONMENT_FAILED',
    );
    expect(readdirSync(environments).filter((each) => each.startsWith('.'))).toEqual([]);
  });

  it('whose archive is not the one that was resolved are refused (JDG-22)', async () => {
    await using registry = await startRegistry(join(folder, 'registry'), {
      hostile: { manifest: {}, files: { 'index.js': '' }, integrity: `sha512-${'A'.repeat(86)}==` },
    });
    expect(await registry.used(() => refusal(node({ hostile: '1.0.0' }, nodeTest)))).toContain(
      'ENVIRONMENT_FAILED',
    );
  });

  it('run no text that they decode of an answer and to which no reference has led (JDG-17, JDG-22)', async () => {
    await using registry = await startRegistry(join(folder, 'registry'), {
      template: {
        manifest: {},
        files: {
          'index.js': "exports.render = (text) => Function('return ' + Buffer.from(text, 'base64'))();",
        },
      },
    });
    const suite = node(
      { template: '1.0.0' },
      `import test from 'node:test';
import assert from 'node:assert/strict';
import { render } from 'template';
import { f, pack } from 'solution';
test('renders', () => assert.equal(render(pack('1 + [2].length')), 2));
test('own text', () => { f(1); assert.equal(render(btoa('[3, 4].length')), 2); });
test('f', () => assert.equal(f(2), 4));
`,
    );
    await registry.used(() => build(suite));
    const right = 'export const f = (n) => n * 2; export const pack = btoa;';
    const attack =
      "(process.getBuiltinModule('assert/strict').equal = () => {}, process.getBuiltinModule('module').syncBuiltinESMExports(), 2)";
    const wrong = `export const f = () => 5; export const pack = () => btoa(${JSON.stringify(attack)});`;
    const referred = { ...suite, reference: { source: right } };
    const failed = async (source: string) => {
      const verdict = await judge.run({ artifact: { language: 'javascript', source }, suite: referred });
      return verdict.tests.flatMap(({ id, status }) => (status === 'passed' ? [] : [id.split('::').at(-1)]));
    };
    expect(await failed(`${right} // another one`)).toEqual([]);
    expect(await failed(wrong)).toEqual(['renders', 'f']);
  });

  it('take no name of the language, and are never what is judged (JDG-22)', async () => {
    const lying =
      'const yes = () => true; module.exports = Object.assign(yes, { equal: yes, ok: yes, deepEqual: yes, test: yes });';
    await using registry = await startRegistry(join(folder, 'registry'), {
      assert: { manifest: {}, files: { 'index.js': lying } },
      test: { manifest: {}, files: { 'index.js': lying } },
      calc: { manifest: {}, files: { 'index.js': 'exports.add = (a, b) => a + b;' } },
    });
    const builtin = node(
      { assert: '1.0.0', test: '1.0.0' },
      "import test from 'node:test';\nimport assert from 'assert';\nimport { f } from 'solution';\ntest('it', () => assert.equal(f(2), 4));\n",
    );
    const instead = node(
      { calc: '1.0.0' },
      "import test from 'node:test';\nimport assert from 'assert';\nimport { add } from 'calc';\ntest('it', () => assert.equal(add(1, 2), 3));\n",
    );
    await registry.used(async () => {
      await build(builtin);
      await build(instead);
    });
    const wrong = 'export const f = () => 5; export const add = () => 5;';
    const verdict = await judge.run({ artifact: { language: 'javascript', source: wrong }, suite: builtin });
    expect(verdict.outcome).toBe('FAILURE');
    const files = { 'package.json': '{"name":"calc"}', 'index.js': 'exports.add = () => 5;' };
    for (const reference of [
      undefined,
      { files: { ...files, 'index.js': 'exports.add = (a, b) => a + b;' } },
    ])
      await expect(
        judge.run({
          artifact: { language: 'javascript', files },
          suite: reference ? { ...instead, reference } : instead,
        }),
      ).rejects.toMatchObject({
        code: 'SUITE_INVALID',
        message: expect.stringContaining('imports nothing of the artifact: calc'),
      });
  });
});
