import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type PGlite = import('@electric-sql/pglite').PGlite;

/**
 * Returns the file with the data of an empty cluster: in `node_modules/.cache` beside the installed package, one per
 * version. Null where it cannot be named.
 */
function preparedFile(): string | null {
  try {
    const entry = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
    const manifest = readFileSync(join(dirname(entry), '../package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { readonly version: string };
    const [installed] = entry.split(/(?<=node_modules)[\\/]/);
    return installed === undefined ? null : join(installed, '.cache/bonafide', `pglite-${version}.tar`);
  } catch {
    return null;
  }
}

/** Writes a file that appears complete; where it cannot be written, the next process starts from nothing too. */
function keep(file: string, data: Uint8Array): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch {
    return;
  }
  try {
    writeFileSync(draft, data);
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}

function read(file: string): Buffer<ArrayBuffer> | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

/**
 * Starts an empty PGlite. Creating its cluster takes three seconds of a processor, so the first process keeps a copy of
 * it, which the next ones start from. A copy that does not start is replaced.
 *
 * @param file - The copy; null for none.
 */
export async function startPglite(file: string | null = preparedFile()): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  const prepared = file === null ? null : read(file);
  if (prepared !== null) {
    try {
      return await PGlite.create({ loadDataDir: new Blob([prepared]) });
    } catch {
      // Damaged, or of another version.
    }
  }
  const created = await PGlite.create();
  if (file !== null) keep(file, new Uint8Array(await (await created.dumpDataDir('none')).arrayBuffer()));
  return created;
}
