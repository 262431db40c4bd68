import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { generateText, isStepCount, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toAiSdkTools } from '../src/adapters/ai-sdk.ts';
import { toLangChainTools } from '../src/adapters/langchain.ts';
import { registerMcpTools } from '../src/adapters/mcp.ts';
import { runOpenAiToolCall, toOpenAiChatTools, toOpenAiTools } from '../src/adapters/openai.ts';
import { createLedger, createMemoryLedgerStore, type ToolDefinition } from '../src/index.ts';

async function setUp() {
  const ledger = createLedger({ store: createMemoryLedgerStore(), clock: () => Date.UTC(2026, 0, 1) });
  await ledger.recordIncoming({ peerId: 'bob', channel: 'telegram', content: 'Hello' });
  return ledger;
}

const assessment = { peer_id: '⟦telegram:bob⟧', trust: 2, rationale: 'Said hello.' };
const names = ['query_peer', 'list_peers', 'assess_peer'];

/** A model of the AI SDK that calls one tool and then says what came out. */
function scriptedModel(toolName: string, input: object) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: 'tool-call', toolCallId: '1', toolName, input: JSON.stringify(input) }],
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage,
        warnings: [],
      },
    ],
  });
}

describe('AI SDK', () => {
  const run = (model: MockLanguageModelV4, tools: ToolSet) =>
    generateText({ model, prompt: 'Assess bob.', tools, stopWhen: isStepCount(3) });

  it('LED-17 generateText offers the tools and runs what the model calls', async () => {
    const ledger = await setUp();
    const model = scriptedModel('assess_peer', assessment);
    await run(model, toAiSdkTools(ledger.tools()));
    const offered = model.doGenerateCalls[0]?.tools ?? [];
    expect(offered.map(({ name }) => name)).toEqual(names);
    expect(offered[2]).toMatchObject({
      type: 'function',
      description: expect.stringContaining('milestones'),
      inputSchema: { properties: { trust: { type: 'integer', minimum: -10, maximum: 10 } } },
    });
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('"recorded":true');
    expect(await ledger.getLatestAssessment('telegram:bob')).toMatchObject({ trust: 2, source: 'agent' });
  });

  it('LED-17 takes the neutral definitions as they are, too', async () => {
    const ledger = await setUp();
    const tools = Object.fromEntries(ledger.tools().map((tool) => [tool.name, tool]));
    await run(scriptedModel('assess_peer', assessment), tools);
    expect(await ledger.getLatestAssessment('telegram:bob')).toMatchObject({ trust: 2 });
  });

  it('LED-17 tells the model what went wrong', async () => {
    const ledger = await setUp();
    const model = scriptedModel('assess_peer', { ...assessment, peer_id: 'eve' });
    await run(model, toAiSdkTools(ledger.tools()));
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('no interaction with ⟦eve⟧');
  });
});

describe('MCP', () => {
  async function connect() {
    const ledger = await setUp();
    const server = new McpServer({ name: 'ledger', version: '0.0.0' });
    const unregister = registerMcpTools(server, ledger, { assessor: 'mcp/1' });
    const changed: (() => void)[] = [];
    const client = new Client({ name: 'test', version: '0.0.0' });
    client.setNotificationHandler('notifications/tools/list_changed', () => changed.shift()?.());
    const [one, other] = InMemoryTransport.createLinkedPair();
    await server.connect(one);
    await client.connect(other);
    onTestFinished(async () => {
      await client.close();
      await server.close();
    });
    const toolNames = async () => (await client.listTools()).tools.map(({ name }) => name);
    const nextChange = () => new Promise<void>((resolve) => changed.push(resolve));
    return { ledger, client, toolNames, nextChange, unregister };
  }

  it('LED-17 a client lists the tools with their annotations and calls them', async () => {
    const { ledger, client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(tools[0]).toMatchObject({
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: { type: 'object', required: ['peer_id'] },
    });
    const called = await client.callTool({ name: 'assess_peer', arguments: assessment });
    expect(called).toMatchObject({ structuredContent: { recorded: true, trust: 2 } });
    expect(called.content).toEqual([{ type: 'text', text: JSON.stringify(called.structuredContent) }]);
    expect(await ledger.getLatestAssessment('telegram:bob')).toMatchObject({ assessor: 'mcp/1' });
    expect(await client.callTool({ name: 'list_peers', arguments: {} })).toMatchObject({
      structuredContent: { peers: [{ id: '⟦telegram:bob⟧', trust: 2 }] },
    });
  });

  it.each([
    ['a stranger', { ...assessment, peer_id: 'eve' }, 'no interaction'],
    ['wrong arguments', { ...assessment, trust: 99 }, 'trust'],
  ])('LED-17 answers %s with an error result', async (_, input, message) => {
    const { client, ledger } = await connect();
    const result = await client.callTool({ name: 'assess_peer', arguments: input });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain(message);
    expect(await ledger.getLatestAssessment('telegram:bob')).toBeNull();
  });

  it('LED-18 assess_peer comes and goes with the mode, and the client is told', async () => {
    const { ledger, toolNames, nextChange, unregister } = await connect();
    const gone = nextChange();
    ledger.setAssessor('cortex');
    await gone;
    expect(await toolNames()).toEqual(names.slice(0, 2));
    const back = nextChange();
    ledger.setAssessor('agent');
    await back;
    expect(await toolNames()).toEqual(names);
    unregister();
    expect(await toolNames()).toEqual([]);
    ledger.setAssessor('cortex');
    expect(await toolNames()).toEqual([]);
  });
});

describe('OpenAI function format', () => {
  /** The real client against scripted answers; what it sent is kept. */
  function client(answers: readonly object[]) {
    const sent: { tools: unknown; messages?: unknown; input?: unknown }[] = [];
    const openai = new OpenAI({
      apiKey: 'none',
      fetch: async (_url, init) => {
        sent.push(JSON.parse(String(init?.body)));
        return Response.json(answers[sent.length - 1]);
      },
    });
    return { openai, sent };
  }

  const completion = (message: object, finish_reason: string) => ({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      { index: 0, finish_reason, logprobs: null, message: { role: 'assistant', refusal: null, ...message } },
    ],
  });

  it('LED-17 chat completions send the functions and run the calls', async () => {
    const ledger = await setUp();
    const tools: readonly ToolDefinition[] = ledger.tools();
    const call = { name: 'assess_peer', arguments: JSON.stringify(assessment) };
    const { openai, sent } = client([
      completion(
        { content: null, tool_calls: [{ id: '1', type: 'function', function: call }] },
        'tool_calls',
      ),
    ]);
    const answer = await openai.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'Assess bob.' }],
      tools: toOpenAiChatTools(tools),
    });
    expect(sent[0]?.tools).toMatchObject(
      names.map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })),
    );
    const [called] = answer.choices[0]?.message.tool_calls ?? [];
    if (called?.type !== 'function') throw new Error('No call');
    expect(JSON.parse(await runOpenAiToolCall(tools, called.function))).toMatchObject({ recorded: true });
    expect(await ledger.getLatestAssessment('telegram:bob')).toMatchObject({ trust: 2 });
  });

  it("LED-17 the SDK's own tool runner takes them", async () => {
    const ledger = await setUp();
    const call = { name: 'assess_peer', arguments: JSON.stringify(assessment) };
    const { openai, sent } = client([
      completion(
        { content: null, tool_calls: [{ id: '1', type: 'function', function: call }] },
        'tool_calls',
      ),
      completion({ content: 'Done.' }, 'stop'),
    ]);
    const definitions = ledger.tools();
    const runner = openai.chat.completions.runTools({
      model: 'm',
      messages: [{ role: 'user', content: 'Assess bob.' }],
      tools: toOpenAiChatTools(definitions).map(
        ({ function: { name, description = '', parameters = {} } }) => ({
          type: 'function' as const,
          function: {
            name,
            description,
            parameters,
            function: (input: string) => runOpenAiToolCall(definitions, { name, arguments: input }),
          },
        }),
      ),
    });
    expect(await runner.finalContent()).toBe('Done.');
    expect(JSON.stringify(sent[1]?.messages)).toContain('recorded');
    expect(await ledger.getLatestAssessment('telegram:bob')).toMatchObject({ trust: 2 });
  });

  it('LED-17 the Responses API sends them', async () => {
    const ledger = await setUp();
    const { openai, sent } = client([
      {
        id: 'r',
        object: 'response',
        status: 'completed',
        output: [
          {
            type: 'function_call',
            id: 'f',
            call_id: '1',
            name: 'list_peers',
            arguments: '',
            status: 'completed',
          },
        ],
      },
    ]);
    const response = await openai.responses.create({
      model: 'm',
      input: 'Whom do you know?',
      tools: toOpenAiTools(ledger.tools()),
    });
    expect(sent[0]?.tools).toMatchObject([
      {
        type: 'function',
        name: 'query_peer',
        strict: false,
        parameters: { required: ['peer_id'], additionalProperties: false },
      },
      { name: 'list_peers', parameters: { properties: { limit: { default: 20, maximum: 100 } } } },
      { name: 'assess_peer' },
    ]);
    const [call] = response.output;
    if (call?.type !== 'function_call') throw new Error('No call');
    expect(JSON.parse(await runOpenAiToolCall(ledger.tools(), call))).toMatchObject({
      peers: [{ id: '⟦telegram:bob⟧' }],
    });
  });

  it.each([
    ['a tool that is not there', 'drop_peers', '{}', 'TOOL_NOT_FOUND'],
    ['arguments that are no JSON', 'query_peer', '{"peer_id":', 'INVALID_INPUT'],
    ['wrong arguments', 'query_peer', '{}', 'INVALID_INPUT'],
    ['a stranger', 'assess_peer', JSON.stringify({ ...assessment, peer_id: 'eve' }), 'PEER_NOT_FOUND'],
  ])('LED-17 answers %s with an error that the model can mend', async (_, name, input, code) => {
    const ledger = await setUp();
    const output = await runOpenAiToolCall(ledger.tools(), { name, arguments: input });
    expect(JSON.parse(output)).toMatchObject({ error: { code, message: expect.any(String) } });
  });

  it('LED-17 does not hide what is no fault of the model', async () => {
    const broken: ToolDefinition[] = (await setUp()).tools().map((tool) => ({
      ...tool,
      execute: () => Promise.reject(Object.assign(new Error('disk on fire'), { code: 'STORAGE_IO' })),
    }));
    await expect(runOpenAiToolCall(broken, { name: 'list_peers', arguments: '{}' })).rejects.toThrow(
      'on fire',
    );
  });
});

describe('LangChain', () => {
  it('LED-17 structured tools answer a tool call with a tool message', async () => {
    const ledger = await setUp();
    const tools = toLangChainTools(ledger.tools());
    expect(tools.map(({ name }) => name)).toEqual(names);
    const assess = tools[2];
    const message = await assess?.invoke({
      type: 'tool_call',
      id: '1',
      name: 'assess_peer',
      args: assessment,
    });
    expect(message).toMatchObject({ tool_call_id: '1', name: 'assess_peer' });
    expect(JSON.parse(String(message.content))).toMatchObject({ recorded: true, trust: 2 });
    expect(await ledger.getLatestAssessment('telegram:bob')).toMatchObject({ trust: 2 });
    await expect(assess?.invoke({ ...assessment, trust: 99 })).rejects.toThrow();
    await expect(assess?.invoke({ ...assessment, peer_id: 'eve' })).rejects.toMatchObject({
      code: 'PEER_NOT_FOUND',
    });
  });
});
