import { createAsyncContext } from '@bonafide/internal';

/** Turns of several peers in one flow. The flow belongs to none of them while one is unresolved. */
interface Conflict {
  unresolved: number;
}

/** State of one incoming message while it is being handled. */
export class TurnState {
  /** The ledger's id of the sender; null when the message was invalid. */
  readonly peerId: string | null;
  hasSent = false;
  hasEnded = false;
  /** True once the turn has ended, or has sent through its own object. */
  isResolved = false;
  conflict: Conflict | null = null;

  constructor(peerId: string | null) {
    this.peerId = peerId;
  }

  /** Notes a send to the sender. `isExplicit`: through the turn itself and not through the current flow. */
  markSent(isExplicit: boolean): void {
    this.hasSent = true;
    if (isExplicit) this.#resolve();
  }

  markEnded(): void {
    this.hasEnded = true;
    this.#resolve();
  }

  join(conflict: Conflict): void {
    this.conflict = conflict;
    if (!this.isResolved) conflict.unresolved += 1;
  }

  #resolve(): void {
    if (this.isResolved) return;
    this.isResolved = true;
    if (this.conflict) this.conflict.unresolved -= 1;
  }
}

/** The turn of the current flow: none, one, or or turns of several peers that are indistinguishable. */
export type CurrentTurn<Turn> =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly turn: Turn }
  | { readonly kind: 'conflict' };

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

/** Creates the turns of one set of hooks. */
export function createTurns<Turn extends { readonly state: TurnState }>(): Turns<Turn> {
  const context = createAsyncContext<Turn>();

  return {
    begin(turn) {
      const before = context.get()?.state;
      if (before) detectConflict(before, turn.state);
      context.enter(turn);
    },
    run: (turn, task) => context.run(turn, task),
    current() {
      const turn = context.get();
      if (!turn) return { kind: 'none' };
      if (isUnresolved(turn.state.conflict)) return { kind: 'conflict' };
      return turn.state.hasEnded ? { kind: 'none' } : { kind: 'one', turn };
    },
  };
}

function detectConflict(before: TurnState, next: TurnState): void {
  if (isUnresolved(before.conflict)) {
    next.join(before.conflict);
    return;
  }
  if (before.hasEnded || before.hasSent || before.peerId === next.peerId) return;
  const conflict: Conflict = { unresolved: 0 };
  before.join(conflict);
  next.join(conflict);
}

function isUnresolved(conflict: Conflict | null): conflict is Conflict {
  return conflict !== null && conflict.unresolved > 0;
}
