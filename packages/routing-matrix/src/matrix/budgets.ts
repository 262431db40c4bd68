import { availableFor, type Reservation, type ReservationState } from '../budget/book.ts';
import { type Budget, bookingTimeOf, type EnvelopeView, openTime, viewEnvelope } from '../budget/envelope.ts';
import { RoutingError } from '../errors.ts';
import type { RoutingLog } from '../log/routing-log.ts';
import { recordId } from '../record-id.ts';
import type { SettlementRecord } from '../records.ts';
import { budgetInputSchema, parseInput, reservationInputSchema, settlementInputSchema } from '../schemas.ts';
import type { MatrixState } from '../state/state.ts';

/** Limits as an operator sets them; absent: none. */
export interface BudgetInput {
  /** Absent or `null`: for all task types together. */
  readonly taskType?: string | null;
  /** Largest sum of a UTC day, msat. */
  readonly dailyMsat?: number | null;
  /** Largest sum of a UTC month, msat. */
  readonly monthlyMsat?: number | null;
  /** Share of the rest of a period that the next one gets on top, 0..1. @default 0 */
  readonly rollover?: number;
  /** True to lend to and borrow from other flexible budgets. @default false */
  readonly flexible?: boolean;
}

/** A planned payment. */
export interface ReservationInput {
  /** Unique id; the same id is one reservation, also after a crash. */
  readonly reservationId: string;
  readonly taskType: string;
  readonly jobId?: string | null;
  /** Largest amount that may be paid, fees included, msat. */
  readonly amountMsat: number;
}

/** A reservation and its state. */
export interface ReservationView {
  readonly reservationId: string;
  readonly taskType: string;
  readonly jobId: string | null;
  readonly amountMsat: number;
  readonly state: ReservationState;
  /** Amount that was paid, msat. */
  readonly paidMsat: number;
  /** Amount that could have been reserved when it was refused, msat. */
  readonly availableMsat: number;
  readonly at: number;
}

/** A budget with its figures of this day and month. */
export interface BudgetView extends Budget {
  readonly taskType: string | null;
  readonly day: EnvelopeView;
  readonly month: EnvelopeView;
  /** Amount that can be reserved now, msat; `null` without a limit. */
  readonly availableMsat: number | null;
}

/** Budgets of a matrix. Every amount is booked to the UTC day and month of its reservation. */
export interface Budgets {
  /** Sets a budget. What was reserved or spent before stays booked. */
  set(budget: BudgetInput): Promise<void>;
  /**
   * Reserves an amount before it is paid. Processes that share the log never reserve more than the budgets together. A
   * reservation is held until it is settled, also over a crash.
   */
  reserve(reservation: ReservationInput): Promise<ReservationView>;
  /**
   * Settles a reservation with the amount that was paid, 0 to give it up. Repeating it has no effect.
   *
   * @throws RoutingError `BUDGET_EXCEEDED` for more than was reserved, `INVALID_INPUT` for a reservation that is not held.
   */
  settle(reservationId: string, paidMsat: number): Promise<ReservationView>;
  /** Returns every budget, the common one first. */
  list(): Promise<BudgetView[]>;
  /** Returns reservations that are not settled, oldest first: after a crash, look up each payment and settle it. */
  held(): Promise<ReservationView[]>;
}

/** Creates the budgets over a log. */
export function createBudgets(
  log: RoutingLog,
  options: { clock: () => number; newId: () => string },
): Budgets {
  const { clock, newId } = options;

  return {
    async set(given) {
      const budget = parseInput(budgetInputSchema, given, 'budgets.set');
      await log.inTurn((current) =>
        log.append(current, [{ kind: 'budget', id: recordId('budget', newId()), at: clock(), ...budget }]),
      );
    },

    async reserve(given) {
      const reservation = parseInput(reservationInputSchema, given, 'budgets.reserve');
      const { reservationId, taskType, amountMsat } = reservation;
      return log.inTurn(async (current) => {
        const id = recordId('reservation', reservationId);
        await log.append(current, [{ kind: 'reservation', id, at: clock(), ...reservation }]);
        const known = current.budgets.reservations.get(reservationId) ?? (await forgotten(id));
        if (known.taskType === taskType && known.amountMsat === amountMsat) return view(known);
        throw new RoutingError(
          'INVALID_INPUT',
          `reservationId '${reservationId}' was used for another task type or amount. Use a unique id per payment.`,
        );
      });
    },

    async settle(reservationId, paidMsat) {
      const given = parseInput(settlementInputSchema, { reservationId, paidMsat }, 'budgets.settle');
      return log.inTurn(async (current) => {
        await log.catchUp(current);
        const known =
          current.budgets.reservations.get(reservationId) ??
          (await forgotten(recordId('reservation', reservationId)));
        if (known.state === 'settled') return view(known);
        if (known.state === 'refused')
          throw new RoutingError(
            'INVALID_INPUT',
            `The reservation '${reservationId}' was refused. Pay nothing.`,
          );
        if (paidMsat > known.amountMsat) {
          throw new RoutingError(
            'BUDGET_EXCEEDED',
            `${paidMsat} msat is more than the reserved ${known.amountMsat}. Reserve the difference before paying it.`,
          );
        }
        const record: SettlementRecord = {
          kind: 'settlement',
          id: recordId('settlement', reservationId),
          at: clock(),
          taskType: known.taskType,
          ...given,
        };
        await log.append(current, [record]);
        return view(current.budgets.reservations.get(reservationId) ?? known);
      });
    },

    list() {
      return log.inTurn(async (current) => {
        await log.catchUp(current);
        return budgetViews(current, clock());
      });
    },

    held() {
      return log.inTurn(async (current) => {
        await log.catchUp(current);
        return [...current.budgets.reservations.values()].filter(({ state }) => state === 'held').map(view);
      });
    },
  };

  /** Returns a reservation that left memory: only refused and settled ones do. */
  async function forgotten(id: string): Promise<Reservation> {
    const record = await log.get(id);
    if (record?.kind !== 'reservation')
      throw new RoutingError('INVALID_INPUT', `The log has no '${id}'. Reserve before paying.`);
    const settlement = await log.get(recordId('settlement', record.reservationId));
    const { reservationId, ...rest } = record;
    const paidMsat = settlement?.kind === 'settlement' ? settlement.paidMsat : 0;
    const state = settlement === null ? 'refused' : 'settled';
    return { ...rest, id: reservationId, state, paidMsat, availableMsat: 0, booked: [] };
  }
}

function view(reservation: Reservation): ReservationView {
  const { id: reservationId, taskType, jobId, amountMsat, state, paidMsat, availableMsat, at } = reservation;
  return { reservationId, taskType, jobId, amountMsat, state, paidMsat, availableMsat, at };
}

/** Returns every budget at `now`, the common one first. */
function budgetViews(state: MatrixState, now: number): BudgetView[] {
  const time = bookingTimeOf(now);
  return [...state.budgets.envelopes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([scope, envelope]) => {
      const free = availableFor(state.budgets, scope, now);
      return {
        taskType: scope === '' ? null : scope,
        ...envelope.budget,
        ...viewEnvelope(envelope, openTime(envelope, time)),
        availableMsat: Number.isFinite(free) ? free : null,
      };
    });
}
