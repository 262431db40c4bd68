import type { JsonValue } from './json.ts';
import type { PlatformRef } from './platform.ts';

/** Judgment of an answer. `INFRA`: nothing can be said about the platform. */
export type CheckOutcome = 'SUCCESS' | 'PARTIAL' | 'FAILURE' | 'ERROR' | 'SECURITY_VIOLATION' | 'INFRA';

/** A platform that was found. */
export interface FoundPlatform {
  readonly entry: ListedPlatform;
}

/** A platform as its card describes it. */
export interface ListedPlatform extends PlatformRef {
  /** `archived` (its card was deleted or has expired), `quarantined` and `rejected` are not asked for work. */
  readonly status?: string;
  readonly relayHints: readonly string[];
  readonly card: {
    readonly name: string | null;
    readonly pricing: { readonly amountMsat: number | null } | null;
    /** All fields of the card, unchanged. `sla` is the agreement that the platform offers. */
    readonly fields?: { readonly [name: string]: JsonValue } | null;
  };
}

/** Finds platforms. A registry of `@bonafide/nip89-discovery` satisfies it. */
export interface PlatformSource {
  find(query: { readonly capability?: string }): AsyncIterable<FoundPlatform>;
  get(pubkey: string, d: string): Promise<ListedPlatform | null>;
}

/** A request for work. */
export interface JobRequest {
  readonly kind: number;
  readonly provider: string;
  readonly inputs: readonly {
    readonly data: string;
    readonly type?: 'text' | 'url' | 'event' | 'job';
    readonly relay?: string;
    readonly marker?: string;
  }[];
  readonly params?: Readonly<Record<string, string | number>>;
  readonly output?: string;
  readonly bidMsat?: number;
}

/** The answer to a request. */
export interface Answer {
  readonly content: string;
  readonly latencyMs: number;
  /** True when it was found by a query, so that `latencyMs` means nothing. */
  readonly recovered: boolean;
  readonly amountMsat: number | null;
  /** The signed event. */
  readonly event: { readonly id: string };
}

/** A requested job. */
export interface RequestedJob {
  readonly jobId: string;
  /** `completed`, `failed`, `timed_out` and `cancelled` are final, and `result` is then settled. */
  readonly state: string;
  /**
   * The answer. Rejects with an error whose `code` says why there is none: `JOB_TIMED_OUT` (with `timeoutClass` 'delivery'
   * when no relay took the request), `JOB_CANCELLED`, `RESULT_TOO_LARGE`, or any other code for a platform that declined.
   */
  readonly result: Promise<Answer>;
  cancel(reason?: string): Promise<void>;
}

/** A payment for a job. */
export interface JobPayment {
  /** `settled` and `failed-after-lookup` are final; a payment with any other status may still be made. */
  readonly status: string;
  readonly amountMsat: number;
  readonly feesMsat: number;
}

/** Outcome of a job, as a receipt states it. */
export interface ReceiptJudgment {
  readonly outcome: 'success' | 'partial' | 'failure' | 'timeout' | 'violation';
}

/** Requests work from platforms and pays for it. A job client of `@bonafide/nip90-jobs` satisfies it. */
export interface Jobs {
  /** Requests once per idempotency key, however often it is called. */
  requestJob(
    request: JobRequest,
    options: { readonly idempotencyKey: string; readonly providerRelays: readonly string[] },
  ): Promise<RequestedJob>;
  /** Returns the job of this idempotency key, or null. */
  getByKey(idempotencyKey: string): Promise<RequestedJob | null>;
  /** Returns the payment for a job, or null. */
  payment?(jobId: string): Promise<JobPayment | null>;
  /**
   * Pays for an answer that asks for a payment: once per job, and at most the bid. Rejects with the code `PAYMENT_DECLINED` when it is
   * not to be paid. Without this method, such answers are not paid.
   */
  pay?(jobId: string): Promise<unknown>;
  /** Signs the outcome of an ended job and sends it to its platform. Resolves with the relays that accepted it. */
  sendReceipt?(
    jobId: string,
    judgment: ReceiptJudgment,
  ): Promise<{ readonly deliveredTo: readonly string[] }>;
  /** Calls `listener` when a payment settles, and when the answer to a paid job arrives after the job had ended. */
  on?(
    name: 'paid' | 'late-result',
    listener: (event: { readonly job: { readonly idempotencyKey: string | null } }) => unknown,
  ): () => void;
}

/** A verdict about an answer. */
export interface JudgeVerdict {
  readonly outcome: Exclude<CheckOutcome, 'INFRA'>;
  readonly errorKind: string | null;
  readonly summary: string;
  readonly passRate: number;
  readonly compositePassRate: number | null;
  readonly tests: readonly { readonly status: string }[];
  readonly metrics: {
    readonly wallMs: number;
    readonly softLimits: { readonly cpu: boolean; readonly memory: boolean };
  };
  readonly violations: readonly { readonly kind: string; readonly evidence: string }[];
}

/**
 * Runs an answer against hidden tests. A judge of `@bonafide/judge-runner` satisfies it. It rejects when nothing can be said
 * about the answer; the step is then repeated.
 */
export interface Judge {
  run(request: {
    // The judge validates both; this package only hands them over.
    // biome-ignore lint/suspicious/noExplicitAny: any judge's own suite and artifact.
    readonly artifact: any;
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    readonly suite: any;
    readonly signal?: AbortSignal;
  }): Promise<JudgeVerdict>;
}

/** Measurements of a piece of work, for the matrix. */
export interface WorkMeasurements {
  readonly passRate?: number | null;
  readonly latencyMs?: number | null;
  readonly executionMs?: number | null;
  readonly softLimitExceeded?: boolean | null;
  readonly errorKind?: string | null;
  readonly costMsat?: number | null;
}

/** A chosen platform. */
export interface MatrixPick {
  readonly platform: PlatformRef;
  readonly name: string | null;
  readonly trust: number;
  readonly probability: number;
  readonly reason: string;
}

/** The matrix's view of a platform in a task type. */
export interface MatrixView {
  readonly platform: PlatformRef;
  readonly taskType: string;
  readonly status: string;
  readonly statusReason: string;
  readonly trustScore: number | null;
  readonly lastVerifiedAt: number | null;
  readonly cooldownUntilAt: number | null;
}

/** What is known of a platform, as far as it shows whose answers will be alike. */
export interface PlatformTraits {
  readonly platform: PlatformRef;
  /** Relays on its card. */
  readonly relays: readonly string[];
  /** Its latest answers that were checked and not right. The same name at two platforms is the same answer to the same job. */
  readonly wrongAnswers: readonly string[];
}

/**
 * Returns a function that says how alike the answers of two of these platforms will be, 0..1. `platformSimilarity` of
 * `@bonafide/routing-matrix` satisfies it.
 */
export type Similarity = (platforms: readonly PlatformTraits[]) => (a: PlatformRef, b: PlatformRef) => number;

/** Chooses platforms and learns from outcomes. A matrix of `@bonafide/routing-matrix` satisfies it. */
export interface Matrix {
  register(registration: {
    readonly platform: PlatformRef;
    readonly name?: string | null;
    readonly taskTypes?: readonly string[];
    readonly priceMsat?: number | null;
  }): Promise<unknown>;
  /** Chooses once per `jobId`: a repeated call returns the first choice. */
  select(
    task: {
      readonly taskType: string;
      readonly jobId: string;
      readonly valueMsat: number;
      readonly deadlineMs?: number;
    },
    options: {
      readonly n: number;
      readonly exclude: readonly PlatformRef[];
      /** How alike the answers of two platforms will be, 0..1: those of replicas should differ. */
      readonly similarity?: (a: PlatformRef, b: PlatformRef) => number;
      /** Platforms that were asked for the same order before, for `similarity`. */
      readonly besides?: readonly PlatformRef[];
    },
  ): Promise<{
    readonly picks: readonly MatrixPick[];
    readonly excluded: readonly { readonly platformId: string; readonly reason: string }[];
    /** True when no platform has earned such a job, so that the best of them does it. @default false */
    readonly degraded?: boolean;
  }>;
  /** Records once per job and platform. */
  recordOutcome(outcome: {
    readonly jobId: string;
    readonly platform: PlatformRef;
    readonly taskType: string;
    readonly outcome: CheckOutcome;
    readonly measurements?: WorkMeasurements;
    readonly valueMsat?: number | null;
  }): Promise<unknown>;
  /** Records once per attempt. */
  recordBenchmark(benchmark: {
    readonly platform: PlatformRef;
    readonly taskType: string;
    readonly attemptId: string;
    readonly verdict: WorkMeasurements & { readonly outcome: CheckOutcome; readonly passRate: number };
  }): Promise<unknown>;
  /** Gives a directive once per id. */
  direct(directive: {
    readonly id: string;
    readonly platform: PlatformRef;
    readonly action: 'refuse' | 'allow' | 'suspend' | 'resume';
    readonly source: 'policy';
    readonly reason: string;
    readonly violation?: boolean;
    readonly untilAt?: number | null;
  }): Promise<unknown>;
  entry(taskType: string, platform: PlatformRef): Promise<MatrixView | null>;
  entries(filter: { readonly taskType: string }): Promise<readonly MatrixView[]>;
}

/** Outcome of a piece of work in the journal. */
export type JournalOutcome =
  | 'requested'
  | 'declined'
  | 'delivered'
  | 'verified'
  | 'rejected'
  | 'timeout'
  | 'violation';

/** A message for the journal. Recording the same `externalId` again does nothing. */
export interface JournalMessage {
  readonly peerId: string;
  readonly channel: string;
  readonly content: string;
  readonly alias?: string | null;
  readonly correlationId: string;
  readonly externalId: string;
  readonly outcome?: JournalOutcome;
  readonly evidence?: { readonly [key: string]: JsonValue };
}

/** Remembers who did what. A ledger of `@bonafide/ledger-core` satisfies it. */
export interface Journal {
  recordOutgoing(message: JournalMessage): Promise<unknown>;
  recordIncoming(message: JournalMessage): Promise<unknown>;
  recordOutcome(
    correlationId: string,
    outcome: JournalOutcome,
    options: {
      readonly peerId?: string;
      readonly externalId: string;
      readonly metrics?: {
        readonly latencyMs?: number;
        readonly costMsat?: number;
        readonly score?: number;
      };
      readonly evidence?: { readonly [key: string]: JsonValue };
    },
  ): Promise<unknown>;
  /** Returns what the policy says about a peer. Its verdict becomes a directive of the matrix. */
  getBriefing?(peerId: string): Promise<{
    readonly verdict: { readonly verdict: string; readonly rule: string; readonly reason: string };
  }>;
}

/** A message that a reflection observes. */
export interface ObservedMessage {
  readonly peerId: string;
  readonly channel: string;
  readonly content: string;
}

/** Thinks about what happened. A cortex of `@bonafide/cortex` satisfies it. */
export interface Reflection {
  readonly hooks: {
    onMessage(message: ObservedMessage): void;
    afterSend(message: ObservedMessage): void;
  };
}

/** The end of one platform's part of an order, for reviews, receipts and listeners. */
export interface FinishedWork {
  /** Unique: the order's id and the replica's number. */
  readonly key: string;
  readonly orderId: string;
  readonly jobId: string;
  readonly platform: PlatformRef;
  readonly name: string | null;
  readonly taskType: string;
  readonly isTrial: boolean;
  /** True when the platform sent an answer. */
  readonly isAnswered: boolean;
  /** Id of the benchmark task of a trial; null for other orders. */
  readonly taskId: string | null;
  readonly outcome: CheckOutcome;
  /** Kind of check; null without one. */
  readonly verifiedBy: 'judge' | 'accept' | 'agreement' | null;
  readonly summary: string;
  readonly passRate: number | null;
  /** Number of passed tests; null without a judge. */
  readonly passed: number | null;
  /** Number of tests; null without a judge. */
  readonly tests: number | null;
  readonly latencyMs: number | null;
  /** Most that the platform could ask for, msat. */
  readonly bidMsat: number;
  readonly paidMsat: number;
  readonly at: number;
}

/** Says in public what a platform did. It decides itself whether anything is said, and says it once per `key`. */
export interface PublicWord {
  offerReview(work: FinishedWork): Promise<unknown>;
}

/** Sends the platform a signed receipt of the outcome, once per `key`. */
export interface Receipts {
  send(work: FinishedWork): Promise<unknown>;
}

/** A benchmark task with hidden tests. */
export interface BenchmarkTask {
  readonly id: string;
  readonly inputs: readonly { readonly data: string; readonly marker?: string }[];
  readonly params?: Readonly<Record<string, string | number>>;
  readonly output?: string;
  /** Hidden tests. Plain JSON. */
  readonly suite: JsonValue;
  readonly language?: string;
}

/** The operator's benchmark tasks. */
export interface Benchmarks {
  /** Returns the tasks of a type, in the order in which they should be used. */
  tasks(taskType: string): Promise<readonly BenchmarkTask[]> | readonly BenchmarkTask[];
}
