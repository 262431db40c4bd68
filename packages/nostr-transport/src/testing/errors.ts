import { BonafideError } from '@bonafide/internal';

/**
 * Why the test relay could not do what was asked:
 * `INVALID_OPTIONS` an option or a fault that makes no sense; `PORT_IN_USE` somebody else listens there;
 * `STORE_IN_USE` another relay holds the file; `STORE_INVALID` the file is not one of ours;
 * `SQLITE_UNAVAILABLE` this Node has no `node:sqlite`; `RELAY_CLOSED` it was closed before;
 * `TIMEOUT` what was waited for did not come.
 */
export type TestRelayErrorCode =
  | 'INVALID_OPTIONS'
  | 'PORT_IN_USE'
  | 'RELAY_CLOSED'
  | 'SQLITE_UNAVAILABLE'
  | 'STORE_INVALID'
  | 'STORE_IN_USE'
  | 'TIMEOUT';

/** What the test relay throws on purpose. Switch on `code`. */
export class TestRelayError extends BonafideError<TestRelayErrorCode> {}
