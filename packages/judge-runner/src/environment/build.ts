import { createHash, type Hash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, silentLogger } from '@bonafide/internal';
import * as z from 'zod';
import { detectSandbox } from '../bubblewrap/sandbox.ts';
import { JudgeError } from '../errors.ts';
import {
  clockSchema,
  loggerSchema,
  parseGiven,
  pathSchema,
  sandboxSchema,
  signalSchema,
} from '../host-options.ts';
import { mergeLimits } from '../limits.ts';
import { textOf } from '../line.ts';
import type { Box, Sandbox } from '../sandbox.ts';
import { parseSuite } from '../schemas.ts';
import type { Suite } from '../suite.ts';
import { type Archive, downloadNode, downloadPython } from './archives.ts';
import {
  createEnvironmentStore,
  declarationOf,
  type EnvironmentIdentity,
  type LayerWriter,
} from './store.ts';

/** Options of building an environment. */
export interface EnvironmentOptions {
  /** Sandbox in which archives are unpacked. Default: one that is detected. */
  readonly sandbox?: Sandbox;
  /** Folder of environments; the same as the judge's `environments`. */
  readonly folder?: string;
  /** Largest content of all packages together, in bytes. Default 2 GiB. */
  readonly maxBytes?: number;
  /** Most files of all packages together. Default 100,000. */
  readonly maxFiles?: number;
  /** Returns ms since epoch, which is compared with the times of files. Default `Date.now`. */
  readonly clock?: () => number;
  readonly logger?: Logger;
  /** Ends the downloads and the box. */
  readonly signal?: AbortSignal;
}

const optionsSchema = z.strictObject({
  sandbox: sandboxSchema,
  folder: pathSchema.optional(),
  maxBytes: z
    .int()
    .min(1)
    .default(2 * 2 ** 30),
  maxFiles: z.int().min(1).default(100_000),
  clock: clockSchema,
  logger: loggerSchema,
  signal: signalSchema,
});

/** Largest archive, in bytes: it is shown to its box as a whole. */
const maxArchiveBytes = 2 ** 30;
/** Longest unpacking of one archive, in ms. */
const wallMs = 300_000;

const path = z
  .string()
  .min(1)
  .max(1000)
  // No control characters and no back slashes; none of `.`, `..` and empty names.
  .regex(/^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\p{Cc}\p{Cs}\\]+$/u);
const replySchema = z.union([
  z.strictObject({
    /** Path, part of the content, whether it is the first part, whether it can be executed. */
    parts: z.array(z.tuple([path, z.base64(), z.boolean(), z.boolean()])),
    more: z.boolean(),
  }),
  z.strictObject({ error: z.string().max(2000) }),
]);

/**
 * Names of what no package may have: modules that every program would run, and the name of the artifact, whose place it would
 * take.
 */
const reserved = /^(?:solution|sitecustomize|usercustomize)(?:\.|\/|$)/;
/** Folders that many packages have by mistake. The first package keeps them. */
const strayFolder = /^(?:tests?|docs?|examples?|benchmarks?|scripts)\//;

/** What all archives together may still hold, and what was written. */
interface Room {
  files: number;
  bytes: number;
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** Path → the archive that it came from, and the SHA-256 of its content. */
  readonly written: Map<string, { readonly owner: string; readonly sha256: string }>;
}

/** Unpacks one archive in a box and writes its files. Every byte of the answers may come from the package. */
async function unpack(box: Box, { name, kind, layer, to }: Archive, writer: LayerWriter, room: Room) {
  const fail = (cause: string) =>
    new JudgeError('ENVIRONMENT_FAILED', `The archive of ${name} cannot be unpacked: ${cause}`);
  let open: { readonly path: string; readonly hash: Hash; readonly other: string | null } | null = null;
  /** Called at the end of each file. */
  const complete = () => {
    if (open === null) return;
    const { path, hash, other } = open;
    const sha256 = hash.digest('hex');
    const first = room.written.get(path);
    if (other === null) room.written.set(path, { owner: name, sha256 });
    else if (first?.sha256 !== sha256 && !strayFolder.test(path.slice(layer.length + 1)))
      throw fail(`${path} is another file in ${other}`);
    open = null;
  };
  for (let request: object = { unpack: kind }; ; request = { next: true }) {
    const line = await box.request(JSON.stringify(request));
    if (line === null) throw fail('the box ended');
    let told: z.infer<typeof replySchema>;
    try {
      told = replySchema.parse(JSON.parse(textOf(line)));
    } catch (error) {
      throw new JudgeError('ENVIRONMENT_FAILED', `The archive of ${name} has a file that cannot be stored`, {
        cause: error,
      });
    }
    if ('error' in told) throw fail(told.error);
    for (const [file, base64, first, executable] of told.parts) {
      const content = Buffer.from(base64, 'base64');
      const path = to === '' ? file : `${to}/${file}`;
      room.files -= first ? 1 : 0;
      room.bytes -= content.length;
      if (room.files < 0 || room.bytes < 0)
        throw fail(`the packages are larger than ${room.maxBytes} bytes or ${room.maxFiles} files`);
      if (first) {
        complete();
        if (reserved.test(path)) throw fail(`${path} is a name that no package may have`);
        // Every program of a box would load a library from there, the tester as well.
        if (kind !== 'deb' && path.startsWith('.lib/'))
          throw fail(`${path} is a place of the distribution's libraries`);
        const { owner = name } = room.written.get(`${layer}/${path}`) ?? {};
        open = { path: `${layer}/${path}`, hash: createHash('sha256'), other: owner === name ? null : owner };
      }
      if (open === null) throw fail('a part of no file');
      open.hash.update(content);
      if (open.other !== null) continue;
      await writer.write(layer, path, content, { first, executable }).catch((error) => {
        throw fail(String(error));
      });
    }
    if (!told.more) break;
  }
  complete();
}

/**
 * Builds the packages that a suite declares into a read-only folder, which its boxes are shown. Archives are downloaded by npm, pip
 * and apt, and unpacked in a box without a network. No script or code of a package is run.
 * @throws JudgeError `ENVIRONMENT_FAILED` with the package manager's message; `SUITE_INVALID` when the suite declares
 * nothing; `SANDBOX_UNAVAILABLE`, `INFRA`.
 */
export async function buildEnvironment(
  input: Suite,
  options: EnvironmentOptions = {},
): Promise<EnvironmentIdentity> {
  const {
    sandbox,
    folder,
    maxBytes,
    maxFiles,
    clock = Date.now,
    logger = silentLogger,
    signal,
  } = parseGiven(optionsSchema, options, 'options', 'INVALID_CONFIG');
  const suite = parseSuite(input);
  const declaration = declarationOf(suite);
  if (declaration === null)
    throw new JudgeError(
      'SUITE_INVALID',
      `The suite '${suite.id}' declares no packages. It declares them as "python": { "packages": ["numpy==2.4.6"] } or "node": { "packages": { "ret": "0.5.0" } }; a folder of tests does so in its judge.json.`,
    );
  const own = sandbox === undefined ? await detectSandbox() : null;
  const place = sandbox ?? own;
  const store = createEnvironmentStore(folder);
  const writer = await store.begin(clock());
  try {
    const places = { python: join(writer.downloads, 'python'), node: join(writer.downloads, 'node') };
    for (const each of Object.values(places)) await mkdir(each);
    const archives = [
      ...(declaration.python.length > 0
        ? await downloadPython(declaration.python, { folder: places.python, signal })
        : []),
      ...(Object.keys(declaration.node).length > 0
        ? await downloadNode(declaration.node, { folder: places.node, signal })
        : []),
    ];
    if (archives.length === 0)
      throw new JudgeError('ENVIRONMENT_FAILED', `Nothing was downloaded for the suite '${suite.id}'`);
    const room: Room = { files: maxFiles, bytes: maxBytes, maxBytes, maxFiles, written: new Map() };
    for (const archive of archives) {
      signal?.throwIfAborted();
      logger.debug({ package: archive.name, version: archive.version }, 'A package is unpacked');
      if ((await stat(archive.file)).size > maxArchiveBytes)
        throw new JudgeError('ENVIRONMENT_FAILED', `The archive of ${archive.name} is larger than 1 GiB`);
      const box = await place?.open({
        ...{ artifact: null, profile: 'STRICT', limits: mergeLimits({ wallMs, cpuHardMs: wallMs }) },
        archive: await readFile(archive.file),
        ...(signal ? { signal } : {}),
      });
      if (box === undefined) continue;
      try {
        await unpack(box, archive, writer, room);
      } finally {
        await box.close();
      }
      signal?.throwIfAborted();
    }
    const packages = archives
      .map(({ name, version, source, sha256 }) => ({ name, version, source, sha256 }))
      .toSorted((left, right) =>
        `${left.name}@${left.version}` < `${right.name}@${right.version}` ? -1 : 1,
      );
    const { identity } = await writer.finish(declaration, packages);
    logger.info(
      { suite: suite.id, hash: identity.hash, packages: packages.length },
      'An environment was built',
    );
    return identity;
  } finally {
    await writer.discard();
    await own?.close();
  }
}
