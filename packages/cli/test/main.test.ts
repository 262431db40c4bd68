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

  it('CLI-1 begins with a shebang, so that it can be installed as a command', () => {
    expect(readFileSync(main, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
  });
});
