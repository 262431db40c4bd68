/*
 * The folder of temporary files, which a tester and an artifact each have for themselves: every question brings both to the same content.
 *
 * A path is told with its content in base64, null for a folder, false for what is gone and true for what is there and cannot be told: a link, or a
 * large file. Its mode goes with a folder, mode and time of change in milliseconds with a content.
 */
import fs from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A test may replace these, and counts who calls them. */
const { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } = fs;
/** Most files of one message, and of a folder. */
const maxTold = 500;
const maxFiles = 5000;
const maxFileBytes = 4_000_000;
/** Content of one message, in base64, after which no more is told. */
const maxBytes = 12_000_000;

/** What a tester and an artifact call their folder of temporary files. */
export const temporaryFolder = '/box/tmp';

const ownerOnly = 0o600;

/** Two changes within one tick of a kernel's clock may have the same time: 10 ms at most. */
const tickMs = 20;
const { now: currentMs } = Date;

const attempt = (work) => {
  try {
    return work();
  } catch {
    // It is gone, or may not be read.
    return undefined;
  }
};
/** A file with two names is none that can be told: what is written to one is in the other as well. */
const kindOf = (found) =>
  found.isDirectory() ? 'folder' : found.isFile() && found.nlink === 1n ? 'file' : 'other';
/** A name that is no text in UTF-8 has replacement characters. */
const isText = (name) => !name.includes('\ufffd');

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
    const stamp =
      kind === 'folder' ? `${found.mode}` : `${found.mode} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
    return { kind, stamp, found };
  };
  const contentOf = (path, { kind, found }) =>
    kind === 'file' && found.size <= maxFileBytes ? attempt(() => readFileSync(path)) : undefined;
  /** Of a file that has just changed the content is kept: its next change may have the same stamp. */
  const noted = (path, each) =>
    each.kind === 'file' && currentMs() - Number(each.found.ctimeMs) < tickMs
      ? { ...each, content: contentOf(path, each) }
      : each;
  const isSame = (path, known, each) =>
    known?.kind === each.kind &&
    known.stamp === each.stamp &&
    (known.content === undefined || contentOf(path, each)?.equals(known.content) === true);
  function* walk(within) {
    for (const name of (attempt(() => readdirSync(within)) ?? []).sort()) {
      const path = join(within, name);
      // Nothing can be asked of a file by a name that is no text.
      const each = isText(name) ? lookAt(path) : { kind: 'other', stamp: '' };
      if (each === undefined) continue;
      yield [path, each];
      if (each.kind === 'folder') yield* walk(path);
    }
  }
  const look = () => {
    const all = new Map();
    for (const [path, each] of walk(folder)) {
      if (all.size === maxFiles) return { all, isWhole: false };
      all.set(path, each);
    }
    return { all, isWhole: true };
  };
  const tell = (path, each) => {
    const { found } = each;
    if (each.kind === 'folder') return [path, null, [Number(found.mode) & 0o777, 0]];
    const content = contentOf(path, each);
    if (content === undefined) return [path, true];
    return [path, content.toString('base64'), [Number(found.mode) & 0o777, Number(found.mtimeMs)]];
  };
  const noteSeen = (path) => {
    const found = lookAt(path);
    if (found !== undefined) seen.set(path, noted(path, found));
    else for (const known of [...seen.keys()]) if (`${known}/`.startsWith(`${path}/`)) seen.delete(known);
  };
  /** True for a path below the folder, with no link between. */
  const isInside = (path) => {
    if (!path.startsWith(`${folder}/`) || path.endsWith('/')) return false;
    for (let above = dirname(path); above !== folder; above = dirname(above))
      if (attempt(() => lstatSync(above))?.isSymbolicLink()) return false;
    return true;
  };

  return {
    /** What is new, other or gone since the last look: first what is gone, and what is within a folder before it. */
    changed() {
      const { all: now, isWhole } = look();
      const isGone = ([path, { kind }]) =>
        now.get(path)?.kind !== kind && (isWhole || lookAt(path)?.kind !== kind);
      const gone = [...seen].filter(isGone);
      const told = gone.toReversed().map(([path]) => [path, false]);
      // Of a folder with more nobody knows what has changed, whatever was told before.
      if (!isWhole) told.push([join(folder, 'more'), true]);
      let bytes = 0;
      let files = 0;
      for (const [path, each] of now) {
        if (isSame(path, seen.get(path), each)) continue;
        files += 1;
        const isFull = files > maxTold || bytes > maxBytes;
        const line = isFull ? [path, true] : tell(path, each);
        bytes += typeof line[1] === 'string' ? line[1].length : 0;
        told.push(line);
        // Its content is told with the next message.
        if (isFull) now.delete(path);
      }
      seen = new Map([...now].map(([path, each]) => [path, noted(path, each)]));
      return told;
    },
    /**
     * Makes the folder what the other side has made of its own. Returns a path that could not be told; undefined for none. Never follows a link out
     * of it.
     */
    arrive(files) {
      let untold;
      /** Modes of folders, once what is in them has arrived. */
      const modes = new Map();
      const open = (path) => {
        const found = attempt(() => lstatSync(path));
        if (!found?.isDirectory() || (found.mode & 0o700) === 0o700) return;
        if (!modes.has(path)) modes.set(path, found.mode & 0o777);
        chmodSync(path, found.mode | 0o700);
      };
      for (const [told, content, more] of files) {
        const path = normalize(told);
        if (!isInside(path)) continue;
        if (content === true) {
          untold ??= path;
          continue;
        }
        const old = attempt(() => lstatSync(path));
        const isOther = old?.isSymbolicLink() || old?.isDirectory() !== (content === null);
        open(dirname(path));
        if (old !== undefined && (content === false || isOther)) rmSync(path, { recursive: true });
        if (content === null) {
          mkdirSync(path, { recursive: true });
          if (more !== undefined) modes.set(path, more[0]);
        } else if (content !== false) {
          mkdirSync(dirname(path), { recursive: true });
          if (old?.isFile() && !isOther) chmodSync(path, ownerOnly);
          writeFileSync(path, Buffer.from(content, 'base64'));
          chmodSync(path, more[0]);
          utimesSync(path, more[1] / 1000, more[1] / 1000);
        }
        // What else has changed meanwhile, as files are written beside all this, is told with the next message.
        for (let each = path; each !== folder; each = dirname(each)) noteSeen(each);
      }
      for (const [path, mode] of modes) {
        attempt(() => chmodSync(path, mode));
        noteSeen(path);
      }
      return untold;
    },
  };
}
