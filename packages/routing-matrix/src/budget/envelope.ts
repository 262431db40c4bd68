/** Limits of spending for one task type, or for all together. `null`: no limit. */
export interface Budget {
  /** Largest sum of a UTC day, msat. */
  readonly dailyMsat: number | null;
  /** Largest sum of a UTC month, msat. */
  readonly monthlyMsat: number | null;
  /**
   * Share of what is left at the end of a period that the next one gets on top, 0..1. It fades by this share with each
   * further period and never exceeds one limit.
   */
  readonly rollover: number;
  /** True when it lends what it probably will not need to other flexible budgets, and may borrow from them. */
  readonly flexible: boolean;
}

/** One period of one budget, msat. */
interface Period {
  /** Added from earlier periods. */
  readonly carried: number;
  /** Borrowed less lent. */
  moved: number;
  /** Reserved and not settled. */
  held: number;
  spent: number;
}

/** Bookings of one budget. */
export interface Envelope {
  budget: Budget;
  /** By number of the UTC day since 1970; the last {@link rememberedDays}. */
  readonly days: Map<number, Period>;
  /** By number of the UTC month since 1970. */
  readonly months: Map<number, Period>;
}

/** The day and the month to which an amount is booked. */
export interface BookingTime {
  readonly day: number;
  readonly month: number;
}

const dayMs = 86_400_000;
const rememberedDays = 64;
const rememberedMonths = 24;
/** Largest share of its probable surplus that a budget lends. */
const lentShare = 0.5;

/** Creates an envelope without any bookings. */
export const emptyEnvelope = (budget: Budget): Envelope => ({ budget, days: new Map(), months: new Map() });

/** Returns the UTC day and month of a time. */
export function bookingTimeOf(at: number): BookingTime {
  const date = new Date(at);
  return {
    day: Math.floor(at / dayMs),
    month: (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth(),
  };
}

const left = (period: Period, limit: number) =>
  limit + period.carried + period.moved - period.held - period.spent;

/** Returns a period, and creates it with what the last one before it left over. */
function periodAt(periods: Map<number, Period>, at: number, limit: number | null, budget: Budget): Period {
  const known = periods.get(at);
  if (known !== undefined) return known;
  const created: Period = { carried: carriedInto(periods, at, limit, budget), moved: 0, held: 0, spent: 0 };
  periods.set(at, created);
  return created;
}

function carriedInto(
  periods: ReadonlyMap<number, Period>,
  at: number,
  limit: number | null,
  { rollover }: Budget,
): number {
  if (limit === null || rollover === 0) return 0;
  let last: number | null = null;
  for (const period of periods.keys()) if (period < at && (last === null || period > last)) last = period;
  const before = last === null ? undefined : periods.get(last);
  if (last === null || before === undefined) return 0;
  let carried = Math.max(0, left(before, limit)) * rollover;
  // Periods without any booking left their whole limit, and fade likewise.
  for (let skipped = Math.min(at - last - 1, rememberedDays); skipped > 0; skipped -= 1) {
    carried = Math.min(limit, (limit + carried) * rollover);
  }
  return Math.floor(Math.min(limit, carried));
}

/**
 * Returns the time to which an amount is booked. A period whose successor has begun, according to another machine's
 * clock, is closed, because what it left may have been carried over.
 */
export function openTime(envelope: Envelope, { day, month }: BookingTime): BookingTime {
  return {
    day: envelope.days.has(day + 1) ? day + 1 : day,
    month: envelope.months.has(month + 1) ? month + 1 : month,
  };
}

/** Returns what may still be reserved without borrowing, msat; `Infinity` without a limit. Never negative. */
export function available(envelope: Envelope, time: BookingTime): number {
  const { budget, days, months } = envelope;
  const of = (periods: Map<number, Period>, at: number, limit: number | null) => {
    if (limit === null) return Number.POSITIVE_INFINITY;
    const known = periods.get(at);
    return known === undefined ? limit + carriedInto(periods, at, limit, budget) : left(known, limit);
  };
  return Math.max(
    0,
    Math.min(of(days, time.day, budget.dailyMsat), of(months, time.month, budget.monthlyMsat)),
  );
}

/**
 * Returns what a flexible budget would lend at a time of day, msat: half of what is left of its day if the day
 * continues as it began. An underspent budget lends the more, the later it is.
 */
export function lendable(envelope: Envelope, time: BookingTime, at: number): number {
  const { budget, days } = envelope;
  if (!budget.flexible || budget.dailyMsat === null) return 0;
  const period = days.get(time.day);
  const used = (period?.held ?? 0) + (period?.spent ?? 0);
  const elapsed = Math.max(1 / 24, (at % dayMs) / dayMs);
  const expected = Math.max(used, used / elapsed);
  const limit = budget.dailyMsat + (period?.carried ?? 0) + Math.min(0, period?.moved ?? 0);
  const spare = elapsed * Math.max(0, limit - expected);
  return Math.floor(Math.min(lentShare * spare, available(envelope, time)));
}

/** Books a change of what is held, spent or moved, msat. */
export function book(
  envelope: Envelope,
  time: BookingTime,
  change: { readonly held?: number; readonly spent?: number; readonly moved?: number },
): void {
  const { budget, days, months } = envelope;
  const periods = [
    periodAt(days, time.day, budget.dailyMsat, budget),
    periodAt(months, time.month, budget.monthlyMsat, budget),
  ];
  for (const period of periods) {
    period.held += change.held ?? 0;
    period.spent += change.spent ?? 0;
    period.moved += change.moved ?? 0;
  }
  forget(days, rememberedDays);
  forget(months, rememberedMonths);
}

/** Drops the oldest periods. */
function forget(periods: Map<number, Period>, remembered: number): void {
  while (periods.size > remembered) periods.delete(Math.min(...periods.keys()));
}

/** Figures of one budget in one period, msat. */
export interface EnvelopeView {
  readonly limitMsat: number | null;
  readonly carriedMsat: number;
  /** Borrowed from other budgets less lent to them. */
  readonly movedMsat: number;
  readonly heldMsat: number;
  readonly spentMsat: number;
}

/** Returns the figures of the day and the month. */
export function viewEnvelope(
  envelope: Envelope,
  time: BookingTime,
): { readonly day: EnvelopeView; readonly month: EnvelopeView } {
  const { budget, days, months } = envelope;
  const view = (periods: Map<number, Period>, at: number, limit: number | null): EnvelopeView => {
    const known = periods.get(at);
    return {
      limitMsat: limit,
      carriedMsat: known?.carried ?? carriedInto(periods, at, limit, budget),
      movedMsat: known?.moved ?? 0,
      heldMsat: known?.held ?? 0,
      spentMsat: known?.spent ?? 0,
    };
  };
  return {
    day: view(days, time.day, budget.dailyMsat),
    month: view(months, time.month, budget.monthlyMsat),
  };
}
