import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build, defaultClientConditions } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeTestRelay } from './support/transports.ts';

const isThere = spawnSync('chromium', ['--version']).status === 0;

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

describe.skipIf(!isThere)('NET-7 in a browser', () => {
  it('NET-7 publishes, queries and exchanges private messages in Chromium', async () => {
    const relay = await makeTestRelay();
    const code = await bundle(join(import.meta.dirname, 'support/browser-page.ts'));
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
    const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?relay=${encodeURIComponent(relay.url)}`;
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
        page,
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
    expect(JSON.parse(await result)).toEqual({
      status: 'accepted',
      found: ['from a browser'],
      received: 'in private',
    });
  });
});
