import type { Logger } from '@bonafide/internal';
import { hasMethods } from '@bonafide/internal';
import * as z from 'zod';
import type { DelegationConfigInput } from '../config.ts';
import type { DelegationEngine } from '../engine.ts';
import { callable, clockSchema, loggerSchema, port, randomSchema, timersSchema } from '../host-options.ts';
import type { JsonValue } from '../json.ts';
import type { Leadership } from '../leadership.ts';
import type { Accept, StoredOrder } from '../order.ts';
import type {
  Benchmarks,
  Jobs,
  Journal,
  Judge,
  ListedPlatform,
  Matrix,
  PlatformSource,
  PublicWord,
  Receipts,
  Reflection,
  Similarity,
} from '../ports.ts';
import type { DelegationStore } from '../store.ts';
import type { Timers } from '../timers.ts';
import type { ServiceLevel } from './follow-service-level.ts';

/** Input of {@link DelegationOptions.bid}. */
export interface BidContext {
  readonly order: StoredOrder;
  readonly platform: ListedPlatform;
  /** Price on the platform's card, msat; null without one. */
  readonly priceMsat: number | null;
  /** Most that may be bid, msat. */
  readonly limitMsat: number;
}

/** Options of `createDelegation`. */
export interface DelegationOptions {
  /** Orders, and the wakes of the embedded engine. It is never closed. */
  readonly store: DelegationStore;
  /** @default an embedded engine over the store, for a single process */
  readonly engine?: DelegationEngine;
  readonly source: PlatformSource;
  /**
   * A job client, or a function that starts one. With `leadership`, only the elected process calls the function, and disposes what it
   * returns when the election ends; start there what else only one process may run, such as discovery and reflection.
   */
  readonly jobs: Jobs | (() => Promise<Jobs & Partial<AsyncDisposable>>);
  /**
   * Elects the process with the job client, for agents of several processes. Needs `engine`.
   * @default this is the only process
   */
  readonly leadership?: Leadership;
  readonly matrix: Matrix;
  readonly journal: Journal;
  /** Needed for orders with a suite and for trials. */
  readonly judge?: Judge;
  readonly reflection?: Reflection;
  readonly publicWord?: PublicWord;
  /**
   * Sends receipts; `createJobReceipts` does so over the job client. A function gets the jobs of this process, also when it is elected
   * later. @default none are sent
   */
  readonly receipts?:
    | Receipts
    | ((jobs: Jobs, options: { readonly clock: () => number; readonly logger: Logger }) => Receipts);
  /** Needed for `qualify`. */
  readonly benchmarks?: Benchmarks;
  /**
   * Says whose answers will be alike, so that the platforms of an order are unlike each other. @default all platforms are unlike
   */
  readonly similarity?: Similarity;
  /** Decides whether a platform is suspended for its latest work, for example by the terms of an SLA. @default none is */
  readonly serviceLevel?: ServiceLevel;
  /** Checks that orders name in `accept`. */
  readonly checks?: Readonly<Record<string, Accept>>;
  /**
   * Turns an answer into what the judge runs.
   * @default `{ language, source }`
   */
  readonly artifactOf?: (content: string, order: StoredOrder) => JsonValue;
  /**
   * Returns the bid for a platform, msat; more than the limit is cut. A platform for which it throws is not asked.
   * @default the price on its card, else the value of the order
   */
  readonly bid?: (context: BidContext) => number;
  /** Returns the current time in ms since epoch. @default Date.now */
  readonly clock?: () => number;
  /** 0 ≤ x < 1. @default Math.random */
  readonly random?: () => number;
  /** @default the platform's */
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly config?: DelegationConfigInput;
}

/** Schema of {@link DelegationOptions}: the ports are the host's own objects. */
export const optionsSchema = z.strictObject({
  store: port<DelegationStore>('create', 'get', 'update', 'list', 'note', 'putNote'),
  engine: port<DelegationEngine>('wake', 'work').optional(),
  source: port<PlatformSource>('find', 'get'),
  jobs: z.union([callable<() => Promise<Jobs>>(), port<Jobs>('requestJob', 'getByKey')]),
  leadership: port<Leadership>('lead').optional(),
  matrix: port<Matrix>('register', 'select', 'entry'),
  journal: port<Journal>('recordOutgoing', 'recordIncoming', 'recordOutcome'),
  judge: port<Judge>('run').optional(),
  reflection: z
    .custom<Reflection>(
      (given) =>
        typeof given === 'object' &&
        given !== null &&
        hasMethods('onMessage', 'afterSend')((given as Partial<Reflection>).hooks),
      'Expected an object with `hooks`',
    )
    .optional(),
  publicWord: port<PublicWord>('offerReview').optional(),
  receipts: z.union([callable<() => Receipts>(), port<Receipts>('send')]).optional(),
  benchmarks: port<Benchmarks>('tasks').optional(),
  similarity: callable<Similarity>().optional(),
  serviceLevel: callable<ServiceLevel>().optional(),
  checks: z.record(z.string(), callable<Accept>()).optional(),
  artifactOf: callable<NonNullable<DelegationOptions['artifactOf']>>().optional(),
  bid: callable<NonNullable<DelegationOptions['bid']>>().optional(),
  clock: clockSchema,
  random: randomSchema,
  timers: timersSchema,
  logger: loggerSchema,
  // `resolveConfig` checks it.
  config: z.unknown().optional(),
});

/** Tells whether the jobs are a function that starts a client. A getter of the host may throw. */
export function hasJobsFunction(options: Partial<DelegationOptions> | undefined): boolean {
  try {
    return typeof options?.jobs === 'function';
  } catch {
    return false;
  }
}
