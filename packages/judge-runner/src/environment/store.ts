import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { canonicalJson, makeFolder } from '@bonafide/internal';
import * as z from 'zod';
import { JudgeError } from '../errors.ts';
import { isAlive } from '../isolation/processes.ts';
import { isReachable } from '../languages/node-program.ts';
import type { Suite } from '../suite.ts';

/** Folders in a box at which packages are shown. Node finds its own from any folder. */
export const layerFolders = { python: '/packages', node: '/node_modules' } as const;
type LayerName = keyof typeof layerFolders;

const builtPackage = z.strictObject({
  name: z.string(),
  version: z.string(),
  source: z.enum(['pip', 'apt', 'npm', 'file']),
  sha256: z.string(),
});
const identitySchema = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  packages: z.array(builtPackage),
});

/** A package of an environment, and the SHA-256 of the archive that it came from. */
export type BuiltPackage = Readonly<z.infer<typeof builtPackage>>;

/** The packages that a suite declared, as its boxes were shown them. */
export interface EnvironmentIdentity {
  /** SHA-256 over the paths of all folders and files and the contents of the files, lower-case hex. */
  readonly hash: string;
  readonly packages: readonly BuiltPackage[];
}

/** Packages as they are shown in boxes. */
export interface Environment {
  readonly identity: EnvironmentIdentity;
  /** Folder on this machine → folder in the box, read-only. */
  readonly layers: Readonly<Record<string, string>>;
}

/** The packages that a suite declares. */
export interface Declaration {
  readonly python: readonly string[];
  readonly node: Readonly<Record<string, string>>;
}

/** Returns what a suite declares; null when it declares no package. Pure. */
export function declarationOf(suite: Suite): Declaration | null {
  const python = ('python' in suite ? suite.python?.packages : undefined) ?? [];
  const node = ('node' in suite ? suite.node?.packages : undefined) ?? {};
  return python.length + Object.keys(node).length === 0 ? null : { python, node };
}

/** Keeps packages that were built, by what was declared. */
export interface EnvironmentStore {
  /**
   * Returns the packages that a suite declares; null when it declares none. Their files are read and compared with their hash
   * once per store.
   * @throws JudgeError `ENVIRONMENT_MISSING` with a remedy, when they have not been built or have changed since.
   */
  find(suite: Suite): Promise<Environment | null>;
  /**
   * Creates an empty folder for packages that are being built, and removes those of builds that were killed.
   * @param now - Ms since epoch, by the clock that stamps files.
   */
  begin(now: number): Promise<LayerWriter>;
}

/** Writes packages into a new folder. */
export interface LayerWriter {
  /** An empty folder for archives, which goes when the writer is done. */
  readonly downloads: string;
  /** Writes a part of a file; the first one creates it. */
  write(
    layer: LayerName,
    path: string,
    content: Uint8Array,
    part: { first: boolean; executable: boolean },
  ): Promise<void>;
  /** Stores everything under what was declared. */
  finish(declaration: Declaration, packages: readonly BuiltPackage[]): Promise<Environment>;
  /** Removes the archives, and what was written and not finished. */
  discard(): Promise<void>;
}

/** Default folder of environments. It can be removed at any time; environments are then built again. */
function defaultEnvironmentFolder(): string {
  const root =
    process.getuid?.() === 0
      ? '/var/cache/bonafide-judge'
      : join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bonafide-judge');
  return join(root, 'environments');
}

/** Every user may read it: boxes run as another one. */
async function makeReadable(path: string): Promise<void> {
  makeFolder(path, 0o755);
  await chmod(path, 0o755);
}

/** Age in ms from which a folder whose process has ended counts as abandoned: another machine may share the folder. */
const abandonedMs = 3_600_000;

/** Removes what builds have left that were killed. */
async function removeAbandoned(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^\.building-(?:(\d+)-)?[0-9a-f]{12}(?:-changed|-archives)?$/.exec(name);
    if (pid === null || (pid[1] !== undefined && isAlive(Number(pid[1])))) continue;
    const path = join(folder, name);
    const told = await stat(path).catch(() => null);
    if (told !== null && now - told.mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true });
  }
}

/** Bytes that are hashed at once: a large file would stall the event loop of the judge. */
const pieceBytes = 256 * 1024;

/**
 * Hash over the paths of all folders and files below a folder, and the permissions and contents of the files.
 * @throws Error for a link or a device, which would lead to something else inside of a box.
 */
async function hashOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const kinds = new Map(entries.map((entry) => [join(entry.parentPath, entry.name), entry]));
  const hash = createHash('sha256');
  const piece = Buffer.alloc(pieceBytes);
  for (const path of [...kinds.keys()].sort()) {
    if (kinds.get(path)?.isDirectory()) {
      hash.update(`${path.slice(folder.length)}\0/\0`);
      continue;
    }
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const told = await file.stat();
      if (!told.isFile()) throw new Error(`${path} is no file`);
      const { mode, size } = told;
      hash.update(`${path.slice(folder.length)}\0${(mode & 0o111) === 0 ? '' : 'x'}\0${size}\0`);
      for (;;) {
        const { bytesRead } = await file.read(piece);
        if (bytesRead === 0) break;
        hash.update(piece.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }
  return hash.digest('hex');
}

/** Returns the identity that a file names; null when it names none. */
function readIdentity(text: string): EnvironmentIdentity | null {
  try {
    return identitySchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Key of a declaration on this machine: its packages, the platform and the version of Python. */
async function keyOf(declaration: Declaration): Promise<string> {
  const { python, node } = declaration;
  const interpreter = await realpath('/usr/bin/python3').catch(() => '');
  const parts = {
    python: [...python].sort(),
    node,
    platform: `${process.platform}-${process.arch}`,
    interpreter,
  };
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}

/** @param given - Folder of the environments. */
export function createEnvironmentStore(given = defaultEnvironmentFolder()): EnvironmentStore {
  // Boxes and downloads have other working folders.
  const folder = resolve(given);
  const found = new Map<string, Promise<Environment>>();
  const declared = (key: string) => join(folder, 'declared', `${key}.json`);

  function shown({ hash, packages }: EnvironmentIdentity, { python, node }: Declaration): Environment {
    const names: LayerName[] = [
      ...(python.length > 0 ? ['python' as const] : []),
      ...(Object.keys(node).length > 0 ? ['node' as const] : []),
    ];
    return {
      identity: { hash, packages },
      layers: Object.fromEntries(names.map((name) => [join(folder, hash, name), layerFolders[name]])),
    };
  }

  /** @throws JudgeError `INVALID_CONFIG` for a folder that boxes cannot be shown. */
  function checkReachable(): void {
    if (process.getuid?.() !== 0 || isReachable(join(folder, 'declared'))) return;
    throw new JudgeError('INVALID_CONFIG', `Boxes run as another user, who cannot reach ${folder}`, {
      remedy: `chmod a+x ${folder} and the folders above it, or choose another folder for environments`,
    });
  }

  async function read(suiteId: string, declaration: Declaration, key: string): Promise<Environment> {
    const remedy = 'bonafide judge env build <suite>';
    const missing = (cause: string) =>
      new JudgeError(
        'ENVIRONMENT_MISSING',
        `The packages that the suite '${suiteId}' declares ${cause}. Remedy: ${remedy}`,
        { remedy },
      );
    const text = await readFile(declared(key), 'utf8').catch(() => null);
    if (text === null) throw missing('have not been built');
    checkReachable();
    const identity = readIdentity(text);
    if (identity === null || (await hashOf(join(folder, identity.hash)).catch(() => '')) !== identity.hash)
      throw missing('are not those that were built');
    return shown(identity, declaration);
  }

  return {
    async find(suite) {
      const declaration = declarationOf(suite);
      if (declaration === null) return null;
      const key = await keyOf(declaration);
      const known = found.get(key) ?? read(suite.id, declaration, key);
      found.set(key, known);
      known.catch(() => found.delete(key));
      return known;
    },
    async begin(now) {
      await makeReadable(folder);
      await makeReadable(join(folder, 'declared'));
      checkReachable();
      await removeAbandoned(folder, now);
      const building = join(folder, `.building-${process.pid}-${randomBytes(6).toString('hex')}`);
      await makeReadable(building);
      const downloads = `${building}-archives`;
      await mkdir(downloads, { mode: 0o700 });
      const made = new Set<string>();
      return {
        downloads,
        async write(layer, path, content, { first, executable }) {
          const target = join(building, layer, path);
          const parents: string[] = [];
          for (
            let parent = dirname(target);
            parent !== building && !made.has(parent);
            parent = dirname(parent)
          )
            parents.unshift(parent);
          for (const parent of parents) {
            await makeReadable(parent);
            made.add(parent);
          }
          await (first ? rm(target, { force: true }) : undefined);
          await writeFile(target, content, { flag: 'a', mode: 0o600 });
          await chmod(target, executable ? 0o555 : 0o644);
        },
        async finish(declaration, packages) {
          for (const name of ['python', 'node'] as const) await makeReadable(join(building, name));
          const hash = await hashOf(building);
          const target = join(folder, hash);
          await rename(building, target).catch(async (error) => {
            // The same files were built before, and are still the same or are replaced.
            if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
            if ((await hashOf(target).catch(() => '')) === hash) return;
            const changed = `${building}-changed`;
            await rename(target, changed);
            await rename(building, target);
            await rm(changed, { recursive: true, force: true });
          });
          await rm(building, { recursive: true, force: true });
          const identity: EnvironmentIdentity = { hash, packages };
          const key = await keyOf(declaration);
          const unfinished = `${declared(key)}.${randomBytes(6).toString('hex')}`;
          await writeFile(unfinished, `${JSON.stringify(identity, null, 2)}\n`, { mode: 0o644 });
          await rename(unfinished, declared(key));
          found.delete(key);
          return shown(identity, declaration);
        },
        async discard() {
          for (const each of [building, downloads]) await rm(each, { recursive: true, force: true });
        },
      };
    },
  };
}
