import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { baseOf, changedFiles, planChecks, readPackages, withUsers } from '../check-affected.mjs';

const packages = [
  { name: '@b/internal', folder: 'internal', uses: [] },
  { name: '@b/storage', folder: 'packages/storage', uses: ['@b/internal'] },
  { name: '@b/ledger', folder: 'packages/ledger', uses: ['@b/internal', '@b/storage'] },
  { name: '@b/trust', folder: 'packages/trust', uses: ['@b/internal'] },
  { name: '@b/agent', folder: 'examples/agent', uses: ['@b/ledger'] },
  { name: '@b/docs', folder: 'docs', uses: [] },
];

describe('the packages of a change', () => {
  it('are the changed ones and those that use them, also through others', () => {
    expect([...withUsers(packages, new Set(['@b/storage']))].sort()).toEqual([
      '@b/agent',
      '@b/ledger',
      '@b/storage',
    ]);
    expect(withUsers(packages, new Set(['@b/internal'])).size).toBe(5);
    expect([...withUsers(packages, new Set(['@b/agent']))]).toEqual(['@b/agent']);
  });

  it('are read from the manifests: cli uses ledger-core, ledger-core does not use cli', () => {
    const found = readPackages(resolve(import.meta.dirname, '../..'));
    const users = withUsers(found, new Set(['@bonafide/ledger-core']));
    expect(users).toContain('@bonafide/cli');
    expect(withUsers(found, new Set(['@bonafide/cli']))).not.toContain('@bonafide/ledger-core');
    expect(users).not.toContain('@bonafide/trust-score');
  });
});

describe('the checks of a change', () => {
  it('are the types of its packages and the tests that load its files', () => {
    expect(planChecks(['packages/ledger/src/ledger.ts'], packages)).toEqual({
      everything: null,
      types: ['packages/ledger', 'examples/agent'],
      loaded: ['packages/ledger/src/ledger.ts'],
      folders: ['scripts'],
    });
  });

  it('are all tests of a package whose manifest, settings or data changed', () => {
    for (const file of ['package.json', 'tsconfig.json', 'vitest.config.ts', 'test/data/vectors.json'])
      expect(planChecks([`packages/trust/${file}`], packages).folders).toEqual(['packages/trust', 'scripts']);
  });

  it('are those of the scripts for documents and scripts', () => {
    const { types, loaded, folders } = planChecks(
      ['README.md', 'docs/roadmap.md', 'scripts/run.mjs'],
      packages,
    );
    expect({ types, loaded, folders }).toEqual({
      types: [],
      loaded: ['scripts/run.mjs'],
      folders: ['scripts'],
    });
  });

  it('are all of them when a file of every package changed', () => {
    expect(planChecks(['packages/trust/src/a.ts', 'vitest.base.ts'], packages).everything).toBe(
      'vitest.base.ts',
    );
  });
});

it('changed files are those of the branch, committed or not, new and deleted ones included', () => {
  const root = mkdtempSync(join(tmpdir(), 'bonafide-affected-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  const write = (file: string, text: string) => {
    mkdirSync(join(root, 'src'), { recursive: true });
    writeFileSync(join(root, 'src', file), text);
  };
  const commit = (message: string) => {
    git('add', '-A');
    git('commit', '-qm', message);
  };
  git('init', '-q', '-b', 'main');
  write('kept.ts', '1');
  write('deleted.ts', '1');
  write('edited.ts', '1');
  commit('first');
  git('checkout', '-qb', 'work');
  write('committed.ts', '1');
  commit('second');
  git('checkout', '-q', 'main');
  write('of-main.ts', '1');
  commit('on main');
  git('checkout', '-q', 'work');
  write('edited.ts', '2');
  write('new file.ts', '1');
  rmSync(join(root, 'src/deleted.ts'));
  expect(changedFiles(root, baseOf(root))).toEqual([
    'src/committed.ts',
    'src/deleted.ts',
    'src/edited.ts',
    'src/new file.ts',
  ]);
});
