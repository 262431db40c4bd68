import { type ReportedWork, readWork, wastedMsat } from '@bonafide/cli/report';
import { createChanceMatrix, createDelegation, createMemoryDelegationStore } from '@bonafide/delegation';
import { seededRandom } from '@bonafide/example-strangers';
import { createLedger, createMemoryLedgerStore } from '@bonafide/ledger-core';
import { hire, type Run, type Stranger } from './run.ts';

/**
 * Repeats the jobs of a run with an agent that remembers nothing and chooses by chance, and returns the money that each of them
 * wasted, msat. The trials of the one that learns are counted.
 */
export async function compare(run: Run, strangers: readonly Stranger[], own: readonly ReportedWork[]) {
  const { agent, state, say } = run;
  say('note', '', 'Repeating the jobs with an agent that remembers nothing and chooses by chance …');
  await using forgetful = createDelegation({
    ...agent.ports,
    store: createMemoryDelegationStore(),
    journal: createLedger({ store: createMemoryLedgerStore() }),
    matrix: createChanceMatrix(strangers, seededRandom(state.seed)),
  });
  for (let number = 1; number <= state.jobs; number += 1) await hire(run, forgetful, number, 'compared');
  return { with: wastedMsat(own), without: wastedMsat(await readWork(forgetful)) };
}
