/*
 * The folder of temporary files, which a tester and an artifact each have for themselves: every question brings both to the same content.
 *
 * A path is told with its content in base64, null for a folder, false for what is gone and true for what is there and cannot be told: a link, or a
 * large file. Mode and time of change in milliseconds go with a content.
 */
import fs from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A test may replace these, and counts who calls them. */
const { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } = fs;
const maxFiles = 500;
const maxFileBytes = 4_000_000;
const maxBytes = 8_000_000;

/** What a tester and an artifact call their folder of temporary files. */
export const temporaryFolder = '/box/tmp';

const writable = 0o200;

const attempt = (work) => {
  try {
    return work();
  } catch {
    // It is gone, or may not be read.
    return undefined;
  }
};
const kindOf = (found) => (found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other');

/** @param folder absolute path without links */
export function createSharedFiles(folder) {
  mkdirSync(folder, { recursive: true });
  /** What was seen last, by path. */
  let seen = new Map();

  const lookAt = (path) => {
    const found = attempt(() => lstatSync(path, { bigint: true }));
    if (found === undefined) return undefined;
    const kind = kindOf(found);
    // A file may be written anew with its old time.
    const stamp = kind === 'folder' ? '' : `${found.mode} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
    return { kind, stamp, found };
  };
  function* walk(within) {
    for (const name of (attempt(() => readdirSync(within)) ?? []).sort()) {
      const path = join(within, name);
      const each = lookAt(path);
      if (each === undefined) continue;
      yield [path, each];
      if (each.kind === 'folder') yield* walk(path);
    }
  }
  const look = () => {
    const all = new Map();
    for (const [path, each] of walk(folder)) if (all.size <= maxFiles) all.set(path, each);
    return all;
  };
  const tell = (path, { kind, found }) => {
    if (kind === 'folder') return [path, null];
    const content =
      kind === 'file' && found.size <= maxFileBytes ? attempt(() => readFileSync(path)) : undefined;
    if (content === undefined) return [path, true];
    return [path, content.toString('base64'), [Number(found.mode) & 0o777, Number(found.mtimeMs)]];
  };
  const noteSeen = (path) => {
    const found = lookAt(path);
    if (found !== undefined) seen.set(path, found);
    else for (const known of [...seen.keys()]) if (`${known}/`.startsWith(`${path}/`)) seen.delete(known);
  };
  /** True for a path below the folder, with no link between. */
  const isInside = (path) => {
    if (!path.startsWith(`${folder}/`)) return false;
    for (let above = dirname(path); above !== folder; above = dirname(above))
      if (attempt(() => lstatSync(above))?.isSymbolicLink()) return false;
    return true;
  };

  return {
    /** What is new, other or gone since the last look: first what is gone, and what is within a folder before it. */
    changed() {
      const now = look();
      const gone = [...seen].filter(([path, { kind }]) => now.get(path)?.kind !== kind);
      const told = gone.toReversed().map(([path]) => [path, false]);
      let bytes = 0;
      for (const [index, [path, each]] of [...now].entries()) {
        const known = seen.get(path);
        if (known?.kind === each.kind && known.stamp === each.stamp) continue;
        const line = index < maxFiles ? tell(path, each) : [path, true];
        bytes += typeof line[1] === 'string' ? line[1].length : 0;
        // It is told with the next message.
        if (bytes > 2 * maxBytes) now.delete(path);
        else told.push(line);
      }
      seen = now;
      return told;
    },
    /**
     * Makes the folder what the other side has made of its own. Returns a path that could not be told; undefined for none. Never follows a link out
     * of it.
     */
    arrive(files) {
      let untold;
      for (const [told, content, more] of files) {
        const path = normalize(told);
        if (!isInside(path)) continue;
        if (content === true) {
          untold ??= path;
          continue;
        }
        const old = attempt(() => lstatSync(path));
        const isOther = old?.isSymbolicLink() || old?.isDirectory() !== (content === null);
        if (old !== undefined && (content === false || isOther)) rmSync(path, { recursive: true });
        if (content === null) mkdirSync(path, { recursive: true });
        else if (content !== false) {
          mkdirSync(dirname(path), { recursive: true });
          // A copy of a file of the suite cannot be written to, as that cannot.
          if (old?.isFile() && !isOther) chmodSync(path, more[0] | writable);
          writeFileSync(path, Buffer.from(content, 'base64'));
          chmodSync(path, more[0] | writable);
          utimesSync(path, more[1] / 1000, more[1] / 1000);
        }
        // What else has changed meanwhile, as files are written beside all this, is told with the next message.
        for (let each = path; each !== folder; each = dirname(each)) noteSeen(each);
      }
      return untold;
    },
  };
}
