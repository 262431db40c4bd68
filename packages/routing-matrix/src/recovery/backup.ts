import { type Logger, sha256Hex, silentLogger } from '@bonafide/internal';
import * as z from 'zod';
import { wholeClock } from '../clock.ts';
import { resolveConfig } from '../config.ts';
import { RoutingError, storeError } from '../errors.ts';
import { decodeRecord } from '../log/record-codec.ts';
import type { RoutingMatrix } from '../matrix/matrix.ts';
import { callable, listOf, logger as loggerSchema, parseInput, parseOptions, port } from '../schemas.ts';
import { recordName } from '../state/recorded-before.ts';
import type { LogRecord, RoutingStore, StoredRecord } from '../store.ts';
import { type BackupPart, readMessages, writeMessages } from './backup-message.ts';
import { readSnapshot, withRecorded } from './snapshot.ts';

/** Receives the messages of a backup, for example as private messages to oneself. */
export interface BackupSink {
  /** Sends one message of at most 24,000 bytes and resolves once it is stored elsewhere. */
  send(message: string): Promise<void>;
}

/** Options of {@link createBackup}. */
export interface BackupOptions {
  /** The matrix, and the store of its log. */
  readonly matrix: Pick<RoutingMatrix, 'exportSnapshot' | 'on'>;
  readonly store: RoutingStore;
  readonly sink: BackupSink;
  /** Number of records after which a new base is sent. @default 2000 */
  readonly recordsPerBase?: number;
  /** Returns the current time in ms since epoch. @default Date.now */
  readonly clock?: () => number;
  readonly logger?: Logger;
}

/** A backup of a matrix that is kept up to date. */
export interface MatrixBackup {
  /**
   * Sends what is not backed up yet: a snapshot first, and later the evidence since the last message. Decisions are not
   * sent; they matter for the next hour only.
   *
   * @throws RoutingError `BACKUP_FAILED` when the sink failed; the next call sends it again.
   */
  flush(): Promise<void>;
  /** Stops listening for changes and waits for a running flush. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Smallest change of trust that is sent at once. */
const significantTrust = 0.05;
const pageSize = 1_000;
/** Largest number of records in one part. */
const mostRecords = 10_000;
/** Kinds of records that may be recorded again after a restoration. */
const evidence = ['outcome', 'benchmark'] as const;
/** Number of records of each of these kinds that a restored log recognizes. */
const rememberedEvidence = 5_000;
/** Kinds of records that a backup leaves out. */
const omitted: ReadonlySet<string> = new Set(['decision', 'alert']);

const clockSchema = callable<() => number>().optional();
const optionsSchema = z.strictObject({
  matrix: port<BackupOptions['matrix']>('exportSnapshot', 'on'),
  store: port<RoutingStore>('readAfter', 'latest'),
  sink: port<BackupSink>('send'),
  recordsPerBase: z.int().min(1).default(2_000),
  clock: clockSchema,
  logger: loggerSchema.optional(),
});
const restoreSchema = z.strictObject({ clock: clockSchema });
const emptyLogSchema = port<RoutingStore>('append', 'readAfter');
const messagesSchema = listOf(z.unknown());

/**
 * Backs a matrix up into a sink. Every change of status and every change of trust of .05 or more is sent at once with
 * the evidence since the last message; failures are logged and sent with the next change.
 *
 * @throws RoutingError `INVALID_CONFIG`
 */
export function createBackup(options: BackupOptions): MatrixBackup {
  const given = parseOptions(optionsSchema, options, 'createBackup');
  const { matrix, store, sink, recordsPerBase, logger = silentLogger } = given;
  const clock = wholeClock(given.clock ?? Date.now);
  let base: number | null = null;
  let log: Awaited<ReturnType<typeof describeLog>> | null = null;
  /** Last sequence number that messages cover, and the last one that was read: what is between them needs no message. */
  let [sent, read] = [0, 0];
  let tail: Promise<void> = Promise.resolve();
  let waiting = false;

  async function sendPart(part: Omit<BackupPart, 'log' | 'writtenAt'>): Promise<void> {
    log ??= await describeLog(store);
    const { name, restoredAt } = log;
    // Later than what the log was restored from, also where that machine's clock was ahead.
    const writtenAt = Math.max(clock(), restoredAt + 1);
    for (const message of await writeMessages({ ...part, log: name, writtenAt })) await sink.send(message);
  }

  async function sendBase(): Promise<void> {
    const { seq, snapshot } = await matrix.exportSnapshot();
    const text = withRecorded(snapshot, await recordedUntil(seq));
    await sendPart({ kind: 'base', from: 0, to: seq, text });
    base = seq;
    [sent, read] = [seq, seq];
  }

  /** Returns the names of the last evidence up to a record, oldest first: a restored log has the state, but not these records. */
  async function recordedUntil(seq: number): Promise<string[]> {
    const found: StoredRecord[] = [];
    for (const kind of evidence) {
      const { items } = await store.latest({ kind, limit: rememberedEvidence });
      found.push(...items.filter((each) => each.seq <= seq));
    }
    return found.sort((a, b) => a.seq - b.seq).map(({ id }) => recordName(id));
  }

  async function sendRecords(): Promise<void> {
    const records: StoredRecord[] = [];
    let to = read;
    for (;;) {
      const page = await store.readAfter(to, pageSize);
      records.push(...page.filter(({ kind }) => !omitted.has(kind)));
      to = page.at(-1)?.seq ?? to;
      // After a long failure of the sink a snapshot is smaller than the records.
      if (records.length > mostRecords) return sendBase();
      if (page.length < pageSize) break;
    }
    if (records.length > 0) {
      await sendPart({ kind: 'records', from: sent + 1, to, text: JSON.stringify(records) });
      sent = to;
    }
    read = to;
    if (base === null || read - base >= recordsPerBase) await sendBase();
  }

  function flush(): Promise<void> {
    const turn = tail.then(async () => {
      waiting = false;
      try {
        await (base === null ? sendBase() : sendRecords());
      } catch (cause) {
        throw new RoutingError('BACKUP_FAILED', 'The backup could not be sent; the next one includes it.', {
          cause,
        });
      }
    });
    tail = turn.catch(() => {});
    return turn;
  }

  /** Sends soon; changes until then go into the same messages. */
  function soon(): void {
    if (waiting) return;
    waiting = true;
    flush().catch((error: unknown) => logger.error({ err: error }, 'The backup failed'));
  }

  const unsubscribe = [
    matrix.on('status', soon),
    matrix.on('trust', ({ before, after }) => {
      if (Math.abs((after ?? 0) - (before ?? 0)) >= significantTrust) soon();
    }),
  ];

  const close = async (): Promise<void> => {
    for (const each of unsubscribe) each();
    await tail;
  };

  return { flush, close, [Symbol.asyncDispose]: close };
}

/**
 * Returns a name that no other log has, from its first record, which of a restored log is the restoration; and the time of the
 * message from which it was restored, 0 for another log.
 */
async function describeLog(
  store: RoutingStore,
): Promise<{ readonly name: string; readonly restoredAt: number }> {
  const [first] = await store.readAfter(0, 1);
  if (first === undefined) return { name: crypto.randomUUID(), restoredAt: 0 };
  const name = sha256Hex(JSON.stringify([first.id, first.at])).slice(0, 16);
  const { writtenAt } = first.data;
  return { name, restoredAt: first.kind === 'base' && typeof writtenAt === 'number' ? writtenAt : 0 };
}

/** Result of a restoration. */
export interface RestoredBackup {
  /** Sequence number of the snapshot in the lost log. */
  readonly baseSeq: number;
  /** Number of records that were restored after the snapshot. */
  readonly records: number;
  /** True when messages between the snapshot and the last record are missing, so that evidence may be lost. */
  readonly gap: boolean;
  /** Number of messages that do not belong to a backup. */
  readonly foreign: number;
  /** Number of parts of which messages are missing or changed, or that cannot be read. */
  readonly incomplete: number;
}

const recordsSchema = z.array(
  z.object({
    seq: z.int().min(1),
    id: z.string(),
    kind: z.string(),
    at: z.number(),
    taskType: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
  }),
);

/**
 * Restores a log from the messages of its backups, in any order: the newest complete snapshot and the evidence after it.
 * Hand over only messages that you wrote yourself.
 *
 * @param store - Its log must be empty.
 * @throws RoutingError `INVALID_INPUT` without any complete snapshot, or when the log is not empty; `STORE_FAILED`.
 */
export async function restoreBackup(
  messages: Iterable<string>,
  store: RoutingStore,
  options: { readonly clock?: () => number } = {},
): Promise<RestoredBackup> {
  const given = parseInput(messagesSchema, messages, 'restoreBackup.messages');
  const texts = given.filter((message) => typeof message === 'string');
  parseInput(emptyLogSchema, store, 'restoreBackup.store');
  const clock = wholeClock(parseInput(restoreSchema, options, 'restoreBackup').clock ?? Date.now);
  const { parts, foreign: others, incomplete } = await readMessages(texts);
  const foreign = others + given.length - texts.length;
  const usable = parts.filter(({ kind, text }) => kind === 'base' && isSnapshot(text));
  // The newest: a log that was restored before counts from the beginning.
  const base = usable.sort((a, b) => b.writtenAt - a.writtenAt || b.to - a.to)[0];
  if (base === undefined) {
    throw new RoutingError('INVALID_INPUT', 'The messages contain no complete snapshot. Read more of them.');
  }
  const later = parts
    .filter(({ kind, log, to }) => kind === 'records' && log === base.log && to > base.to)
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const records = new Map<string, LogRecord & { readonly seq: number }>();
  let covered = base.to;
  let gap = parts.some(({ log, writtenAt }) => log !== base.log && writtenAt > base.writtenAt);
  let unreadable = 0;
  for (const { from, to, text } of later) {
    const found = recordsOf(text);
    if (found === null) {
      unreadable += 1;
      continue;
    }
    gap ||= from > covered + 1;
    covered = Math.max(covered, to);
    for (const record of found) if (record.seq > base.to) records.set(record.id, record);
  }
  gap ||= later.some(({ to }) => to > covered);
  const ordered = [...records.values()].sort((a, b) => a.seq - b.seq);
  const first: LogRecord = {
    id: `base:${base.to}`,
    kind: 'base',
    at: clock(),
    taskType: null,
    data: { snapshot: base.text, writtenAt: base.writtenAt },
  };
  try {
    if ((await store.readAfter(0, 1)).length > 0) {
      throw new RoutingError('INVALID_INPUT', 'The log is not empty. Restore into a new one.');
    }
    await store.append([first, ...ordered.map(({ seq: _, ...record }) => record)]);
  } catch (error) {
    if (error instanceof RoutingError) throw error;
    throw storeError(error, 'Nothing was restored.');
  }
  return { baseSeq: base.to, records: ordered.length, gap, foreign, incomplete: incomplete + unreadable };
}

function isSnapshot(text: string): boolean {
  try {
    readSnapshot(text, resolveConfig());
    return true;
  } catch {
    return false;
  }
}

/** Returns the valid records of a part; `null` when the text has no list of records. */
function recordsOf(text: string): (LogRecord & { readonly seq: number })[] | null {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = recordsSchema.safeParse(given);
  if (!parsed.success) return null;
  return parsed.data.flatMap((each) => {
    const record = each as unknown as LogRecord & { readonly seq: number };
    try {
      // A base within records would replace everything before it.
      return decodeRecord(record).kind === 'base' ? [] : [record];
    } catch {
      return [];
    }
  });
}
