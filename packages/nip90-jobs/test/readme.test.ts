import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { directory } from './child.ts';
import { client, keys, person, relay } from './world.ts';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const section = readme.slice(readme.indexOf('## A whole provider'));
const source = /```ts\n([\s\S]*?)```/.exec(section)?.[1] ?? '';

describe('the provider in the README', () => {
  it('JOB-15 has under 30 lines and works as it stands, but for the addresses', async () => {
    expect(source.trim().split('\n').length).toBeLessThan(30);
    const at = await relay();
    const model = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      response.end(`completed: ${Buffer.concat(chunks)}`);
    });
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      model.close();
    });
    const replaced: [string, string][] = [
      ['wss://relay.example', at.url],
      ['= createTransport()', '= createTransport({ addresses: { allowLoopback: true } })'],
      ['provider.db', join(directory(), 'provider.db')],
      ['http://localhost:8080', `http://127.0.0.1:${(model.address() as AddressInfo).port}`],
    ];
    const script = replaced.reduce((text, [from, to]) => {
      expect(text).toContain(from);
      return text.replace(from, to);
    }, source);
    // Within the package, which it names as its readers will.
    const path = join(import.meta.dirname, `.readme-provider-${process.pid}.ts`);
    writeFileSync(path, script);
    const child = spawn(process.execPath, [path], {
      env: { ...process.env, SECRET_KEY: keys.provider },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    onTestFinished(async () => {
      rmSync(path, { force: true });
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    });

    const { pubkey } = await person(keys.provider);
    const asking = await client([at.url], { config: {} });
    const ask = (...texts: string[]) =>
      asking.requestJob({ kind: 5050, provider: pubkey, inputs: texts.map((data) => ({ data })) });
    const job = await ask('once upon a time');
    expect(await job.result).toMatchObject({ content: 'completed: once upon a time', amountMsat: 0 });
    await expect((await ask('one', 'two')).result).rejects.toMatchObject({
      message: expect.stringMatching(/exactly one/),
    });
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });
});
