import { type Belief, type BeliefName, isSameBelief } from '../beliefs/beliefs.ts';
import { CortexError } from '../errors.ts';

/** The beliefs with the operator's vetoes. */
export interface HeldBeliefs {
  readonly beliefs: Belief[];
  readonly vetoed: BeliefName[];
}

/** A belief as the operator writes it. */
export interface OperatorBelief {
  /** Kebab-case. */
  readonly key: string;
  /** Text for the prompt, at most 200 UTF-8 bytes are shown. */
  readonly value: string;
  readonly rationale: string;
  readonly peerId: string | null;
  readonly handle: string | null;
}

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/u;

/** Requires a kebab-case key. */
export function requireKey(key: unknown): asserts key is string {
  if (typeof key === 'string' && key.length <= 64 && kebab.test(key)) return;
  throw new CortexError('INVALID_INPUT', 'The key of a belief is kebab-case and at most 64 characters long.');
}

/** Exempts a belief from time to live and cap, or ends the exemption. Pure. Throws `BELIEF_NOT_FOUND`. */
export function setPinned<Held extends HeldBeliefs>(
  held: Held,
  name: BeliefName,
  pinned: boolean,
  now: number,
): Held {
  if (!held.beliefs.some((belief) => isSameBelief(belief, name))) {
    throw new CortexError(
      'BELIEF_NOT_FOUND',
      `No belief '${name.key}' is held${name.peerId === null ? '' : ' about this peer'}.`,
    );
  }
  // Its time to live begins again when it is not pinned any more.
  const change = (belief: Belief) => ({ ...belief, pinned, confirmedAt: pinned ? belief.confirmedAt : now });
  return {
    ...held,
    beliefs: held.beliefs.map((belief) => (isSameBelief(belief, name) ? change(belief) : belief)),
  };
}

/** Writes a belief of the operator, which no reflector changes. It is pinned, and a veto of the same name ends. Pure. */
export function writeBelief<Held extends HeldBeliefs>(held: Held, belief: OperatorBelief, now: number): Held {
  const before = held.beliefs.find((one) => isSameBelief(one, belief));
  const written: Belief = {
    ...belief,
    ...{
      kind: 'operator',
      pinned: true,
      sourceCycle: 0,
      createdAt: before?.createdAt ?? now,
      confirmedAt: now,
    },
    ttlMinutes: before?.ttlMinutes ?? 120,
  };
  return {
    ...held,
    beliefs: [...held.beliefs.filter((one) => !isSameBelief(one, belief)), written],
    vetoed: held.vetoed.filter((name) => !isSameBelief(name, belief)),
  };
}

/** Removes a belief and keeps it from coming back, or lifts the veto. Pure. */
export function setVetoed<Held extends HeldBeliefs>(held: Held, name: BeliefName, vetoed: boolean): Held {
  const { key, peerId } = name;
  const others = held.vetoed.filter((one) => !isSameBelief(one, name));
  return {
    ...held,
    beliefs: vetoed ? held.beliefs.filter((belief) => !isSameBelief(belief, name)) : held.beliefs,
    vetoed: vetoed ? [...others, { key, peerId }] : others,
  };
}
