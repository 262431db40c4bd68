/**
 * What every package needs and none should write twice. Built into each package's own output.
 * @packageDocumentation
 */
export { type Bech32, decodeBech32 } from './bech32.ts';
export { canonicalJson } from './canonical-json.ts';
export { createEmitter, type Emitter, type Unsubscribe } from './emitter.ts';
export { BonafideError, isBonafideError } from './errors.ts';
export { type Logger, type LogMethod, silentLogger } from './logger.ts';
export {
  decodeCursor,
  encodeCursor,
  type PlaceOf,
  type PlacePart,
  type PlaceShape,
  pageOf,
} from './paging.ts';
export { byteLength, neutralize, shortId, truncate } from './text.ts';
