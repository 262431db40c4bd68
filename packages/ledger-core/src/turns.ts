import { createAsyncContext } from '@bonafide/internal';

/** Turns of several peers in one flow. The flow belongs to none of them while one is unresolved. */
type Conflict = Set<TurnState>;

/** State of one incoming message while it is being handled. */
export class TurnState {
  /** The ledger's id of the sender; null when the message was invalid. */
  readonly peerId: string | null;
  /** Time at which the turn began, ms since epoch. */
  readonly begunAt: number;
  hasSent = false;
  hasEnded = false;
  /** True once the turn has ended, or has sent through its own object. */
  isResolved = false;
  conflict: Conflict | null = null;

  constructor(peerId: string | null, begunAt: number) {
    this.peerId = peerId;
    this.begunAt = begunAt;
  }

  /** Notes a send to the sender. `isExplicit`: through the turn itself and not through the current flow. */
  markSent(isExplicit: boolean): void {
    this.hasSent = true;
    if (isExplicit) this.isResolved = true;
  }

  markEnded(): void {
    this.hasEnded = true;
    this.isResolved = true;
  }

  join(conflict: Conflict): void {
    this.conflict = conflict;
    conflict.add(this);
  }
}

/** The turn of the current flow: none, one, or turns of several peers that are indistinguishable. */
export type CurrentTurn<Turn> =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly turn: Turn }
  /** `turn` is the newest of `turns`. */
  | { readonly kind: 'conflict'; readonly turn: Turn; readonly turns: readonly Turn[] };

/** Keeps track of the turn that an asynchronous flow belongs to. */
export interface Turns<Turn> {
  /**
   * Makes this the turn of the current flow. Conflicts with the turn before when that is another peer's and has neither
   * sent nor ended: code of either turn may run on in this flow.
   */
  begin(turn: Turn): void;
  /** Runs `task` in a separate flow with this turn. */
  run<Result>(turn: Turn, task: () => Result): Result;
  current(): CurrentTurn<Turn>;
}

/** Options of `createTurns`. */
export interface TurnsOptions {
  /** Returns the time in ms since epoch. */
  readonly clock: () => number;
  /** Time after which a turn without an answer no longer conflicts with others, in ms. */
  readonly timeoutMs: number;
}

/** Creates the turns of one set of hooks. */
export function createTurns<Turn extends { readonly state: TurnState }>({
  clock,
  timeoutMs,
}: TurnsOptions): Turns<Turn> {
  const context = createAsyncContext<Turn>();
  const turnOf = new WeakMap<TurnState, Turn>();

  const isOpen = (state: TurnState) => !state.isResolved && clock() - state.begunAt < timeoutMs;
  const isUnresolved = (conflict: Conflict | null): conflict is Conflict =>
    conflict !== null && [...conflict].some(isOpen);

  function detectConflict(before: TurnState, next: TurnState): void {
    if (isUnresolved(before.conflict)) {
      // What can no longer conflict is removed, so that the set stays small.
      for (const state of before.conflict) if (!isOpen(state)) before.conflict.delete(state);
      next.join(before.conflict);
      return;
    }
    if (before.hasSent || before.peerId === next.peerId || !isOpen(before)) return;
    const conflict: Conflict = new Set();
    before.join(conflict);
    next.join(conflict);
  }

  return {
    begin(turn) {
      turnOf.set(turn.state, turn);
      const before = context.get()?.state;
      if (before) detectConflict(before, turn.state);
      context.enter(turn);
    },
    run: (turn, task) => context.run(turn, task),
    current() {
      const turn = context.get();
      if (!turn) return { kind: 'none' };
      const { conflict, hasEnded } = turn.state;
      if (isUnresolved(conflict)) {
        const turns = [...conflict].flatMap((state) => turnOf.get(state) ?? []);
        return { kind: 'conflict', turn, turns };
      }
      return hasEnded ? { kind: 'none' } : { kind: 'one', turn };
    },
  };
}
