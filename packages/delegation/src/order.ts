import type { JsonValue } from './json.ts';
import type { PlatformRef } from './platform.ts';
import type { Answer, CheckOutcome } from './ports.ts';

/**
 * Importance of an order; decides how many platforms do it. `background`: one. `normal`: two, and the first accepted
 * answer counts. `important`: three, and two must be accepted. `critical`: five, and three must be accepted.
 */
export type Criticality = 'background' | 'normal' | 'important' | 'critical';

/** One input of an order: a text, or an address of one. */
export interface OrderInput {
  readonly data: string;
  readonly type?: 'text' | 'url' | 'event' | 'job' | undefined;
  readonly relay?: string | undefined;
  readonly marker?: string | undefined;
}

/** A caller's own check of an answer. */
export type Accept = (answer: Answer) => Promise<boolean> | boolean;

/** A piece of work to hand out. */
export interface Order {
  /** Names the order. The same id again is the same order, also after a restart and in another process. */
  readonly id: string;
  /** Capability that platforms are found and chosen by, for example `code-generation`. */
  readonly taskType: string;
  readonly inputs: readonly OrderInput[];
  /** Parameters of the request. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  /** MIME type of the expected output. */
  readonly output?: string | undefined;
  /** Kind of the job request. @default the kind that `config.kinds` names for the task type, else 5000 */
  readonly kind?: number | undefined;
  /** Hidden tests for the judge. Plain JSON: it is stored with the order. */
  readonly suite?: JsonValue | undefined;
  /** Programming language of the answer, for the judge. @default 'python' */
  readonly language?: string | undefined;
  /**
   * The caller's own check, in place of a suite: a function, which is lost when the process ends and has to be passed again
   * with the same order, or the name of one in the option `checks`, which every process has.
   */
  readonly accept?: Accept | string | undefined;
  /** Value of the result for the caller, msat. */
  readonly valueMsat: number;
  /** Most that may be promised to all platforms together, without the fees of payments, msat. @default valueMsat */
  readonly maxMsat?: number | undefined;
  /** Time after which no platform is asked any more, ms since epoch. */
  readonly deadlineAt?: number | undefined;
  /** @default 'background' */
  readonly criticality?: Criticality | undefined;
  /** Number of platforms, in place of the one that `criticality` gives: 1, 2, 3 or 5. */
  readonly replicas?: number | undefined;
}

/** Check of an order's answers. */
export type Check = 'suite' | 'accept' | 'none';

/** An order as stored: every default is resolved, and a function is represented by its absence. */
export interface StoredOrder {
  readonly id: string;
  readonly taskType: string;
  readonly kind: number;
  readonly inputs: readonly OrderInput[];
  readonly params: Readonly<Record<string, string | number>>;
  readonly output: string | null;
  readonly check: Check;
  readonly suite: JsonValue;
  readonly language: string;
  /** Name of the check; null for a function that was passed with the order. */
  readonly accept: string | null;
  readonly valueMsat: number;
  readonly maxMsat: number;
  readonly deadlineAt: number | null;
  readonly criticality: Criticality;
  /** Number of platforms that are asked at once. */
  readonly replicas: number;
  /** Number of answers that must be accepted, or agree. */
  readonly needed: number;
  /** Number of times that platforms are chosen. */
  readonly attempts: number;
  /** True when an answer that passes most of the tests is accepted. */
  readonly acceptPartial: boolean;
  /** The platform of a trial, and the id of its benchmark task; null for other orders. */
  readonly trial: Trial | null;
}

/** A trial of a platform. */
export interface Trial {
  readonly platform: PlatformRef;
  readonly taskId: string;
}

/** Status of an order. */
export type OrderStatus = 'open' | 'delivered' | 'failed' | 'cancelled';

/**
 * Stage of a replica. `chosen`: kept with the reason, not asked yet. `requested`: asked. `answered`: an answer has arrived.
 * `checked`: the answer was checked, or will not be. `ended`: there will be no answer.
 */
export type ReplicaStage = 'chosen' | 'requested' | 'answered' | 'checked' | 'ended';

/** Reason why a replica ended without an answer. */
export type EndReason =
  /** The platform reported an error or declined, or its price was declined. */
  | 'declined'
  /** The platform did not answer in time. */
  | 'timeout'
  /** No relay accepted the request. */
  | 'undelivered'
  /** The answer exceeds what relays deliver or the client reads. */
  | 'too-large'
  /** The order was over before. */
  | 'withdrawn'
  /** The request could not be made. */
  | 'not-requested';

/** Measurements of a checked answer. */
export interface CheckResult {
  readonly outcome: CheckOutcome;
  /** The judge with hidden tests, the caller's check, or null without a check. */
  readonly checkedBy: 'judge' | 'accept' | null;
  readonly passRate: number | null;
  readonly passed: number | null;
  readonly tests: number | null;
  readonly executionMs: number | null;
  readonly softLimitExceeded: boolean | null;
  readonly errorKind: string | null;
  /** One sentence for a person. */
  readonly summary: string;
  /** Evidence of an attack. */
  readonly violations: readonly JsonValue[];
}

/** A stored answer. */
export interface StoredAnswer {
  /** Null when it is not needed any more. */
  readonly content: string | null;
  readonly at: number;
  /** Null when nothing is known about it, for example after a restart. */
  readonly latencyMs: number | null;
  /** Id of the answer on its channel. */
  readonly externalId: string;
  /** The signed event as received. */
  readonly evidence: JsonValue;
  /** Price that the answer names, msat. */
  readonly invoicedMsat: number | null;
  /** True when it arrived after the job had ended without one. */
  readonly isLate: boolean;
}

/**
 * A place where the end of a replica is recorded. `payment`: an answer that asks for money was paid, or is not to be paid. `claim`: the
 * answer to a paid request is not expected any more.
 */
export type RecordTarget =
  | 'request'
  | 'payment'
  | 'journal'
  | 'matrix'
  | 'reflection'
  | 'review'
  | 'receipt'
  | 'claim';

/** Money of a replica, msat. */
export interface ReplicaCost {
  /** Most that it may ask for. */
  readonly bidMsat: number;
  /** Amount that its answer or its payment demand asked for. */
  readonly invoicedMsat: number;
  /** Amount paid, without fees. */
  readonly paidMsat: number;
  readonly feesMsat: number;
  /** Amount reserved for a payment of unknown outcome. */
  readonly heldMsat: number;
}

/** One platform's part of an order. */
export interface Replica extends ReplicaCost {
  /** 1, 2, 3 … in the order of choice. */
  readonly number: number;
  /** Number of the choice that it comes from, from 1. */
  readonly round: number;
  readonly platform: PlatformRef;
  readonly name: string | null;
  readonly relays: readonly string[];
  /** Reason for choosing it. */
  readonly reason: string;
  /** Trust of the matrix, 0..0.9; null when it was not the matrix that chose. */
  readonly trust: number | null;
  /** Probability of the draw, 0..1; null when it was not the matrix that chose. */
  readonly probability: number | null;
  /** Id of the matrix's decision; null when it was not the matrix that chose. */
  readonly decisionId: string | null;
  readonly chosenAt: number;
  readonly stage: ReplicaStage;
  readonly jobId: string | null;
  readonly requestedAt: number | null;
  /** Reason for taking the request back; null while it is wanted. */
  readonly withdrawn: string | null;
  readonly answer: StoredAnswer | null;
  readonly end: { readonly reason: EndReason; readonly at: number; readonly message: string } | null;
  readonly check: CheckResult | null;
  readonly recorded: readonly RecordTarget[];
}

/** A platform that was not asked, or not again. */
export interface Exclusion {
  readonly platformId: string;
  readonly reason: string;
}

/** Reason why an order failed. */
export interface OrderFailure {
  readonly code: 'NO_PLATFORM' | 'NO_CONSENSUS' | 'TIMEOUT' | 'ORDER_CANCELLED';
  readonly message: string;
}

/** State of an order: everything that decides its next steps. */
export interface OrderState {
  readonly order: StoredOrder;
  readonly status: OrderStatus;
  readonly createdAt: number;
  readonly decidedAt: number | null;
  /** Number of choices so far. */
  readonly rounds: number;
  /** True when a choice found fewer platforms than it wanted. */
  readonly exhausted: boolean;
  readonly replicas: readonly Replica[];
  readonly exclusions: readonly Exclusion[];
  /** Numbers of the replicas whose answers were accepted or agree; the first one's is delivered. */
  readonly winners: readonly number[];
  /** Evidence for the delivery: the judge, the caller's check, or agreement; null: unchecked. */
  readonly verifiedBy: 'judge' | 'accept' | 'agreement' | null;
  readonly failure: OrderFailure | null;
}
