import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createDiscovery, createMemoryDiscoveryStore } from '@bonafide/nip89-discovery';
import { createTransport } from '@bonafide/nostr-transport';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

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

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strangers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('npm run strangers', () => {
  it('AGT-1 starts a relay with the cards of four providers, until it is stopped', async () => {
    const child = start(['--port', '0', '--folder', temporary()]);
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

  it('AGT-1 prints its help', async () => {
    for (const flag of ['--help', '-h']) {
      const child = start([flag]);
      const [said] = await Promise.all([child.stdout.setEncoding('utf8').toArray(), once(child, 'exit')]);
      expect(said.join('')).toMatch(
        /Usage: npm run strangers.*--port <number>.*--folder <path>.*Exit codes/s,
      );
      expect(child.exitCode).toBe(0);
    }
  });

  it('AGT-1 says why it cannot start, and starts on another port in the same folder', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    onTestFinished(() => void busy.close());
    const { port } = busy.address() as AddressInfo;
    const folder = temporary();
    for (const [args, message, code] of [
      [['--port', '70000'], '--port 70000 is not a port', 2],
      [['--nonsense'], '(see --help)', 2],
      [['--port', `${port}`], 'Another port: npm run strangers -- --port', 1],
    ] as const) {
      const child = start([...args, '--folder', folder]);
      const [said] = await Promise.all([child.stderr.setEncoding('utf8').toArray(), once(child, 'exit')]);
      expect(said.join('')).toContain(message);
      expect(said.join('')).not.toContain('    at ');
      expect(child.exitCode).toBe(code);
    }
    const nowhere = process.platform === 'linux' ? '/proc/strangers/folder' : join(main, 'folder');
    const refused = start(['--port', '0', '--folder', nowhere]);
    const [why] = await Promise.all([refused.stderr.setEncoding('utf8').toArray(), once(refused, 'exit')]);
    expect(why.join('')).toContain(`${nowhere} cannot be used: `);
    expect(refused.exitCode).toBe(1);
    // Its former port is taken.
    writeFileSync(join(folder, 'port'), `${port}`);
    const child = start(['--port', '0', '--folder', folder]);
    const [text] = await once(child.stdout.setEncoding('utf8'), 'data');
    expect(text).toContain('A relay with 4 providers');
    const second = start(['--port', '0', '--folder', folder]);
    const [used] = await Promise.all([second.stderr.setEncoding('utf8').toArray(), once(second, 'exit')]);
    expect(used.join('')).toContain(`A relay runs in ${folder} already.`);
    expect(second.exitCode).toBe(1);
  });
});
