import { requireNodeBuiltin } from './node-builtin.ts';

/**
 * Creates a folder, and those above it that are missing, unless it exists. In place of `mkdir` with `recursive`, which never ends in
 * Node where a folder exists in which none can be created, such as below /proc.
 *
 * @param mode - Access mode of each folder that is created.
 * @throws the error of the operating system, with its `code`: `ENOENT` where no folder can be created, `EEXIST` or `ENOTDIR` for a file
 */
export function makeFolder(path: string, mode = 0o777): void {
  const { mkdirSync, statSync } = requireNodeBuiltin<typeof import('node:fs')>('node:fs');
  const { dirname } = requireNodeBuiltin<typeof import('node:path')>('node:path');
  const isFolder = (each: string) => {
    try {
      return statSync(each).isDirectory();
    } catch {
      return false;
    }
  };
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isFolder(path)) return;
    const parent = dirname(path);
    if ((error as { readonly code?: string }).code !== 'ENOENT' || isFolder(parent)) throw error;
    makeFolder(parent, mode);
    try {
      mkdirSync(path, { mode });
    } catch (again) {
      // Another process may have created it meanwhile.
      if (!isFolder(path)) throw again;
    }
  }
}

const problems: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file of this name',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'no folder can be created there',
  EPERM: 'permission is denied',
  EACCES: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Describes why a folder or a file cannot be written, from the error of the operating system. */
export function describeWriteError(error: unknown): string {
  const { code = '', message } = error as Error & { readonly code?: string };
  return problems[code] ?? message;
}
