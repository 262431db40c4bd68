import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type CheckResult, type OrderState, resolveConfig } from '@bonafide/delegation';
import { createKyselyDelegationStore, migrateDelegation } from '@bonafide/delegation/kysely';
import { createRoutingMatrix } from '@bonafide/routing-matrix';
import { createKyselyRoutingStore, migrateRouting } from '@bonafide/routing-matrix/kysely';
import { openSqlite } from '@bonafide/storage';
import { expect, it, onTestFinished } from 'vitest';
import { run } from './world.ts';

/** A workspace with one delivered order and one open one. */
async function workspace(
  first = 'first',
  second = 'second',
  given: Partial<OrderState['replicas'][number]> = {},
): Promise<string> {
  const path = mkdtempSync(join(tmpdir(), 'bonafide-cli-work-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const db = openSqlite({ path: join(path, 'agent.db') });
  await migrateDelegation(db);
  const store = createKyselyDelegationStore(db);
  const replica = {
    number: 1,
    round: 1,
    platform: { pubkey: 'a'.repeat(64), d: 'python' },
    name: 'Ada\u001b[31m',
    relays: [],
    reason: 'highest expected utility',
    trust: 0.7,
    probability: 1,
    decisionId: 'd',
    chosenAt: 1,
    stage: 'requested',
    jobId: 'b'.repeat(64),
    requestedAt: 2,
    withdrawn: null,
    answer: null,
    end: null,
    check: null,
    recorded: ['request'],
    bidMsat: 900,
    invoicedMsat: 800,
    paidMsat: 800,
    feesMsat: 3,
    heldMsat: 0,
    ...given,
  } as const;
  const order = (id: string): OrderState['order'] => ({
    id,
    taskType: 'code',
    kind: 5000,
    inputs: [{ data: 'Do it.' }],
    params: {},
    output: null,
    check: 'suite',
    suite: {},
    language: 'python',
    accept: null,
    valueMsat: 1_000,
    maxMsat: 1_000,
    deadlineAt: null,
    criticality: 'background',
    replicas: 1,
    needed: 1,
    attempts: resolveConfig().attempts,
    acceptPartial: false,
    trial: null,
  });
  const open = (id: string): OrderState => ({
    order: order(id),
    status: 'open',
    createdAt: 1,
    decidedAt: null,
    rounds: 1,
    exhausted: false,
    replicas: [replica],
    exclusions: [{ platformId: 'c:x', reason: 'refused' }],
    winners: [],
    verifiedBy: null,
    failure: null,
  });
  for (const [id, createdAt] of [
    [first, 1_700_000_000_000],
    [second, 1_700_000_001_000],
  ] as const)
    await store.create({
      id,
      fingerprint: 'f',
      revision: 1,
      state: open(id),
      settled: false,
      createdAt,
      updatedAt: createdAt,
    });
  await db.destroy();
  return path;
}

it('CLI-1 DLG-12 lists orders with whom they were given to and what they cost', async () => {
  const path = await workspace();
  const { code, out: stdout } = await run(['work', 'list', '--workspace', path]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/second .*open .*1 +800 +requested/u);
  const json = JSON.parse((await run(['work', 'list', '--workspace', path, '--json', '--limit', '1'])).out);
  expect(json).toMatchObject({ orders: [{ id: 'second', paidMsat: 800, feesMsat: 3, asked: 1 }] });
  const rest = await run(['work', 'list', '--workspace', path, '--json', '--cursor', json.nextCursor]);
  expect(JSON.parse(rest.out)).toMatchObject({ orders: [{ id: 'first' }], nextCursor: null });
});

it('CLI-1 DLG-12 lists orders on a terminal of 100 characters, none of whose ids is split', async () => {
  const ids = ['job:mws4efey:29:HumanEval/101', 'job:mws4efey:30:HumanEval/102'] as const;
  const path = await workspace(...ids);
  const { out } = await run(['work', 'list', '--workspace', path], { terminal: true, columns: 100 });
  const lines = stripVTControlCharacters(out).trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  // The type of all of them, the titles, and a line for each.
  expect(lines[0]).toBe('code');
  expect(lines).toHaveLength(4);
  for (const id of ids)
    expect(lines.some((line) => line.startsWith(`${id}  2023-11-14 22:13Z  open`))).toBe(true);
  expect((await run(['work', 'list', '-n', '501', '--workspace', path])).code).toBe(2);
});

it('CLI-1 DLG-12 shows why a platform was chosen and others were not', async () => {
  const path = await workspace();
  const { out: stdout } = await run(['work', 'show', 'first', '--workspace', path]);
  expect(stdout).toContain('highest expected utility');
  expect(stdout).toContain('refused');
  expect(stdout).not.toContain('\u001b[31m');
  // Beside the name that it gives itself, what it cannot choose.
  expect(stdout).toMatch(/Ada.* \(npub1\w{3}…\w{4}:python\)/u);
  const json = JSON.parse((await run(['work', 'show', 'first', '--workspace', path, '--json'])).out);
  expect(json).toMatchObject({
    id: 'first',
    replicas: [{ bidMsat: 900 }],
    exclusions: [{ reason: 'refused' }],
  });
});

it('CLI-1 lists failures with the numbers of tests of their orders, where the matrix has a rate of layers', async () => {
  const check: CheckResult = {
    outcome: 'FAILURE',
    checkedBy: 'judge',
    passRate: 0,
    passed: 1,
    tests: 3,
    executionMs: 1,
    softLimitExceeded: false,
    errorKind: null,
    summary: '1 of 3 tests passed.',
    violations: [],
  };
  const path = await workspace('trial', 'job', { check, stage: 'checked', decisionId: 'job#1.1' });
  const db = openSqlite<unknown>({ path: join(path, 'agent.db') });
  onTestFinished(() => db.destroy());
  await migrateRouting(db);
  const matrix = createRoutingMatrix({ store: createKyselyRoutingStore(db) });
  const about = { platform: { pubkey: 'a'.repeat(64), d: 'python' }, taskType: 'code' };
  const failed = { outcome: 'FAILURE', passRate: 0 } as const;
  await matrix.recordBenchmark({ ...about, attemptId: 'trial', verdict: failed });
  await matrix.recordOutcome({
    ...about,
    jobId: 'job#1.1',
    outcome: 'FAILURE',
    measurements: { passRate: 0 },
  });
  // Of another program: there is only the rate.
  await matrix.recordBenchmark({ ...about, attemptId: 'other', verdict: { ...failed, passRate: 0.25 } });
  const { out } = await run(['failures', '--workspace', path]);
  expect(out).toMatch(/trial +FAILURE +1 of 3 tests passed/u);
  expect(out).toMatch(/job#1\.1 +FAILURE +1 of 3 tests passed/u);
  expect(out).toMatch(/trial +FAILURE +25 % of the tests passed/u);
  const { failures } = JSON.parse((await run(['failures', '--workspace', path, '--json'])).out);
  const counts = Object.fromEntries(
    failures.map(({ id, passed, tests }: { id: string; passed: number; tests: number }) => [
      id,
      [passed, tests],
    ]),
  );
  expect(counts).toEqual({ trial: [1, 3], 'job#1.1': [1, 3], other: [null, null] });
});

it('CLI-1 DLG-12 cancels an order once', async () => {
  const path = await workspace();
  const first = await run(['work', 'cancel', 'first', '--because', 'no need', '--workspace', path]);
  expect(first).toMatchObject({ code: 0 });
  const again = await run(['work', 'cancel', 'first', '--workspace', path, '--json']);
  expect(JSON.parse(again.out)).toMatchObject({ status: 'cancelled', failure: 'ORDER_CANCELLED' });
  const db = openSqlite({ path: join(path, 'agent.db') });
  const store = createKyselyDelegationStore(db);
  expect(await store.wakes.list()).toMatchObject([{ queue: 'cancelled', id: 'first' }]);
  expect((await store.get('first'))?.state.replicas[0]?.withdrawn).toBe('no need');
  await db.destroy();
});

it('CLI-1 DLG-12 says what is missing', async () => {
  const path = await workspace();
  const unknown = await run(['work', 'show', 'third', '--workspace', path]);
  expect(unknown).toMatchObject({ code: 1 });
  expect(unknown.err).toContain('bonafide work list');
  const nowhere = await run(['work', 'list', '--workspace', join(path, 'nowhere')]);
  expect(nowhere.err).toContain('There are no orders');
  expect((await run(['work', 'list', '--status', 'odd'])).code).toBe(2);
});

it('CLI-1 DLG-12 says which platform was tried, and with what outcome', async () => {
  const platform = { pubkey: 'a'.repeat(64), d: 'python' };
  const path = await workspace('trial:code:1', 'trial:code:2');
  const db = openSqlite({ path: join(path, 'agent.db') });
  const store = createKyselyDelegationStore(db);
  const record = await store.get('trial:code:1');
  if (record === null) throw new Error('The order is missing');
  const [replica] = record.state.replicas;
  await store.update({
    ...record,
    revision: 2,
    state: {
      ...record.state,
      status: 'failed',
      order: { ...record.state.order, trial: { platform, taskId: 'HumanEval/1' } },
      replicas: replica
        ? [{ ...replica, stage: 'ended', end: { reason: 'timeout', at: 5, message: 'It was silent.' } }]
        : [],
    },
  });
  await db.destroy();
  const { out } = await run(['work', 'list', '--workspace', path]);
  expect(out).toMatch(/trial:code:1 .*failed .*\(npub1\w{3}…\w{4}:python\), timeout/u);
});
