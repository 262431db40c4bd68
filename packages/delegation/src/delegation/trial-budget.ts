import type * as z from 'zod';
import { parseJson } from '../json.ts';
import { trialMoneyNoteName as name, trialMoneySchema } from '../notes.ts';
import type { DelegationContext } from './context.ts';

const dayMs = 86_400_000;

type Promised = z.infer<typeof trialMoneySchema>[number];

/** The money of trials in the last 24 hours. It is reserved before it is promised, also by several processes at the same time. */
export interface TrialBudget {
  /**
   * Reserves the money of a trial, once per id. Returns null, or the time at which the day's money may allow it, ms since epoch.
   */
  reserve(id: string, msat: number): Promise<number | null>;
  /** Replaces what was reserved for a trial by what is counted for it. */
  settle(id: string, msat: number): Promise<void>;
}

export function createTrialBudget({
  store,
  clock,
  settings,
}: Pick<DelegationContext, 'store' | 'clock' | 'settings'>): TrialBudget {
  /** Changes the list by compare-and-set. `change` returns null to leave it as it is. */
  const update = async (change: (list: readonly Promised[]) => readonly Promised[] | null): Promise<void> => {
    for (;;) {
      const note = await store.note(name);
      const parsed = trialMoneySchema.safeParse(note === null ? null : parseJson(note.value));
      const recent = (parsed.data ?? []).filter(({ at }) => at > clock() - dayMs);
      const next = change(recent);
      if (next === null) return;
      const value = JSON.stringify(next.filter(({ msat }) => msat > 0));
      if (await store.putNote(name, { revision: (note?.revision ?? 0) + 1, value })) return;
    }
  };

  return {
    async reserve(id, msat) {
      let affordableAt: number | null = null;
      await update((list) => {
        affordableAt = null;
        if (msat === 0 || list.some((each) => each.id === id)) return null;
        let sum = list.reduce((total, each) => total + each.msat, msat);
        if (sum <= settings.trialsPerDayMsat) return [...list, { id, at: clock(), msat }];
        affordableAt = clock() + dayMs;
        for (const each of list.toSorted((a, b) => a.at - b.at)) {
          sum -= each.msat;
          affordableAt = each.at + dayMs + 1;
          if (sum <= settings.trialsPerDayMsat) break;
        }
        return null;
      });
      return affordableAt;
    },

    settle: (id, msat) =>
      update((list) =>
        list.some((each) => each.id === id && each.msat !== msat)
          ? list.map((each) => (each.id === id ? { ...each, msat } : each))
          : null,
      ),
  };
}
