import {
  type Check,
  isAmount,
  isFlag,
  isFunction,
  isListOf,
  isOptions,
  isPort,
  isRecord,
  isSignal,
  isText,
  optional,
  requireValid,
} from '@bonafide/internal';
import { TransportError } from './errors.ts';

/** Returns the options of a `create…` function. Throws `INVALID_CONFIG` with the name of every invalid or unknown one. */
export function requireConfig<Value>(value: Value, valid: Check, what = 'options'): Value {
  return requireValid(value, valid, what, (message) => new TransportError('INVALID_CONFIG', message));
}

/** Returns an argument. Throws `INVALID_INPUT` with the name of every invalid or unknown field. */
export function requireInput<Value>(value: Value, valid: Check, what: string): Value {
  return requireValid(value, valid, what, (message) => new TransportError('INVALID_INPUT', message));
}

export const isVerifier = isPort('verify');
export const isSigner = isPort('getPublicKey', 'signEvent');
const isTextList = isListOf(isText);

/** A list of relay addresses. A text is the most common mistake. */
export const isRelayList: Check = (value, path) =>
  Array.isArray(value)
    ? isTextList(value, path)
    : [`${path}: must be a list of addresses, such as ['wss://relay.example']`];
export const isTagList = isListOf(isListOf(isText));
export const isWatermarks = isPort('get', 'set');

const policy = { allowLoopback: optional(isFlag), allowHosts: optional(isListOf(isText)) };
/** Shape of `AddressPolicy`; an `AddressGuardOptions` is one too. */
export const isPolicy = isRecord(policy);
/** Shape of `AddressGuardOptions`. */
export const isAddressOptions = isOptions({ ...policy, resolve: optional(isFunction) });

/** Shape of the events that a caller has. */
const isKnown = isListOf(isRecord({ id: isText, created_at: isAmount }));

/** Shape of the options of `query`. */
export const isQueryRequest = isOptions({
  signal: optional(isSignal),
  timeoutMs: optional(isAmount),
  graceMs: optional(isAmount),
  onRejected: optional(isFunction),
  known: optional(isKnown),
  onRelayResult: optional(isFunction),
});

/** Shape of the options of `publish` and `reconcile`. */
export const isWaiting = isOptions({ signal: optional(isSignal), timeoutMs: optional(isAmount) });

/** Shape of the arguments of `reconcile`. */
export const isReconciliation = isRecord({ relay: isText, known: isKnown, options: isWaiting });

/** Shape of `SubscribeHandlers`. */
export const isHandlers = isOptions({
  onEvent: isFunction,
  onEose: optional(isFunction),
  onRejected: optional(isFunction),
  onCut: optional(isFunction),
  onClosed: optional(isFunction),
  signal: optional(isSignal),
  watermarks: optional(isWatermarks),
});
