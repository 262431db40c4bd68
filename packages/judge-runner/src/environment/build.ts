import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, silentLogger } from '@bonafide/internal';
import * as z from 'zod';
import { detectSandbox } from '../bubblewrap/sandbox.ts';
import { JudgeError } from '../errors.ts';
import { mergeLimits } from '../limits.ts';
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

/** Unpacks one archive in a box and writes its files. Every byte of the answers may come from the package. */
async function unpack(
  box: Box,
  { name, kind, layer, to }: Archive,
  writer: LayerWriter,
  room: { files: number; bytes: number; readonly maxBytes: number; readonly maxFiles: number },
) {
  const fail = (cause: string) =>
    new JudgeError('ENVIRONMENT_FAILED', `The archive of ${name} cannot be unpacked: ${cause}`);
  for (let request: object = { unpack: kind }; ; request = { next: true }) {
    const line = await box.request(JSON.stringify(request));
    if (line === null) throw fail('the box ended');
    let told: z.infer<typeof replySchema>;
    try {
      told = replySchema.parse(JSON.parse(line));
    } catch (error) {
      throw new JudgeError('ENVIRONMENT_FAILED', `The archive of ${name} has a file that cannot be stored`, {
        cause: error,
      });
    }
    if ('error' in told) throw fail(told.error);
    for (const [file, base64, first, executable] of told.parts) {
      const content = Buffer.from(base64, 'base64');
      room.files -= first ? 1 : 0;
      room.bytes -= content.length;
      if (room.files < 0 || room.bytes < 0)
        throw fail(`the packages are larger than ${room.maxBytes} bytes or ${room.maxFiles} files`);
      await writer
        .write(layer, to === '' ? file : `${to}/${file}`, content, { first, executable })
        .catch((error) => {
          throw fail(String(error));
        });
    }
    if (!told.more) return;
  }
}

/**
 * Builds the packages that a suite declares into a read-only folder, which its boxes are shown. Archives are downloaded by npm, pip
 * and apt, and unpacked in a box without a network. No script or code of a package is run.
 * @throws JudgeError `ENVIRONMENT_FAILED` with the package manager's message; `SUITE_INVALID` when the suite declares
 * nothing; `SANDBOX_UNAVAILABLE`, `INFRA`.
 */
export async function buildEnvironment(
  input: Suite,
  {
    sandbox,
    folder,
    maxBytes = 2 * 2 ** 30,
    maxFiles = 100_000,
    clock = Date.now,
    logger = silentLogger,
    signal,
  }: EnvironmentOptions = {},
): Promise<EnvironmentIdentity> {
  const suite = parseSuite(input);
  const declaration = declarationOf(suite);
  if (declaration === null)
    throw new JudgeError('SUITE_INVALID', `The suite '${suite.id}' declares no packages: python or node`);
  const own = sandbox === undefined ? await detectSandbox() : null;
  const place = sandbox ?? own;
  const temporary = await mkdtemp(join(tmpdir(), 'bonafide-environment-'));
  let writer: LayerWriter | undefined;
  try {
    const places = { python: join(temporary, 'python'), node: join(temporary, 'node') };
    for (const each of Object.values(places)) await mkdir(each);
    const archives = [
      ...(declaration.python.length > 0
        ? await downloadPython(declaration.python, { folder: places.python, signal })
        : []),
      ...(Object.keys(declaration.node).length > 0
        ? await downloadNode(declaration.node, { folder: places.node, signal })
        : []),
    ];
    const room = { files: maxFiles, bytes: maxBytes, maxBytes, maxFiles };
    writer = await createEnvironmentStore(folder).begin(clock());
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
    await writer?.discard();
    await rm(temporary, { recursive: true, force: true });
    await own?.close();
  }
}
