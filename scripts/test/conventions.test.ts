import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hangLimitMs } from '../../vitest.base.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
    .toSorted()
    .map((file) => ({ file, text: readFileSync(resolve(root, file), 'utf8') }));

/** `file: what it says` for everything that matches. */
const mentions = (pattern: string, forbidden: RegExp) =>
  read(pattern).flatMap(({ file, text }) =>
    [...text.matchAll(forbidden)].map(([found]) => `${file}: ${found.trim()}`),
  );

describe('what holds in every package', () => {
  it('X-1 nothing but a shell asks the clock or draws lots itself', () => {
    // The default of an option is one place to pass the time in; docstrings name such defaults.
    const asks = /(?<!(?:\?\?|@default) )(?:\bDate\.now\(\)|\bMath\.random\(\)|\bnew Date\(\))/g;
    const asked = mentions('packages/*/src/**/*.ts', asks);
    expect(asked.filter((mention) => !/^packages\/(?:cli\/|\w+\/src\/testing\/)/.test(mention))).toEqual([
      // The deadline for removing a directory.
      'packages/judge-runner/src/isolation/cgroup.ts: Date.now()',
      'packages/judge-runner/src/isolation/cgroup.ts: Date.now()',
      // For people who look into the file.
      'packages/storage/src/migrations/migrate.ts: Date.now()',
      'packages/storage/src/sqlite/writer-lock.ts: Date.now()',
      // The default of an option.
      'packages/trust-score/src/report/verify.ts: Date.now()',
    ]);
  });

  it('X-9 a number that is a time or money says its unit in its name', () => {
    const bare =
      /\b\w*(?:[tT]imeout|[dD]uration|[dD]elay|[iI]nterval|[lL]atency|[pP]rice|[fF]ee|[bB]udget)s?\??: number\b/g;
    expect(mentions('packages/*/src/**/*.ts', bare)).toEqual([
      // Flags as a person types them: seconds, and millisatoshi.
      'packages/cli/src/commands/discover/discover.ts: timeout: number',
      'packages/cli/src/commands/job/manage.ts: budget?: number',
      'packages/cli/src/commands/job/request.ts: budget?: number',
      'packages/cli/src/commands/job/request.ts: timeout: number',
      'packages/cli/src/commands/job/session.ts: budget?: number',
      // The weight of latency among the criteria.
      'packages/routing-matrix/src/config.ts: latency: number',
      // A count.
      'packages/routing-matrix/src/lifecycle/stage.ts: straightTimeouts: number',
    ]);
  });

  it('X-16 workspace packages resolve to their sources by a condition that published packages do not have', () => {
    const condition = '@bonafide/source';
    for (const { file, text } of read('{packages/*,internal}/package.json')) {
      const { exports: own = {}, publishConfig, private: isPrivate } = JSON.parse(text);
      for (const [name, entry] of Object.entries<Record<string, string> | string>(own)) {
        if (typeof entry === 'string') continue;
        expect([file, name, Object.keys(entry)[0]]).toEqual([file, name, condition]);
        expect(existsSync(resolve(root, file, '..', entry[condition] ?? ''))).toBe(true);
      }
      if (isPrivate) continue;
      expect([file, Object.keys(publishConfig.exports)]).toEqual([file, Object.keys(own)]);
      expect(JSON.stringify(publishConfig)).not.toContain(condition);
    }
    expect(readFileSync(resolve(root, 'tsconfig.base.json'), 'utf8')).toContain(condition);
  });

  it('X-17 no test limits itself below the limit of the project, and what it waits for has four minutes', () => {
    const tests = '{packages,examples,internal,scripts}/**/test/**/*.ts';
    const numberOf = (mention: string) => Number(mention.replace(/.*: /s, '').replaceAll(/[^\d]/g, ''));
    // This file names the exceptions.
    const short = (pattern: RegExp, least: number) =>
      mentions(tests, pattern).filter(
        (mention) => !mention.startsWith('scripts/test/conventions') && numberOf(mention) < least,
      );
    expect(short(/^ *\},\s+[1-9][\d_]{3,},?\s*\);$/gm, hangLimitMs), 'as last argument').toEqual([]);
    const fields = short(/\btimeout: [\d_]+\b/gi, 240_000);
    // Tests that are judged give themselves limits.
    const isJudged = (mention: string) => mention.startsWith('packages/judge-runner/test/corpus/');
    expect(
      fields.filter((mention) => !isJudged(mention)),
      'as a field',
    ).toEqual([
      // The subject: a flag in seconds, and the limit that a judged test gives itself.
      'packages/cli/test/discover.test.ts: timeout: 5',
      // A download that takes longer is skipped.
      'packages/judge-runner/test/repositories.test.ts: timeout: 120_000',
      'packages/judge-runner/test/split-javascript.test.ts: timeout: 50',
    ]);
    expect(mentions(tests, /\bvi\.setConfig\(/g), 'set by a file').toEqual([]);
    // A limit of the product that has to pass in a test is at most ten seconds; any other only ends what hangs.
    const between = short(/\b(?:query|publish|relay)?timeoutMs: [\d_]+/gi, 240_000);
    expect(between.filter((mention) => numberOf(mention) > 10_000)).toEqual([
      // The subject: which of two limits holds, and what a transport is called with.
      'packages/nip90-jobs/test/mcp.test.ts: timeoutMs: 60_000',
      'packages/nip90-jobs/test/timings.test.ts: timeoutMs: 15_000',
      'packages/nip90-jobs/test/timings.test.ts: timeoutMs: 20_000',
      'packages/nip90-jobs/test/timings.test.ts: timeoutMs: 20_000',
    ]);
    const walls = short(/\bwallMs: [\d_]+/g, 240_000).filter((mention) => numberOf(mention) > 10_000);
    expect(walls).toEqual([
      // What ends an attack that hangs.
      'packages/judge-runner/test/corpus/attacks-by-room.ts: wallMs: 20_000',
      'packages/judge-runner/test/corpus/attacks-on-programs.ts: wallMs: 20_000',
      'packages/judge-runner/test/corpus/split-attack.ts: wallMs: 20_000',
      'packages/judge-runner/test/fidelity-lies.test.ts: wallMs: 20_000',
      'packages/judge-runner/test/hostile-objects.test.ts: wallMs: 60_000',
      'packages/judge-runner/test/unearned.test.ts: wallMs: 20_000',
    ]);
  });

  it('X-2 a package with stores in a database has one in memory, migrations, and a suite for the stores of others', () => {
    const packages = read('packages/*/package.json').filter(
      ({ text }) => './kysely' in (JSON.parse(text).exports ?? {}),
    );
    expect(packages.length).toBeGreaterThanOrEqual(8);
    for (const { file, text } of packages) {
      const folder = resolve(root, file, '..');
      const sourceOf = (entry: string) =>
        readFileSync(
          resolve(folder, JSON.parse(text).exports[entry]?.['@bonafide/source'] ?? 'missing'),
          'utf8',
        );
      expect(sourceOf('.'), file).toMatch(/\bcreateMemory\w*(?:Store|State)\b/);
      expect(sourceOf('./kysely'), file).toMatch(/\bcreateKysely\w*(?:Store|State)\b/);
      expect(sourceOf('./kysely'), file).toMatch(/\bmigrate[A-Z]/);
      expect(sourceOf('./testing'), file).toMatch(/\b(?:test|describe)\w+(?:Store|Port|Conformance)\b/);
    }
  });

  it('X-20 every transaction of a store is repeated when Postgres ends it because of others', () => {
    expect(mentions('packages/*/src/**/*.ts', /^(?!\s*\/\/).*\.transaction\(\).*$/gm)).toEqual([
      'packages/storage/src/queries/transaction.ts: const begin = db.transaction();',
    ]);
  });

  it('X-15 a folder that a user names is made by one function, which ends where none can be made', () => {
    expect(mentions('packages/*/src/**/*.ts', /\bmkdir(?:Sync)?\([^;]*?recursive: true/g)).toEqual([
      // In a folder that was just made for it.
      "packages/judge-runner/src/container/engine.ts: mkdir(join(folder, 'home'), { recursive: true",
      "packages/judge-runner/src/container/engine.ts: mkdir(join(folder, 'home'), { recursive: true",
      // Caches of the tests.
      'packages/storage/src/testing/pglite.ts: mkdirSync(dirname(file), { recursive: true',
      'packages/storage/src/testing/postgres-binaries.ts: mkdirSync(to, { recursive: true',
      'packages/storage/src/testing/postgres-binaries.ts: mkdirSync(dirname(to), { recursive: true',
    ]);
  });

  it('X-5 there is one emitter, whose listeners harm nobody', () => {
    expect(
      mentions('packages/*/src/**/*.ts', /\bnew Event(?:Emitter|Target)\b|\bextends EventEmitter\b/g),
    ).toEqual([]);
    const packageOf = ({ file }: { readonly file: string }) => file.split('/')[1] ?? '';
    const sources = read('packages/*/src/**/*.ts');
    const listening = sources
      .filter(({ text }) => /^ {2}on<\w+ extends keyof \w+/m.test(text))
      .map(packageOf);
    const emitting = new Set(sources.filter(({ text }) => text.includes('createEmitter<')).map(packageOf));
    expect(listening.length).toBeGreaterThanOrEqual(7);
    expect(listening.filter((name) => !emitting.has(name))).toEqual([]);
  });

  it('X-8 what can be closed can be disposed of', () => {
    const closable = read('packages/*/src/**/*.ts').flatMap(({ file, text }) => {
      const index = readFileSync(resolve(root, file.replace(/\/src\/.*/, '/src/index.ts')), 'utf8');
      return [...text.matchAll(/^export interface (\w+)([\s\S]*?\n\})$/gm)].flatMap(
        ([, name = '', body = '']) =>
          body.includes('\n  close(): Promise<void>;') && new RegExp(`\\b${name}\\b`).test(index)
            ? [{ name, isDisposable: /asyncDispose|AsyncDisposable/.test(body) }]
            : [],
      );
    });
    expect(closable.length).toBeGreaterThanOrEqual(8);
    expect(closable.filter(({ isDisposable }) => !isDisposable).map(({ name }) => name)).toEqual([
      // A port, which the judge closes.
      'Sandbox',
    ]);
  });

  it('X-13 no test puts something else in the place of a module', () => {
    expect(mentions('{packages,examples,internal}/**/test/**/*.ts', /\bvi\.(?:doM|m)ock\(/g)).toEqual([]);
  });

  it('X-12 the reference has words for every export, or is not made; every way to use it has a guide', () => {
    const typedoc = JSON.parse(readFileSync(resolve(root, 'docs/typedoc.json'), 'utf8'));
    expect(typedoc).toMatchObject({
      treatWarningsAsErrors: true,
      packageOptions: { validation: { notDocumented: true, invalidLink: true } },
    });
    expect(read('docs/guides/*.md').map(({ file }) => file)).toEqual(
      expect.arrayContaining([
        'docs/guides/one-package-in-your-runtime.md',
        'docs/guides/run-the-agent.md',
        'docs/guides/storage-adapter.md',
      ]),
    );
  });
});
