import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const environment = (digits: string) => ({
  ...(process.env as Record<string, string>),
  BONAFIDE_SECRET_KEY: digits.repeat(32),
});

it('a model hires an MCP server over Nostr, each side in fewer than 15 lines (JOB-26)', async () => {
  for (const program of ['../src/provider.ts', '../src/customer.ts']) {
    const code = readFileSync(file(program), 'utf8')
      .split('\n')
      .slice(1)
      .filter((line) => line !== '');
    expect(code.length).toBeLessThan(15);
  }
  const relay = await startTestRelay();
  onTestFinished(() => relay.close());
  const args = [...process.execArgv, file('../src/provider.ts'), relay.url, process.execPath];
  const provider = spawn(process.execPath, [...args, ...process.execArgv, file('./shout.ts')], {
    env: environment('22'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => provider.once('close', resolve));
  onTestFinished(async () => {
    provider.kill();
    await ended;
  });
  const said = await new Promise<string>((resolve) => createInterface(provider.stdout).once('line', resolve));
  expect(said).toMatch(/^[0-9a-f]{64} offers shout\.$/);

  const model = new Client({ name: 'model', version: '1.0.0' });
  await model.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...process.execArgv, file('../src/customer.ts'), relay.url],
      env: environment('11'),
    }),
  );
  onTestFinished(() => model.close());
  const hired = await model.callTool({
    name: 'hire_provider',
    arguments: { task: 'hello', kind: 5910, provider: said.slice(0, 64) },
  });
  expect(hired.structuredContent).toMatchObject({ state: 'completed', content: 'HELLO' });
});
