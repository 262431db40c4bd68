import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeWriteError, makeFolder } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'make-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the error of a folder that cannot be created. */
function failureOf(path: string): Error & { readonly code?: string } {
  try {
    makeFolder(path);
  } catch (error) {
    return error as Error;
  }
  throw new Error(`${path} was created`);
}

describe('makeFolder', () => {
  it('creates missing folders with their mode, and leaves those that exist', () => {
    const path = join(folder, 'a/b/c');
    makeFolder(path, 0o700);
    for (const each of ['a', 'a/b', 'a/b/c']) expect(statSync(join(folder, each)).mode & 0o777).toBe(0o700);
    makeFolder(path, 0o755);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    symlinkSync(path, join(folder, 'link'));
    makeFolder(join(folder, 'link'));
    makeFolder(join(folder, 'link/d/'));
    expect(statSync(join(path, 'd')).isDirectory()).toBe(true);
    makeFolder('/');
  });

  // `mkdir` with `recursive` never returns here.
  it.skipIf(process.platform !== 'linux').each(['/proc/agent', '/proc/agent/data'])(
    'ends where no folder can be created: %s',
    (path) => {
      const error = failureOf(path);
      expect(error.code).toBe('ENOENT');
      expect(describeWriteError(error)).toBe('no folder can be created there');
    },
  );

  it('says that a file is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(describeWriteError(failureOf(join(folder, 'file')))).toBe('there is a file of this name');
    expect(describeWriteError(failureOf(join(folder, 'file/a')))).toBe('a part of the path is a file');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    expect(failureOf(join(folder, 'dangling')).code).toBe('EEXIST');
    expect(describeWriteError(new Error('Something else'))).toBe('Something else');
  });
});
