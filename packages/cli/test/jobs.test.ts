import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '@bonafide/internal/testing';
import { createJobClient, createMemoryJobStore, createProvider } from '@bonafide/nip90-jobs';
import { createKeySigner, createTransport } from '@bonafide/nostr-transport';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { verifyReceipt } from '@bonafide/trust-score';
import { npubEncode } from 'nostr-tools/nip19';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from './world.ts';

const main = new URL('../src/main.ts', import.meta.url).pathname;
const secret = '22'.repeat(32);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'bonafide-cli-jobs-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** `bonafide provider run` as a process; what it prints, line by line. */
async function provider(url: string, source: string, args: readonly string[] = []) {
  const path = join(folder(), 'provider.mjs');
  writeFileSync(path, source);
  const child = spawn(process.execPath, [main, 'provider', 'run', path, '--relay', url, ...args], {
    env: { ...process.env, BONAFIDE_SECRET_KEY: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  await new Promise<void>((listening) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      listening();
    });
    child.once('close', () => listening());
  });
  return { lines, child, exit, npub: npubEncode(await createKeySigner(secret).getPublicKey()) };
}

async function relay() {
  const started = await startTestRelay();
  onTestFinished(() => started.close());
  return started;
}

/** A server that keeps what is uploaded, as far as a job needs one. */
async function blossom() {
  const bodies: string[] = [];
  const blobs = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    if (request.method !== 'PUT') {
      response.end(blobs.get(request.url?.slice(1) ?? ''));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    blobs.set(sha256, bytes);
    bodies.push(bytes.toString());
    response.end(JSON.stringify({ url: `${url}/${sha256}`, sha256, size: bytes.length }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, bodies };
}

const upper = `
  export const kinds = [5050];
  export const handler = async (request, { progress, partial }) => {
    await progress('thinking \\u001b[2J about it');
    await partial('half');
    return request.inputs[0].data.toUpperCase() + (request.params.suffix ?? '');
  };
`;

describe('bonafide job request and provider run', () => {
  it('CLI-1 JOB-12 JOB-15 ask and answer, with live feedback on stderr and the result on stdout', async () => {
    const { url } = await relay();
    const working = await provider(url, upper, ['--workspace', folder()]);
    expect(working.lines[0]).toBe(`${working.npub} takes jobs of kind 5050. Ctrl-C ends it.`);
    const at = ['--relay', url, '--provider', working.npub];
    const asked = await run(['job', 'request', 'hello', ...at, '--param', 'suffix=!']);
    expect(asked).toMatchObject({ code: 0, out: 'HELLO!\n' });
    expect(asked.err).toMatch(/^Job [0-9a-f]{8}…[0-9a-f]{4}$/m);
    expect(asked.err).toContain('processing: thinking about it');
    expect(asked.err).toContain('partial: half');

    const secretly = await run(['job', 'request', 'quiet', ...at, '--encrypt', '--json']);
    expect(JSON.parse(secretly.out)).toMatchObject({
      content: 'QUIET',
      status: 'success',
      npub: working.npub,
    });

    working.child.kill('SIGINT');
    expect(await working.exit).toBe(0);
    expect(working.lines.filter((line) => line.startsWith('answered'))).toHaveLength(2);
  });

  it('AGT-4 gives the same answer for the same id, and asks nobody twice', async () => {
    const at = await relay();
    const { npub } = await provider(at.url, upper);
    const workspace = folder();
    const args = [
      'job',
      'request',
      'once',
      '--relay',
      at.url,
      '--provider',
      npub,
      '--id',
      'k',
      '--workspace',
      workspace,
    ];
    const env = { BONAFIDE_SECRET_KEY: '11'.repeat(32) };
    expect(await run(args, { env })).toMatchObject({ code: 0, out: 'ONCE\n' });
    expect(await run(args, { env })).toMatchObject({ code: 0, out: 'ONCE\n' });
    expect(at.events({ kinds: [5050] })).toHaveLength(1);
    expect(await run(args)).toMatchObject({ code: 2, out: '' });
  });

  it('CLI-1 says why there is no result, and harms no terminal', async () => {
    const { url } = await relay();
    const refusing = `
      export const kinds = [5050];
      export const admit = (request) => (request.inputs[0].data === 'bad' ? 'I do \\u001b[31mnot' : null);
      export const handler = () => 'a\\u001b[2Jb\\n  c';
    `;
    const { npub } = await provider(url, refusing);
    const at = ['--relay', url, '--provider', npub];
    const refused = await run(['job', 'request', 'bad', ...at]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('I do not');
    expect(refused.err).toContain('(JOB_FAILED)');
    const shown = await run(['job', 'request', 'good', ...at], { terminal: true });
    expect(shown.out).toBe('ab\n  c\n');
    const silent = ['job', 'request', 'x', '--relay', url, '--provider', npubEncode('ab'.repeat(32))];
    const waited = await run([...silent, '--timeout', '0.3', '--json']);
    expect(waited.code).toBe(1);
    expect(waited.err).toContain('JOB_TIMED_OUT');
    expect(waited.err).toContain('its provider may answer it, within 0.3 s');
    expect(waited.err).toContain('The provider sent no answer.');
  });

  it('say that any provider may take an open request, how long they wait, and what to do without an answer (CLI-1)', async () => {
    const { url } = await relay();
    const open = ['job', 'request', 'x', '--relay', url, '--kind', '5051', '--timeout', '1'];
    const waited = await run(open);
    expect(waited).toMatchObject({ code: 1, out: '' });
    expect(waited.err).toContain(
      'A relay has the request: any provider of kind 5051 may answer it, within 1 s',
    );
    expect(waited.err).toMatch(/^Waiting since \d\d:\d\d:\d\d UTC, [01] s$/mu);
    expect(waited.err).toContain(
      'No provider answered within 1 s. Name one with --provider (bonafide discover lists them), or give',
    );
    expect(waited.err).toContain('(JOB_TIMED_OUT)');
    // A terminal has a line of progress instead.
    const shown = await run(open, { terminal: true });
    expect(shown.err).toContain('Waiting for the result');
    expect(shown.err).not.toContain('Waiting since');
  });

  it('send texts that no event can hold by a Blossom server (JOB-3, CLI-1)', async () => {
    const { url } = await relay();
    const files = await blossom();
    const long = 'long '.repeat(20_000);
    const tripling = `
      export const kinds = [5050];
      export const handler = () => ${JSON.stringify(long)};
    `;
    const { npub } = await provider(url, tripling, ['--blossom', files.url]);
    await using transport = createTransport({ addresses: { allowLoopback: true } });
    await using client = createJobClient({
      ...{ transport, relays: [url], store: createMemoryJobStore() },
      signer: createKeySigner('33'.repeat(32)),
      references: { addresses: { allowLoopback: true } },
    });
    await client.start();
    const job = await client.requestJob({ kind: 5050, provider: npub });
    expect((await job.result).content).toBe(long);
    expect(files.bodies).toEqual([long]);

    await using working = createProvider({
      ...{ transport, relays: [url], kinds: [5051] },
      signer: createKeySigner('44'.repeat(32)),
      references: { addresses: { allowLoopback: true } },
      handler: async ({ inputs: [input] }, { read }) => `${input ? (await read(input)).length : 0} bytes`,
    });
    await working.start();
    const asked = ['job', 'request', long, '--kind', '5051', '--relay', url];
    const to = ['--provider', npubEncode(await createKeySigner('44'.repeat(32)).getPublicKey())];
    expect(await run([...asked, ...to])).toMatchObject({ code: 1, out: '' });
    expect(await run([...asked, ...to, '--blossom', files.url])).toMatchObject({
      code: 0,
      out: '100000 bytes\n',
    });
    expect(await run([...asked, ...to, '--blossom', 'ftp://files.example'])).toMatchObject({ code: 2 });
  });

  it('keep the jobs of agents apart (JOB-27, CLI-1)', async () => {
    const at = await relay();
    const { npub } = await provider(at.url, upper);
    const env = { BONAFIDE_SECRET_KEY: '11'.repeat(32) };
    const workspace = folder();
    const args = ['--relay', at.url, '--workspace', workspace];
    const ask = (...more: string[]) =>
      run(['job', 'request', 'once', ...args, '--provider', npub, '--id', 'k', ...more], { env });
    expect(await ask()).toMatchObject({ code: 0, out: 'ONCE\n' });
    const listed = async (...more: string[]) =>
      JSON.parse((await run(['job', 'list', '--workspace', workspace, '--json', ...more])).out);
    expect(await listed()).toHaveLength(1);
    expect(await listed('--agent', 'other')).toEqual([]);
  });

  it('CLI-1 refuses what makes no sense', async () => {
    const relayed = ['--relay', 'ws://127.0.0.1:9'];
    for (const args of [
      ['job', 'request', 'x'],
      ['job', 'request', 'x', '--kind', '6000', ...relayed],
      ['job', 'request', 'x', '--param', 'novalue', ...relayed],
      ['job', 'request', 'x', '--relay', 'https://relay.example'],
      ['provider', 'run', './missing.mjs', ...relayed],
    ])
      expect(await run(args), args.join(' ')).toMatchObject({ code: 2, out: '' });
    const paying = await run(['job', 'request', 'x', ...relayed], {
      env: { BONAFIDE_WALLET: 'nostr+walletconnect://x' },
    });
    expect(paying).toMatchObject({ code: 2 });
    expect(paying.err).toContain('--workspace');
    const path = join(folder(), 'odd.mjs');
    writeFileSync(path, 'export const kinds = [5050];');
    const odd = await run(['provider', 'run', path, ...relayed]);
    expect(odd).toMatchObject({ code: 2 });
    expect(odd.err).toContain('handler');
  });
});

describe('a provider with a price', () => {
  const priced = `
    const paid = new Set();
    export const kinds = [5050];
    export const price = () => 2_000;
    export const handler = () => 'worked for free';
  `;
  it('is refused without a wallet, and one with invoices without a price as well (JOB-28, CLI-1)', async () => {
    const { url } = await relay();
    const path = join(folder(), 'provider.mjs');
    const starting = async (source: string) => {
      writeFileSync(path, source);
      const child = spawn(process.execPath, [main, 'provider', 'run', path, '--relay', url], {
        env: { ...process.env, BONAFIDE_SECRET_KEY: secret, BONAFIDE_WALLET: '' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (data) => {
        said += data;
      });
      const code = await new Promise((resolve) => child.once('close', resolve));
      return { code, said };
    };
    const refused = await starting(priced);
    expect(refused.code).not.toBe(0);
    expect(refused.said).toMatch(/has a price and no wallet/);
    writeFileSync(path, '');
    const other = join(folder(), 'provider.mjs');
    writeFileSync(other, `${upper}\nexport const invoices = { create() {}, isPaid() {} };`);
    const free = await run(['provider', 'run', other, '--relay', url], {
      env: { BONAFIDE_SECRET_KEY: secret },
    });
    expect(free.code).not.toBe(0);
    expect(free.err).toMatch(/exports invoices and no price/);
  });

  it('asks for its price with the invoices of its module (JOB-28, CLI-1)', async () => {
    const { url } = await relay();
    const working = await provider(
      url,
      `${priced}
       export const invoices = {
         create: async () => ({ bolt11: 'lnbc1x', paymentHash: '${'ab'.repeat(32)}' }),
         isPaid: async () => false,
       };`,
    );
    const asked = await run(['job', 'request', 'x', '--relay', url, '--provider', working.npub]);
    expect(asked.code).not.toBe(0);
    expect(asked.err).toMatch(/demands 2000 msat and this client has no wallet/);
  });
});

describe('bonafide job list, pay and claim', () => {
  it('show the jobs of a workspace, and say when there is nothing to pay or to claim (JOB-19, JOB-23, CLI-1)', async () => {
    const { url } = await relay();
    const working = await provider(url, upper);
    const workspace = folder();
    const at = ['--relay', url, '--workspace', workspace];
    const env = { env: { BONAFIDE_SECRET_KEY: '33'.repeat(32) } };
    const asked = await run(['job', 'request', 'hello', ...at, '--provider', working.npub, '--json'], env);
    const { jobId } = JSON.parse(asked.out);
    const listed = await run(['job', 'list', '--workspace', workspace, '--json']);
    expect(JSON.parse(listed.out)).toMatchObject([{ jobId, state: 'completed', paidMsat: 0, payment: null }]);
    expect((await run(['job', 'list', '--workspace', workspace])).out).toContain(jobId);
    expect(
      JSON.parse((await run(['job', 'list', '--workspace', workspace, '--open', '--json'])).out),
    ).toEqual([]);
    const paid = await run(['job', 'pay', jobId, ...at], env);
    expect(paid.code).not.toBe(0);
    expect(paid.err).toMatch(/no result that asks for a payment/);
    expect((await run(['job', 'claim', jobId, ...at], env)).out).toBe('HELLO\n');
    expect((await run(['job', 'claim', jobId, '--relay', url], env)).code).not.toBe(0);
    expect((await run(['job', 'pay', 'short', ...at], env)).err).toMatch(/64 hex digits/);
  });
});

describe('bonafide job receipt and provider receipts', () => {
  it('send the outcome of a job in the format of trust-score, and export it (JOB-29, TRU-29, CLI-1)', async () => {
    const { url } = await relay();
    const shop = folder();
    const working = await provider(url, upper, ['--workspace', shop]);
    const workspace = folder();
    const at = ['--relay', url, '--workspace', workspace];
    const env = { env: { BONAFIDE_SECRET_KEY: '33'.repeat(32) } };
    const asked = await run(['job', 'request', 'hello', ...at, '--provider', working.npub, '--json'], env);
    const { jobId } = JSON.parse(asked.out);
    const outcome = ['--outcome', 'success', '--evidence', 'verdict 7'];
    const sent = await run(['job', 'receipt', jobId, ...at, ...outcome, '--json'], env);
    expect(sent.code).toBe(0);
    const { receipt, deliveredTo } = JSON.parse(sent.out);
    expect(deliveredTo).toHaveLength(1);
    const [customer, worker] = await Promise.all(
      ['33'.repeat(32), secret].map((key) => createKeySigner(key).getPublicKey()),
    );
    const verified = verifyReceipt(receipt, { customer: customer ?? '', provider: worker ?? '' });
    expect(verified).toMatchObject({
      status: 'valid',
      outcome: { jobId, outcome: 'success', capability: '5050', evidence: 'verdict 7' },
    });
    await eventually(() => expect(working.lines.join('\n')).toMatch(/receipt/));
    const exported = await run(['provider', 'receipts', '--workspace', shop]);
    expect(
      exported.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([receipt]);
    expect((await run(['job', 'receipt', jobId, ...at, '--outcome', 'fine'], env)).code).not.toBe(0);
    expect((await run(['job', 'receipt', jobId, ...at, '--outcome', 'success'])).err).toMatch(/key-file/);
    expect((await run(['provider', 'receipts'])).code).not.toBe(0);
  });
});
