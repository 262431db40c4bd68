import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createDiscovery, createMemoryDiscoveryStore } from '@bonafide/nip89-discovery';
import { createTransport } from '@bonafide/nostr-transport';
import { afterEach, describe, expect, it } from 'vitest';

const main = resolve(import.meta.dirname, '../src/main.ts');
const running = new Set<ReturnType<typeof start>>();
afterEach(() => {
  for (const child of running) child.kill();
});

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

describe('npm run strangers', () => {
  it('AGT-1 starts a relay with the cards of four providers, until it is stopped', async () => {
    const child = start(['--port', '0', '--folder', mkdtempSync(join(tmpdir(), 'strangers-'))]);
    const ended = once(child, 'exit');
    let printed = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      printed += text;
      if (printed.includes('Ctrl-C')) break;
    }
    const relay = /ws:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
    expect(printed).toContain(`npm create bonafide@latest my-agent -- --relay ${relay}\n`);

    const transport = createTransport({ addresses: { allowLoopback: true } });
    const store = createMemoryDiscoveryStore();
    const discovery = createDiscovery({ transport, relays: [relay], store, config: { allowLoopback: true } });
    expect((await discovery.sync()).taken).toBe(4);
    await discovery.close();
    await transport.close();

    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('says why it cannot start', async () => {
    const child = start(['--port', '70000', '--folder', mkdtempSync(join(tmpdir(), 'strangers-'))]);
    const [said] = await Promise.all([child.stderr.setEncoding('utf8').toArray(), once(child, 'exit')]);
    expect(said.join('')).toMatch(/^(?:.*Warning.*\n)*The relay cannot start: .+\n$/);
    expect(child.exitCode).toBe(1);
  });
});
