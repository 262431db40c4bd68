import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld } from './world.ts';

const main = new URL('../src/main.ts', import.meta.url).pathname;
const built = new URL('../dist/main.js', import.meta.url).pathname;

function spawn(args: readonly string[], file = main): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { encoding: 'utf8' }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

describe('the program', () => {
  it('CLI-1 runs by itself: output on stdout, exit code of the command', async () => {
    await using world = await createWorld();
    await world.ledger.recordIncoming({ peerId: '1', channel: 'telegram', content: 'x' });
    const listed = await spawn(['ledger', 'list', '--db', world.path, '--json']);
    expect({ code: listed.code, peer: JSON.parse(listed.out).peers[0].peerId, err: listed.err }).toEqual({
      code: 0,
      peer: 'telegram:1',
      err: '',
    });
    expect(await spawn(['ledger', 'show', 'nobody', '--db', world.path])).toMatchObject({ code: 1, out: '' });
    expect(await spawn(['nonsense'])).toMatchObject({ code: 2, out: '' });
  });

  it.skipIf(!existsSync(built))('CLI-2 the program as it is built says the same of this Node', async () => {
    const { out } = await spawn(['doctor', '--no-sandbox', '--json'], built);
    const checks: readonly { readonly name: string; readonly status: string }[] = JSON.parse(out).checks;
    expect(checks.slice(0, 2)).toMatchObject([
      { name: 'Node', status: 'ok' },
      { name: 'SQLite', status: 'ok' },
    ]);
  });

  it('CLI-1 loads only what every command needs before one runs, so that it starts fast', async () => {
    const hooks = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`;
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(hooks)}`,
      main,
      'ledger',
      'list',
      '--help',
    ];
    const { code, err } = await new Promise<{ readonly code: number; readonly err: string }>((resolve) => {
      execFile(process.execPath, args, (error, _, text) =>
        resolve({ code: error === null ? 0 : Number(error.code), err: text }),
      );
    });
    expect(code).toBe(0);
    const loaded = err.split('\n').filter((url) => url.startsWith('file:'));
    expect(loaded.some((url) => url.endsWith('/cli/src/run.ts'))).toBe(true);
    // Databases, schemas, relays and the judge are loaded by the commands that use them.
    const large = /\/packages\/(?!cli\/)|\/node_modules\/(?:kysely|zod|nostr-tools|pg|@octokit|ws)\//u;
    expect(loaded.filter((url) => large.test(url))).toEqual([]);
  });

  it('CLI-1 begins with a shebang, so that it can be installed as a command', () => {
    expect(readFileSync(main, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
  });
});
