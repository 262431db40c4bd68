import { nodeBuiltin } from './node-builtin.ts';

/** An address that a name resolves to; `family` is 4 or 6. */
export interface LookupAddress {
  readonly address: string;
  readonly family: number;
}

/** Options of {@link Lookup}. */
export interface LookupOptions {
  readonly family?: number | 'IPv4' | 'IPv6' | undefined;
  readonly all?: boolean | undefined;
}

/** Error of a failed name resolution. */
export interface LookupError extends Error {
  readonly code?: string | undefined;
}

/** Resolves a host name: what `net.connect`, `tls.connect` and `http.request` take as their option `lookup`. */
export type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: LookupError | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** Options of {@link download}. */
export interface DownloadOptions {
  /** Resolves the host name. Ignored where the runtime resolves names internally: browsers, workers. */
  readonly lookup: Lookup;
  /** Largest body, in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

type Http = Pick<typeof import('node:http'), 'get'>;

/** A body that is larger than {@link DownloadOptions.maxBytes}. */
export class TooManyBytesError extends Error {
  constructor(maxBytes: number) {
    super(`The answer has more than ${maxBytes} bytes.`);
  }
}

/**
 * Gets what is at an `http:` or `https:` address. Never follows a redirect, which would lead past the lookup. Rejects
 * with {@link TooManyBytesError}, with an error that names the status when that is not 200, and with what the
 * connection failed of.
 */
export async function download(url: URL, options: DownloadOptions): Promise<Uint8Array> {
  const http = nodeBuiltin<Http>(url.protocol === 'https:' ? 'node:https' : 'node:http');
  return http === null ? await downloadByFetch(url, options) : await downloadByNode(http, url, options);
}

function downloadByNode(http: Http, url: URL, options: DownloadOptions): Promise<Uint8Array> {
  const { lookup, maxBytes, signal, headers = {} } = options;
  return new Promise((resolve, reject) => {
    const request = http.get(url, { lookup, agent: false, headers, signal }, (response) => {
      const body = { status: response.statusCode ?? 0, length: response.headers['content-length'] };
      collect(body, response, maxBytes).then(resolve, (error: unknown) => {
        request.destroy();
        reject(error);
      });
    });
    request.on('error', reject);
  });
}

/** {@link download} in runtimes without `node:http`. */
export async function downloadByFetch(url: URL, options: DownloadOptions): Promise<Uint8Array> {
  const { maxBytes, signal, headers = {} } = options;
  const response = await fetch(url, { headers, redirect: 'error', signal });
  const body = { status: response.status, length: response.headers.get('content-length') };
  return await collect(body, response.body ?? [], maxBytes);
}

async function collect(
  { status, length }: { readonly status: number; readonly length: string | null | undefined },
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  if (status !== 200) throw new Error(`HTTP ${status}`);
  if (Number(length ?? 0) > maxBytes) throw new TooManyBytesError(maxBytes);
  const collected: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new TooManyBytesError(maxBytes);
    collected.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of collected) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
