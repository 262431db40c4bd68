import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createOwnFiles, type OwnFiles } from '../src/bubblewrap/own-files.ts';
import { createJudge, detectSandbox } from '../src/index.ts';
import type { Runtime } from '../src/languages/python.ts';
import { suite } from './box-cases.ts';

const artifact = { path: '/artifact/solution.py', content: 'x = 1\n' };
const runtime: Runtime = {
  files: [
    { path: '/judge/worker.py', content: 'pass\n' },
    artifact,
    { path: '/judge/launch.py', content: Buffer.from('pass\n') },
  ],
  command: () => [],
  environment: {},
};
const made: OwnFiles[] = [];
const folders: string[] = [];
const ownFiles = () => {
  const own = createOwnFiles();
  made.push(own);
  return own;
};
const machine = tmpdir();
/** A folder of temporary files for one test. */
const temporary = (mode: number) => {
  const folder = mkdtempSync(join(machine, 'judge-own-'));
  chmodSync(folder, mode);
  folders.push(folder);
  vi.stubEnv('TMPDIR', folder);
  return folder;
};
const folderOf = async (own: OwnFiles) => Object.keys((await own.apart(runtime)).folders)[0] ?? '';
afterEach(async () => {
  await Promise.all(made.splice(0).map((own) => own.close()));
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe("the judge's own programs in a box", () => {
  it('JDG-9 lie in one folder, which all users may read and only the judge may write to', async () => {
    const apart = await ownFiles().apart(runtime);
    const [[folder = '', shown] = []] = Object.entries(apart.folders);
    expect(shown).toBe('/judge');
    expect(apart.runtime.files).toEqual([artifact]);
    expect(readdirSync(folder).sort()).toEqual(['launch.py', 'worker.py']);
    expect(readFileSync(join(folder, 'launch.py'), 'utf8')).toBe('pass\n');
    expect(statSync(folder).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, 'worker.py')).mode & 0o777).toBe(0o644);
  });

  it('JDG-9 can be read by all users where the process keeps others from reading what it makes', async () => {
    // A process of its own, since threads have no umask of theirs.
    const program = `
      process.umask(0o077);
      const { createJudge, detectSandbox } = await import(${JSON.stringify(join(import.meta.dirname, '../src/index.ts'))});
      const sandbox = await detectSandbox();
      const judge = createJudge({ sandbox });
      const artifact = { language: 'python', source: 'def solve(): return 1' };
      const { transcript } = await judge.run({ artifact, suite: ${JSON.stringify(suite())} });
      process.stdout.write(String(transcript[0].answer));
      const files = { 'solution.py': artifact.source };
      for (let index = 0; index < 120; index += 1) files['deep/er/' + index + '.py'] = '';
      const many = await judge.run({ artifact: { language: 'python', files }, suite: ${JSON.stringify(suite())} });
      process.stdout.write(String(many.transcript[0].answer));
      await judge.close();
      await sandbox.close();
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(stdout).toBe('11');
  });

  it('JDG-9 are shown one by one where the folder of temporary files is a link into one of another user', async () => {
    const hidden = temporary(0o700);
    const folder = temporary(0o755);
    mkdirSync(join(hidden, 'inside'));
    symlinkSync(join(hidden, 'inside'), join(folder, 'link'));
    vi.stubEnv('TMPDIR', join(folder, 'link'));
    expect(await ownFiles().apart(runtime)).toEqual({ runtime, folders: {} });
  });

  it('JDG-9 are written once, and again where something has removed one', async () => {
    const own = ownFiles();
    const [folder, same] = await Promise.all([folderOf(own), folderOf(own)]);
    expect(same).toBe(folder);
    rmSync(join(folder, 'worker.py'));
    const again = await folderOf(own);
    expect(again).not.toBe(folder);
    expect(existsSync(join(again, 'worker.py'))).toBe(true);
  });

  it('JDG-9 are removed with their sandbox', async () => {
    const own = ownFiles();
    const folder = await folderOf(own);
    await own.close();
    expect(existsSync(folder)).toBe(false);
  });

  it('JDG-9 are shown one by one where other users could not read them, or nothing can be written', async () => {
    temporary(0o700);
    expect(await ownFiles().apart(runtime)).toEqual({ runtime, folders: {} });
    vi.stubEnv('TMPDIR', '/proc/self/task');
    expect(await ownFiles().apart(runtime)).toEqual({ runtime, folders: {} });
  });

  it.each([
    ['a folder of one user', 0o700],
    ['a folder that something empties', 0o755],
  ])('JDG-9 judges with %s for temporary files, and leaves nothing there', async (_, mode) => {
    const folder = temporary(mode);
    const sandbox = await detectSandbox();
    const judge = createJudge({ sandbox });
    const run = () =>
      judge.run({ artifact: { language: 'python', source: 'def solve(): return 1' }, suite: suite() });
    const first = await run();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    const second = await run();
    expect([first.transcript[0]?.answer, second.transcript[0]?.answer]).toEqual(['1', '1']);
    await judge.close();
    await sandbox.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});
