import { chmodSync, constants, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Whether a user without rights can get to a file: every folder on the way lets everybody through. */
export function isReachable(path: string, modeOf = (each: string) => statSync(each).mode): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((modeOf(folder) & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

let copy: string | null = null;

/**
 * The Node that the judge runs on, where the box's user can get to it. A judge that is root drops to a user without
 * rights first, and a Node below a private folder (root's home, say) is then copied out of it, once per process.
 */
export function nodeProgram(): string {
  if (process.getuid?.() !== 0 || isReachable(process.execPath)) return process.execPath;
  if (copy !== null) return copy;
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-node-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  copy = join(folder, 'node');
  copyFileSync(process.execPath, copy, constants.COPYFILE_FICLONE);
  chmodSync(copy, 0o755);
  chmodSync(folder, 0o711);
  return copy;
}
