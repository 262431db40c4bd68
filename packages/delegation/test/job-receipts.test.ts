import {
  createJobClient,
  createMemoryJobStore,
  createMemoryProviderStore,
  createProvider,
} from '@bonafide/nip90-jobs';
import { createKeySigner, createTransport } from '@bonafide/nostr-transport';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { createReceipt, verifyReceipt } from '@bonafide/trust-score';
import { expect, it, vi } from 'vitest';
import { DelegationError } from '../src/errors.ts';
import {
  createEmbeddedEngine,
  createJobReceipts,
  createMemoryDelegationStore,
  type FinishedWork,
  type Jobs,
  type Leadership,
  type Order,
} from '../src/index.ts';
import { scriptedJobs, startWorld } from './support/world.ts';

const work = (rest: Partial<FinishedWork> = {}): FinishedWork => ({
  ...{ key: 'a/1', orderId: 'a', jobId: 'b'.repeat(64), platform: { pubkey: 'a'.repeat(64), d: 'x' } },
  ...{ name: null, taskType: 'code', isTrial: false, isAnswered: true, taskId: null, outcome: 'SUCCESS' },
  ...{ verifiedBy: 'judge', summary: '', passRate: 1, passed: 3, tests: 3, latencyMs: 5 },
  ...{ bidMsat: 1_000, paidMsat: 0, at: 7 },
  ...rest,
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const order = (id: string): Order => ({
  ...{ id, taskType: 'code', inputs: [{ data: id }], suite: {}, valueMsat: 1_000 },
});

it('sends each provider the signed outcome of its answer, over a real relay (DLG-2, JOB-29)', async () => {
  await using stack = new AsyncDisposableStack();
  const relay = stack.use(await startTestRelay());
  const transport = stack.use(createTransport({ addresses: { allowLoopback: true } }));
  const shared = { transport, relays: [relay.url] };
  const signers = ['2', '3'].map((digit) => createKeySigner(digit.repeat(64)));
  const refs = await Promise.all(
    signers.map(async (signer) => ({ pubkey: await signer.getPublicKey(), d: 'x' })),
  );
  // The right answer waits: it would end the order, and with it the other request.
  const { promise: attacked, resolve: attack } = Promise.withResolvers<void>();
  const providers = signers.map((signer, index) =>
    stack.use(
      createProvider({
        ...{ ...shared, signer, verifyReceipt, kinds: [5000], store: createMemoryProviderStore() },
        async handler() {
          if (index === 1) return 'attack';
          await attacked;
          return 'right';
        },
      }),
    ),
  );
  for (const provider of providers) await provider.start();
  const signer = createKeySigner('1'.repeat(64));
  const jobs = stack.use(
    createJobClient({ ...shared, signer, store: createMemoryJobStore(), createReceipt }),
  );
  await jobs.start();
  const world = await startWorld(() => 'never', { refs, jobs, receipts: createJobReceipts });
  await world.qualifyAll();
  await using delegation = world.delegation;

  delegation.on('step', ({ state: { replicas } }) => {
    if (replicas.some(({ check }) => check?.outcome === 'SECURITY_VIOLATION')) attack();
  });
  await delegation.delegate({ ...order('a'), criticality: 'normal', maxMsat: 2_000 });
  const { state } = await delegation.settled('a');
  expect(state.replicas).toHaveLength(2);
  for (const [index, provider] of providers.entries()) {
    const replica = state.replicas.find(({ platform }) => platform.pubkey === refs[index]?.pubkey);
    await vi.waitFor(async () => expect(await all(provider.receipts())).toHaveLength(1), 60_000);
    const [receipt] = await all(provider.receipts());
    const { status, customer, outcome } = verifyReceipt(receipt);
    expect({ status, customer }).toEqual({ status: 'valid', customer: await signer.getPublicKey() });
    expect(outcome).toMatchObject({
      jobId: replica?.jobId,
      outcome: index === 0 ? 'success' : 'violation',
    });
  }
});

it.each([
  [{}, 'success'],
  [{ outcome: 'PARTIAL' }, 'partial'],
  [{ outcome: 'FAILURE' }, 'failure'],
  [{ outcome: 'ERROR' }, 'failure'],
  [{ outcome: 'SECURITY_VIOLATION' }, 'violation'],
  // It came too late, so that nothing was checked.
  [{ outcome: 'ERROR', verifiedBy: null }, 'timeout'],
] as const)('states %j as %s (DLG-2)', async (rest, outcome) => {
  const sent: unknown[] = [];
  const { send } = createJobReceipts({
    async sendReceipt(jobId, judgment) {
      sent.push([jobId, judgment]);
      return { deliveredTo: ['wss://relay'] };
    },
  });
  await send(work(rest));
  expect(sent).toEqual([['b'.repeat(64), { outcome }]]);
});

it('sends again what no relay accepted, and gives up before an order waits for ever (DLG-2, DLG-10)', async () => {
  let now = 0;
  let deliveredTo: readonly string[] = [];
  const sendReceipt = vi.fn(async () => ({ deliveredTo }));
  const warn = vi.fn();
  const logger = { debug() {}, info() {}, warn, error() {} };
  const { send } = createJobReceipts({ sendReceipt }, { clock: () => now, logger, retryMs: 10 });
  await expect(send(work())).rejects.toThrow('No relay accepted');
  now = 9;
  await expect(send(work())).rejects.toThrow('No relay accepted');
  now = 10;
  await send(work());
  expect(warn).toHaveBeenCalledTimes(1);
  // Each work has its own time.
  await expect(send(work({ key: 'b/1' }))).rejects.toThrow('No relay accepted');
  deliveredTo = ['wss://relay'];
  await send(work({ key: 'b/1' }));
  expect(sendReceipt).toHaveBeenCalledTimes(5);
});

it.each(['INVALID_CONFIG', 'INVALID_INPUT', 'JOB_NOT_FOUND'])(
  'leaves out a receipt that cannot be sent: %s (DLG-2)',
  async (code) => {
    const { send } = createJobReceipts({
      sendReceipt: async () => Promise.reject(new DelegationError(code as 'CLOSED', code)),
    });
    await send(work());
  },
);

it('repeats a receipt that a stopped client did not send, however long that takes (DLG-2)', async () => {
  const { send } = createJobReceipts(
    { sendReceipt: async () => Promise.reject(new DelegationError('CLOSED', 'closed')) },
    { retryMs: 0 },
  );
  await expect(send(work())).rejects.toMatchObject({ code: 'CLOSED' });
});

it('needs jobs that can send receipts (DLG-2)', async () => {
  expect(() => createJobReceipts(scriptedJobs(() => 'right').port)).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG' }),
  );
  const world = await startWorld(() => 'right', { receipts: createJobReceipts });
  await expect(world.delegation.ready()).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  await world.delegation.close();
});

it('sends receipts by the process that is elected, over its own jobs (DLG-2, DLG-9)', async () => {
  const sent: string[] = [];
  const scripted = scriptedJobs(() => 'right');
  const jobs = async (): Promise<Jobs> => ({
    ...scripted.port,
    async sendReceipt(jobId) {
      sent.push(jobId);
      return { deliveredTo: ['wss://relay'] };
    },
  });
  const elected: Leadership = { lead: async (work, signal) => work(signal) };
  const store = createMemoryDelegationStore();
  const world = await startWorld(() => 'never', {
    ...{ store, jobs, count: 1, receipts: createJobReceipts, leadership: elected },
    engine: createEmbeddedEngine({ store: store.wakes }),
  });
  await world.qualifyAll();
  await using delegation = world.delegation;
  await delegation.delegate(order('a'));
  const { state } = await delegation.settled('a');
  expect(sent).toEqual([state.replicas[0]?.jobId]);
});
