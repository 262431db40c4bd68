import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Child, ChildOptions } from '@bonafide/internal/testing';
import { expect, it } from 'vitest';
import { isAlive } from '../src/testing/processes.ts';
import { runChild } from './support/child.ts';
import { temporaryFolder } from './support/temporary.ts';

async function serve(options: ChildOptions = {}) {
  const child: Child = runChild('serve.ts', [], options);
  await child.sees('\n');
  const { url, version } = JSON.parse(child.output()) as { readonly url: string; readonly version: string };
  const sockets = new URL(url).searchParams.get('host') ?? '';
  const folder = dirname(sockets);
  const postmaster = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return { child, folder, postmaster, version };
}

it('STO-1 the test server and its folder go with the process that started it, also when that is killed', async () => {
  const { child, folder, postmaster } = await serve();
  expect(existsSync(folder)).toBe(true);
  expect(isAlive(postmaster)).toBe(true);
  child.process.kill('SIGKILL');
  await child.ended;
  await expect.poll(() => isAlive(postmaster) || existsSync(folder)).toBe(false);
});

it('STO-1 the test server runs from the npm binaries, also below a folder that only its owner may enter', async () => {
  const closed = join(temporaryFolder(), 'closed');
  mkdirSync(closed, { mode: 0o700 });
  const { child, folder, postmaster, version } = await serve({
    env: { BONAFIDE_TEST_POSTGRES: 'npm', TMPDIR: closed },
  });
  expect(version).toMatch(/^18\./);
  expect(existsSync(join(folder, 'postgres', 'native', 'bin', 'postgres'))).toBe(true);
  child.process.kill('SIGTERM');
  await child.ended;
  await expect.poll(() => isAlive(postmaster) || existsSync(folder)).toBe(false);
});

it('STO-1 takes the server that BONAFIDE_TEST_DATABASE_URL names instead', async () => {
  const child = runChild('serve.ts', [], {
    env: { BONAFIDE_TEST_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' },
  });
  expect(await child.ended).not.toBe(0);
  expect(child.output()).toBe('');
});
