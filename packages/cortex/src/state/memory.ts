import type { Logger } from '@bonafide/internal';
import * as z from 'zod';
import { cycleRecordSchema } from '../audit/cycle-record.ts';
import { beliefNameSchema, beliefSchema } from '../beliefs/beliefs.ts';
import { commitmentSchema } from '../commitments/commitments.ts';
import { costDaySchema, skipSchema } from '../cost/cost.ts';
import { directiveSchema } from '../directives/directive.ts';
import { createDocument } from './document.ts';
import type { StatePort } from './state-port.ts';

const version = z.literal(1).default(1);

const beliefsSchema = z.object({
  version,
  beliefs: z.array(beliefSchema),
  /** Beliefs that must not come back. */
  vetoed: z.array(beliefNameSchema).default([]),
});

const historySchema = z.object({
  version,
  /** Number of the last cycle. */
  lastCycle: z.number().int(),
  /** Start time of the last applied cycle, up to which the ledger was read. */
  seenThroughAt: z.number().nullable(),
  /** Peers with unseen facts that did not fit into that cycle. */
  waiting: z.array(z.string()),
  cycles: z.array(cycleRecordSchema),
});

const permitsSchema = z.object({ permits: z.number(), at: z.number() }).nullable().default(null);

const markSchema = z.object({
  trust: z.number(),
  /** Null when the cortex wrote no assessment. */
  assessmentId: z.string().nullable(),
  /** Time of the newest fact that it had seen. */
  seenThroughAt: z.number().nullable(),
  /** True when facts speak for the peer; see `isKnown`. */
  known: z.boolean().default(false),
  /** Time of the newest alarm that it had seen and that no success had answered; null without one. */
  alarmAt: z.number().nullable().default(null),
});

const trustsSchema = z.object({
  version,
  /** By peer: the cortex's last assessment and the newest fact that it had seen. Least recently seen first. */
  trusts: z.record(z.string(), markSchema),
});

const directivesSchema = z.object({ version, directives: z.array(directiveSchema) });
const commitmentsSchema = z.object({ version, commitments: z.array(commitmentSchema) });
const lessonsSchema = z.object({ version, lessons: z.array(z.string()) });
const costsSchema = z.object({
  version,
  /** The newest days, oldest first. */
  days: z.array(costDaySchema),
  skips: z.array(skipSchema),
  /** Permits of the new-peer trigger, and the time of the last refill. */
  newPeers: permitsSchema,
  /** Permits of all cycles that events start. */
  events: permitsSchema,
  /** Permits of those that strangers start. */
  strangers: permitsSchema,
  /** Factors by trigger, when triggers tune themselves. */
  factors: z.record(z.string(), z.number()).default({}),
});

/** The cortex's last reflection on a peer. */
export type TrustMark = Readonly<z.output<typeof markSchema>>;

/** The keys of the state. */
export const memoryKeys = [
  'cortex-beliefs',
  'cortex-history',
  'cortex-trusts',
  'cortex-directives',
  'cortex-commitments',
  'cortex-lessons',
  'cortex-costs',
] as const;

/** Everything that survives a restart, one document per key of the state. */
export type Memory = ReturnType<typeof createMemory>;

/** Creates the documents over a state port; without a port they last as long as the process. */
export function createMemory(state: StatePort | null, logger: Logger) {
  let failures = 0;
  const onFailure = () => {
    failures += 1;
  };
  const document = <Value>(key: (typeof memoryKeys)[number], schema: z.ZodType<Value>, empty: Value) =>
    createDocument<Value>({ state, key, schema, empty, logger, onFailure });
  const documents = {
    beliefs: document('cortex-beliefs', beliefsSchema, { version: 1, beliefs: [], vetoed: [] }),
    history: document('cortex-history', historySchema, {
      ...{ version: 1, lastCycle: 0, seenThroughAt: null },
      waiting: [],
      cycles: [],
    }),
    trusts: document('cortex-trusts', trustsSchema, { version: 1, trusts: {} }),
    directives: document('cortex-directives', directivesSchema, { version: 1, directives: [] }),
    commitments: document('cortex-commitments', commitmentsSchema, { version: 1, commitments: [] }),
    lessons: document('cortex-lessons', lessonsSchema, { version: 1, lessons: [] }),
    costs: document('cortex-costs', costsSchema, {
      ...{ version: 1, days: [], skips: [], newPeers: null, events: null, strangers: null },
      factors: {},
    }),
  };
  return {
    ...documents,
    /** Reads every document again. */
    async refresh() {
      for (const each of Object.values(documents)) await each.refresh();
    },
    /** Reads and writes that failed. */
    get failures() {
      return failures;
    },
  };
}
