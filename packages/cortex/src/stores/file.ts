import { requireNodeBuiltin } from '@bonafide/internal';
import { CortexError } from '../errors.ts';
import type { StatePort } from '../state.ts';

function fileFor(directory: string, key: string): string {
  if (/^[a-z0-9-]+$/u.test(key)) return `${directory}/${key}.json`;
  throw new CortexError(
    'STATE_KEY_INVALID',
    `A state key has lower-case letters, digits and dashes only: ${key}`,
  );
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const files = () => requireNodeBuiltin<typeof import('node:fs')>('node:fs').promises;

/**
 * State in `directory`, one file per key. A file is written beside its place, flushed and renamed, so a power cut
 * leaves the old text or the new one, never half of either. Only the owner can read it (0600, directory 0700).
 */
export function createFileState(directory: string): StatePort {
  const writing = new Map<string, Promise<void>>();

  const write = async (file: string, text: string) => {
    const { mkdir, open, rename } = files();
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // Always the same name, so that a draft which a power cut left behind is overwritten by the next one.
    const draft = `${file}.tmp`;
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
