import { describe, expect, it } from 'vitest';
import {
  decidePayment,
  type Expiry,
  type PayClaim,
  type PaymentStatus,
  type WalletObservation,
} from '../src/index.ts';

const open: PaymentStatus[] = ['held', 'in-flight'];
const expiries: Expiry[] = ['valid', 'expired', 'late'];
const claims: PayClaim[] = [null, 'failed', 'settled-unproven', 'settled-mismatch'];
const pays = ['settled', 'settled-mismatch', 'settled-unproven', 'failed', 'in-flight', 'no-answer'] as const;
const lookups = [...pays, 'unknown'] as const;
const observations: WalletObservation[] = [
  { from: 'start' },
  ...pays.map((says) => ({ from: 'pay', says }) as const),
  ...lookups.map((says) => ({ from: 'lookup', says }) as const),
];

/** Every row of the table: observation, then next status and action, for each open status, claim and expiry that match. */
const rows: [WalletObservation, PayClaim[], Expiry[], PaymentStatus, string][] = [
  [{ from: 'start' }, claims, expiries, 'in-flight', 'pay'],
  [{ from: 'pay', says: 'settled' }, claims, expiries, 'settled', 'done'],
  [{ from: 'pay', says: 'settled-mismatch' }, claims, expiries, 'in-flight', 'look-up-now'],
  [{ from: 'pay', says: 'settled-unproven' }, claims, expiries, 'in-flight', 'look-up-now'],
  [{ from: 'pay', says: 'failed' }, claims, expiries, 'in-flight', 'look-up-now'],
  [{ from: 'pay', says: 'in-flight' }, claims, expiries, 'in-flight', 'look-up-later'],
  [{ from: 'pay', says: 'no-answer' }, claims, expiries, 'in-flight', 'look-up-later'],
  [{ from: 'lookup', says: 'settled' }, claims, expiries, 'settled', 'done'],
  [{ from: 'lookup', says: 'settled-mismatch' }, claims, expiries, 'settled', 'done'],
  [{ from: 'lookup', says: 'settled-unproven' }, claims, expiries, 'settled', 'done'],
  [{ from: 'lookup', says: 'failed' }, claims, expiries, 'failed-after-lookup', 'done'],
  [{ from: 'lookup', says: 'in-flight' }, claims, expiries, 'in-flight', 'look-up-later'],
  [{ from: 'lookup', says: 'no-answer' }, claims, expiries, 'in-flight', 'look-up-later'],
  [{ from: 'lookup', says: 'unknown' }, ['failed'], expiries, 'failed-after-lookup', 'done'],
  [{ from: 'lookup', says: 'unknown' }, ['settled-mismatch'], expiries, 'settled', 'done'],
  [
    { from: 'lookup', says: 'unknown' },
    ['settled-unproven'],
    ['valid', 'expired'],
    'in-flight',
    'look-up-later',
  ],
  [{ from: 'lookup', says: 'unknown' }, ['settled-unproven', null], ['late'], 'failed-after-lookup', 'done'],
  [{ from: 'lookup', says: 'unknown' }, [null], ['valid'], 'in-flight', 'pay'],
  [{ from: 'lookup', says: 'unknown' }, [null], ['expired'], 'in-flight', 'look-up-later'],
];

describe('a payment', () => {
  it.each(rows)(
    'is decided by the table: %j (JOB-19)',
    (observed, rowClaims, rowExpiries, status, action) => {
      for (const from of open)
        for (const claim of rowClaims)
          for (const expiry of rowExpiries)
            expect({ from, expiry, ...decidePayment(from, observed, { claim, expiry }) }).toMatchObject({
              status,
              action,
            });
    },
  );

  it('is not made when the wallet may not be called, and given up after two look-ups without a trace (JOB-19)', () => {
    const decide = (observed: WalletObservation, unknowns: number, claim: PayClaim = null) =>
      decidePayment('in-flight', observed, { claim, expiry: 'valid', mayPay: false, unknowns });
    const start = decidePayment('held', { from: 'start' }, { claim: null, expiry: 'valid', mayPay: false });
    expect(start).toMatchObject({ status: 'failed-after-lookup', action: 'done' });
    const unknown = { from: 'lookup', says: 'unknown' } as const;
    expect(decide(unknown, 1)).toMatchObject({ status: 'in-flight', action: 'look-up-later' });
    expect(decide(unknown, 2)).toMatchObject({ status: 'failed-after-lookup', action: 'done' });
    // What may be on its way is never given up.
    for (const says of ['in-flight', 'no-answer'] as const)
      expect(decide({ from: 'lookup', says }, 9)).toMatchObject({ status: 'in-flight' });
    expect(decide(unknown, 9, 'settled-unproven')).toMatchObject({ status: 'in-flight' });
    for (const observed of observations)
      for (const claim of claims)
        for (const expiry of expiries)
          for (const status of [...open, 'settled', 'failed-after-lookup'] as const)
            for (const unknowns of [0, 1, 2, 3])
              expect(
                decidePayment(status, observed, { claim, expiry, mayPay: false, unknowns }).action,
              ).not.toBe('pay');
  });

  it('has a row for every status, observation, claim and expiry (JOB-19)', () => {
    const key = (observed: WalletObservation, claim: PayClaim, expiry: Expiry) =>
      JSON.stringify([observed, claim, expiry]);
    const covered = rows.flatMap(([observed, rowClaims, rowExpiries]) =>
      rowClaims.flatMap((claim) => rowExpiries.map((expiry) => key(observed, claim, expiry))),
    );
    const all = observations.flatMap((observed) =>
      claims.flatMap((claim) => expiries.map((expiry) => key(observed, claim, expiry))),
    );
    expect(covered.toSorted()).toEqual(all.toSorted());
  });

  it('that settled stays so, and one that failed only ever turns out to be paid (JOB-19)', () => {
    for (const observed of observations)
      for (const claim of claims)
        for (const expiry of expiries) {
          expect(decidePayment('settled', observed, { claim, expiry })).toMatchObject({
            status: 'settled',
            action: 'done',
          });
          const isPaid = observed.from !== 'start' && observed.says.startsWith('settled');
          expect(decidePayment('failed-after-lookup', observed, { claim, expiry })).toMatchObject({
            status: isPaid ? 'settled' : 'failed-after-lookup',
            action: 'done',
          });
        }
  });

  it('never fails by what `pay` says alone (JOB-19)', () => {
    for (const says of pays)
      for (const status of open)
        for (const claim of claims)
          for (const expiry of expiries)
            expect(decidePayment(status, { from: 'pay', says }, { claim, expiry }).status).not.toBe(
              'failed-after-lookup',
            );
  });
});
