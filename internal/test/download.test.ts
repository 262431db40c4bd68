import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { type DownloadOptions, download, downloadByFetch, TooManyBytesError } from '../src/download.ts';

const lookup: DownloadOptions['lookup'] = (_name, { all }, callback) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (path: string) => new URL(`http://localhost:${port}${path}`),
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
    },
  };
}

const routes: RequestListener = (request, response) => {
  if (request.url === '/small') response.end(`accepts ${request.headers.accept}`);
  else if (request.url === '/large') response.end('x'.repeat(101));
  else if (request.url === '/endless') {
    response.write('x');
    const timer = setInterval(() => response.write('x'.repeat(50)), 1);
    response.on('close', () => clearInterval(timer));
  } else if (request.url === '/redirect') response.writeHead(302, { location: '/small' }).end();
  else if (request.url === '/silent') response.flushHeaders();
  else response.writeHead(404).end();
};

it.each([
  ['node:http', download],
  ['fetch', downloadByFetch],
])('NET-7 a download by %s has a limit, follows no redirect and stops when told', async (_name, get) => {
  await using server = await serve(routes);
  const options = { lookup, maxBytes: 100, signal: AbortSignal.timeout(60_000) };
  const headers = { accept: 'text/x' };
  expect(new TextDecoder().decode(await get(server.url('/small'), { ...options, headers }))).toBe(
    'accepts text/x',
  );
  await expect(get(server.url('/large'), options)).rejects.toBeInstanceOf(TooManyBytesError);
  await expect(get(server.url('/endless'), options)).rejects.toBeInstanceOf(TooManyBytesError);
  await expect(get(server.url('/redirect'), options)).rejects.toThrow();
  await expect(get(server.url('/none'), options)).rejects.toThrow('HTTP 404');
  const stop = new AbortController();
  const silent = get(server.url('/silent'), { ...options, signal: stop.signal });
  stop.abort();
  await expect(silent).rejects.toMatchObject({ name: 'AbortError' });
});
