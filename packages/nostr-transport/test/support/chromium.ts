import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build, defaultClientConditions } from 'vite';
import { onTestFinished } from 'vitest';

/** True if Chromium is installed. */
export const hasChromium = spawnSync('chromium', ['--version']).status === 0;

/** The code of a page, bundled as an application does. */
async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    resolve: { conditions: ['@bonafide/source', ...defaultClientConditions] },
    build: {
      write: false,
      target: 'esnext',
      lib: { entry, formats: ['es'] },
      rollupOptions: { output: { codeSplitting: false } },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !('output' in result)) throw new Error('Nothing was built.');
  return result.output[0].code;
}

/**
 * Runs a module in Chromium, bundled as an application does, and returns the JSON that it posts to `/result`.
 *
 * @param entry - Path of the module.
 * @param query - Query of the page's address.
 */
export async function runInChromium(
  entry: string,
  query: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const code = await bundle(entry);
  const { promise: result, resolve } = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    if (request.url === '/result') resolve(await text(request));
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? code : '<script type="module" src="/page.js"></script>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = await mkdtemp(join(tmpdir(), 'browser-'));
  const { port } = server.address() as AddressInfo;
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const browser = spawn(
    'chromium',
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      ...quiet,
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      `http://127.0.0.1:${port}/?${new URLSearchParams(query)}`,
    ],
    { stdio: 'ignore' },
  );
  onTestFinished(async () => {
    const isGone = once(browser, 'exit');
    browser.kill();
    await isGone;
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  return JSON.parse(await result);
}
