import type { Logger } from '@bonafide/internal';
import * as z from 'zod';
import { type CycleRecord, cycleRecordSchema } from '../audit/cycle-record.ts';
import type { Belief } from '../beliefs/beliefs.ts';
import type { StatePort } from './state-port.ts';

const beliefsSchema = z.object({
  version: z.literal(1),
  beliefs: z.array(
    z.object({
      key: z.string(),
      value: z.string(),
      // Beliefs from before this field were words of a model.
      kind: z.enum(['template', 'note', 'operator']).default('note'),
      rationale: z.string(),
      peerId: z.string().nullable(),
      handle: z.string().nullable().default(null),
      pinned: z.boolean().default(false),
      sourceCycle: z.number(),
      createdAt: z.number(),
      confirmedAt: z.number(),
      ttlMinutes: z.number(),
    }),
  ),
});

const historySchema = z.object({
  version: z.literal(1),
  /** Number of the last cycle. */
  lastCycle: z.number().int(),
  /** Start time of the last applied cycle, up to which the ledger was read. */
  seenThroughAt: z.number().nullable(),
  /** Peers with unseen facts that did not fit into that cycle. */
  waiting: z.array(z.string()),
  cycles: z.array(cycleRecordSchema),
});

const trustsSchema = z.object({
  version: z.literal(1),
  /** By peer: the cortex's last assessment and the newest fact that it had seen. */
  trusts: z.record(
    z.string(),
    z.object({
      trust: z.number(),
      assessmentId: z.string().nullable(),
      seenThroughAt: z.number().nullable(),
    }),
  ),
});

/** The cortex's last reflection on a peer. */
export interface TrustMark {
  readonly trust: number;
  /** Null when it wrote no assessment. */
  readonly assessmentId: string | null;
  /** Time of the newest fact that it had seen. */
  readonly seenThroughAt: number | null;
}

/** All data that survives a restart. */
export interface Memory {
  readonly beliefs: readonly Belief[];
  readonly lastCycle: number;
  readonly seenThroughAt: number | null;
  readonly waiting: readonly string[];
  readonly cycles: readonly CycleRecord[];
  readonly trusts: ReadonlyMap<string, TrustMark>;
}

/** Keys of the state port. */
const stateKeys = {
  beliefs: 'cortex-beliefs',
  history: 'cortex-history',
  trusts: 'cortex-trusts',
} as const;

/** Reads and writes the memory. Failures are logged and counted, never thrown. */
export interface Persistence {
  load(): Promise<Memory>;
  save(memory: Memory): Promise<void>;
  /** Reads and writes that failed. */
  readonly failures: number;
}

/** Creates the persistence over a state port; without a port the memory lasts as long as the process. */
export function createPersistence(state: StatePort | null, logger: Logger): Persistence {
  let failures = 0;
  const failed = (error: unknown, key: string, doing: string) => {
    failures += 1;
    logger.error({ err: error, key }, `The state could not be ${doing}. The cortex continues in memory.`);
  };

  const read = async <T>(key: string, schema: z.ZodType<T>): Promise<T | null> => {
    if (state === null) return null;
    let text: string | null;
    try {
      text = await state.retrieve(key);
    } catch (error) {
      failed(error, key, 'read');
      return null;
    }
    if (text === null) return null;
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      failed(error, key, 'understand');
      // Unreadable state is moved aside instead of overwritten, so that it can be inspected.
      await write(`${key}-unreadable`, text);
      return null;
    }
  };
  const write = async (key: string, text: string) => {
    try {
      await state?.store(key, text);
    } catch (error) {
      failed(error, key, 'written');
    }
  };

  return {
    async load() {
      const [beliefs, history, trusts] = await Promise.all([
        read(stateKeys.beliefs, beliefsSchema),
        read(stateKeys.history, historySchema),
        read(stateKeys.trusts, trustsSchema),
      ]);
      return {
        beliefs: beliefs?.beliefs ?? [],
        lastCycle: history?.lastCycle ?? 0,
        seenThroughAt: history?.seenThroughAt ?? null,
        waiting: history?.waiting ?? [],
        cycles: history?.cycles ?? [],
        trusts: new Map(Object.entries(trusts?.trusts ?? {})),
      };
    },
    async save(memory) {
      const { beliefs, lastCycle, seenThroughAt, waiting, cycles, trusts } = memory;
      const text = (value: object) => JSON.stringify({ version: 1, ...value });
      await write(stateKeys.trusts, text({ trusts: Object.fromEntries(trusts) }));
      await write(stateKeys.beliefs, text({ beliefs }));
      await write(stateKeys.history, text({ lastCycle, seenThroughAt, waiting, cycles }));
    },
    get failures() {
      return failures;
    },
  };
}
