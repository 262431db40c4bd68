import { sanitizeRemoteText } from '@bonafide/internal';
import type { Signer } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { JobError } from '../errors.ts';
import type { BlobStore } from './blob-store.ts';
import { hashOfAddress } from './fetch-reference.ts';

/** Which Blossom servers to use, and as whom. */
export interface BlossomStoreOptions {
  /** `https://` addresses, best first: the next one is asked when one does not take a blob. */
  readonly servers: readonly string[];
  /** Signs the permission to upload, by which a server knows whose blob it is. */
  readonly signer: Pick<Signer, 'signEvent'>;
  /** How long one server is waited for. @default 60_000 */
  readonly timeoutMs?: number;
  /** Milliseconds since epoch. @default Date.now */
  readonly clock?: () => number;
}

/** Kind of the event that permits an upload (BUD-11). */
const AUTHORIZATION_KIND = 24_242;
/** A server whose clock is behind by this much still finds the permission in its past. */
const clockSlackSeconds = 60;
const validSeconds = 600;
/** Longest answer of a server that is read. */
const maxAnswerBytes = 65_536;

const descriptorSchema = z.object({ url: z.string(), sha256: z.string(), size: z.number() });

/**
 * Keeps blobs on Blossom servers: `PUT /upload` (BUD-02) under a signed permission of kind 24242 for that one blob.
 * `put` rejects with `REFERENCE_UNAVAILABLE` when no server takes it, and says what each answered.
 *
 * @throws {JobError} `INVALID_CONFIG` when there is no server, or one has no `http(s)://` address
 */
export function createBlossomStore(options: BlossomStoreOptions): BlobStore {
  const { signer, timeoutMs = 60_000, clock = Date.now } = options;
  const servers = options.servers.map(readServer);
  if (servers.length === 0) throw new JobError('INVALID_CONFIG', 'A Blossom store needs a server.');

  const authorize = async (sha256: string): Promise<string> => {
    const now = Math.floor(clock() / 1000);
    const event = await signer.signEvent({
      kind: AUTHORIZATION_KIND,
      created_at: now - clockSlackSeconds,
      content: 'Upload what a job needs',
      tags: [
        ['t', 'upload'],
        ['x', sha256],
        ['expiration', String(now + validSeconds)],
      ],
    });
    const json = JSON.stringify(event);
    // Some servers read base64, others base64url without padding. At a length that needs no padding, and without
    // the characters that the two write differently, it is both.
    return `Nostr ${btoa(json.padEnd(Math.ceil(json.length / 3) * 3))}`;
  };

  const upload: (server: URL, ...asked: Parameters<BlobStore['put']>) => Promise<string> = async (
    server,
    bytes,
    { sha256, contentType, signal },
  ) => {
    const within = AbortSignal.timeout(timeoutMs);
    const response = await fetch(new URL('/upload', server), {
      method: 'PUT',
      // A copy, since a body must not be shared memory.
      body: new Uint8Array(bytes),
      headers: {
        Authorization: await authorize(sha256),
        'Content-Type': contentType,
        'X-SHA-256': sha256,
      },
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, within]) : within,
    });
    const text = await readText(response);
    if (!response.ok) {
      const reason = response.headers.get('x-reason') ?? messageOf(text);
      throw new Error(`${response.status} ${sanitizeRemoteText(reason, 500)}`.trim());
    }
    const descriptor = descriptorSchema.safeParse(jsonOf(text)).data;
    if (descriptor?.sha256 !== sha256 || descriptor.size !== bytes.length)
      throw new Error('it describes another blob than it was given');
    // A blob is always at its hash (BUD-01), also when the server names another place for it.
    return hashOfAddress(descriptor.url) === sha256 ? descriptor.url : new URL(`/${sha256}`, server).href;
  };

  return {
    async put(bytes, asked) {
      const failures: string[] = [];
      for (const server of servers) {
        try {
          return { url: await upload(server, bytes, asked) };
        } catch (error) {
          asked.signal?.throwIfAborted();
          failures.push(`${server.host}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      throw new JobError('REFERENCE_UNAVAILABLE', `No server took a blob (${failures.join('; ')}).`);
    },
  };
}

function readServer(address: string): URL {
  const url = URL.parse(address);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new JobError(
    'INVALID_CONFIG',
    `'${address}' is no address of a Blossom server: https://… is wanted.`,
  );
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error('its answer is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Servers say what is wrong in a header or in `message`. */
function messageOf(text: string): string {
  return z.object({ message: z.string() }).safeParse(jsonOf(text)).data?.message ?? text;
}
