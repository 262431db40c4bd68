/* What a model or its adapter says of an answer cannot break the caps of the cost, nor the cycle. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnswer } from '../src/index.ts';
import { createScriptedReflector } from '../src/testing/index.ts';
import { createWorld, peerId } from './world/world.ts';

const alice = peerId('a');
const output = { assessments: [] };
const absurd = [Number.NaN, -1, -1e300, 1e300, Number.POSITIVE_INFINITY, 0.5, '900', null, undefined, {}];

describe('token counts of a reflector', () => {
  it.each(absurd)('CTX-13 %s tokens are replaced by an estimate, and the caps hold', async (tokens) => {
    await using world = await createWorld();
    const usage = { inputTokens: tokens, outputTokens: tokens } as never;
    const reflector = createScriptedReflector({ output, usage });
    const cortex = world.cortex({
      reflector,
      config: { budget: { callsPerDay: 100, tokensPerDay: 10_000, prices: { input: 3, output: 15 } } },
    });
    const statuses: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      await world.work(alice, `w${n}`, 'verified');
      statuses.push((await cortex.reflectNow('again')).status);
    }
    const [day] = cortex.costs().days;
    expect(day?.inputTokens).toBeGreaterThan(0);
    expect((day?.inputTokens ?? 0) + (day?.outputTokens ?? 0)).toBeLessThanOrEqual(10_000);
    expect(day?.money).toBeGreaterThan(0);
    expect(day?.money).toBeLessThan(1);
    expect(statuses.filter((status) => status === 'applied').length).toBeGreaterThan(3);
    expect(statuses.at(-1)).toBe('skipped');
    expect(cortex.history()[0]?.cost.estimated).toBe(true);
    // The next process reads the same costs.
    await cortex.close();
    const next = world.cortex({ reflector });
    await next.refresh();
    expect(next.costs().days).toEqual(cortex.costs().days);
    expect(next.stats().stateFailures).toBe(0);
  });
});

describe('answers that are no data', () => {
  const cyclic: Record<string, unknown> = { assessments: [] };
  cyclic.self = cyclic;
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  const hostile: readonly (readonly [string, object])[] = [
    ['a cycle', cyclic],
    ['a big integer', { assessments: [1n] }],
    [
      'a toJSON that throws',
      {
        toJSON: () => {
          throw new Error('no');
        },
      },
    ],
    ['a toJSON that returns nothing', { toJSON: () => undefined }],
    [
      'a getter that throws',
      {
        get assessments() {
          throw new Error('no');
        },
      },
    ],
    ['an item nested 20,000 deep', { assessments: [deep], beliefs: [deep], summary: 's' }],
    ['a text of two million characters', { assessments: [], summary: 'x'.repeat(2_000_000) }],
  ];

  it.each(hostile)(
    'CTX-12 %s fails the cycle or is dropped, and is the fault of the reflector',
    async (_, given) => {
      await using world = await createWorld();
      await world.work(alice, 'one', 'verified');
      const cortex = world.cortex({ reflector: createScriptedReflector({ output: given }) });
      const result = await cortex.reflectNow('manual');
      expect(result.status).toMatch(/applied|failed/u);
      const failure = 'record' in result ? result.record.failure?.code : undefined;
      expect([undefined, 'REFLECTOR_FAILED', 'OUTPUT_UNUSABLE']).toContain(failure);
      expect(cortex.costs().days[0]?.calls).toBeGreaterThan(0);
      expect(await cortex.reflectNow('again')).toMatchObject({
        status: expect.stringMatching(/applied|failed/u),
      });
    },
  );

  it('CTX-11 parsing takes time in proportion to the length, whatever the text', () => {
    const texts = [
      `\`\`\`${' '.repeat(900_000)}`,
      '```a'.repeat(100_000),
      `{${','.repeat(300_000)}`,
      '{"a":'.repeat(60_000),
      `${'```json\n'.repeat(40_000)}{`,
    ];
    for (const text of texts) {
      expect(parseAnswer(text)).toMatchObject({ ok: false });
    }
  });

  it('CTX-11 no text throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('`', '{', '}', '[', ']', '"', ',', ':', '\\', '\n', 'a', ' ') }),
        (text) => {
          parseAnswer(text);
          parseAnswer(text, 'length');
        },
      ),
    );
  });
});
