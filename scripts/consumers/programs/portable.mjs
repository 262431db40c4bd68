// What runs in every runtime, browsers' bundles and Workers included: a piece of each package that needs neither files
// nor processes. Returns JSON that is the same everywhere.
import { gateAssessment } from '@bonafide/cortex';
import { createLedger, createLedgerHooks, createMemoryLedgerStore } from '@bonafide/ledger-core';
import { toAiSdkTools } from '@bonafide/ledger-core/ai-sdk';
import { runOpenAiToolCall, toOpenAiTools } from '@bonafide/ledger-core/openai';
import { buildCapabilityCard, matchCapability, parseCapabilityCard } from '@bonafide/nip89-discovery';
import { createJobClient, createMemoryJobStore } from '@bonafide/nip90-jobs';
import { buildJobRequest, parseJobRequest } from '@bonafide/nip90-jobs/codec';
import { createKeySigner, createTransport } from '@bonafide/nostr-transport';
import { createMemoryRoutingStore, createRoutingMatrix } from '@bonafide/routing-matrix';
import { computeTrustScore, scoreFactors } from '@bonafide/trust-score';

async function remember() {
  let now = Date.UTC(2026, 0, 3);
  const ledger = createLedger({ store: createMemoryLedgerStore(), clock: () => now });
  const hooks = createLedgerHooks(ledger);
  const message = {
    peerId: 'bob',
    channel: 'telegram',
    content: 'Can you check this?',
    correlationId: 'job',
  };
  const system = await hooks.run(message, async (turn) => {
    await turn.afterSend({ content: 'Done, all correct.' });
    return turn.section.text;
  });
  now += 5 * 86_400_000;
  await ledger.recordOutcome('job', 'paid');
  const tools = ledger.tools();
  const call = { name: 'assess_peer', arguments: '{"peer_id":"telegram:bob","trust":3,"rationale":"Paid."}' };
  const assessed = JSON.parse(await runOpenAiToolCall(tools, call));
  return {
    firstContact: system.includes('First contact'),
    context: await ledger.peerContext('telegram:bob'),
    assessed: assessed.recorded,
    offered: [toOpenAiTools(tools).map(({ name }) => name), Object.keys(toAiSdkTools(tools))],
    failures: hooks.failures().count,
  };
}

async function meet() {
  const signer = createKeySigner('01'.repeat(32));
  const spec = { d: 'python', name: 'Ada', kinds: [5000], capabilities: ['code-generation'], createdAt: 0 };
  const parsed = parseCapabilityCard(await signer.signEvent(buildCapabilityCard(spec)));
  return parsed.ok && matchCapability(parsed.card, 'code-generation').confidence;
}

async function hire() {
  const signer = createKeySigner('02'.repeat(32));
  const request = buildJobRequest({ kind: 5000, inputs: [{ data: '6 × 7' }], createdAt: 0 });
  const parsed = parseJobRequest(await signer.signEvent(request));
  const transport = createTransport();
  const client = createJobClient({
    transport,
    signer,
    store: createMemoryJobStore(),
    relays: ['wss://relay.invalid'],
  });
  await client.close();
  await transport.close();
  return parsed.ok && parsed.request.inputs[0]?.data;
}

async function choose() {
  const matrix = createRoutingMatrix({ store: createMemoryRoutingStore(), random: () => 0.5 });
  const platform = { pubkey: 'aa', d: 'python' };
  for (const attemptId of ['1', '2', '3'])
    await matrix.recordBenchmark({
      platform,
      taskType: 'code',
      attemptId,
      verdict: { outcome: 'SUCCESS', passRate: 1 },
    });
  const { picks } = await matrix.select({ taskType: 'code', jobId: 'job-1' });
  return picks.map(({ platformId }) => platformId);
}

export async function run() {
  const factors = scoreFactors({
    testCoverage: { passing: 3, total: 4 },
    uptime: { periodHours: 720, downtimeHours: 7.2 },
    successRate: { successful: 9, failed: 1 },
    endorsements: { total: 5, unique: 4, endorserTrustAvg: 0.8 },
    attestationFreshness: { hours: 2 },
  });
  return {
    ledger: await remember(),
    discovery: await meet(),
    jobs: await hire(),
    routing: await choose(),
    cortex: gateAssessment({ proposed: 10, rows: [], infoScore: 5, lastInteractionAt: 0, now: 0 }).trust,
    trust: computeTrustScore(factors, { clock: () => 0 }).value,
  };
}
