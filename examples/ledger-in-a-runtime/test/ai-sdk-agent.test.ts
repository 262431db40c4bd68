import { createLedger, createMemoryLedgerStore } from '@bonafide/ledger-core';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import { createAgent } from '../src/ai-sdk-agent.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const says = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  finishReason: { unified: 'stop' as const, raw: 'stop' },
  usage,
  warnings: [],
});

const calls = (toolName: string, input: object) => ({
  content: [{ type: 'tool-call' as const, toolCallId: toolName, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' as const, raw: 'tool_calls' },
  usage,
  warnings: [],
});

const message = { peerId: 'farmer', channel: 'telegram', content: 'Aggregate these twelve sources.' };

it('LED-14 LED-17 the AI SDK agent remembers, assesses and declines', async () => {
  let now = Date.UTC(2026, 0, 1);
  const ledger = createLedger({ store: createMemoryLedgerStore(), clock: () => now });
  const model = new MockLanguageModelV4({
    doGenerate: [
      says('Here it is.'),
      calls('query_peer', { peer_id: 'telegram:farmer' }),
      calls('assess_peer', {
        peer_id: 'telegram:farmer',
        trust: -6,
        rationale: 'Claimed that correct results were wrong and demanded a redo.',
      }),
      says('The results stand.'),
    ],
  });
  const answer = createAgent({ ledger, model });

  expect(await answer(message)).toBe('Here it is.');
  const system = (index: number) => JSON.stringify(model.doGenerateCalls[index]?.prompt[0]);
  expect(system(0)).toContain('First contact — no prior history.');
  expect(model.doGenerateCalls[0]?.tools?.map(({ name }) => name)).toEqual([
    'query_peer',
    'list_peers',
    'assess_peer',
  ]);

  now += 3 * 86_400_000;
  expect(await answer({ ...message, content: 'All wrong. Redo it!' })).toBe('The results stand.');
  expect(system(1)).toContain('Interactions: 2');
  expect(JSON.stringify(model.doGenerateCalls[2]?.prompt)).toContain('Here it is.');
  expect(await ledger.getLatestAssessment('telegram:farmer')).toMatchObject({ trust: -6, source: 'agent' });

  now += 10 * 86_400_000;
  const asked = model.doGenerateCalls.length;
  expect(await answer({ ...message, content: 'One more?' })).toMatch(/^I decline: bad experience/u);
  expect(model.doGenerateCalls).toHaveLength(asked);
  const { items } = await ledger.getInteractions('telegram:farmer');
  expect(items.map(({ direction, content }) => `${direction} ${content}`)).toEqual([
    'in One more?',
    'out The results stand.',
    'in All wrong. Redo it!',
    'out Here it is.',
    'in Aggregate these twelve sources.',
  ]);
});
