// The adapters at run time, with this project's versions of the SDKs. Only the models are scripted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAiSdkReflector } from '@bonafide/cortex/ai-sdk';
import { createLedger, createMemoryLedgerStore } from '@bonafide/ledger-core';
import { toAiSdkTools } from '@bonafide/ledger-core/ai-sdk';
import { toLangChainTools } from '@bonafide/ledger-core/langchain';
import { registerMcpTools } from '@bonafide/ledger-core/mcp';
import { runOpenAiToolCall, toOpenAiChatTools, toOpenAiTools } from '@bonafide/ledger-core/openai';
import { createNwcWallet } from '@bonafide/nip90-jobs/nwc';
import * as transport from '@bonafide/nostr-transport';
import { Client as Client2, InMemoryTransport as InMemoryTransport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryTransport1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServer2 } from '@modelcontextprotocol/server';
import * as nostrWasm from 'nostr-wasm';
import OpenAI from 'openai';
import * as tinySecp from 'tiny-secp256k1';

const names = ['query_peer', 'list_peers', 'assess_peer'];
const assessment = { peer_id: 'telegram:bob', trust: 2, rationale: 'Said hello.' };

async function setUp() {
  const ledger = createLedger({ store: createMemoryLedgerStore(), clock: () => Date.UTC(2026, 0, 1) });
  await ledger.recordIncoming({ peerId: 'bob', channel: 'telegram', content: 'Hello' });
  return ledger;
}

async function isAssessed(ledger) {
  const { trust, source } = await ledger.getLatestAssessment('telegram:bob');
  assert.deepEqual({ trust, source }, { trust: 2, source: 'agent' });
}

const namesOf = (tools) => tools.map(({ name }) => name);

/** A model of the AI SDK that calls a tool and ends, in the form of the SDK's major version. */
function scriptedModel(sdk, mocks) {
  const call = {
    type: 'tool-call',
    toolCallId: '1',
    toolName: 'assess_peer',
    input: JSON.stringify(assessment),
  };
  const steps = [
    [[call], 'tool-calls'],
    [[{ type: 'text', text: 'Done.' }], 'stop'],
  ];
  const Model = mocks.MockLanguageModelV4 ?? mocks.MockLanguageModelV3 ?? mocks.MockLanguageModelV2;
  const isV2 = Model === mocks.MockLanguageModelV2;
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
  const usage = isV2
    ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
    : { inputTokens: tokens, outputTokens: tokens };
  const answers = steps.map(([content, reason]) => ({
    content,
    finishReason: isV2 ? reason : { unified: reason, raw: reason },
    usage,
    warnings: [],
  }));
  return {
    model: new Model({ doGenerate: async () => answers.shift() }),
    stepCount: sdk.isStepCount ?? sdk.stepCountIs,
  };
}

for (const name of (process.env.AI_SDKS ?? 'ai').split(','))
  test(`AI SDK: ${name}`, async () => {
    const [sdk, mocks] = await Promise.all([import(name), import(`${name}/test`)]);
    for (const offer of [
      toAiSdkTools,
      (tools) => Object.fromEntries(tools.map((tool) => [tool.name, tool])),
    ]) {
      const ledger = await setUp();
      const { model, stepCount } = scriptedModel(sdk, mocks);
      const tools = offer(ledger.tools());
      const { text } = await sdk.generateText({
        model,
        prompt: 'Assess bob.',
        tools,
        stopWhen: stepCount(3),
      });
      assert.equal(text, 'Done.');
      await isAssessed(ledger);
    }
  });

test('AI SDK: the reflector of cortex', async () => {
  const [sdk, mocks] = await Promise.all([import('ai'), import('ai/test')]);
  const { model } = scriptedModel(sdk, mocks);
  await model.doGenerate();
  const reflector = createAiSdkReflector({ model });
  const { signal } = new AbortController();
  const { output } = await reflector.reflect({ system: 'You reflect.', input: 'Nothing new.', signal });
  assert.equal(output, 'Done.');
});

test('OpenAI: chat completions and the Responses API', async () => {
  const ledger = await setUp();
  const sent = [];
  const called = { name: 'assess_peer', arguments: JSON.stringify(assessment) };
  const answers = {
    '/v1/chat/completions': {
      choices: [
        {
          index: 0,
          message: { role: 'assistant', tool_calls: [{ id: '1', type: 'function', function: called }] },
        },
      ],
    },
    '/v1/responses': { object: 'response', output: [{ type: 'function_call', call_id: '1', ...called }] },
  };
  const openai = new OpenAI({
    apiKey: 'none',
    fetch: async (url, init) => {
      sent.push(JSON.parse(init.body));
      return Response.json(answers[new URL(url).pathname]);
    },
  });
  const tools = ledger.tools();
  const messages = [{ role: 'user', content: 'Assess bob.' }];
  const chat = await openai.chat.completions.create({
    model: 'm',
    messages,
    tools: toOpenAiChatTools(tools),
  });
  await runOpenAiToolCall(tools, chat.choices[0].message.tool_calls[0].function);
  await isAssessed(ledger);
  const response = await openai.responses.create({
    model: 'm',
    input: 'Assess bob.',
    tools: toOpenAiTools(tools),
  });
  assert.equal(JSON.parse(await runOpenAiToolCall(tools, response.output[0])).recorded, true);
  assert.deepEqual(namesOf(sent[0].tools.map((tool) => tool.function)), names);
  assert.deepEqual(namesOf(sent[1].tools), names);
});

test('LangChain', async () => {
  const ledger = await setUp();
  const tools = toLangChainTools(ledger.tools());
  assert.deepEqual(namesOf(tools), names);
  const message = await tools[2].invoke({
    type: 'tool_call',
    id: '1',
    name: 'assess_peer',
    args: assessment,
  });
  assert.equal(message.tool_call_id, '1');
  await isAssessed(ledger);
  await assert.rejects(tools[2].invoke({ ...assessment, trust: 99 }));
});

for (const [version, McpServer, Client, InMemoryTransport] of [
  [1, McpServer1, Client1, InMemoryTransport1],
  [2, McpServer2, Client2, InMemoryTransport2],
])
  test(`MCP SDK ${version}`, async () => {
    const ledger = await setUp();
    const server = new McpServer({ name: 'ledger', version: '1.0.0' });
    registerMcpTools(server, ledger);
    const client = new Client({ name: 'test', version: '1.0.0' });
    const [one, other] = InMemoryTransport.createLinkedPair();
    await server.connect(one);
    await client.connect(other);
    const { tools } = await client.listTools();
    assert.deepEqual(namesOf(tools), names);
    assert.deepEqual(tools[2].inputSchema.required, ['peer_id', 'trust', 'rationale']);
    const result = await client.callTool({ name: 'assess_peer', arguments: assessment });
    assert.equal(result.structuredContent.recorded, true);
    await isAssessed(ledger);
    const refused = await client.callTool({ name: 'assess_peer', arguments: { ...assessment, trust: 99 } });
    assert.equal(refused.isError, true);
    ledger.setAssessor('cortex');
    assert.deepEqual(namesOf((await client.listTools()).tools), names.slice(0, 2));
    await client.close();
    await server.close();
  });

test('verifiers over nostr-wasm and tiny-secp256k1', async () => {
  const signer = transport.createKeySigner('01'.repeat(32));
  const event = await signer.signEvent({ kind: 1, created_at: 1, tags: [], content: 'I keep my word.' });
  for (const verifier of [
    await transport.createNostrWasmVerifier(nostrWasm),
    transport.createTinySecpVerifier(tinySecp),
  ]) {
    assert.equal(verifier.verify(event), true, verifier.name);
    assert.equal(verifier.verify({ ...event, sig: `${event.sig.slice(0, -2)}00` }), false, verifier.name);
  }
});

test('Nostr Wallet Connect', () => {
  const [wallet, secret] = ['a1'.repeat(32), 'b2'.repeat(32)];
  const url = `nostr+walletconnect://${wallet}?relay=${encodeURIComponent('wss://relay.invalid')}&secret=${secret}`;
  createNwcWallet({ url }).close();
  assert.throws(() => createNwcWallet({ url: 'https://wallet.invalid' }), { code: 'INVALID_CONFIG' });
});
