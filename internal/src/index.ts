/**
 * Mechanisms that several packages share. Private: bundled into each package's own output.
 * @packageDocumentation
 */

export { type AsyncContext, captureAsyncContext, createAsyncContext } from './async-context.ts';
export { type Bech32, decodeBech32, encodeBech32 } from './bech32.ts';
export { probabilityAbove } from './beta-posterior.ts';
export { canonicalJson } from './canonical-json.ts';
export {
  type Check,
  isAmount,
  isEither,
  isFlag,
  isFunction,
  isListOf,
  isLogger,
  isOneOf,
  isOptions,
  isPort,
  isPositive,
  isRecord,
  isSignal,
  isText,
  optional,
  requireValid,
} from './checks.ts';
export { type Consensus, canonicalContent, consensus, type Equivalence, type Vote } from './consensus.ts';
export { type Deadline, orAbort, startDeadline } from './deadline.ts';
export { createDisposerStack, type DisposerStack } from './disposer-stack.ts';
export {
  type DownloadOptions,
  download,
  type Lookup,
  type LookupAddress,
  type LookupOptions,
  TooManyBytesError,
} from './download.ts';
export {
  createEmitter,
  type Emitter,
  type EmitterOptions,
  type EventNames,
  type Unsubscribe,
} from './emitter.ts';
export { BonafideError, isBonafideError, type SharedErrorCode } from './errors.ts';
export { hmacBase32 } from './hmac.ts';
export {
  boundedId,
  composeId,
  isStorableId,
  maxComposedIdBytes,
  maxIdentifierChars,
} from './identifier.ts';
export { type Logger, type LogMethod, silentLogger } from './logger.ts';
export { runSoon, unrefTimer } from './macrotask.ts';
export { describeWriteError, makeFolder } from './make-folder.ts';
export { mostSimilar } from './most-similar.ts';
export { nodeBuiltin, requireNodeBuiltin } from './node-builtin.ts';
export { isNotMigrated } from './not-migrated.ts';
export {
  decodeCursor,
  encodeCursor,
  type Page,
  type PositionOf,
  type PositionPart,
  type PositionShape,
  pageOf,
} from './page.ts';
export {
  describeIssues,
  hasMethods,
  isCallable,
  parseOrThrow,
  type Schema,
  withParsedArguments,
} from './parse.ts';
export { isPreview, newTombstone, type PeerEraser, type PeerErasure } from './peer-erasure.ts';
export { readPublicKey, requirePublicKey } from './public-key.ts';
export { publicRelays } from './public-relays.ts';
export { createRateLimit, type RateLimit } from './rate-limit.ts';
export { requireRuntime } from './require-runtime.ts';
export { type RequiredOption, relayList, requireOptions } from './required-options.ts';
export { seededRandom } from './seeded-random.ts';
export { createSemaphore, type Semaphore } from './semaphore.ts';
export { bytesToHex, hexToBytes, sha256Hex } from './sha256.ts';
export {
  canonicalMetric,
  type KnownMetric,
  knownMetric,
  type MetricDirection,
  possibleValue,
  unitFactor,
} from './sla-metrics.ts';
export {
  byteLength,
  compareUtf8,
  isBlank,
  sanitizePromptText,
  sanitizeRemoteText,
  shortId,
  terminalJson,
  truncate,
} from './text.ts';
export {
  detectBuildThenExploit,
  type TrajectoryAlarm,
  type TrajectoryOptions,
  type TrajectoryPoint,
  type TrajectoryResult,
  type TrajectoryRow,
} from './trajectory.ts';
