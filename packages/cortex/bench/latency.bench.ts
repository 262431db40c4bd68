/*
 * Measures hooks and prompt injection (CTX-1, CTX-17): the distribution of single calls in microseconds, with a full buffer, twenty
 * beliefs and 1,000 peers. `node latency.bench.ts`
 */
import { createLedger, createMemoryLedgerStore } from '@bonafide/ledger-core';
import { createCortex, createRuleReflector } from '../src/index.ts';

const calls = 100_000;
const now = Date.now();
const ledger = createLedger({ store: createMemoryLedgerStore(), clock: () => now });
const peerOf = (n: number) => (n % 1_000).toString(16).padStart(64, '0');
for (let n = 0; n < 40; n += 1) {
  const work = { peerId: peerOf(n % 10), channel: 'nostr', correlationId: `w${n}` };
  await ledger.recordIncoming({ ...work, content: 'result', outcome: n % 3 === 0 ? 'rejected' : 'verified' });
}
await using cortex = createCortex({ ledger, reflector: createRuleReflector(), clock: () => now });
await cortex.reflectNow('fill');
for (let n = 0; n < 12_000; n += 1) cortex.hooks.onMessage({ peerId: peerOf(n), size: 1_000 });

function distributionOf(name: string, call: (n: number) => unknown): string {
  for (let n = 0; n < 5_000; n += 1) call(n);
  const times = new Float64Array(calls);
  for (let n = 0; n < calls; n += 1) {
    const from = performance.now();
    call(n);
    times[n] = performance.now() - from;
  }
  times.sort();
  const at = (part: number) => ((times[Math.floor(part * (calls - 1))] ?? 0) * 1_000).toFixed(1);
  return `| ${name} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} | ${at(0.999)} | ${at(1)} |`;
}

console.log(`${calls} calls each, ${cortex.beliefs().length} beliefs, buffer full\n`);
console.log('| call | p50 µs | p95 | p99 | p99.9 | longest |\n|---|---|---|---|---|---|');
console.log(
  distributionOf('onMessage', (n) => cortex.hooks.onMessage({ peerId: peerOf(n), size: 1_000 + (n % 50) })),
);
console.log(
  distributionOf('afterSend', (n) => cortex.hooks.afterSend({ peerId: peerOf(n), content: 'answer' })),
);
console.log(distributionOf('afterLlm', () => cortex.hooks.afterLlm({ inputTokens: 900, outputTokens: 80 })));
console.log(distributionOf('afterTool', () => cortex.hooks.afterTool({ name: 'query_peer' })));
const prompt = 'You are Alpha. '.repeat(200);
console.log(
  distributionOf('transformSystemPrompt', (n) =>
    cortex.transformSystemPrompt(prompt, { peerId: peerOf(n % 10) }),
  ),
);
