import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildEnvironment, type Suite } from '../src/index.ts';
import { useJudge } from './use-judge.ts';

const folder = mkdtempSync(join(tmpdir(), 'bonafide-repositories-'));
// Boxes run as another user when the judge is root.
chmodSync(folder, 0o755);
const environments = join(folder, 'environments');
const judge = useJudge({ environments });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program of this machine. Null when it fails, as without a network. */
function output(command: string, args: readonly string[], cwd: string): string | null {
  const { status, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 120_000 });
  return status === 0 ? stdout : null;
}

/** Every file below a folder, by its path from there. */
const filesOf = (root: string, isWanted: (name: string) => boolean): Record<string, Uint8Array> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true })
      .map(String)
      .filter((name) => isWanted(name) && statSync(join(root, name)).isFile())
      .map((name) => [name, readFileSync(join(root, name))]),
  );
const textsOf = (files: Record<string, Uint8Array>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('utf8')]),
  );

/** Unpacks a package of npm; null where it cannot be had. */
function unpackNpm(name: string, target: string): string | null {
  mkdirSync(target, { recursive: true });
  const archive = output('npm', ['pack', '--silent', name], target)?.trim().split('\n').at(-1);
  if (archive === undefined || output('tar', ['xzf', archive, '--strip-components=1'], target) === null)
    return null;
  rmSync(join(target, archive));
  return target;
}

interface Repository {
  readonly artifact: Record<string, Uint8Array>;
  readonly suite: Suite;
  /** A file, a text in it, and what that becomes. */
  readonly broken: readonly [file: string, from: string, to: string];
}

function forwarded(): Repository | null {
  const root = unpackNpm('@fastify/forwarded@3.1.2', join(folder, 'forwarded'));
  if (root === null) return null;
  const suite: Suite = {
    ...{ id: 'forwarded', language: 'javascript', mode: 'split' },
    files: textsOf(filesOf(root, (name) => name.startsWith('test/'))),
  };
  const artifact = filesOf(root, (name) => /^(?:index\.js|package\.json)$/.test(name));
  return { artifact, suite, broken: ['index.js', '? [socketAddr, remote]', '? [remote]'] };
}

function safeRegex(): Repository | null {
  const root = unpackNpm('safe-regex2@5.1.2', join(folder, 'safe-regex2'));
  const dependency = root && unpackNpm('ret@0.5.0', join(root, 'node_modules/ret'));
  if (root === null || dependency === null) return null;
  const suite: Suite = {
    ...{ id: 'safe-regex2', language: 'javascript', mode: 'split' },
    files: textsOf(filesOf(root, (name) => name.startsWith('test/'))),
  };
  const artifact = filesOf(root, (name) => /^(?:index\.js|package\.json|node_modules\/)/.test(name));
  return { artifact, suite, broken: ['index.js', 'starHeight > 1', 'starHeight > 100'] };
}

/** Its dependencies are declared by the suite, and not part of the artifact. */
function proxyAddr(): Repository | null {
  const root = unpackNpm('@fastify/proxy-addr@5.1.3', join(folder, 'proxy-addr'));
  if (root === null) return null;
  const suite: Suite = {
    ...{ id: 'proxy-addr', language: 'javascript', mode: 'split' },
    files: textsOf(filesOf(root, (name) => name.startsWith('test/'))),
    node: { packages: { '@fastify/forwarded': '^3.0.0', 'ipaddr.js': '^2.1.0' } },
  };
  const artifact = filesOf(root, (name) => /^(?:index\.js|package\.json)$/.test(name));
  return { artifact, suite, broken: ['index.js', 'return addrs[addrs.length - 1]', 'return addrs[0]'] };
}

function toolz(): Repository | null {
  const root = join(folder, 'toolz');
  mkdirSync(root);
  if (output('apt-get', ['download', 'python3-toolz'], root) === null) return null;
  const archive = readdirSync(root).find((name) => name.endsWith('.deb'));
  if (archive === undefined || output('dpkg', ['-x', archive, '.'], root) === null) return null;
  const packages = join(root, 'usr/lib/python3/dist-packages');
  const tests = readFileSync(join(packages, 'toolz/tests/test_itertoolz.py'), 'utf8');
  // One test passes a generator of random numbers, which cannot leave its box.
  const ids = [...tests.matchAll(/^def (test_\w+)/gm)].map(([, name]) => name);
  const suite: Suite = {
    ...{ id: 'toolz', language: 'python', mode: 'split', files: { 'test_itertoolz.py': tests } },
    tests: ids
      .filter((name) => name !== 'test_random_sample')
      .map((name) => ({ id: `test_itertoolz.py::${name}`, layer: 'correctness' as const })),
  };
  const artifact = filesOf(packages, (name) => /^(?:toolz|tlz)\/(?!.*tests\/).*\.py$/.test(name));
  return {
    artifact,
    suite,
    broken: [
      'toolz/itertoolz.py',
      'def remove(predicate, seq):',
      'def remove(predicate, seq):\n    return iter(())',
    ],
  };
}

describe('real packages with their own tests', () => {
  const repositories = { forwarded, 'proxy-addr': proxyAddr, 'safe-regex2': safeRegex, toolz };
  for (const [name, fetch] of Object.entries(repositories))
    it(`${name} succeeds as published and fails with one function broken (JDG-22)`, async (context) => {
      const repository = fetch();
      if (repository === null) return context.skip(`${name} cannot be downloaded here`);
      const { artifact, suite, broken } = repository;
      if ('node' in suite) await buildEnvironment(suite, { sandbox: judge.sandbox, folder: environments });
      const published = await judge.run({ artifact: { files: artifact }, suite });
      expect(
        published.tests.filter((test) => test.status !== 'passed').map((test) => [test.id, test.reason]),
        published.summary,
      ).toEqual([]);
      expect(published.outcome).toBe('SUCCESS');
      const [file, from, to] = broken;
      const text = Buffer.from(artifact[file] ?? []).toString('utf8');
      expect(text).toContain(from);
      const changed = { ...artifact, [file]: Buffer.from(text.replace(from, to)) };
      const wrong = await judge.run({ artifact: { files: changed }, suite });
      expect(wrong.outcome, wrong.summary).toMatch(/FAILURE|PARTIAL/);
    });

  it('a tree of many files, binary ones among them, is shown whole (JDG-22)', async () => {
    const files: Record<string, string | Uint8Array> = {
      'src/pkg/__init__.py':
        'import os\ndef count(): return sum(len(f) for _, _, f in os.walk("/artifact"))\n',
      'src/pkg/data.bin': Uint8Array.from({ length: 256 }, (_, index) => index),
      'src/pkg/read.py':
        'import pathlib\ndef total(): return sum(pathlib.Path(__file__).with_name("data.bin").read_bytes())\n',
    };
    for (let index = 0; index < 1500; index += 1) files[`docs/page ${index}.txt`] = `page ${index}`;
    const suite: Suite = {
      ...{ id: 'tree', language: 'python', mode: 'split' },
      files: {
        'test_tree.py':
          'import pkg\nfrom pkg.read import total\ndef test_count(): assert pkg.count() == 1503\ndef test_bytes(): assert total() == 255 * 128\n',
      },
    };
    const verdict = await judge.run({ artifact: { files }, suite });
    expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
  });
});
