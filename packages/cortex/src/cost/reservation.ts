import {
  addCost,
  type Cost,
  type CostConfig,
  type CostDay,
  type CostSkip,
  callsOf,
  dayOf,
  exceededLimit,
  expectedCost,
  noCost,
} from './cost.ts';

/** A consultation that is about to be asked. */
export interface ConsultationCall {
  /** ms since epoch. */
  readonly at: number;
  /** Tokens of instructions and question, estimated. */
  readonly inputTokens: number;
  /** True when only the share of strangers may be used. */
  readonly byStrangers: boolean;
}

/** Settings of the caps of consultations. */
export interface ConsultationCaps {
  readonly budget: CostConfig;
  readonly consultation: { readonly callsPerDay: number };
}

/**
 * Counts the expected cost of a consultation before it is asked, so that those asked at the same time stay within the caps
 * together. Pure. Consultations have their own number of calls a day; tokens and money are shared with the cycles.
 */
export function reserveConsultation(
  days: readonly CostDay[],
  { at, inputTokens, byStrangers }: ConsultationCall,
  { budget, consultation }: ConsultationCaps,
):
  | { readonly days: CostDay[]; readonly reserved: Cost }
  | { readonly prevented: Omit<CostSkip, 'at' | 'triggers'> } {
  const day = days.find((each) => each.day === dayOf(at));
  const prevented =
    exceededCalls(day, byStrangers, consultation.callsPerDay, budget.strangersShare) ??
    exceededLimit(
      inputTokens,
      {
        cycleTokens: 0,
        day: day ?? noCost,
        ofStrangers: byStrangers ? (day?.ofStrangers ?? noCost) : null,
      },
      { ...budget, callsPerDay: Number.MAX_SAFE_INTEGER },
    );
  if (prevented !== null) return { prevented };
  const reserved = { ...expectedCost(inputTokens, budget), consultations: 1 };
  return { days: addCost(days, at, reserved, { byStrangers }), reserved };
}

/** Replaces a reserved cost by the true one. Pure. */
export function settleConsultation(
  days: readonly CostDay[],
  { at, byStrangers }: Omit<ConsultationCall, 'inputTokens'>,
  costs: { readonly reserved: Cost; readonly spent: Omit<Cost, 'calls' | 'consultations'> },
): CostDay[] {
  const { reserved, spent } = costs;
  const difference = {
    calls: 0,
    inputTokens: spent.inputTokens - reserved.inputTokens,
    outputTokens: spent.outputTokens - reserved.outputTokens,
    money: spent.money - reserved.money,
    consultations: 0,
  };
  return addCost(days, at, difference, { byStrangers });
}

function exceededCalls(
  day: CostDay | undefined,
  byStrangers: boolean,
  callsPerDay: number,
  strangersShare: number,
): Omit<CostSkip, 'at' | 'triggers'> | null {
  const limit = 'consultations_per_day';
  const wanted = (day?.consultations ?? 0) + 1;
  if (wanted > callsPerDay) return { limit, wanted, allowed: callsPerDay, reserved: false };
  const allowed = callsOf(callsPerDay, strangersShare);
  const ofStrangers = (day?.ofStrangers.consultations ?? 0) + 1;
  return byStrangers && ofStrangers > allowed
    ? { limit, wanted: ofStrangers, allowed, reserved: true }
    : null;
}
