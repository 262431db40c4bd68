import { createRateLimit } from '@bonafide/internal';
import type { CortexConfig } from '../config.ts';
import { type CostSkip, withSkip } from '../cost/cost.ts';
import type { Memory } from '../state/memory.ts';
import type { Admitted } from '../triggers/admission.ts';
import { refillPermits } from '../triggers/triggers.ts';

/** Permits of the cycles that events start. They survive a restart. */
export interface CyclePermits {
  /** Permits of all cycles that events start, of those that strangers start, and of the new-peer trigger. */
  current(): { readonly events: number; readonly strangers: number; readonly newPeers: number };
  /** Returns true for a stranger that has started its share of cycles of this hour. */
  isExhausted(peerId: string): boolean;
  /** Takes the permits of a cycle that was started. */
  take(
    started: Pick<Admitted, 'causedBy' | 'stranger'> & { readonly triggers: readonly string[] },
  ): Promise<void>;
  /** Records once an hour that a trigger had no permit. */
  noteLimited(triggers: readonly string[]): Promise<void>;
}

const hourMs = 3_600_000;
/** Cycles per hour that one stranger may start. */
const perStranger = 3;

/** Creates permits over the state. */
export function createPermits(options: {
  readonly memory: Memory;
  readonly config: () => CortexConfig;
  readonly clock: () => number;
}): CyclePermits {
  const { memory, config, clock } = options;
  const perPeer = createRateLimit({ count: perStranger, perMs: hourMs, clock });
  let notedAt = Number.NEGATIVE_INFINITY;

  const refilled = () => {
    const { events, strangers, newPeers } = memory.costs.value;
    const { triggers, budget } = config();
    const now = clock();
    return {
      events: refillPermits(events, triggers.perHour, now),
      strangers: refillPermits(strangers, Math.ceil(triggers.perHour * budget.strangersShare), now),
      newPeers: refillPermits(newPeers, triggers.newPeer.perHour, now),
    };
  };
  return {
    current() {
      const { events, strangers, newPeers } = refilled();
      return { events: events.permits, strangers: strangers.permits, newPeers: newPeers.permits };
    },
    isExhausted: (peerId) => perPeer.isExhausted(peerId),
    async take({ triggers, causedBy, stranger }) {
      if (causedBy === 'activity') return;
      if (stranger !== null) perPeer.take(stranger);
      const before = refilled();
      const less = <Kind extends keyof typeof before>(kind: Kind, isTaken: boolean) => ({
        permits: Math.max(0, before[kind].permits - (isTaken ? 1 : 0)),
        at: before[kind].at,
      });
      await memory.costs.update((stored) => ({
        ...stored,
        events: less('events', true),
        strangers: less('strangers', causedBy === 'strangers'),
        newPeers: less('newPeers', triggers.includes('newPeer')),
      }));
    },
    async noteLimited(triggers) {
      const now = clock();
      if (now - notedAt < hourMs) return;
      notedAt = now;
      const { events } = refilled();
      const { perHour } = config().triggers;
      const reserved = events.permits >= 1;
      const allowed = reserved ? Math.ceil(perHour * config().budget.strangersShare) : perHour;
      const skip: CostSkip = {
        ...{ at: now, triggers: [...triggers], limit: 'event_cycles_per_hour', reserved },
        ...{ wanted: allowed + 1, allowed },
      };
      await memory.costs.update((stored) => withSkip(stored, skip));
    },
  };
}
