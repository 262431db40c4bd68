import { sanitizeRemoteText } from '@bonafide/internal';
import type { Signer } from '@bonafide/nostr-transport';
import * as z from 'zod';
import { JobError } from '../errors.ts';
import { callable, duration, port, readConfig } from '../option-schemas.ts';
import type { BlobStore } from './blob-store.ts';
import { hashOfAddress } from './fetch-reference.ts';

/** Options of {@link createBlossomStore}. */
export interface BlossomStoreOptions {
  /** `https://` addresses in order of preference; the next server is tried when one rejects a blob. */
  readonly servers: readonly string[];
  /** Signs the upload authorization that identifies the owner of a blob. */
  readonly signer: Pick<Signer, 'signEvent'>;
  /**
   * Time limit per server, in ms.
   * @default 60_000
   */
  readonly timeoutMs?: number;
  /** Milliseconds since epoch. @default Date.now */
  readonly clock?: () => number;
}

const optionsSchema = z.strictObject({
  servers: z.array(z.string()).min(1, 'needs a server'),
  signer: port('signEvent'),
  timeoutMs: duration.optional(),
  clock: callable.optional(),
});

/** Kind of an upload authorization (BUD-11). */
const AUTHORIZATION_KIND = 24_242;
/** Authorizations are dated this far back, for servers whose clock is slow. */
const clockSlackSeconds = 60;
const validSeconds = 600;
/** Maximum bytes read of a server's answer. */
const maxAnswerBytes = 65_536;

const descriptorSchema = z.object({ url: z.string(), sha256: z.string(), size: z.number() });

/**
 * Creates a blob store on Blossom servers: `PUT /upload` (BUD-02) with a signed authorization of kind 24242
 * for that blob. `put` rejects with `REFERENCE_UNAVAILABLE` and each server's answer when every server
 * rejects the blob.
 *
 * @throws {JobError} `INVALID_CONFIG` without servers, or for an address that is not `http(s)://`
 */
export function createBlossomStore(options: BlossomStoreOptions): BlobStore {
  readConfig(optionsSchema, options);
  const { signer, timeoutMs = 60_000, clock = Date.now } = options;
  const servers = options.servers.map(readServer);

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
  throw new JobError('INVALID_CONFIG', `'${address}' is not the address of a Blossom server: use https://….`);
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

/** Returns the server's error text, from a header or from `message`. */
function messageOf(text: string): string {
  return z.object({ message: z.string() }).safeParse(jsonOf(text)).data?.message ?? text;
}
