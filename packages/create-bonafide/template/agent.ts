// The parts of your agent. `start.ts` and `hire.ts` use them.
import { openAgentStores } from '@bonafide/cli/stores';
import { createEventLog, type LogEvent, narrateWork } from '@bonafide/cli/terminal';
import { createCortex, createRuleReflector } from '@bonafide/cortex';
import { createDelegation, createJobReceipts, createPublicWord } from '@bonafide/delegation';
import { createJudge, detectSandbox } from '@bonafide/judge-runner';
import { createLedger } from '@bonafide/ledger-core';
import { createDiscovery } from '@bonafide/nip89-discovery';
import { createJobClient } from '@bonafide/nip90-jobs';
import { createKeySigner, createTransport, loadSecretKey, relayHosts } from '@bonafide/nostr-transport';
import { createReputation } from '@bonafide/reputation';
import { createRoutingMatrix, platformSimilarity } from '@bonafide/routing-matrix';
import { createReceipt } from '@bonafide/trust-score';
import { pathOf, readJson } from './input.ts';

/** Settings of the agent. */
export const settings: { relays: string[]; taskType: string; kind: number; jobMsat: number } = readJson(
  pathOf('agent.config.json'),
);
const trials = readJson(pathOf('trials.json'));

/** Prints one event. */
export const say: LogEvent<'note' | 'try' | 'decide' | 'hire'> = createEventLog();

async function startAgent() {
  const { relays, taskType, kind } = settings;
  const stores = await openAgentStores({ workspace: pathOf('data') });
  const signer = createKeySigner(
    await loadSecretKey({ env: 'BONAFIDE_SECRET_KEY', file: pathOf('agent.key') }),
  );
  // Your own relays may be on this machine; those that others name may not.
  const allowHosts = relayHosts(relays);
  const transport = createTransport({ addresses: { allowHosts } });

  // What it knows: who exists, what happened, whom to trust, what to think of it, what to say about it.
  const discovery = createDiscovery({ transport, relays, store: stores.discovery, config: { allowHosts } });
  const ledger = createLedger({ store: stores.ledger });
  const matrix = createRoutingMatrix({ store: stores.routing });
  const cortex = createCortex({ ledger, state: stores.cortex, reflector: createRuleReflector() });
  const reputation = createReputation({ transport, signer, relays, store: stores.reviews });

  // What it does: requests work, judges it in a sandbox, and records it everywhere.
  const judge = createJudge({ sandbox: await detectSandbox() });
  const jobs = createJobClient({ transport, signer, relays, store: stores.jobs, createReceipt });
  await Promise.all([jobs.start(), discovery.start(), cortex.start()]);
  const delegation = createDelegation({
    ...{ store: stores.orders, source: discovery, jobs, judge, matrix, journal: ledger, reflection: cortex },
    benchmarks: { tasks: () => trials },
    publicWord: createPublicWord(reputation, { matrix }),
    receipts: createJobReceipts,
    similarity: platformSimilarity,
    config: { kinds: { [taskType]: kind } },
  });
  narrateWork(delegation, say, ({ id, trial }) => trial?.taskId ?? id);
  await delegation.ready();

  async function close() {
    const parts = [delegation, jobs, judge, reputation, cortex, matrix, ledger, discovery, transport];
    for (const part of parts) await part.close();
    await stores[Symbol.asyncDispose]();
  }
  return { discovery, ledger, matrix, cortex, reputation, delegation, close };
}

/** Starts the agent for a piece of work and stops it afterwards. Work that was interrupted continues with the next start. */
export async function withAgent(work: (agent: Awaited<ReturnType<typeof startAgent>>) => Promise<void>) {
  try {
    const agent = await startAgent();
    await work(agent).finally(agent.close);
  } catch (error) {
    say('note', '', (error as Error).message);
    process.exitCode = 1;
  }
}
