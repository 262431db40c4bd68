import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, sha256Hex } from '@bonafide/internal';
import { parseConfig } from '../errors.ts';
import { folderSchema } from '../host-options.ts';
import type { ProposalStore, StoredProposal } from './proposal-store.ts';

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Creates a store over `directory` with one file per threshold. Each revision is a new file, which is written under another name,
 * flushed and linked, so that one of several processes wins and a power failure leaves the old or the new one.
 *
 * @throws SelfCorrectionError `INVALID_CONFIG`
 */
export function createFileProposalStore(directory: string): ProposalStore {
  parseConfig(folderSchema, 'directory', directory);
  // A name may be too long for a file.
  const prefixOf = (constant: string) => `${sha256Hex(constant).slice(0, 32)}.`;
  const fileOf = (constant: string, revision: number) =>
    join(directory, `${prefixOf(constant)}${revision}.json`);

  /** Returns the stored revisions of a threshold, the newest first. */
  async function revisions(constant: string): Promise<readonly number[]> {
    const prefix = prefixOf(constant);
    const names = await readdir(directory).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    return names
      .flatMap((name) =>
        name.startsWith(prefix) ? Number(/^(\d+)\.json$/u.exec(name.slice(prefix.length))?.[1]) : [],
      )
      .filter((revision) => !Number.isNaN(revision))
      .toSorted((one, other) => other - one);
  }

  async function writeWhole(path: string, text: string): Promise<void> {
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  return {
    async get(constant) {
      for (;;) {
        const [newest] = await revisions(constant);
        if (newest === undefined) return null;
        try {
          return JSON.parse(await readFile(fileOf(constant, newest), 'utf8')) as StoredProposal;
        } catch (error) {
          // Another process has just replaced it.
          if (!isMissing(error)) throw error;
        }
      }
    },
    async put(proposal) {
      const { constant, revision } = proposal;
      makeFolder(directory, 0o700);
      if (((await revisions(constant))[0] ?? 0) !== revision - 1) return false;
      const file = fileOf(constant, revision);
      const temporary = join(directory, `${randomUUID()}.tmp`);
      try {
        await writeWhole(temporary, JSON.stringify(proposal));
        await link(temporary, file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      } finally {
        await rm(temporary, { force: true });
      }
      const [newest = revision, ...older] = await revisions(constant);
      if (newest > revision) {
        // The process slept through several revisions, and this one had been removed already.
        await rm(file, { force: true });
        return false;
      }
      await Promise.all(older.map((old) => rm(fileOf(constant, old), { force: true })));
      return true;
    },
  };
}
