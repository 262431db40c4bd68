import { BonafideError, type SharedErrorCode } from '@bonafide/internal';

/**
 * Codes of the errors that the test relay throws.
 *
 * - `INVALID_CONFIG`: an option or a fault has an unknown name or a value out of range.
 * - `INVALID_INPUT`: there is no event of that name, or its listener is not a function.
 * - `CLOSED`: the relay was closed.
 * - `TIMEOUT`: the awaited message did not arrive in time.
 */
export type TestRelayErrorCode =
  | Extract<SharedErrorCode, 'INVALID_CONFIG' | 'INVALID_INPUT' | 'CLOSED' | 'TIMEOUT'>
  /** Another process listens on the port. */
  | 'PORT_IN_USE'
  /** Node.js has no `node:sqlite` module. */
  | 'SQLITE_UNAVAILABLE'
  /** The file is not a database of a test relay. */
  | 'STORE_INVALID'
  /** Another relay has the file open. */
  | 'STORE_IN_USE';

/** An error of the test relay. Check it with `isBonafideError(error, code)`. */
export class TestRelayError extends BonafideError<TestRelayErrorCode> {}
