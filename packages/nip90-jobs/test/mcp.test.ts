import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createKeySigner } from '@bonafide/nostr-transport';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransport1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport as InMemoryTransport1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildJobRequest, parseJobRequest } from '../src/codec/index.ts';
import { createMemoryPaymentStore, decodeInvoice, type Wallet } from '../src/index.ts';
import {
  jobTools,
  type McpTool,
  type McpToolClient,
  type ProvideMcpServerOptions,
  provideMcpServer,
  registerJobTools,
  toolArguments,
} from '../src/mcp/index.ts';
import { createThrottle } from '../src/mcp/throttle.ts';
import { directory } from './child.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, eventually, keys, manualTime, person, provider, relay, sentTo, transport } from './world.ts';

const program = (file: string) => ({
  command: process.execPath,
  args: [...process.execArgv, fileURLToPath(new URL(`./children/${file}`, import.meta.url))],
});

/** An MCP client of the second or first SDK that is connected to a server process of the same over stdio. */
async function connected(major: 1 | 2): Promise<McpToolClient> {
  const about = { name: 'test', version: '0.0.0' };
  if (major === 1) {
    const mcp = new Client1(about);
    await mcp.connect(new StdioClientTransport1(program('mcp-server-1.ts')));
    onTestFinished(() => mcp.close());
    return mcp;
  }
  const mcp = new Client(about);
  await mcp.connect(new StdioClientTransport(program('mcp-server.ts')));
  onTestFinished(() => mcp.close());
  return mcp;
}

async function offering(options: Partial<ProvideMcpServerOptions> = {}, major: 1 | 2 = 2) {
  const at = await relay();
  const { pubkey } = await person(keys.provider);
  const offered = await provideMcpServer(await connected(major), {
    kinds: [5910],
    transport: transport(),
    signer: createKeySigner(keys.provider),
    relays: [at.url],
    config: { publishTimeoutMs: 240_000 },
    ...options,
  });
  onTestFinished(() => offered.close());
  return { at, pubkey, offered };
}

describe('an MCP server as a provider', () => {
  it.each([1, 2] as const)(
    'of SDK %i publishes a card with its tools, and does jobs with them (JOB-26)',
    async (major) => {
      const { at, pubkey, offered } = await offering({}, major);
      expect(offered.tools).toEqual(['add', 'shout', 'fail', 'crash']);
      const [card] = at.events({ kinds: [31_990] });
      expect(card?.tags).toEqual(
        expect.arrayContaining([
          ['k', '5910'],
          ['t', 'mcp'],
          ['t', 'add'],
        ]),
      );
      expect(JSON.parse(card?.content ?? '{}')).toMatchObject({
        nip90Params: { tool: { required: true, values: ['add', 'shout', 'fail', 'crash'] } },
      });
      const asking = await client([at.url]);
      const work = (params: Record<string, string | number>, data?: string, marker?: string) =>
        asking.requestJob({
          kind: 5910,
          provider: pubkey,
          params,
          ...(data === undefined ? {} : { inputs: [marker === undefined ? { data } : { data, marker }] }),
        });
      const sum = await work({ tool: 'add', a: 2, b: 40 });
      expect(JSON.parse((await sum.result).content)).toEqual({ sum: 42 });
      const fromJson = await work({ tool: 'add' }, '{"a": 1, "b": 2}', 'arguments');
      expect(JSON.parse((await fromJson.result).content)).toEqual({ sum: 3 });
      // An SDK drops progress that it reads together with the result.
      const until = join(directory(), 'said');
      const shout = await work({ tool: 'shout', until }, 'one two three');
      const said: string[] = [];
      for await (const { status, content } of shout.feedback) {
        if (status !== 'partial') continue;
        said.push(content);
        writeFileSync(until, '');
      }
      expect(said).toContain('ONE');
      expect((await shout.result).content).toBe('ONE TWO THREE');

      await expect((await work({ tool: 'fail' })).result).rejects.toMatchObject({
        code: 'JOB_FAILED',
        message: 'out of luck',
      });
      await expect((await work({ tool: 'none' })).result).rejects.toMatchObject({
        message: expect.stringMatching(/Name a tool in the parameter tool: add, shout, fail, crash/),
      });
      await expect((await work({ tool: 'add', a: 1 })).result).rejects.toMatchObject({
        message: expect.stringMatching(/missing: b/),
      });
    },
  );

  it('works on encrypted jobs, with one tool that need not be named (JOB-26)', async () => {
    const { at, pubkey } = await offering({ kinds: { add: 5911 } });
    const asking = await client([at.url]);
    const job = await asking.requestJob({
      kind: 5911,
      provider: pubkey,
      params: { a: 1, b: 1 },
      encrypted: true,
    });
    expect(JSON.parse((await job.result).content)).toEqual({ sum: 2 });
  });

  it('is paid by the prices of its tools (JOB-26)', async () => {
    const paid = new Set<string>();
    const create = vi.fn(async ({ amountMsat }: { amountMsat: number }) => {
      const bolt11 = invoice({ amountMsat });
      return { bolt11, paymentHash: decodeInvoice(bolt11)?.paymentHash ?? '' };
    });
    const { at, pubkey } = await offering({
      pricing: { add: 3_000 },
      invoices: { create, isPaid: async (hash) => paid.has(hash) },
      config: { paymentPollMs: 20, publishTimeoutMs: 240_000 },
    });
    const wallet: Wallet = {
      async pay(bolt11) {
        paid.add(decodeInvoice(bolt11)?.paymentHash ?? '');
        return { status: 'settled', preimage: secretOf('invoice').preimage, feesMsat: 0 };
      },
      lookup: async () => ({ status: 'unknown' }),
    };
    const asking = await client([at.url], { payments: { wallet, store: createMemoryPaymentStore() } });
    const job = await asking.requestJob({
      kind: 5910,
      provider: pubkey,
      params: { tool: 'add', a: 1, b: 1 },
      bidMsat: 3_000,
    });
    expect(JSON.parse((await job.result).content)).toEqual({ sum: 2 });
    expect(await asking.payment(job.jobId)).toMatchObject({ status: 'settled', amountMsat: 3_000 });
    const free = await asking.requestJob({
      kind: 5910,
      provider: pubkey,
      params: { tool: 'shout', text: 'hi' },
    });
    expect((await free.result).content).toBe('HI');
    expect(create).toHaveBeenCalledTimes(1);
  });

  it.each([1, 2] as const)(
    'of SDK %i tells strangers nothing of what fails outside of its tools (JOB-26)',
    async (major) => {
      const { at, pubkey } = await offering({}, major);
      const asking = await client([at.url]);
      const crash = await asking.requestJob({ kind: 5910, provider: pubkey, params: { tool: 'crash' } });
      await expect(crash.result).rejects.toMatchObject({
        code: 'JOB_FAILED',
        message: 'The tool crash failed.',
      });
    },
  );

  it('keeps the text of tool errors to itself when the host says so (JOB-26)', async () => {
    const { at, pubkey } = await offering({ showToolErrors: false });
    const asking = await client([at.url]);
    const fail = await asking.requestJob({ kind: 5910, provider: pubkey, params: { tool: 'fail' } });
    await expect(fail.result).rejects.toMatchObject({ message: 'The tool fail reported an error.' });
  });

  it('publishes progress at intervals, the latest of each (JOB-26)', () => {
    const time = manualTime(0);
    const said: number[] = [];
    const throttle = createThrottle(1_000, time.timers);
    for (let number = 0; number < 1_000; number += 1) {
      throttle.run(() => said.push(number));
      time.advance(10);
    }
    expect(said.length).toBeLessThanOrEqual(11);
    expect(said[0]).toBe(0);
    time.advance(1_000);
    expect(said.at(-1)).toBe(999);
    throttle.run(() => said.push(1_000));
    throttle.run(() => said.push(1_001));
    throttle.end();
    time.advance(10_000);
    expect(said.at(-1)).toBe(1_000);
  });

  it('is refused with prices of tools that it does not offer, or that are none (JOB-26)', async () => {
    const invoices = { create: vi.fn(), isPaid: async () => false };
    for (const pricing of [{ ad: 3_000 }, { add: 3_000, shout: -1 }, { add: 1.5 }, Number.NaN, { add: '3' }])
      await expect(offering({ pricing: pricing as never, invoices })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        message: expect.stringMatching(/options\.pricing/),
      });
  });

  it('does no work for a price that is no number (JOB-26)', async () => {
    const invoices = { create: vi.fn(), isPaid: async () => false };
    const { at, pubkey } = await offering({ pricing: () => undefined as never, invoices });
    const asking = await client([at.url]);
    const job = await asking.requestJob({
      kind: 5910,
      provider: pubkey,
      params: { tool: 'add', a: 1, b: 1 },
    });
    await expect(job.result).rejects.toMatchObject({ message: 'Not available at the moment.' });
    expect(invoices.create).not.toHaveBeenCalled();
  });

  it('is refused when it names tools that the server does not have (JOB-26)', async () => {
    await expect(offering({ tools: ['add', 'divide'] })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(/no tool divide/),
    });
    await expect(offering({ kinds: [1] })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });
});

describe('an MCP server that lies', () => {
  /** A server that says what a test says. */
  const lying = (tools: readonly McpTool[], callTool: McpToolClient['callTool'] = async () => ({})) => ({
    listTools: async () => ({ tools }),
    callTool,
  });
  const serve = async (mcp: McpToolClient, options: Partial<ProvideMcpServerOptions> = {}) => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const offered = await provideMcpServer(mcp, {
      kinds: [5910],
      transport: transport(),
      signer: createKeySigner(keys.provider),
      relays: [at.url],
      config: { publishTimeoutMs: 240_000, publishRetryDelaysMs: [20] },
      ...options,
    });
    onTestFinished(() => offered.close());
    return { at, pubkey, offered };
  };
  const tool = (name: string, schema: object = {}, description = ''): McpTool => ({
    name,
    description,
    inputSchema: { type: 'object', ...schema },
  });

  it('about names: only identifiers are offered (JOB-26)', async () => {
    const names = ['', 'a b', 'x\u202ey', 'new\nline', 'z'.repeat(129), '<script>', 'good_1.tool-a/b:c'];
    const { offered } = await serve(lying(names.map((name) => tool(name))));
    expect(offered.tools).toEqual(['good_1.tool-a/b:c']);
    await expect(serve(lying([tool('a\u001b[2Jb')]), { tools: ['a\u001b[2Jb'] })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.not.stringContaining('\u001b'),
    });
  });

  it('with schemas and descriptions of any size still has a card, with every tool (JOB-26)', async () => {
    const schema = (bytes: number) => ({
      properties: { text: { type: 'string', description: '"'.repeat(bytes) } },
    });
    const tools = [
      tool('huge', schema(400_000)),
      tool('small', schema(10), 'keeps its schema'),
      tool('wordy', {}, 'w'.repeat(100_000)),
    ];
    const { at } = await serve(lying(tools.slice(0, 2)));
    const cardOf = (relayed: typeof at) =>
      JSON.parse(relayed.events({ kinds: [31_990] })[0]?.content ?? '{}');
    expect(cardOf(at).tools).toEqual([
      { name: 'huge', description: '' },
      { name: 'small', description: 'keeps its schema', inputSchema: { type: 'object', ...schema(10) } },
    ]);
    const wordy = await serve(lying(tools));
    expect(cardOf(wordy.at).tools.map(({ name }: McpTool) => name)).toEqual(['huge', 'small', 'wordy']);
    const many = Array.from({ length: 5_000 }, (_, number) => tool(`tool-${number}`, schema(1_000)));
    await expect(serve(lying(many))).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(/5000 tools do not fit/),
    });
  });

  it('about the end of a call does not hold its place for ever (JOB-26)', async () => {
    const program = new McpServer({ name: 'endless', version: '0.0.0' });
    program.registerTool('endless', { description: '' }, async (context) => {
      for (let progress = 0; !context.mcpReq.signal.aborted; progress += 1) {
        const progressToken = context.mcpReq._meta?.progressToken ?? 0;
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress },
        });
        await sleep(20);
      }
      return { content: [] };
    });
    const mcp = new Client({ name: 'test', version: '0.0.0' });
    const [one, other] = InMemoryTransport.createLinkedPair();
    await program.connect(one);
    await mcp.connect(other);
    onTestFinished(async () => {
      await mcp.close();
      await program.close();
    });
    const { at, pubkey } = await serve(mcp, { timeoutMs: 60_000, maxTimeoutMs: 300, progressIntervalMs: 50 });
    const asking = await client([at.url]);
    const job = await asking.requestJob({ kind: 5910, provider: pubkey });
    await expect(job.result).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: 'The tool endless failed.',
    });
  });

  it.each([undefined, null, 'text', { content: null }, { content: 'x' }, { isError: true, content: 7 }])(
    'about the form of a result ends in an error or a text: %j (JOB-26)',
    async (result) => {
      const { at, pubkey } = await serve(lying([tool('odd')], async () => result));
      const asking = await client([at.url]);
      const job = await asking.requestJob({ kind: 5910, provider: pubkey });
      await expect(job.result).rejects.toMatchObject({ code: 'JOB_FAILED' });
    },
  );

  it('about its progress and then fails owes the payment, which can be refunded (JOB-20, JOB-26)', async () => {
    const bolt11 = invoice({ amountMsat: 3_000 });
    const paymentHash = decodeInvoice(bolt11)?.paymentHash ?? '';
    const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>();
    const mcp = lying([tool('slow')], async (_, options) => {
      options.onprogress({ progress: 1, total: 2, message: 'half way' });
      // The end of the job would overtake it.
      await isSeen;
      throw new Error('and then nothing');
    });
    const { at, pubkey, offered } = await serve(mcp, {
      pricing: 3_000,
      invoices: { create: async () => ({ bolt11, paymentHash }), isPaid: async () => true },
    });
    const wallet: Wallet = {
      pay: async () => ({ status: 'settled', preimage: secretOf('invoice').preimage, feesMsat: 0 }),
      lookup: async () => ({ status: 'unknown' }),
    };
    const asking = await client([at.url], { payments: { wallet, store: createMemoryPaymentStore() } });
    const job = await asking.requestJob({ kind: 5910, provider: pubkey, bidMsat: 3_000 });
    const failed = expect(job.result).rejects.toMatchObject({ code: 'JOB_FAILED' });
    for await (const { status, content } of job.feedback)
      if (status === 'partial' && content === 'half way') seen();
    await failed;
    await eventually(async () =>
      expect(await offered.obligations()).toMatchObject([{ amountMsat: 3_000, isPartlyDelivered: false }]),
    );
  });
});

describe('the arguments of a tool', () => {
  const schema = {
    properties: {
      text: { type: 'string' },
      count: { type: 'integer' },
      deep: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'number' } },
      options: { type: 'object' },
    },
    required: ['text'],
  };
  const requestOf = (spec: object) => {
    const template = buildJobRequest({ kind: 5000, createdAt: 0, ...spec });
    const read = parseJobRequest({
      ...template,
      id: '0'.repeat(64),
      pubkey: '1'.repeat(64),
      sig: '2'.repeat(128),
    });
    if (!read.ok) throw new Error(read.message);
    return read.request;
  };
  it('come from parameters by type, from JSON, and from text (JOB-26)', () => {
    const params = {
      tool: 'x',
      count: 3,
      deep: 'true',
      tags: ['1', '2'],
      options: '{"a":1}',
      other: 'ignored',
    };
    expect(toolArguments(requestOf({ inputs: [{ data: 'hello' }], params }), schema)).toEqual({
      ok: true,
      args: { text: 'hello', count: 3, deep: true, tags: [1, 2], options: { a: 1 } },
    });
    const json = '{"text":"a","count":1,"__proto__":{"deep":true}}';
    const marked = requestOf({ inputs: [{ data: json, marker: 'arguments' }] });
    expect(toolArguments(marked, schema)).toEqual({ ok: true, args: { text: 'a', count: 1 } });
    // A text that happens to be JSON, for example one that a stranger wrote, stays a text.
    expect(toolArguments(requestOf({ inputs: [{ data: json }] }), schema)).toEqual({
      ok: true,
      args: { text: json },
    });
    expect(toolArguments(requestOf({ params: { count: 'many', text: 'a' } }), schema)).toMatchObject({
      args: { count: 'many' },
    });
    expect(toolArguments(requestOf({}), schema)).toMatchObject({ ok: false });
    const broken = { inputs: [{ data: 'x', marker: 'arguments' }, { data: 'y' }] };
    expect(toolArguments(requestOf(broken), schema)).toMatchObject({ ok: false });
  });
});

describe('tools that hire', () => {
  it('hire over Nostr through an MCP server of SDK 1 (JOB-26)', async () => {
    const { at, pubkey } = await offering({}, 1);
    const asking = await client([at.url]);
    const server = new McpServer1({ name: 'jobs', version: '0.0.0' });
    registerJobTools(server, jobTools(asking));
    const model = new Client1({ name: 'model', version: '0.0.0' });
    const [one, other] = InMemoryTransport1.createLinkedPair();
    await server.connect(one);
    await model.connect(other);
    onTestFinished(async () => {
      await model.close();
      await server.close();
    });
    const hired = await model.callTool({
      name: 'hire_provider',
      arguments: { task: 'hello there', kind: 5910, provider: pubkey, params: { tool: 'shout' } },
    });
    expect(hired.structuredContent).toMatchObject({ state: 'completed', content: 'HELLO THERE' });
  });

  it('hire over Nostr through an MCP server, and follow the job (JOB-26)', async () => {
    const { at, pubkey } = await offering();
    const asking = await client([at.url]);
    const server = new McpServer({ name: 'jobs', version: '0.0.0' });
    registerJobTools(server, jobTools(asking));
    const model = new Client({ name: 'model', version: '0.0.0' });
    const [one, other] = InMemoryTransport.createLinkedPair();
    await server.connect(one);
    await model.connect(other);
    onTestFinished(async () => {
      await model.close();
      await server.close();
    });
    const { tools } = await model.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['hire_provider', 'get_job', 'list_jobs', 'cancel_job']);
    const hired = await model.callTool({
      name: 'hire_provider',
      arguments: { task: 'hello there', kind: 5910, provider: pubkey, params: { tool: 'shout' } },
    });
    const answer = hired.structuredContent as Record<string, unknown>;
    expect(answer).toMatchObject({ state: 'completed', content: 'HELLO THERE', content_is_untrusted: true });
    const again = await model.callTool({ name: 'get_job', arguments: { job_id: answer.job_id } });
    expect(again.structuredContent).toMatchObject({ content: 'HELLO THERE' });
    const listed = await model.callTool({ name: 'list_jobs', arguments: {} });
    expect(listed.structuredContent).toMatchObject({ jobs: [{ job_id: answer.job_id, state: 'completed' }] });
    const wrong = await model.callTool({ name: 'get_job', arguments: { job_id: 'f'.repeat(64) } });
    expect(wrong.isError).toBe(true);
  });

  it('reach their own jobs only, and mark what a provider says (JOB-26)', async () => {
    const { at, pubkey } = await offering();
    const asking = await client([at.url]);
    const own = await asking.requestJob({
      kind: 5910,
      provider: pubkey,
      params: { tool: 'shout', text: 'x' },
    });
    await own.result;
    const [hire, get, list, cancel] = jobTools(asking);
    for (const tool of [get, cancel])
      await expect(tool?.execute({ job_id: own.jobId })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    expect(await list?.execute({})).toEqual({ jobs: [] });
    const failed = await hire?.execute({ task: 'x', kind: 5910, provider: pubkey, params: { tool: 'fail' } });
    expect(failed).toMatchObject({ code: 'JOB_FAILED', error: 'out of luck', error_is_untrusted: true });
    expect(await list?.execute({})).toMatchObject({ jobs: [{ job_id: failed?.job_id, state: 'failed' }] });
    expect(await get?.execute({ job_id: failed?.job_id })).toMatchObject({ error: 'out of luck' });
    // The key of another scope cannot be written in one's own.
    for (const scope of ['', 'tools:a', 'a\n', 'a'.repeat(201)])
      expect(() => jobTools(asking, { scope })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    const other = jobTools(asking, { scope: 'other model' });
    await expect(other[1]?.execute({ job_id: failed?.job_id })).rejects.toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
    const sum = await hire?.execute({
      kind: 5910,
      provider: pubkey,
      params: { tool: 'add' },
      arguments: { a: 1, b: 2 },
    });
    expect(JSON.parse(String(sum?.content))).toEqual({ sum: 3 });
  });

  it('keep to the prices, kinds and providers of the host, and give a job that takes long its id (JOB-26)', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], () => new Promise<string>(() => {}));
    const asking = await client([at.url]);
    const [hire, , , cancel] = jobTools(asking, {
      maxBidMsat: 1_000,
      kinds: [5000],
      providers: [pubkey],
      waitMs: 200,
    });
    const task = { task: 'x', kind: 5000, provider: pubkey };
    for (const wrong of [
      { ...task, max_price_msat: 1_001 },
      { ...task, kind: 5001 },
      { ...task, provider: keys.rival },
      { task: 'x' },
      {},
    ])
      await expect(hire?.execute(wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const running = await hire?.execute({ ...task, idempotency_key: 'k' });
    expect(running).toMatchObject({ message: expect.stringMatching(/still running/) });
    expect(await hire?.execute({ ...task, idempotency_key: 'k' })).toMatchObject({ job_id: running?.job_id });
    await eventually(() => expect(sentTo(at, 5000)).not.toEqual([]));
    expect(await cancel?.execute({ job_id: running?.job_id })).toMatchObject({ state: 'cancelled' });
    expect(new Set(sentTo(at, 5000)).size).toBe(1);
  });
});
