import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBeside } from '../src/container/beside.ts';
import { type Engine, openPodman } from '../src/container/engine.ts';

const python = '/usr/bin/python3';
let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beside-'));
  engine = await openPodman('/usr/bin/podman', '/usr/sbin/runc', folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the process ids of this process's children. */
async function children(): Promise<string> {
  const threads = await readdir('/proc/self/task');
  const found = threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8'));
  return (await Promise.all(found)).join('');
}

const reports = (...path: string[]) => ({ architecture: 'x64', configFile: join(folder, ...path) }) as const;

it('JDG-8 processes beside containers are all started, or none of them', async () => {
  const before = await children();
  const both = await startBeside(engine, python, reports('threads'));
  expect((await children()).trim().split(' ').length).toBeGreaterThan(1);
  await both.threads?.close();
  await both.keeper.close();
  expect(await children()).toBe(before);
  await expect(startBeside(engine, python, reports('missing', 'threads'))).rejects.toThrow('ENOENT');
  await expect(startBeside(engine, `${python}\0`, reports('threads'))).rejects.toThrow('null bytes');
  expect(await children()).toBe(before);
});
