// A process of the agent that proposes a change. Arguments: repository, folder or Postgres URL of the stores, step at which it kills itself,
// 'merge' or 'leave', and an event for other evidence.
import { flushCompileCache } from 'node:module';
import { openPostgres } from '@bonafide/storage';
import {
  createFileAuditLog,
  createFileProposalStore,
  createLocalGitForge,
  createSelfCorrection,
  isBonafideError,
} from '../src/index.ts';
import { createKyselyAuditLog, createKyselyProposalStore } from '../src/stores/kysely.ts';
import { input, start } from './world.ts';

// Who is killed writes nothing at its end.
flushCompileCache();

const [repository = '', place = '', killAt = ''] = process.argv.slice(2);
let steps = 0;
/** Dies at the chosen step, as by a power failure: before and after every call of a port. */
function mortal<Port extends object>(port: Port): Port {
  const step = () => {
    steps += 1;
    if (String(steps) === killAt) process.kill(process.pid, 'SIGKILL');
  };
  const entries = Object.entries(port).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      step();
      const result = await call(...args);
      step();
      return result;
    },
  ]);
  return Object.fromEntries(entries);
}

let now = start;
// A restarted process has another time.
const clock = () => {
  now += Number(killAt) * 1_000;
  return now;
};
const db = place.startsWith('postgres') ? openPostgres<unknown>({ url: place }) : null;
const correction = createSelfCorrection({
  forge: mortal(createLocalGitForge({ repository, clock, checks: async () => 'green' })),
  store: mortal(db ? createKyselyProposalStore(db) : createFileProposalStore(place)),
  audit: mortal(db ? createKyselyAuditLog(db) : createFileAuditLog(`${place}/audit`, { clock })),
  file: { path: 'orchestrator.py', language: 'python' },
  config: { autoMerge: process.argv[5] === 'merge' },
  clock,
});
const eventId = process.argv[6];
const evidence = eventId === undefined ? {} : { trigger: { ...input().trigger, eventId } };
try {
  const { action } = await correction.propose(
    process.argv[5] === 'merge' ? input(evidence, { to: 0.7, delta: 0.1 }) : input(evidence),
  );
  process.stdout.write(JSON.stringify({ action, steps }));
} catch (error) {
  // Another process was faster: the same call is repeated.
  if (!isBonafideError(error, 'FORGE_FAILED') && !isBonafideError(error, 'STALE')) throw error;
  process.stdout.write(JSON.stringify({ action: null, steps }));
}
await db?.destroy();
