import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createAiSdkReflector } from '../src/adapters/ai-sdk.ts';
import { createWorld, peerId } from './world/world.ts';

const alice = peerId('a');

interface Asked {
  readonly path: string;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  };
}
/** The part of OpenAI's schema of a chat completion request that this package causes. A field outside of it is an error. */
const chatRequestSchema = z.strictObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['system', 'developer', 'user', 'assistant']),
        content: z.union([
          z.string().min(1),
          z.array(z.strictObject({ type: z.literal('text'), text: z.string().min(1) })).min(1),
        ]),
      }),
    )
    .min(1),
  max_tokens: z.int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  stream: z.literal(false).optional(),
});

type Step = { readonly content: string; readonly finish?: string } | { readonly status: number } | 'hang';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that speaks the chat completions of OpenAI and answers as scripted; the last step repeats. */
async function serve(...steps: readonly Step[]) {
  const asked: Asked[] = [];
  let aborted = 0;
  const read = async (request: IncomingMessage) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    return JSON.parse(text);
  };
  const server = createServer(async (request, response) => {
    const body = await read(request);
    asked.push({ path: request.url ?? '', body });
    const problem =
      request.method !== 'POST' || !request.headers['content-type']?.startsWith('application/json')
        ? 'POST application/json'
        : chatRequestSchema.safeParse(body).error?.message;
    if (problem !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: problem, type: 'invalid_request_error' } }));
      return;
    }
    const step = steps[asked.length - 1] ?? steps.at(-1) ?? 'hang';
    if (step === 'hang') {
      response.on('close', () => {
        aborted += 1;
      });
      return;
    }
    if ('status' in step) {
      response.writeHead(step.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'no quota' } }));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        ...{ id: 'c', object: 'chat.completion', created: 1, model: 'scripted' },
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: step.content },
            finish_reason: step.finish ?? 'stop',
          },
        ],
        usage: { prompt_tokens: 812, completion_tokens: 77, total_tokens: 889 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const model = createOpenAICompatible({ name: 'scripted', baseURL, apiKey: 'none' })('reasoner-1');
  const reflector = createAiSdkReflector({ model, maxRetries: 0 });
  return { asked, reflector, aborted: () => aborted };
}

const answer = (trust: number) =>
  JSON.stringify({
    assessments: [{ peerId: alice, trust, rationale: 'kept one of one' }],
    beliefs: [{ key: 'work-record', rationale: 'r', peerId: alice }],
    summary: 'Fine.',
  });

describe('createAiSdkReflector through the real SDK and an HTTP server', () => {
  it('CTX-8 sends instructions and facts, and applies the answer with its cost', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const { asked, reflector } = await serve({ content: `Here you are:\n\`\`\`json\n${answer(2)}\n\`\`\`` });
    const cortex = world.cortex({ reflector });
    const result = await cortex.reflectNow('one');
    expect(result).toMatchObject({
      status: 'applied',
      record: {
        parse: 'fence',
        finishReason: 'stop',
        cost: { calls: 1, inputTokens: 812, outputTokens: 77, estimated: false },
      },
    });
    expect(await world.ledger.getLatestAssessment(alice)).toMatchObject({
      trust: 2,
      assessor: 'scripted.chat/reasoner-1/prompt-2',
    });
    expect(cortex.beliefs()).toMatchObject([{ value: '1 of 1 piece of work ended well' }]);
    const [request] = asked;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.body.model).toBe('reasoner-1');
    expect(request?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(await cortex.replay(1)).toMatchObject({ identical: true });
  });

  it('CTX-11 a truncated answer is asked for once more, and refused when it is truncated again', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const cut = { content: `Sure: ${answer(2)} {`, finish: 'length' };
    const { asked, reflector } = await serve(cut);
    const cortex = world.cortex({ reflector });
    expect(await cortex.reflectNow('one')).toMatchObject({
      status: 'failed',
      record: { failure: { code: 'OUTPUT_UNUSABLE' } },
    });
    expect(asked).toHaveLength(2);
    expect(await world.ledger.getAssessments(alice)).toEqual([]);
  });

  it('CTX-12 an error of the provider fails the cycle only', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const { reflector } = await serve({ status: 429 }, { content: answer(1) });
    const cortex = world.cortex({ reflector });
    expect(await cortex.reflectNow('one')).toMatchObject({
      record: { failure: { code: 'REFLECTOR_FAILED' } },
    });
    expect(await cortex.reflectNow('two')).toMatchObject({ status: 'applied' });
  });

  it('CTX-12 the timeout aborts the request', async () => {
    await using world = await createWorld();
    await world.work(alice, 'one', 'verified');
    const { asked, reflector, aborted } = await serve('hang');
    const cortex = world.cortex({ reflector });
    const stop = new AbortController();
    const cycle = cortex.reflectNow('one', { signal: stop.signal });
    await expect.poll(() => asked.length).toBe(1);
    stop.abort();
    expect(await cycle).toMatchObject({ record: { failure: { code: 'ABORTED' } } });
    await expect.poll(aborted).toBe(1);
  });
});
