/* The folder of temporary files, which a tester and an artifact each have for themselves: every question brings both to the same content. */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const maxFiles = 500;
const maxFileBytes = 1_000_000;
const maxBytes = 8_000_000;

/** What a tester and an artifact call their folder of temporary files. */
export const temporaryFolder = '/box/tmp';

const attempt = (work) => {
  try {
    return work();
  } catch {
    // It is gone, or of a kind that is not shared.
    return undefined;
  }
};

/** @param folder absolute path without links */
export function createSharedFiles(folder) {
  mkdirSync(folder, { recursive: true });
  /** What was seen last, by path: null for a folder. */
  let seen = new Map();

  function* walk(within) {
    for (const entry of attempt(() => readdirSync(within, { withFileTypes: true })) ?? []) {
      const path = join(within, entry.name);
      if (entry.isDirectory()) {
        yield [path, null];
        yield* walk(path);
      } else if (entry.isFile()) {
        const found = attempt(() => lstatSync(path, { bigint: true }));
        if (found !== undefined && found.size <= maxFileBytes)
          yield [path, `${found.mtimeNs} ${found.size} ${found.ino}`];
      }
    }
  }
  const look = () => new Map([...walk(folder)].slice(0, maxFiles));

  return {
    /** Paths that are new, other or gone since the last look, with content in base64, null for a folder and false for what is gone. */
    changed() {
      const now = look();
      let bytes = 0;
      const found = [];
      for (const [path, stamp] of now) {
        if (seen.has(path) && seen.get(path) === stamp) continue;
        const content = stamp === null ? null : attempt(() => readFileSync(path));
        bytes += content?.length ?? 0;
        if (content !== undefined && bytes <= maxBytes)
          found.push([path, content?.toString('base64') ?? null]);
      }
      // The innermost first.
      for (const path of [...seen.keys()].toReversed()) if (!now.has(path)) found.push([path, false]);
      seen = now;
      return found;
    },
    /** Makes the folder what the other side has made of its own. Never follows a link out of it. */
    arrive(files) {
      for (const [told, content] of files.slice(0, 2 * maxFiles)) {
        const path = normalize(String(told));
        if (!path.startsWith(`${folder}/`)) continue;
        attempt(() => {
          if (content === null) mkdirSync(path, { recursive: true });
          const parent = realpathSync(dirname(path));
          if (content === null || (parent !== folder && !parent.startsWith(`${folder}/`))) return;
          const old = attempt(() => lstatSync(path));
          if (old?.isSymbolicLink()) return;
          if (content !== false) writeFileSync(path, Buffer.from(String(content), 'base64'));
          else if (old?.isDirectory()) rmdirSync(path);
          else unlinkSync(path);
        });
      }
      seen = look();
    },
  };
}
