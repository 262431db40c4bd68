import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type BoxFile, judgeFolder, type Runtime } from '../languages/python.ts';
import { writeReadable } from './file-tree.ts';

/** A runtime without the judge's own programs, and the folder of this machine that has them. */
export interface Apart {
  readonly runtime: Runtime;
  /** Folder on this machine → folder in the box. Empty where users of boxes could not read it: each file is then shown separately. */
  readonly folders: Readonly<Record<string, string>>;
}

/** The judge's own programs, written once for all boxes that need them: to show each separately takes 0.3 ms of each box. */
export interface OwnFiles {
  apart(runtime: Runtime): Promise<Apart>;
  /** Removes what was written. */
  close(): Promise<void>;
}

/** Folders of all sandboxes of this process that are not removed yet. */
const written = new Set<string>();

/** Removes a folder, unless the process has become another user since, who may not. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // What cleans the folder of temporary files takes it.
  }
  written.delete(folder);
  if (written.size === 0) process.off('exit', removeAtExit);
}

function removeAtExit(): void {
  for (const folder of written) remove(folder);
}

/** True where every user may enter a folder. */
async function isPublic(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  return (mode & 0o001) !== 0 && (folder === dirname(folder) || isPublic(dirname(folder)));
}

/** Writes files into a folder that every user may read; null where there is none. */
async function write(files: readonly BoxFile[]): Promise<string | null> {
  let folder: string | null = null;
  try {
    // Without links and dots, whose own folders say nothing about those that lead there.
    const parent = await realpath(tmpdir());
    if (!(await isPublic(parent))) return null;
    folder = await mkdtemp(join(parent, 'bonafide-own-'));
    if (written.size === 0) process.once('exit', removeAtExit);
    written.add(folder);
    await writeReadable(
      folder,
      files.map(({ path, content }) => ({ path: basename(path), content })),
    );
    await chmod(folder, 0o755);
    return folder;
  } catch {
    // No room, or a folder that cannot be written to.
    if (folder !== null) remove(folder);
    return null;
  }
}

/** Files of one kind of box, and where they are. */
interface Kept {
  readonly files: readonly BoxFile[];
  readonly folder: Promise<string | null>;
}

const areSame = (files: readonly BoxFile[], others: readonly BoxFile[]): boolean =>
  files.length === others.length &&
  files.every(
    ({ path, content }, index) => path === others[index]?.path && content === others[index].content,
  );

/** False once something has removed a folder or files of it, as programs do that clean the folder of temporary files. */
async function isWhole({ files, folder }: Kept): Promise<boolean> {
  const path = await folder;
  return path === null || (await readdir(path).catch(() => [])).length === files.length;
}

export function createOwnFiles(): OwnFiles {
  const kinds = new Set<Kept>();
  const known = (files: readonly BoxFile[]): Kept | undefined =>
    [...kinds].find((kind) => areSame(kind.files, files));
  return {
    async apart(runtime) {
      const files = runtime.files.filter(({ path }) => dirname(path) === judgeFolder);
      const before = known(files);
      if (before !== undefined && !(await isWhole(before))) kinds.delete(before);
      // Boxes that are opened at once wait for the same folder.
      const kept = known(files) ?? { files, folder: write(files) };
      kinds.add(kept);
      const folder = await kept.folder;
      if (folder === null) return { runtime, folders: {} };
      return {
        runtime: { ...runtime, files: runtime.files.filter((file) => !files.includes(file)) },
        folders: { [folder]: judgeFolder },
      };
    },
    async close() {
      const folders = await Promise.all([...kinds].map(({ folder }) => folder));
      kinds.clear();
      for (const folder of folders) if (folder !== null) remove(folder);
    },
  };
}
