import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeWriteError, makeFolder, publicRelays } from '@bonafide/internal';
import { agentKey } from './agent-key.ts';
import { CreateError } from './errors.ts';
import { filesOf } from './files.ts';
import { packageName } from './package-name.ts';

/** Options of {@link createProject}. */
export interface CreateOptions {
  /** Path of the folder. It is created; one that exists must be empty. Its name becomes the name of the package. */
  readonly folder: string;
  /**
   * Addresses of the relays that the agent uses, `wss://…` or `ws://…`.
   * @default three public relays
   */
  readonly relays?: readonly string[] | undefined;
  /** Returns random bytes, for the key. @default that of `node:crypto` */
  readonly random?: ((bytes: number) => Uint8Array) | undefined;
}

/** A project that was created. */
export interface CreatedProject {
  /** Absolute path of its folder. */
  readonly folder: string;
  /** Name of its package. */
  readonly name: string;
  /** Public key of the agent. */
  readonly npub: string;
  /** Paths of the files in the folder. */
  readonly files: readonly string[];
}

const templateFiles = ['agent.ts', 'start.ts', 'hire.ts', 'input.ts', 'trials.json', 'job.json', 'README.md'];

/**
 * Creates the folder of a new agent: its programs, its settings and a new key. Never replaces a file.
 *
 * @throws CreateError `INVALID_INPUT`, `FOLDER_NOT_EMPTY`, `WRITE_FAILED`
 */
export function createProject({ folder, relays = [], random = randomBytes }: CreateOptions): CreatedProject {
  const path = resolve(folder);
  const name = packageName(basename(path));
  for (const relay of relays) checkRelay(relay);
  refuseFiles(path, folder);
  const { nsec, npub } = agentKey(random(32));
  const files = filesOf({
    ...{ name, nsec },
    relays: relays.length > 0 ? relays : publicRelays,
    version: JSON.parse(readOwn('package.json')).version,
    template: Object.fromEntries(templateFiles.map((file) => [file, readOwn(`template/${file}`)])),
  });
  try {
    makeFolder(path);
    for (const file of files) {
      makeFolder(dirname(join(path, file.path)));
      writeFileSync(join(path, file.path), file.text, { mode: file.mode, flag: 'wx' });
    }
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
  return { folder: path, name, npub, files: files.map((file) => file.path) };
}

/** Reads a file of this package. `src` and `dist` are at the same depth. */
const readOwn = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

function checkRelay(relay: string): void {
  if (/^wss?:/i.test(relay) && URL.canParse(relay)) return;
  throw new CreateError(
    'INVALID_INPUT',
    `'${relay}' is not the address of a relay. Give it as wss://host or ws://host:port.`,
  );
}

/** Throws for a folder that has files. A new git repository counts as empty. */
function refuseFiles(path: string, given: string): void {
  let names: string[];
  try {
    names = readdirSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw cannotWrite(given, cause);
  }
  if (names.every((name) => name === '.git')) return;
  throw new CreateError(
    'FOLDER_NOT_EMPTY',
    `The folder ${given} is not empty, and nothing was changed. Give the name of a new folder.`,
  );
}

function cannotWrite(folder: string, cause: unknown): CreateError {
  return new CreateError(
    'WRITE_FAILED',
    `Cannot write to ${folder}: ${describeWriteError(cause)}. Give another folder.`,
    { cause },
  );
}
