import { makeFolder, requireNodeBuiltin } from '@bonafide/internal';
import * as z from 'zod';
import { CortexError } from '../errors.ts';
import { parseOptions } from '../host-options.ts';
import type { StatePort } from '../state/state-port.ts';

function fileFor(directory: string, key: string): string {
  if (/^[a-z0-9-]+$/u.test(key)) return `${directory}/${key}.json`;
  throw new CortexError(
    'INVALID_INPUT',
    `Invalid state key: ${key}. Use lower-case letters, digits and dashes.`,
  );
}

const folder = z
  .string()
  .min(1)
  .refine((path) => !path.includes('\0'), 'Not a path');

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const files = () => requireNodeBuiltin<typeof import('node:fs')>('node:fs').promises;

/**
 * Creates a state port over `directory` with one file per key. A file is written under a temporary name, flushed and
 * renamed, so that a power failure leaves the old or the new text. Only the owner can read it (file mode 0600,
 * directory 0700). One process at a time may use a directory; several share the state of `./kysely`.
 */
export function createFileState(directory: string): StatePort {
  parseOptions(folder, directory, 'directory');
  const writing = new Map<string, Promise<void>>();

  const write = async (file: string, text: string) => {
    const { open, rename } = files();
    makeFolder(directory, 0o700);
    // One name per process: two processes that write at once would otherwise rename each other's draft. The next write of the
    // same process id overwrites a draft that a power failure left.
    const draft = `${file}.${globalThis.process.pid}.tmp`;
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.chmod(0o600);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  };
  return {
    async store(key, text) {
      const file = fileFor(directory, key);
      const before = writing.get(key) ?? Promise.resolve();
      const mine = before.catch(() => {}).then(() => write(file, text));
      writing.set(key, mine);
      await mine;
    },
    async retrieve(key) {
      const file = fileFor(directory, key);
      try {
        return await files().readFile(file, 'utf8');
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
  };
}
