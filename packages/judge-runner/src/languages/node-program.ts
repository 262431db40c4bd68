import { chmodSync, constants, copyFileSync, existsSync, lstatSync, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '@bonafide/internal';
import { JudgeError } from '../errors.ts';

/** Returns true when a user without rights can reach a file: every parent folder allows passing. */
export function isReachable(path: string, modeOf = (each: string) => statSync(each).mode): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((modeOf(folder) & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Creates a folder that only this user writes to and every user may pass through. */
function passage(path: string): string {
  makeFolder(path, 0o711);
  const { uid, mode } = lstatSync(path);
  if (uid === process.getuid?.() && (mode & 0o022) === 0) return path;
  throw new JudgeError('SANDBOX_UNAVAILABLE', `${path} belongs to another user`, {
    remedy: `Remove ${path}, or install the judge's Node outside of a private folder.`,
  });
}

/**
 * Returns the path of the Node that the judge runs on, reachable by the box's user. A root judge drops to a
 * user without rights first; a Node below a private folder (such as root's home) is then copied out of it,
 * and the copy is reused.
 * @throws JudgeError `SANDBOX_UNAVAILABLE` when the place for the copy belongs to another user
 */
export function nodeProgram(): string {
  if (process.getuid?.() !== 0 || isReachable(process.execPath)) return process.execPath;
  const folder = passage(join(tmpdir(), `bonafide-node-${process.versions.node}-${process.arch}`));
  const copy = join(folder, 'node');
  if (!existsSync(copy)) {
    const unfinished = join(folder, `node.${process.pid}`);
    copyFileSync(process.execPath, unfinished, constants.COPYFILE_FICLONE);
    chmodSync(unfinished, 0o755);
    renameSync(unfinished, copy);
  }
  return copy;
}
