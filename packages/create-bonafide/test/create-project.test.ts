import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeBech32 } from '@bonafide/internal';
import { createKeySigner, loadSecretKey } from '@bonafide/nostr-transport';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

import { createProject, isBonafideError } from '../src/index.ts';
import { packageName } from '../src/package-name.ts';

const programs = ['agent.ts', 'start.ts', 'hire.ts', 'input.ts'];
const home = mkdtempSync(join(tmpdir(), 'create-bonafide-'));
afterAll(() => rmSync(home, { recursive: true }));
const temporary = () => mkdtempSync(join(home, 'project-'));
const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');
const codeOf = (create: () => unknown) => {
  try {
    create();
    return 'created';
  } catch (error) {
    return isBonafideError(error) ? error.code : error;
  }
};

describe('createProject', () => {
  it('creates a folder with a key, settings and three commands', () => {
    const folder = join(temporary(), 'shops', 'My Agent');
    const project = createProject({ folder, relays: ['ws://127.0.0.1:7447'] });
    expect(readdirSync(folder).sort()).toEqual([...project.files].sort());
    const { name, private: isPrivate, scripts } = JSON.parse(read(folder, 'package.json'));
    expect([name, isPrivate, Object.keys(scripts)]).toEqual([
      'my-agent',
      true,
      ['start', 'hire', 'report', 'types'],
    ]);
    expect(JSON.parse(read(folder, 'agent.config.json')).relays).toEqual(['ws://127.0.0.1:7447']);
    expect(read(folder, 'README.md')).toMatch(/^# my-agent\n/);
    expect(read(folder, '.gitignore').split('\n')).toEqual(expect.arrayContaining(['agent.key', 'data/']));
  });

  it('uses public relays when none are given', () => {
    const folder = temporary();
    createProject({ folder });
    const { relays } = JSON.parse(read(folder, 'agent.config.json'));
    expect(relays.length).toBeGreaterThan(1);
    for (const relay of relays) expect(relay).toMatch(/^wss:\/\//);
  });

  it('creates a key that only its owner can read and that the agent accepts', async () => {
    const folder = temporary();
    const { npub } = createProject({ folder });
    expect(statSync(join(folder, 'agent.key')).mode & 0o777).toBe(0o600);
    const signer = createKeySigner(await loadSecretKey({ file: join(folder, 'agent.key') }));
    const publicKey = Buffer.from(decodeBech32(npub)?.bytes ?? []).toString('hex');
    expect(await signer.getPublicKey()).toBe(publicKey);
    expect(createProject({ folder: temporary() }).npub).not.toBe(npub);
  });

  it('depends on the packages that the programs import, in its own version', () => {
    const folder = temporary();
    createProject({ folder });
    const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    const { dependencies, devDependencies } = JSON.parse(read(folder, 'package.json'));
    // Those that this repository is checked with.
    for (const [name, range] of Object.entries(devDependencies)) {
      const { version } = JSON.parse(
        readFileSync(new URL(`../../../node_modules/${name}/package.json`, import.meta.url), 'utf8'),
      );
      expect(range, name).toBe(`^${version.split('.')[0]}.0.0`);
    }
    const imported = programs.flatMap((file) =>
      [...read(folder, file).matchAll(/from '((?!node:|\.)(?:@[\w-]+\/)?[\w-]+)/g)].map(([, name]) => name),
    );
    expect(Object.keys(dependencies)).toEqual([...new Set(imported)].sort());
    expect(new Set(Object.values(dependencies))).toEqual(new Set([`^${own.version}`]));
    // The command of the script `report`.
    expect(dependencies).toHaveProperty('@bonafide/cli');
  });

  it('keeps each program short enough to be read', () => {
    const folder = temporary();
    createProject({ folder });
    for (const file of programs) expect(read(folder, file).split('\n').length, file).toBeLessThan(80);
  });

  it('creates programs that print their usage and end with 2 on a wrong command line or file', () => {
    const folder = temporary();
    createProject({ folder });
    for (const file of ['start.ts', 'hire.ts'])
      expect(read(folder, file), file).toMatch(/readArguments\(\s*`Usage: npm /);
    const probe =
      "const [file = pathOf('job.json')] = readArguments('Usage: probe', 1); console.log(readJson(file, ['id']).id);";
    writeFileSync(
      join(folder, 'probe.ts'),
      `import { pathOf, readArguments, readJson } from './input.ts';\n${probe}\n`,
    );
    writeFileSync(join(folder, 'broken.json'), '{ "id": ');
    writeFileSync(join(folder, 'text.json'), '"text"');
    writeFileSync(join(folder, 'other.json'), '{ "id": "other" }');
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', 'probe.ts', ...args],
        { cwd: folder, encoding: 'utf8' },
      );
      return [status, stdout, stderr];
    };
    expect(run()).toEqual([0, 'HumanEval/59\n', '']);
    expect(run('other.json')).toEqual([0, 'other\n', '']);
    expect(run(join(folder, 'other.json'))).toEqual([0, 'other\n', '']);
    expect(run('--help')).toEqual([0, 'Usage: probe\n', '']);
    expect(run('nofile.json')).toEqual([2, '', 'There is no file nofile.json.\n']);
    expect(run('broken.json')).toEqual([
      2,
      '',
      expect.stringMatching(/^broken\.json cannot be used: .*JSON/),
    ]);
    writeFileSync(join(folder, 'empty.json'), '{}');
    expect(run('empty.json')).toEqual([2, '', 'empty.json cannot be used: it has no id.\n']);
    expect(run('text.json')).toEqual([2, '', expect.stringContaining('text.json cannot be used')]);
    expect(run('a', 'b')).toEqual([
      2,
      '',
      expect.stringMatching(/'b' is one argument too many\.\n\nUsage: /),
    ]);
    expect(run('--unknown')).toEqual([2, '', expect.stringContaining("'--unknown'")]);
  });

  it('refuses a folder that has files and changes none of them, whatever they are', () => {
    const folder = temporary();
    writeFileSync(join(folder, 'agent.key'), 'the only copy', { mode: 0o600 });
    expect(codeOf(() => createProject({ folder }))).toBe('FOLDER_NOT_EMPTY');
    expect(readdirSync(folder)).toEqual(['agent.key']);
    expect(read(folder, 'agent.key')).toBe('the only copy');
  });

  it('creates nothing twice', () => {
    const folder = join(temporary(), 'agent');
    createProject({ folder });
    const key = read(folder, 'agent.key');
    expect(codeOf(() => createProject({ folder }))).toBe('FOLDER_NOT_EMPTY');
    expect(read(folder, 'agent.key')).toBe(key);
  });

  it('accepts a new git repository', () => {
    const folder = temporary();
    mkdirSync(join(folder, '.git'));
    expect(codeOf(() => createProject({ folder }))).toBe('created');
  });

  it.each([
    ['a name without letters or digits', { folder: '/tmp/---' }],
    ['a name that npm refuses', { folder: '/tmp/absent/node_modules' }],
    ['a name that is too long', { folder: `/tmp/${'a'.repeat(215)}` }],
    ['a relay that is no address', { relays: ['relay.example'] }],
    ['a relay with another scheme', { relays: ['wss://relay.example', 'https://relay.example'] }],
  ])('refuses %s before it writes anything', (_, options) => {
    const folder = join(temporary(), 'agent');
    expect(codeOf(() => createProject({ folder, ...options }))).toBe('INVALID_INPUT');
    expect(codeOf(() => createProject({ folder }))).toBe('created');
  });

  it('reports a folder that cannot be written to', () => {
    const file = join(temporary(), 'agent');
    writeFileSync(file, '');
    expect(codeOf(() => createProject({ folder: file }))).toBe('WRITE_FAILED');
    expect(codeOf(() => createProject({ folder: join(file, 'below') }))).toBe('WRITE_FAILED');
  });

  it('creates the folders above it', () => {
    expect(codeOf(() => createProject({ folder: join(temporary(), 'some/where/agent') }))).toBe('created');
  });

  it.skipIf(process.platform !== 'linux')('reports a place where no folder can be created', () => {
    expect(codeOf(() => createProject({ folder: '/proc/agent' }))).toBe('WRITE_FAILED');
  });

  it.skipIf(process.getuid?.() === 0)('reports a folder without permission', () => {
    const folder = temporary();
    chmodSync(folder, 0o500);
    expect(codeOf(() => createProject({ folder: join(folder, 'agent') }))).toBe('WRITE_FAILED');
  });
});

describe('packageName', () => {
  it('returns a name that npm accepts, or refuses', async () => {
    const folders = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('.agent', '_A b_'),
    );
    await fc.assert(
      fc.asyncProperty(folders, async (folder) => {
        const name = codeOf(() => packageName(folder)) === 'created' ? packageName(folder) : null;
        if (name === null) expect(folder).not.toMatch(/[a-z0-9]/i);
        else expect(name).toMatch(/^[a-z0-9](?:[a-z0-9._-]{0,212}[a-z0-9._])?$/);
      }),
    );
  });

  it.each([
    ['My Agent', 'my-agent'],
    ['.hidden', 'hidden'],
    ['agent--', 'agent'],
    ['Größe', 'gr-e'],
  ])('makes of %s the name %s', (folder, name) => {
    expect(packageName(folder)).toBe(name);
  });
});
