import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkManifest, checkWorkspace, importsOf } from '../check-boundaries.mjs';

const root = resolve(import.meta.dirname, '../..');
const script = join(root, 'scripts/check-boundaries.mjs');

/** A ledger that keeps to the rules: what a test changes is what is wrong. */
const ledger = {
  name: '@bonafide/ledger-core',
  dependencies: { zod: '^4' },
  peerDependencies: { kysely: '^0.29', vitest: '>=3', '@bonafide/storage': 'workspace:^' },
  peerDependenciesMeta: {
    kysely: { optional: true },
    vitest: { optional: true },
    '@bonafide/storage': { optional: true },
  },
  devDependencies: { '@bonafide/internal': 'workspace:*' },
};
const sources = {
  'index.ts': `
    import { createHash } from 'node:crypto';
    import { z } from 'zod';
    import { BonafideError } from '@bonafide/internal';
    export { createMemoryStore } from './stores/memory.ts';
    export type { Store } from './store.ts';`,
  'store.ts': 'export interface Store {}',
  'stores/memory.ts': 'export const createMemoryStore = () => ({});',
  'stores/kysely.ts':
    "import { sql } from 'kysely'; import { table } from './tables.ts'; export { sql, table };",
  'stores/tables.ts': "import { migrate } from '@bonafide/storage'; export const table = migrate;",
  'testing/index.ts':
    "import { it } from 'vitest'; import { testDatabases } from '@bonafide/storage/testing'; import '../stores/kysely.ts';",
};

describe('the check of the boundaries', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bonafide-boundaries-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** What the check says about a workspace with this one package. */
  function check(manifest: object = {}, files: Record<string, string> = {}): string[] {
    const all = { ...sources, ...files };
    write('packages/ledger-core/package.json', JSON.stringify({ ...ledger, ...manifest }));
    for (const [path, text] of Object.entries(all)) write(`packages/ledger-core/src/${path}`, text);
    return checkWorkspace(folder).breaches.map((breach) => breach.replace('packages/ledger-core: ', ''));
  }
  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  it('passes a package that keeps to the rules', () => {
    expect(check()).toEqual([]);
  });

  it('refuses another domain package, by any kind of import and in the manifest', () => {
    const files = {
      'a.ts': "import { score } from '@bonafide/trust-score';",
      'b.ts': "\nexport * from '@bonafide/trust-score';",
      'c.ts': "export { score, tier } from '@bonafide/trust-score/sub';",
      'd.ts': "import type { Score } from '@bonafide/trust-score';",
      'e.ts': "export const load = () => import('@bonafide/trust-score');",
      'f.ts': "export type Score = import('@bonafide/trust-score').Score;",
      'g.ts': "import '@bonafide/trust-score';",
    };
    const dependencies = { zod: '^4', '@bonafide/trust-score': 'workspace:^' };
    const why = 'imports @bonafide/trust-score: it may use zod, @opentelemetry/api';
    expect(check({ dependencies }, files)).toEqual([
      'depends on @bonafide/trust-score: it may depend on zod, @opentelemetry/api',
      `src/a.ts:1 ${why}`,
      `src/b.ts:2 ${why}`,
      `src/c.ts:1 ${why}`,
      `src/d.ts:1 ${why}`,
      `src/e.ts:1 ${why}`,
      `src/f.ts:1 ${why}`,
      `src/g.ts:1 ${why}`,
    ]);
  });

  it('refuses to reach into another package by a path, or to hide what is imported', () => {
    const files = {
      'a.ts': "import { score } from '../../trust-score/src/index.ts';",
      'b.ts': "export { version } from '../package.json';",
      'c.ts': 'export const load = (name: string) => import(name);',
      'd.ts': 'export const load = () => import(`zod`);',
      'e.ts': "import { createLedger } from '@bonafide/ledger-core';",
    };
    expect(check({}, files)).toEqual([
      'src/a.ts:1 reaches out of its package (../../trust-score/src/index.ts): use the other package by its name',
      'src/c.ts:1 imports a computed module: name it, so that it can be checked',
      'src/e.ts:1 imports its own package by name (@bonafide/ledger-core): use a relative path',
    ]);
  });

  it("lets what composes everything load the operator's own module", () => {
    check();
    write('packages/cli/package.json', JSON.stringify({ name: '@bonafide/cli' }));
    write('packages/cli/src/a.ts', 'export const load = (name: string) => import(name);');
    expect(checkWorkspace(folder).breaches).toEqual([]);
  });

  it('lets optional peers be used in their places only', () => {
    const files = {
      'ledger.ts': "import type { Kysely } from 'kysely';",
      'testing.ts': "import { it } from 'vitest';",
      'stores/memory.ts': "import { it } from 'vitest'; export const createMemoryStore = it;",
    };
    expect(check({}, files)).toEqual([
      'src/ledger.ts:1 imports kysely: only stores/**, testing/** may',
      'src/stores/memory.ts:1 imports vitest: only testing/** may',
      'src/testing.ts:1 imports vitest: only testing/** may',
      'src/index.ts needs vitest by way of stores/memory.ts',
    ]);
  });

  it('does not let the rest of a package need an optional peer by a detour', () => {
    const files = {
      'index.ts': "export { table } from './deep/way.ts'; export type { Tables } from './stores/kysely.ts';",
      'deep/way.ts': "export { table } from '../stores/tables.ts';",
      'types.ts': "import type { Tables } from './stores/kysely.ts'; export type { Tables };",
      'later.ts': "export const load = () => import('./stores/kysely.ts');",
    };
    expect(check({}, files)).toEqual([
      'src/deep/way.ts needs @bonafide/storage by way of stores/tables.ts',
      'src/index.ts needs @bonafide/storage by way of deep/way.ts → stores/tables.ts',
    ]);
  });

  it('wants what is imported to be declared, and declared rightly', () => {
    const { vitest: _, ...peers } = ledger.peerDependencies;
    const manifest = {
      dependencies: {},
      peerDependencies: { ...peers, react: '*' },
      peerDependenciesMeta: { '@bonafide/storage': { optional: true } },
      devDependencies: {},
      optionalDependencies: { '@bonafide/internal': 'workspace:*', fsevents: '*' },
    };
    expect(check(manifest)).toEqual([
      'has @bonafide/internal in optionalDependencies: it is bundled, so devDependencies',
      'depends on fsevents: it may depend on zod, @opentelemetry/api',
      'has the peer kysely, which is not marked optional in peerDependenciesMeta',
      'has the peer react: the table does not allow it',
      'src/index.ts:3 imports zod, which dependencies lack',
      'src/index.ts:4 imports @bonafide/internal, which devDependencies lack',
      'src/testing/index.ts:1 imports vitest, which peerDependencies lack',
    ]);
  });

  it('lets nothing but test suites use what is for tests', () => {
    write(
      'packages/jobs/package.json',
      JSON.stringify({ name: '@bonafide/nip90-jobs', dependencies: { '@bonafide/nostr-transport': '*' } }),
    );
    write(
      'packages/jobs/src/client.ts',
      "import { startTestRelay } from '@bonafide/nostr-transport/testing';",
    );
    write(
      'packages/jobs/src/testing/index.ts',
      "import { startTestRelay } from '@bonafide/nostr-transport/testing';",
    );
    expect(checkWorkspace(folder).breaches).toEqual([
      'packages/jobs: src/client.ts:1 imports @bonafide/nostr-transport/testing: only testing/** may use what is for tests',
    ]);
  });

  it('wants every package in the table, and lets the command line use whatever it declares', () => {
    expect(checkManifest({ name: '@bonafide/new' })).toEqual([
      'is not in the table of scripts/check-boundaries.mjs',
    ]);
    expect(checkManifest({ name: '@bonafide/cli', dependencies: { anything: '*' } })).toEqual([]);
    write(
      'packages/cli/package.json',
      JSON.stringify({ name: '@bonafide/cli', dependencies: { kysely: '*' } }),
    );
    write('packages/cli/src/main.ts', "import 'kysely'; import 'undeclared';");
    expect(checkWorkspace(folder).breaches).toEqual([
      'packages/cli: src/main.ts:1 imports undeclared, which dependencies lack',
    ]);
  });

  it('tells what must be there to load from what is only a type or comes later', () => {
    const text =
      "import type { A } from 'a';\nimport { type B } from 'b';\nimport { type C, d } from 'c';\nexport type { E } from 'e';\nimport('f');";
    expect(importsOf('x.ts', text).map(({ specifier, kind }) => [specifier, kind])).toEqual([
      ['a', 'type'],
      ['b', 'static'],
      ['c', 'static'],
      ['e', 'type'],
      ['f', 'dynamic'],
    ]);
    expect(() => importsOf('x.ts', 'import {')).toThrow('x.ts cannot be parsed');
  });

  it('fails the command with a line per breach, and passes without any', () => {
    check({}, { 'a.ts': "import 'left-pad';" });
    const failing = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    expect(failing.status).toBe(1);
    expect(failing.stderr).toContain(
      'packages/ledger-core: src/a.ts:1 imports left-pad: it may use zod, @opentelemetry/api',
    );
    rmSync(join(folder, 'packages/ledger-core/src/a.ts'));
    const passing = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    expect({ ...passing, status: passing.status }).toMatchObject({ status: 0, stderr: '' });
  });

  it('passes this workspace', () => {
    expect(checkWorkspace(root).breaches).toEqual([]);
  });
});
