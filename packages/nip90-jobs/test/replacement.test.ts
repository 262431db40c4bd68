import { join } from 'node:path';
import { openSqlite } from '@bonafide/storage';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Criticality,
  createMemoryPaymentStore,
  isFinal,
  type Job,
  type JobClient,
  JobError,
  type JobHandle,
  type JobResult,
  NoConsensusError,
  nextReplicationStep,
  type Payment,
  REPLICATION_PLANS,
  type ReplicationOptions,
  requestReplicated,
  type Wallet,
} from '../src/index.ts';
import { createKyselyJobStore, migrateJobs } from '../src/stores/kysely.ts';
import { sampleEvent, sampleId, sampleJob } from '../src/testing/samples.ts';
import { directory } from './child.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, eventually, manualTime, person, provider, relay, sentTo } from './world.ts';

const spec = { kind: 5000, inputs: [{ data: 'x' }] };
const fails = () => {
  throw new JobError('JOB_FAILED', 'no');
};
const waits = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => signal.addEventListener('abort', reject));

/** One provider per answer; a function is a handler. */
async function world(says: readonly (string | ((signal: AbortSignal) => string | Promise<string>))[]) {
  const at = await relay();
  const secrets = says.map((_, number) => (0x51 + number).toString(16).repeat(32));
  const people = await Promise.all(secrets.map(person));
  for (const [number, { signer }] of people.entries()) {
    const say = says[number] ?? '';
    await provider([at.url], (_, { signal }) => (typeof say === 'string' ? say : say(signal)), { signer });
  }
  const keys = people.map(({ pubkey }) => pubkey);
  const replicas = keys.map((one) => ({ provider: one }));
  const requests = () => new Set(sentTo(at, 5000)).size;
  return { at, keys, replicas, requests };
}

describe('who does not answer', () => {
  it('JOB-13 is replaced: by the next one, until enough have answered', async () => {
    const { at, keys, replicas, requests } = await world(['true', fails, waits, fails, 'true', 'unused']);
    const asking = await client([at.url]);
    const done = await requestReplicated(asking, spec, { criticality: 'high', replicas });
    expect(done).toMatchObject({ content: 'true', dissented: [], cancelled: [keys[2]] });
    expect(done.agreed.toSorted()).toEqual([keys[0], keys[4]].toSorted());
    expect(done.failed.map(({ provider: one }) => one)).toEqual([keys[1], keys[3]]);
    expect(requests()).toBe(5);
  });

  it('JOB-13 JOB-8 may be silent, do a part, or give what is not accepted', async () => {
    const { at, keys, replicas } = await world(['bad', 'true', 'true']);
    const nobody = await person('77'.repeat(32));
    const asking = await client([at.url]);
    const done = await requestReplicated(asking, spec, {
      criticality: 'medium',
      replicas: [{ provider: nobody.pubkey }, ...replicas],
      isAcceptable: ({ content }) => content !== 'bad',
    });
    expect(done).toMatchObject({ content: 'true' });
    const reasons = new Map(done.failed.map(({ provider: one, error }) => [one, error.message]));
    expect(reasons.get(keys[0] ?? '')).toMatch(/not accepted/);
  });

  it('JOB-13 keeps its place when it answers something else: nobody is asked until enough agree', async () => {
    const { at, replicas, requests } = await world(['a', 'b', 'c', 'a', 'a']);
    const asking = await client([at.url]);
    await expect(requestReplicated(asking, spec, { criticality: 'high', replicas })).rejects.toBeInstanceOf(
      NoConsensusError,
    );
    expect(requests()).toBe(3);
  });

  it('JOB-13 leaves its place empty when nobody is left', async () => {
    const { at, keys, replicas } = await world(['true', fails, fails, fails]);
    const asking = await client([at.url]);
    const ended = requestReplicated(asking, spec, { criticality: 'high', replicas });
    await expect(ended).rejects.toMatchObject({ report: { dissented: [keys[0]], cancelled: [] } });
    await expect(ended).rejects.toSatisfy((error: NoConsensusError) => error.report.failed.length === 3);
  });

  it('JOB-13 is not replaced when it is too late, and what is open then is cancelled', async () => {
    const { at, replicas, requests } = await world([waits, waits, 'true']);
    const asking = await client([at.url]);
    const time = manualTime();
    const ended = requestReplicated(asking, spec, {
      criticality: 'medium',
      replicas,
      deadlineAt: time.clock() + 60_000,
      clock: time.clock,
      timers: time.timers,
    });
    const observed = expect(ended).rejects.toMatchObject({
      code: 'NO_CONSENSUS',
      message: expect.stringContaining('in time'),
    });
    await eventually(() => expect(requests()).toBe(2));
    await eventually(() => expect(time.pending()).toEqual([60_000]));
    time.advance(60_000);
    await observed;
    expect(requests()).toBe(2);
    await eventually(() => expect(at.events({ kinds: [5] })).toHaveLength(2));
  });
});

describe('replicated work whose process ends', () => {
  it('AGT-4 JOB-13 goes on with whom it had asked, whomever it would ask now', async () => {
    const release = Promise.withResolvers<string>();
    const slow = () => release.promise;
    const { at, keys, replicas, requests } = await world([fails, slow, slow, slow, 'never asked']);
    const path = join(directory(), 'jobs.db');
    const live = async () => {
      const db = openSqlite<unknown>({ path });
      onTestFinished(() => db.destroy());
      await migrateJobs(db);
      return client([at.url], { store: createKyselyJobStore(db) });
    };
    const options = { criticality: 'high', idempotencyKey: 'k' } as const;
    const first = await live();
    const begun = requestReplicated(first, spec, { ...options, replicas });
    const closed = expect(begun).rejects.toMatchObject({ code: 'CLOSED' });
    // Three, and one for the one that failed.
    await eventually(() => expect(requests()).toBe(4));
    await eventually(async () => expect((await first.list({ state: 'processing' })).items).toHaveLength(3));
    await first.close();
    await closed;
    release.resolve('true');

    const second = await live();
    const done = await requestReplicated(second, spec, { ...options, replicas: replicas.toReversed() });
    expect(done.content).toBe('true');
    expect(done.failed.map(({ provider: one }) => one)).toEqual([keys[0]]);
    expect(requests()).toBe(4);
    expect(at.events({ kinds: [5] }).length).toBeLessThanOrEqual(1);

    // Decided is decided.
    const again = await requestReplicated(second, spec, { ...options, replicas });
    expect(again.content).toBe('true');
    expect(requests()).toBe(4);
    await expect(
      requestReplicated(second, { ...spec, inputs: [{ data: 'y' }] }, { ...options, replicas }),
    ).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });
});

describe('replicated work that costs something', () => {
  const bid = 4_000;
  /** Providers that want to be paid first; those in `broken` fail when they have the money. */
  const paidWorld = async (count: number, broken: ReadonlySet<number>) => {
    const at = await relay();
    const paid = new Set<string>();
    const pay = vi.fn<Wallet['pay']>(async (bolt11) => {
      paid.add(bolt11);
      return { status: 'settled', preimage: null, feesMsat: 0 };
    });
    const replicas: { readonly provider: string }[] = [];
    for (let number = 0; number < count; number += 1) {
      const { signer, pubkey } = await person((0x51 + number).toString(16).repeat(32));
      const name = `by ${number}`;
      const bolt11 = invoice({ name, amountMsat: bid });
      await provider([at.url], () => (broken.has(number) ? fails() : 'true'), {
        signer,
        price: () => bid,
        invoices: {
          create: async () => ({ bolt11, paymentHash: secretOf(name).paymentHash }),
          isPaid: async () => paid.has(bolt11),
        },
        config: { paymentPollMs: 10, publishTimeoutMs: 240_000 },
      });
      replicas.push({ provider: pubkey });
    }
    const wallet: Wallet = { pay, lookup: async () => ({ status: 'unknown' }) };
    const payments = { wallet, store: createMemoryPaymentStore() };
    return { asking: await client([at.url], { payments }), replicas, pay };
  };

  it('JOB-11 JOB-13 replaces who took the money and failed, within the budget', async () => {
    const { asking, replicas, pay } = await paidWorld(3, new Set([0]));
    const options = { criticality: 'low', replicas } as const;
    const done = await requestReplicated(
      asking,
      { ...spec, bidMsat: bid },
      { ...options, budgetMsat: 8_000 },
    );
    expect(done).toMatchObject({ content: 'true', agreed: [replicas[1]?.provider] });
    expect(pay).toHaveBeenCalledTimes(2);
  });

  it('JOB-11 JOB-13 asks nobody when the money is gone', async () => {
    const { asking, replicas, pay } = await paidWorld(3, new Set([0]));
    const options = { criticality: 'low', replicas } as const;
    const asked = { ...spec, bidMsat: bid };
    const ended = requestReplicated(asking, asked, { ...options, budgetMsat: 7_999 });
    await expect(ended).rejects.toMatchObject({ code: 'NO_CONSENSUS' });
    expect(pay).toHaveBeenCalledTimes(1);
    await expect(requestReplicated(asking, asked, { ...options, budgetMsat: 1 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

/** What a provider of the simulation does, and when. */
interface Behaviour {
  readonly does: 'answers' | 'lies' | 'fails' | 'is silent' | 'does a part';
  /** Takes its money before it does so. */
  readonly isPaid: boolean;
  readonly after: number;
}

/**
 * Jobs that survive their client, as the store and the relays keep them, and a clock that moves job by job. The client that
 * is simulated keeps what the real one promises: one job a key, one payment a job, `CLOSED` for what is open when it ends.
 */
function simulate(behaviours: readonly Behaviour[], bidMsat: number) {
  const jobs = new Map<string, { job: Job; payment: Payment | null; due: number }>();
  let now = 0;
  let settle: (() => void)[] = [];
  let most = 0;
  const indexOf = (key: string | null) => Number.parseInt(key ?? '', 16);

  const live = (): Pick<JobClient, 'requestJob' | 'getByKey' | 'payment'> & { close(): void } => {
    let isClosed = false;
    const closing: (() => void)[] = [];
    const handle = (key: string): JobHandle => {
      const get = () => {
        const one = jobs.get(key);
        if (one === undefined) throw new Error('no such job');
        return one;
      };
      const outcome = Promise.withResolvers<JobResult>();
      outcome.promise.catch(() => {});
      const check = () => {
        const { job } = get();
        if (isClosed || !isFinal(job.state)) return;
        const { jobId, provider: by } = job;
        if (job.state === 'completed')
          outcome.resolve({
            jobId,
            provider: by ?? '',
            status: job.message === 'part' ? 'partial' : 'success',
            content: job.message,
            latencyMs: 0,
            matchedBy: 'request-id',
            recovered: false,
            amountMsat: null,
            event: sampleEvent(1),
          });
        else outcome.reject(new JobError(job.state === 'cancelled' ? 'JOB_CANCELLED' : 'JOB_FAILED', '-'));
      };
      settle.push(check);
      closing.push(() => outcome.reject(new JobError('CLOSED', 'closed')));
      check();
      return {
        jobId: key,
        get state() {
          return get().job.state;
        },
        get job() {
          return get().job;
        },
        result: outcome.promise,
        feedback: (async function* () {})(),
        async cancel() {
          const one = get();
          if (isClosed || isFinal(one.job.state)) return;
          one.job = { ...one.job, state: 'cancelled', endedAt: now };
          check();
        },
      };
    };
    return {
      async requestJob({ provider: by }, { idempotencyKey: key = '' } = {}) {
        if (isClosed) throw new JobError('CLOSED', 'closed');
        const known = jobs.get(key);
        if (known && known.job.provider !== by) throw new JobError('IDEMPOTENCY_CONFLICT', key);
        if (!known) {
          const { after } = behaviours[indexOf(by ?? null)] ?? { after: 0 };
          const job = sampleJob(jobs.size, {
            provider: by ?? null,
            idempotencyKey: key,
            state: 'processing',
          });
          jobs.set(key, { job, payment: null, due: now + after });
        }
        const isOpenOrCounts = ({ job }: { job: Job }) =>
          !isFinal(job.state) || (job.state === 'completed' && job.message !== 'part');
        most = Math.max(most, [...jobs.values()].filter(isOpenOrCounts).length);
        return handle(key);
      },
      async getByKey(key) {
        return jobs.has(key) ? handle(key) : null;
      },
      async payment(jobId) {
        return jobs.get(jobId)?.payment ?? null;
      },
      close() {
        isClosed = true;
        for (const end of closing) end();
      },
    };
  };

  /** The next job that ends does so. False when none will. */
  const step = (): boolean => {
    const open = [...jobs.values()].filter(({ job }) => !isFinal(job.state));
    const [next] = open.toSorted((a, b) => a.due - b.due);
    if (next === undefined) return false;
    const { does, isPaid } = behaviours[indexOf(next.job.provider)] ?? { does: 'fails', isPaid: false };
    now = Math.max(now, next.due);
    if (isPaid)
      next.payment = {
        paymentHash: sampleId(1),
        jobId: next.job.jobId,
        provider: next.job.provider ?? '',
        method: 'bolt11',
        bolt11: '',
        amountMsat: bidMsat,
        feeReserveMsat: 0,
        feesMsat: 0,
        status: 'settled',
        revision: 1,
        holder: '',
        heldAt: now,
        expiresAt: now,
        endedAt: now,
        preimage: null,
        message: '',
      };
    const ends = {
      answers: { state: 'completed', message: 'true' },
      lies: { state: 'completed', message: 'lie' },
      'does a part': { state: 'completed', message: 'part' },
      fails: { state: 'failed', message: 'no' },
      'is silent': { state: 'timed_out', message: '' },
    } as const;
    next.job = { ...next.job, ...ends[does], endedAt: now };
    const all = settle;
    settle = [];
    for (const check of all) check();
    settle.push(...all);
    return true;
  };

  const paidMsat = () => [...jobs.values()].reduce((sum, { payment }) => sum + (payment?.amountMsat ?? 0), 0);
  return { live, step, jobs, paidMsat, most: () => most };
}

describe('whatever its providers do and wherever its process ends, replicated work', () => {
  const behaviour = fc.record<Behaviour>({
    does: fc.constantFrom('answers', 'answers', 'lies', 'fails', 'is silent', 'does a part'),
    isPaid: fc.boolean(),
    after: fc.nat(20),
  });
  const runs = process.env.BONAFIDE_PROOF === 'full' ? 5_000 : 300;

  it('AGT-4 JOB-11 JOB-13 asks nobody twice, spends no more, and is decided as it should be', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Criticality>('low', 'medium', 'high', 'critical'),
        fc.array(behaviour, { minLength: 5, maxLength: 9 }),
        // After so many endings of jobs the process dies, and again.
        fc.array(fc.nat(4), { maxLength: 4 }),
        fc.option(fc.integer({ min: 5, max: 12 }), { nil: null }),
        fc.infiniteStream(fc.nat()),
        async (criticality, behaviours, deaths, affordable, random) => {
          const bidMsat = 10;
          const plan = REPLICATION_PLANS[criticality];
          const { live, step, jobs, paidMsat, most } = simulate(behaviours, bidMsat);
          const people = behaviours.map((_, number) => ({ provider: sampleId(number) }));
          const shuffled = () =>
            people
              .map((one) => ({ one, at: random.next().value ?? 0 }))
              .toSorted((a, b) => a.at - b.at)
              .map(({ one }) => one);
          const budgetMsat = affordable === null ? undefined : affordable * bidMsat;
          const options = (): ReplicationOptions => ({
            criticality,
            replicas: shuffled(),
            idempotencyKey: 'k',
            ...(budgetMsat === undefined ? {} : { budgetMsat }),
          });
          const idle = () => new Promise((resolve) => setImmediate(resolve));

          /** Null when it died. */
          const life = async (steps: number) => {
            const asking = live();
            let ended: { content: string } | NoConsensusError | null = null;
            const work = requestReplicated(asking, { ...spec, bidMsat }, options()).then(
              (done) => {
                ended = done;
              },
              (error) => {
                if (error instanceof NoConsensusError) ended = error;
                else if (!(error instanceof JobError && error.code === 'CLOSED')) throw error;
              },
            );
            for (let left = steps; left > 0 && ended === null; left -= 1) {
              await idle();
              if (ended === null && !step()) break;
            }
            await idle();
            asking.close();
            await work;
            return ended as { content: string } | NoConsensusError | null;
          };

          let end: { content: string } | NoConsensusError | null = null;
          for (const steps of [...deaths, 1_000]) {
            end = await life(steps);
            if (end !== null) break;
          }

          const asked = [...jobs.values()].map(({ job }) => job.provider);
          expect(new Set(asked).size).toBe(asked.length);
          expect(most()).toBeLessThanOrEqual(plan.replicas);
          if (budgetMsat !== undefined) expect(paidMsat()).toBeLessThanOrEqual(budgetMsat);
          const count = (does: Behaviour['does'], among = behaviours) =>
            among.filter((one) => one.does === does).length;
          expect(end).not.toBeNull();
          if (end instanceof NoConsensusError) {
            const askedOnes = asked.map((one) => behaviours[Number.parseInt(one ?? '', 16)] as Behaviour);
            const mostAlike = Math.max(count('answers', askedOnes), count('lies', askedOnes));
            const votes = count('answers', askedOnes) + count('lies', askedOnes);
            const isSplit = mostAlike + plan.replicas - votes < plan.needed;
            const isEverybodyAsked = asked.length === people.length;
            const isMoneyGone = budgetMsat !== undefined && paidMsat() + bidMsat > budgetMsat;
            expect(isSplit || isEverybodyAsked || isMoneyGone).toBe(true);
          } else if (end) {
            const said = [...jobs.values()].filter(({ job }) => job.message === end.content);
            expect(said.length).toBeGreaterThanOrEqual(plan.needed);
          }
          // With no more liars than the plan stands, enough who know, and money for all, it is the truth.
          const standsLiars = plan.replicas - plan.needed;
          const liars = criticality === 'medium' ? 0 : standsLiars;
          if (count('lies') <= liars && count('answers') >= plan.needed && affordable === null)
            expect(end).toMatchObject({ content: 'true' });
        },
      ),
      { numRuns: runs },
    );
  });

  it('JOB-13 never has more open requests and votes than replicas, and never waits for nothing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Criticality>('low', 'medium', 'high', 'critical'),
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }),
        fc.nat(5),
        fc.nat(2),
        fc.constantFrom('now', 'later', 'never'),
        (criticality, says, running, cancelled, availability) => {
          const plan = REPLICATION_PLANS[criticality];
          fc.pre(says.length + running + cancelled <= plan.replicas);
          const votes = says.map((content, at) => ({ provider: `${at}`, content }));
          const { step } = nextReplicationStep({ plan, votes, running, cancelled, availability });
          if (step === 'ask') expect(says.length + running + cancelled).toBeLessThan(plan.replicas);
          if (step === 'ask') expect(availability).toBe('now');
          if (step === 'wait') expect(running).toBeGreaterThan(0);
          const most = Math.max(0, ...['a', 'b', 'c'].map((one) => says.filter((it) => it === one).length));
          expect(step === 'accept').toBe(most >= plan.needed);
        },
      ),
    );
  });
});
