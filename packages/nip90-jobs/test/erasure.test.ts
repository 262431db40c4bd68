import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createKyselyJobStore, createKyselyPaymentStore, migrateJobs } from '../src/stores/kysely.ts';
import { sampleEvent, sampleId, sampleJob } from '../src/testing/samples.ts';
import { advance } from '../src/transition.ts';

const at = 1_700_000_000_000;

describe.each(testDatabases())('erasure of a provider in $name', ({ open }) => {
  it('takes its name and invoices from payments, keeps what they cost, and leaves open payments alone (LED-33)', async () => {
    const { db, close } = await open();
    try {
      await migrateJobs(db);
      const jobs = createKyselyJobStore(db);
      const payments = createKyselyPaymentStore(db);
      const pay = async (number: number) => {
        const { job } = await jobs.create(sampleJob(number));
        const held = await payments.hold(
          {
            paymentHash: sampleId(1_000 + number),
            jobId: job.jobId,
            provider: sampleId(2),
            method: 'bolt11',
            bolt11: 'lnbc-of-the-peer',
            amountMsat: 100,
            feeReserveMsat: 0,
            holder: 'a',
            heldAt: at,
            expiresAt: at,
          },
          null,
        );
        if (held.outcome !== 'held') throw new Error(held.outcome);
        const event = sampleEvent(20 + number, { kind: 6000, pubkey: sampleId(2) });
        const ended = advance(
          job,
          number === 10
            ? { type: 'result', at, event, recovered: false }
            : { type: 'cancelled', at, message: '' },
        );
        expect(await jobs.update({ ...ended, feedback: null })).toBe(true);
        return held.payment;
      };
      const settled = await pay(10);
      await pay(11);
      expect(
        await payments.update({ ...settled, revision: 2, status: 'settled', endedAt: at, feesMsat: 3 }),
      ).toBe(true);
      const counts = { erased: { jobs: 1, feedback: 0 }, kept: { jobs: 1, feedback: 0 } };
      expect(await jobs.erasePeer(sampleId(2))).toEqual(counts);
      expect(await payments.spentMsat(0)).toBe(203);
      expect((await payments.listOpen()).map(({ bolt11 }) => bolt11)).toEqual(['lnbc-of-the-peer']);
      const { rows } = await sql`select provider, bolt11 from jobs_payments where status = 'settled'`.execute(
        db,
      );
      expect(rows).toEqual([{ provider: '', bolt11: '' }]);
    } finally {
      await close();
    }
  });

  it('and retention keep what was paid and not delivered, also when the job does not know of its payment (JOB-24, LED-33)', async () => {
    const { db, close } = await open();
    try {
      await migrateJobs(db);
      const jobs = createKyselyJobStore(db);
      const payments = createKyselyPaymentStore(db);
      const { job } = await jobs.create(sampleJob(10));
      const held = await payments.hold(
        {
          ...{ paymentHash: sampleId(1_010), jobId: job.jobId, provider: sampleId(2), method: 'bolt11' },
          ...{ bolt11: 'lnbc', amountMsat: 100, feeReserveMsat: 0, holder: 'a', heldAt: at, expiresAt: at },
        },
        null,
      );
      if (held.outcome !== 'held') throw new Error(held.outcome);
      const ended = advance(job, { type: 'timeout', at, timeoutClass: 'processing', message: '' });
      expect(await jobs.update({ ...ended, feedback: null })).toBe(true);
      const kept = { erased: { jobs: 0, feedback: 0 }, kept: { jobs: 1, feedback: 0 } };
      for (const status of ['held', 'settled'] as const) {
        if (status === 'settled')
          await payments.update({ ...held.payment, status, endedAt: at, revision: 2 });
        expect(await jobs.prune({ before: at + 1 })).toBe(0);
        expect(await jobs.erasePeer(sampleId(2))).toEqual(kept);
      }
      expect(await payments.get(job.jobId)).toMatchObject({ status: 'settled', bolt11: 'lnbc' });
      const paid = advance(ended.job, { type: 'late-paid', at });
      const late = advance(paid.job, {
        ...{ type: 'late-result', at, event: sampleEvent(21, { kind: 6000 }), recovered: true },
      });
      expect(await jobs.update({ ...paid, feedback: null })).toBe(true);
      expect(await jobs.prune({ before: at + 1 })).toBe(0);
      expect(await jobs.update({ ...late, feedback: null })).toBe(true);
      expect(await jobs.prune({ before: at + 1 })).toBe(1);
    } finally {
      await close();
    }
  });

  it('refuses what is no public key (LED-33)', async () => {
    const { db, close } = await open();
    try {
      await migrateJobs(db);
      await expect(createKyselyJobStore(db).erasePeer('%')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    } finally {
      await close();
    }
  });
});
