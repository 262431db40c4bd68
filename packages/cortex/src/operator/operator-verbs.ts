import type { Logger, PeerErasure } from '@bonafide/internal';
import * as z from 'zod';
import type { CycleRecord } from '../audit/cycle-record.ts';
import type { BeliefName } from '../beliefs/beliefs.ts';
import type { DirectiveRegistry } from '../directives/directive.ts';
import { CortexError } from '../errors.ts';
import { parseInput } from '../host-options.ts';
import type { LedgerPort } from '../ledger-port.ts';
import { findPeer } from '../reflection/gather.ts';
import type { Memory } from '../state/memory.ts';
import type { StatePort } from '../state/state-port.ts';
import { erasePeer } from './erase-peer.ts';
import { requireKey, setPinned, setVetoed, writeBelief } from './overrides.ts';
import { type Replay, replayCycle } from './replay.ts';
import { type Reverted, revertAssessments, revertState } from './revert.ts';

/** Names a belief in a call: by key, and by the peer that it is about. */
export interface BeliefReference {
  readonly key: string;
  /** Handle, id or npub. Omitted for a belief about the agent itself. */
  readonly peerId?: string | undefined;
}

/** What an operator does to a cortex. Throws as documented at `Cortex`. */
export interface OperatorVerbs {
  replay(cycle: number): Promise<Replay>;
  revert(cycle: number): Promise<Reverted>;
  pin(belief: BeliefReference, pinned?: boolean): Promise<void>;
  edit(belief: BeliefReference & { readonly value: string; readonly rationale?: string }): Promise<void>;
  veto(belief: BeliefReference, vetoed?: boolean): Promise<void>;
  forgetPeer(peerId: string): Promise<PeerErasure>;
}

const reference = { key: z.string(), peerId: z.string().optional() };
// A misspelt peerId would name the agent's own belief.
const referenceSchema = z.strictObject(reference);
const editSchema = z.strictObject({
  ...reference,
  value: z.string().refine((text) => text.trim() !== '', 'must not be blank'),
  rationale: z.string().default('written by the operator'),
});

/** Returns a change of the time at which a cycle was reverted. */
const marked =
  (cycle: number, change: (revertedAt: number | null) => number | null) =>
  (one: CycleRecord): CycleRecord =>
    one.cycle === cycle ? { ...one, revertedAt: change(one.revertedAt) } : one;

/** Creates the operator's verbs over the state. `load` reads it once. */
export function createOperatorVerbs(options: {
  readonly ledger: LedgerPort;
  readonly memory: Memory;
  readonly directives: DirectiveRegistry;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly state: StatePort | null;
  readonly load: () => Promise<void>;
}): OperatorVerbs {
  const { ledger, memory, state, directives, clock, logger, load } = options;

  /** Resolves the peer of a belief to the ledger's id and handle. */
  const nameOf = async (belief: BeliefReference): Promise<BeliefName & { handle: string | null }> => {
    const { key, peerId } = parseInput(referenceSchema, belief, 'belief');
    requireKey(key);
    await load();
    if (peerId === undefined) return { key, peerId: null, handle: null };
    const peer = await findPeer({ ledger, logger }, peerId);
    return { key, peerId: peer?.peerId ?? peerId, handle: peer?.handle ?? peer?.peerId ?? peerId };
  };

  const recordOf = async (cycle: number): Promise<CycleRecord> => {
    parseInput(z.int(), cycle, 'cycle');
    await load();
    await memory.history.refresh();
    const { cycles } = memory.history.value;
    const record = cycles.find((one) => one.cycle === cycle);
    if (record !== undefined) return record;
    throw new CortexError(
      'CYCLE_NOT_FOUND',
      `The history has no cycle ${cycle}. It keeps the last ${cycles.length}; see historySize.`,
    );
  };

  return {
    replay: async (cycle) => replayCycle(await recordOf(cycle), directives),
    async revert(cycle) {
      const record = await recordOf(cycle);
      if (record.revertedAt !== null)
        throw new CortexError('CYCLE_REVERTED', `Cycle ${cycle} was reverted before.`);
      // Claimed first: a second operator does not append the corrections again.
      let claimed = false;
      await memory.history.update((stored) => {
        claimed = stored.cycles.some((one) => one.cycle === cycle && one.revertedAt === null);
        return { ...stored, cycles: stored.cycles.map(marked(cycle, (at) => at ?? clock())) };
      });
      if (!claimed) throw new CortexError('CYCLE_REVERTED', `Cycle ${cycle} was reverted before.`);
      // The state first: a ledger that fails does not leave the beliefs of the cycle in force.
      const undone = await revertState(memory, record);
      try {
        return { cycle, ...undone, assessments: await revertAssessments(ledger, record) };
      } catch (cause) {
        await memory.history.update((stored) => ({
          ...stored,
          cycles: stored.cycles.map(marked(cycle, () => null)),
        }));
        throw new CortexError(
          'LEDGER_FAILED',
          `The ledger rejected a correction of cycle ${cycle}. Revert it again: corrections that were written are not repeated.`,
          { cause },
        );
      }
    },
    async pin(belief, pinned = true) {
      parseInput(z.boolean(), pinned, 'pinned');
      const name = await nameOf(belief);
      await memory.beliefs.refresh();
      // Checked first: a change must not throw, because it may be applied again later.
      setPinned(memory.beliefs.value, name, pinned, clock());
      await memory.beliefs.update((stored) =>
        stored.beliefs.some((one) => one.key === name.key && one.peerId === name.peerId)
          ? setPinned(stored, name, pinned, clock())
          : stored,
      );
    },
    async edit(given) {
      const { value, rationale, ...belief } = parseInput(editSchema, given, 'belief');
      const name = await nameOf(belief);
      await memory.beliefs.update((stored) => writeBelief(stored, { ...name, value, rationale }, clock()));
    },
    async veto(belief, vetoed = true) {
      parseInput(z.boolean(), vetoed, 'vetoed');
      const name = await nameOf(belief);
      await memory.beliefs.update((stored) => setVetoed(stored, name, vetoed));
    },
    async forgetPeer(peerId) {
      await load();
      return erasePeer(memory, state, peerId);
    },
  };
}
