// Measures the CPU time that the delegation itself takes per order: its store, its engine and its steps, with ports that do nothing.
// `node --conditions=@bonafide/source packages/delegation/bench/overhead.bench.ts [orders]`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@bonafide/storage';
import { createDelegation, createMemoryDelegationStore, type DelegationStore } from '../src/index.ts';
import { createKyselyDelegationStore, migrateDelegation } from '../src/stores/kysely.ts';
import { countedStore } from '../test/support/counted-store.ts';
import { type Answers, instantPorts } from './instant-ports.ts';

async function measure(
  name: string,
  given: DelegationStore,
  { orders, answers }: { readonly orders: number; readonly answers: Answers },
): Promise<void> {
  const { store, calls } = countedStore(given);
  const delegation = createDelegation({ store, ...instantPorts(answers) });
  await delegation.ready();
  const run = async (from: number, count: number) => {
    const settled = Promise.withResolvers<void>();
    let left = count;
    const unsubscribe = delegation.on('settled', () => {
      left -= 1;
      if (left === 0) settled.resolve();
    });
    for (let number = from; number < from + count; number += 1)
      await delegation.start({
        id: `order-${number}`,
        taskType: 'code',
        inputs: [{ data: 'Do it.'.repeat(50) }],
        suite: { tests: 'x'.repeat(1_000) },
        valueMsat: 1_000,
      });
    await settled.promise;
    unsubscribe();
  };
  await run(0, 200);
  for (const call of calls.keys()) calls.set(call, 0);
  const before = process.cpuUsage();
  await run(200, orders);
  const { user, system } = process.cpuUsage(before);
  await delegation.close();
  const perOrder = [...calls].map(([call, count]) => `${call} ${(count / orders).toFixed(1)}`);
  process.stdout.write(
    `${name}, answers ${answers}: ${((user + system) / 1_000 / orders).toFixed(2)} ms of CPU an order; calls: ${perOrder.join(', ')}\n`,
  );
}

const orders = Number(process.argv[2] ?? 1_000);
for (const answers of ['at once', 'later'] as const) {
  await measure('memory', createMemoryDelegationStore(), { orders, answers });
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));
  const db = openSqlite({ path: join(folder, 'agent.db') });
  await migrateDelegation(db);
  await measure('SQLite', createKyselyDelegationStore(db), { orders, answers });
  await db.destroy();
  rmSync(folder, { recursive: true });
}
