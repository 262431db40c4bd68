import type { SimulatedTask } from './tasks.ts';

/** A platform as a policy sees it. */
export interface Offer {
  /** Identity; a returning cheat has a new one. */
  readonly id: string;
  readonly initialTrust: number;
  /** Price of this task. */
  readonly price: number;
  readonly inFlight: number;
}

/** The end of a task as the customer sees it. */
export interface Feedback {
  readonly task: SimulatedTask;
  readonly id: string;
  /** The validator's answer, which may be wrong. */
  readonly accepted: boolean;
  readonly latencySeconds: number;
  readonly atHours: number;
}

/** A routing policy under test. */
export interface Policy {
  readonly name: string;
  /** Returns the index of the chosen offer. */
  choose(task: SimulatedTask, offers: readonly Offer[], random: () => number): number;
  learn(feedback: Feedback): void;
}
