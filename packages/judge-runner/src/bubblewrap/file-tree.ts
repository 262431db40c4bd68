import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BoxFile } from '../languages/python.ts';

/** Files beyond this number are shown as folders: each single file takes a descriptor. */
const maxSingleFiles = 100;

/** The files of a box, as bubblewrap shows them. */
export interface ShownFiles {
  /** Shown one by one, through descriptors. */
  readonly single: readonly BoxFile[];
  /** Folder on this machine → folder in the box, read-only. */
  readonly folders: Readonly<Record<string, string>>;
  /** Removes what was written for it. */
  remove(): Promise<void>;
}

/**
 * Writes files into a folder of this machine, at their paths in a box, so that every user may read them: the umask of the process has no
 * effect.
 */
export async function writeReadable(root: string, files: readonly BoxFile[]): Promise<void> {
  const folders = new Set<string>();
  for (const { path } of files)
    for (let folder = dirname(join(root, path)); folder !== root; folder = dirname(folder))
      folders.add(folder);
  // A folder before those in it.
  for (const folder of [...folders].sort()) {
    await mkdir(folder);
    await chmod(folder, 0o755);
  }
  // One after the other: all at once, thousands would be open.
  for (const { path, content } of files) {
    await writeFile(join(root, path), content);
    await chmod(join(root, path), 0o644);
  }
}

/** Writes many files into a separate folder, which every user may read; few are passed through descriptors. */
export async function showFiles(files: readonly BoxFile[]): Promise<ShownFiles> {
  if (files.length <= maxSingleFiles) return { single: files, folders: {}, remove: async () => {} };
  const root = await mkdtemp(join(tmpdir(), 'bonafide-box-'));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    await writeReadable(root, files);
    const tops = new Set(files.map(({ path }) => `/${path.split('/')[1]}`));
    // A folder of mkdtemp is for its owner only; the box's user reads through it.
    await chmod(root, 0o711);
    return {
      single: [],
      folders: Object.fromEntries([...tops].map((top) => [join(root, top), top])),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
