// The platforms of one order are unlike each other.
import { platformSimilarity } from '@bonafide/routing-matrix';
import { expect, it } from 'vitest';
import type { DelegationOptions, JobRequest, Matrix, Order, Similarity } from '../src/index.ts';
import { key, platform, startWorld } from './support/world.ts';

const order = (id: string, rest: Partial<Order> = {}): Order => ({
  ...{ id, taskType: 'code', inputs: [{ data: id }], suite: {}, valueMsat: 1_000 },
  ...rest,
});

/** Four of nine platforms belong together: where they are wrong, they give the same wrong answer. */
const ring = [1, 2, 3, 4].map(key);
const reply = ({ inputs, provider }: JobRequest) => {
  if (!inputs[0]?.data.startsWith('hard')) return 'right';
  return ring.includes(provider) ? 'wrong' : `wrong in the way of ${provider}`;
};
const tasks = ['hard 1', 'hard 2', 'easy 1', 'easy 2', 'easy 3'].map((id) => ({
  ...{ id, inputs: [{ data: id }], suite: {} },
}));

/** Nine platforms after their trials. Each was wrong as often as every other one. */
async function afterTrials(options: Partial<DelegationOptions>) {
  const world = await startWorld(reply, { count: 9, benchmarks: { tasks: () => tasks }, ...options });
  for (const each of world.listed) await world.delegation.qualify({ pubkey: each.pubkey, d: each.d }, 'code');
  await world.qualifyAll();
  return world;
}

/** Counts the pairs of the ring among the platforms of forty critical orders. */
async function pairsOfTheRing(options: Partial<DelegationOptions>): Promise<number> {
  const world = await afterTrials(options);
  await using delegation = world.delegation;
  let pairs = 0;
  for (let number = 1; number <= 40; number += 1) {
    await delegation.delegate(order(`order ${number}`, { criticality: 'critical', maxMsat: 5_000 }));
    const { state } = await delegation.settled(`order ${number}`);
    expect(state.replicas).toHaveLength(5);
    const together = state.replicas.filter(({ platform: { pubkey } }) => ring.includes(pubkey)).length;
    pairs += (together * (together - 1)) / 2;
  }
  return pairs;
}

it('gives a critical order to platforms that are unlike each other (DLG-4, RTM-9)', async () => {
  const without = await pairsOfTheRing({});
  const knowing = await pairsOfTheRing({ similarity: platformSimilarity });
  expect(without).toBeGreaterThan(40);
  expect(knowing).toBeLessThan(without / 2);
});

it('knows who is alike from wrong answers and relays, and hands over who was asked before (DLG-4, RTM-9)', async () => {
  const world = await afterTrials({ similarity: platformSimilarity });
  /** What the matrix is asked for, by decision: two wakes of an order may ask for the same one. */
  const asked = new Map<unknown, Parameters<Matrix['select']>[1]>();
  const matrix: Matrix = {
    ...world.matrix,
    async select(task, options) {
      asked.set(task.jobId, options);
      return world.matrix.select(task, options);
    },
  };
  await world.delegation.close();
  const listed = new Map(world.listed.map((each) => [each.pubkey, each]));
  const source = {
    ...world.source,
    async get(pubkey: string) {
      const found = listed.get(pubkey) ?? null;
      const isShared = pubkey === key(5) || pubkey === key(6);
      return found && { ...found, relayHints: [...found.relayHints, ...(isShared ? ['wss://rare'] : [])] };
    },
  };
  await using delegation = world.create({ matrix, source });
  await delegation.delegate(order('hard 9')).catch(() => {});
  const { state } = await delegation.settled('hard 9');
  const [first, , last] = asked.values();
  expect(asked.size).toBe(3);
  // A single platform has no other to be like.
  expect(first).not.toHaveProperty('similarity');
  const { similarity, besides } = last ?? {};
  expect(besides).toEqual(state.replicas.slice(0, 2).map((replica) => replica.platform));
  // Two trials, and perhaps this order.
  expect(similarity?.(platform(1), platform(2))).toBeGreaterThanOrEqual(2 / 3);
  expect(similarity?.(platform(1), platform(7))).toBe(0);
  expect(similarity?.(platform(5), platform(6))).toBeCloseTo(0.5, 9);
});

it.each<[string, Similarity]>([
  [
    'throws',
    () => {
      throw new Error('unknown');
    },
  ],
  [
    'throws for a pair',
    () => () => {
      throw new Error('unknown');
    },
  ],
  ['returns no number', () => () => Number.NaN],
  ['returns more than 1', () => () => 2],
])('hands out an order although the similarity %s (DLG-4)', async (_, similarity) => {
  const world = await startWorld(() => 'right', { count: 3, similarity });
  await world.qualifyAll();
  await using delegation = world.delegation;
  await delegation.delegate(order('a', { criticality: 'normal', maxMsat: 2_000 }));
  expect((await delegation.settled('a')).state.replicas).toHaveLength(2);
});

it('keeps no answers that were right, were not checked, or say nothing (DLG-4)', async () => {
  for (const [content, rest] of [
    ['right', {}],
    ['  \n', {}],
    ['wrong', { suite: undefined }],
  ] as const) {
    const world = await startWorld(() => content, { count: 1, similarity: platformSimilarity });
    await world.qualifyAll();
    await using delegation = world.delegation;
    const { suite: _suite, ...plain } = order('a');
    await delegation.delegate('suite' in rest ? plain : order('a')).catch(() => {});
    await delegation.settled('a');
    expect(await world.store.note(`wrong-answers:${key(1)}:x`), content).toBeNull();
  }
});
