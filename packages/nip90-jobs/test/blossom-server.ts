import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Event, verifyEvent } from 'nostr-tools/pure';
import { onTestFinished } from 'vitest';

/** What a server may do wrong. */
export interface BlossomFaults {
  /** Takes nothing, with this status. */
  readonly refuse?: number;
  /** Gives something else than it was given. */
  readonly alter?: (bytes: Buffer) => Buffer;
  /** Gives no answer (`stall`), or has lost all blobs (`missing`). */
  readonly get?: 'stall' | 'missing';
  /** Says that a blob is somewhere else. */
  readonly urlOf?: (sha256: string) => string;
}

/** A Blossom server on loopback that keeps the rules of BUD-01, BUD-02 and BUD-11, and all it was given. */
export interface BlossomServer {
  readonly url: string;
  readonly blobs: Map<string, { readonly bytes: Buffer; readonly type: string; readonly owner: string }>;
  /** Requests as `PUT /upload 200`. */
  readonly log: string[];
  faults: BlossomFaults;
}

/** Why a permission is none, or the key that gave it. */
function permittedBy(header: string | undefined, verb: string, sha256: string): { pubkey: string } | string {
  const token = /^Nostr (\S+)$/.exec(header ?? '')?.[1];
  if (token === undefined) return 'Missing permission';
  // Strict about the form, as decoders of base64url without padding are.
  if (!/^[A-Za-z0-9_-]+$/.test(token)) return 'The permission is no base64url';
  const event = JSON.parse(Buffer.from(token, 'base64url').toString()) as Event;
  const now = Date.now() / 1000;
  const tag = (name: string) => event.tags.find(([first]) => first === name)?.[1];
  if (event.kind !== 24_242) return 'Wrong kind';
  if (event.created_at > now) return 'From the future';
  if (!(Number(tag('expiration')) > now)) return 'Expired';
  if (tag('t') !== verb) return 'For something else';
  if (event.content === '') return 'It does not say what for';
  if (!event.tags.some(([name, value]) => name === 'x' && value === sha256)) return 'For another blob';
  return verifyEvent(event) ? { pubkey: event.pubkey } : 'Not signed';
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function blossomServer(faults: BlossomFaults = {}): Promise<BlossomServer> {
  const server = createServer((request, response) => {
    handle(request, response).then(
      () => {
        if (response.headersSent) state.log.push(`${request.method} ${request.url} ${response.statusCode}`);
      },
      (error) => response.destroy(error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: BlossomServer = { url, blobs: new Map(), log: [], faults };

  const fail = (response: ServerResponse, status: number, message: string) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-reason': message })
      .end(JSON.stringify({ message }));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { refuse, alter = (bytes) => bytes, urlOf = (sha256) => `${url}/${sha256}.txt` } = state.faults;
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'PUT' && request.url === '/upload') {
      const bytes = await bodyOf(request);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (refuse !== undefined) return fail(response, refuse, 'No room');
      const permitted = permittedBy(request.headers.authorization, 'upload', sha256);
      if (typeof permitted === 'string') return fail(response, 401, permitted);
      if (request.headers['x-sha-256'] !== sha256) return fail(response, 400, 'Another hash was announced');
      const type = request.headers['content-type'] ?? 'application/octet-stream';
      const isNew = !state.blobs.has(sha256);
      state.blobs.set(sha256, { bytes, type, owner: permitted.pubkey });
      const uploaded = Math.floor(Date.now() / 1000);
      const descriptor = { url: urlOf(sha256), sha256, size: bytes.length, type, uploaded };
      return response
        .writeHead(isNew ? 201 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(descriptor));
    }
    const sha256 = /^\/([0-9a-f]{64})(\.\w+)?$/.exec(request.url ?? '')?.[1] ?? '';
    const blob = state.blobs.get(sha256);
    if (state.faults.get === 'stall') return state.log.push('stalled');
    if (
      blob === undefined ||
      state.faults.get === 'missing' ||
      !['GET', 'HEAD'].includes(request.method ?? '')
    )
      return fail(response, 404, 'Not found');
    return response.writeHead(200, { 'content-type': blob.type }).end(alter(blob.bytes));
  }

  return state;
}
