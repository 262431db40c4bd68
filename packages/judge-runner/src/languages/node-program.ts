import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { JudgeError } from '../errors.ts';

/** Whether a user without rights can get to a file: every folder on the way lets everybody through. */
export function isReachable(path: string, modeOf = (each: string) => statSync(each).mode): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((modeOf(folder) & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A folder that only we write to and everybody may pass through. */
function passage(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o711 });
  const { uid, mode } = lstatSync(path);
  if (uid === process.getuid?.() && (mode & 0o022) === 0) return path;
  throw new JudgeError('SANDBOX_UNAVAILABLE', `${path} belongs to somebody else`, {
    remedy: `Remove ${path}, or install the judge's Node outside of a private folder.`,
  });
}

/**
 * The Node that the judge runs on, where the box's user can get to it. A judge that is root drops to a user without
 * rights first; a Node below a private folder (root's home, say) is then copied out of it, and the copy kept for the
 * next time.
 * @throws JudgeError `SANDBOX_UNAVAILABLE` when the place for the copy is somebody else's
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
