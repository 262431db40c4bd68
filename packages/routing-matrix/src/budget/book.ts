import type { BudgetRecord, ReservationRecord, SettlementRecord } from '../records.ts';
import {
  available,
  type BookingTime,
  book,
  bookingTimeOf,
  type Envelope,
  emptyEnvelope,
  lendable,
  openTime,
} from './envelope.ts';

/** State of a reservation: `refused` did not fit, `held` waits for its settlement. */
export type ReservationState = 'held' | 'refused' | 'settled';

/** A reservation as the fold decided it. */
export interface Reservation {
  readonly id: string;
  readonly at: number;
  readonly taskType: string;
  readonly jobId: string | null;
  readonly amountMsat: number;
  state: ReservationState;
  /** Amount that was paid, msat; 0 until it is settled. */
  paidMsat: number;
  /** Amount that could have been reserved when it was refused, msat. */
  readonly availableMsat: number;
  /** Bookings: the task type's envelope and the common one. */
  readonly booked: readonly { readonly scope: string; readonly time: BookingTime }[];
}

/** Budgets and reservations. `''` is the scope of all task types together. */
export interface BudgetBook {
  readonly envelopes: Map<string, Envelope>;
  /** Held reservations and the last {@link rememberedReservations} others, oldest first. */
  readonly reservations: Map<string, Reservation>;
  settled: number;
}

const rememberedReservations = 10_000;

/** Creates a book without budgets. */
export const emptyBook = (): BudgetBook => ({ envelopes: new Map(), reservations: new Map(), settled: 0 });

/** Sets a budget; what was booked under the earlier one stays booked. */
export function setBudget(state: BudgetBook, record: BudgetRecord): void {
  const scope = record.taskType ?? '';
  const { dailyMsat, monthlyMsat, rollover, flexible } = record;
  const budget = { dailyMsat, monthlyMsat, rollover, flexible };
  const known = state.envelopes.get(scope);
  if (known === undefined) state.envelopes.set(scope, emptyEnvelope(budget));
  else known.budget = budget;
}

/** A transfer between two budgets. */
interface Loan {
  readonly from: Envelope;
  readonly time: BookingTime;
  readonly msat: number;
}

/** Returns loans of flexible budgets that together give `needed`, the largest surplus first; `null` when they do not. */
function loansFor(state: BudgetBook, borrower: Envelope, needed: number, at: number): Loan[] | null {
  if (!borrower.budget.flexible) return null;
  const lenders = [...state.envelopes]
    .filter(([scope, envelope]) => scope !== '' && envelope !== borrower)
    .map(([scope, envelope]) => {
      const time = openTime(envelope, bookingTimeOf(at));
      return { scope, envelope, time, msat: lendable(envelope, time, at) };
    })
    .filter(({ msat }) => msat > 0)
    .sort((a, b) => b.msat - a.msat || (a.scope < b.scope ? -1 : 1));
  const loans: Loan[] = [];
  let missing = needed;
  for (const { envelope, time, msat } of lenders) {
    if (missing <= 0) break;
    const lent = Math.min(msat, missing);
    loans.push({ from: envelope, time, msat: lent });
    missing -= lent;
  }
  return missing > 0 ? null : loans;
}

/** Returns what a task type may still reserve at a time, loans included, msat; `Infinity` without a budget. */
export function availableFor(state: BudgetBook, taskType: string, at: number): number {
  if (state.envelopes.size === 0) return Number.POSITIVE_INFINITY;
  const own = state.envelopes.get(taskType);
  const all = state.envelopes.get('');
  const time = bookingTimeOf(at);
  const common = all === undefined ? Number.POSITIVE_INFINITY : available(all, openTime(all, time));
  if (own === undefined) return common;
  let free = available(own, openTime(own, time));
  if (own.budget.flexible) {
    for (const [scope, lender] of state.envelopes) {
      if (scope !== '' && lender !== own) free += lendable(lender, openTime(lender, time), at);
    }
  }
  return Math.min(free, common);
}

/** Decides a reservation in the order of the log, so that every process decides it equally. */
export function reserve(state: BudgetBook, record: ReservationRecord): void {
  if (state.reservations.has(record.reservationId)) return;
  const { reservationId: id, at, taskType, jobId, amountMsat } = record;
  const time = bookingTimeOf(at);
  const own = state.envelopes.get(taskType);
  const all = state.envelopes.get('');
  const common = all === undefined ? Number.POSITIVE_INFINITY : available(all, openTime(all, time));
  const free = own === undefined ? Number.POSITIVE_INFINITY : available(own, openTime(own, time));
  const loans = own === undefined || amountMsat <= free ? [] : loansFor(state, own, amountMsat - free, at);
  const granted = loans !== null && amountMsat <= common;
  const booked: { scope: string; time: BookingTime }[] = [];
  if (granted) {
    for (const [scope, envelope] of [
      [taskType, own],
      ['', all],
    ] as const) {
      if (envelope === undefined) continue;
      const open = openTime(envelope, time);
      for (const loan of envelope === own ? loans : []) {
        book(loan.from, loan.time, { moved: -loan.msat });
        book(envelope, open, { moved: loan.msat });
      }
      book(envelope, open, { held: amountMsat });
      booked.push({ scope, time: open });
    }
  }
  state.reservations.set(id, {
    id,
    at,
    taskType,
    jobId,
    amountMsat,
    state: granted ? 'held' : 'refused',
    paidMsat: 0,
    availableMsat: granted ? amountMsat : Math.min(common, availableFor(state, taskType, at)),
    booked,
  });
  if (!granted) remember(state);
}

/** Settles a held reservation: what was paid is spent, the rest is free again. */
export function settle(state: BudgetBook, record: SettlementRecord): void {
  const reservation = state.reservations.get(record.reservationId);
  if (reservation === undefined || reservation.state !== 'held') return;
  for (const { scope, time } of reservation.booked) {
    const envelope = state.envelopes.get(scope);
    if (envelope !== undefined) {
      book(envelope, time, { held: -reservation.amountMsat, spent: record.paidMsat });
    }
  }
  reservation.state = 'settled';
  reservation.paidMsat = record.paidMsat;
  remember(state);
}

/** Forgets the oldest reservations that are not held. */
function remember(state: BudgetBook): void {
  state.settled += 1;
  if (state.settled <= rememberedReservations) return;
  for (const [id, reservation] of state.reservations) {
    if (reservation.state === 'held') continue;
    state.reservations.delete(id);
    state.settled -= 1;
    return;
  }
}
