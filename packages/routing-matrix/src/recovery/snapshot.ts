import { canonicalJson, sha256Hex } from '@bonafide/internal';
import * as z from 'zod';
import type { RoutingConfig } from '../config.ts';
import { emptyState, type MatrixState } from '../state/state.ts';
import type { JsonValue } from '../store.ts';
import { decodeState, encodeState } from './codec.ts';

/** Version of the form of the state: another one replays the log. */
const format = 5;
/** Largest number of names of earlier records in a state. */
const mostRecorded = 10_000;

/** Store of snapshots, which make opening a long log fast. Losing all of them loses nothing. */
export interface SnapshotStore {
  /** Stores a snapshot durably. At least the one before it must stay readable until then, and one more afterwards. */
  write(snapshot: string): Promise<void>;
  /** Returns the stored snapshots, newest first; unreadable ones are left out. */
  read(): AsyncIterable<string>;
}

/** Description of the strategy whose state is in a snapshot. */
export interface SnapshotStrategy {
  readonly name: string;
  readonly version: string;
  /** `undefined` for a strategy without snapshots. */
  readonly state: JsonValue | undefined;
}

/** Content of a snapshot. */
export interface Snapshot {
  /** Sequence number of the last record that it contains. */
  readonly seq: number;
  /** Id of that record; '' for an empty log. */
  readonly lastId: string;
  /** Digest of the configuration under which the state was folded. */
  readonly config: string;
  readonly strategy: SnapshotStrategy;
  readonly state: MatrixState;
}

const headerSchema = z.object({ format: z.literal(format), sha256: z.string(), bytes: z.number() });
const bodySchema = z.object({
  seq: z.int().min(0),
  lastId: z.string(),
  config: z.string(),
  strategy: z.object({ name: z.string(), version: z.string(), state: z.unknown() }),
  state: z.record(z.string(), z.unknown()),
});

/** Returns the digest of a configuration. */
export const configDigest = (config: RoutingConfig): string => sha256Hex(canonicalJson(config));

/** Writes a snapshot: a line with length and SHA-256 of the second line, which has the content. */
export function writeSnapshot(snapshot: Snapshot): string {
  const { config, ...state } = snapshot.state;
  return withHeader(JSON.stringify({ ...snapshot, state: encodeState(state) }));
}

const withHeader = (body: string) =>
  `${JSON.stringify({ format, sha256: sha256Hex(body), bytes: body.length })}\n${body}`;

/** Returns a snapshot whose content was changed as JSON, with a valid checksum; `null` when it cannot be read. */
export function rewriteSnapshot(text: string, change: (content: JsonValue) => JsonValue): string | null {
  try {
    return withHeader(JSON.stringify(change(JSON.parse(bodyOf(text)))));
  } catch {
    return null;
  }
}

/** Returns a snapshot whose state also knows the names of records before it, the last {@link mostRecorded}; see {@link recordName}. */
export function withRecorded(text: string, names: readonly string[]): string {
  const { state, ...rest } = bodySchema.parse(JSON.parse(bodyOf(text)));
  const known = (decodeState((state.recordedBefore ?? null) as JsonValue) ?? new Set()) as Set<string>;
  for (const name of names) {
    known.delete(name);
    known.add(name);
  }
  const recordedBefore = encodeState(new Set([...known].slice(-mostRecorded)));
  return withHeader(JSON.stringify({ ...rest, state: { ...state, recordedBefore } }));
}

/** Returns the second line of a snapshot. @throws Error for a text that was cut off, changed or written in another format. */
function bodyOf(text: string): string {
  const end = text.indexOf('\n');
  const header = headerSchema.parse(JSON.parse(text.slice(0, Math.max(0, end))));
  const body = text.slice(end + 1);
  if (body.length !== header.bytes || sha256Hex(body) !== header.sha256) {
    throw new Error('The content of the snapshot does not match its checksum.');
  }
  return body;
}

/**
 * Reads a snapshot. Its state gets the given configuration.
 *
 * @throws Error for a text that was cut off, changed or written in another format.
 */
export function readSnapshot(text: string, config: RoutingConfig): Snapshot {
  const { seq, lastId, strategy, state, config: digest } = bodySchema.parse(JSON.parse(bodyOf(text)));
  const decoded = decodeState(state as JsonValue) as Partial<MatrixState>;
  return {
    seq,
    lastId,
    config: digest,
    strategy: { ...strategy, state: strategy.state as JsonValue | undefined },
    state: emptyState(config, decoded),
  };
}
