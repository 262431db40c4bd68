import { createChanceMatrix, createDelegation, createMemoryDelegationStore } from '@bonafide/delegation';
import { createLedger, createMemoryLedgerStore } from '@bonafide/ledger-core';
import { hire, type Run } from './run.ts';
import type { Stranger } from './stranger.ts';
import { type Work, wastedMsat, workOf } from './work.ts';

/**
 * Repeats the jobs of a run with an agent that remembers nothing and chooses by chance, and returns the money that each of them
 * wasted, msat. The trials of the one that learns are counted.
 */
export async function compare(
  context: Run,
  strangers: readonly Stranger[],
  own: readonly Work[],
  random: () => number,
) {
  const { agent, state, say } = context;
  say('note', '', 'Repeating the jobs with an agent that remembers nothing and chooses by chance …');
  const journal = createLedger({ store: createMemoryLedgerStore() });
  const store = createMemoryDelegationStore();
  const matrix = createChanceMatrix(strangers, random);
  await using forgetful = createDelegation({ ...agent.ports, store, journal, matrix });
  for (let number = 1; number <= state.jobs; number += 1) await hire(context, forgetful, number, 'compared');
  const { items } = await forgetful.list({ limit: 500 });
  const without = wastedMsat(items.flatMap(({ state: order }) => workOf(order)));
  return { with: wastedMsat(own), without };
}
