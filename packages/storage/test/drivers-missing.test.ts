import { expect, it } from 'vitest';
import { runChild } from './support/child.ts';
import { temporaryFile } from './support/temporary.ts';

it('STO-1 says what to do on a Node without node:sqlite, where another driver works', async () => {
  const child = runChild('open.ts', [temporaryFile()], { nodeArgs: ['--no-experimental-sqlite'] });
  await child.ended;
  expect(child.output()).toContain('DRIVER_MISSING');
  expect(child.output()).toContain('better-sqlite3');
  const other = runChild('open-better.ts', [temporaryFile()], { nodeArgs: ['--no-experimental-sqlite'] });
  await other.ended;
  expect(other.output()).toBe('opened\n');
});

it('STO-1 says what to install when pg is not there', async () => {
  const child = runChild('without-pg.ts', []);
  await child.ended;
  expect(child.output()).toContain('DRIVER_MISSING');
  expect(child.output()).toContain('npm install pg');
});
