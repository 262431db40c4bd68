import { expect, it } from 'vitest';
import { BonafideError, requireRuntime } from '../src/index.ts';
import { tooOldMessage, withOldRuntime } from '../src/testing/index.ts';

const fail = (message: string) => new BonafideError('RUNTIME_TOO_OLD', message);

it('accepts the Node of the engines, and names a Node that is too old with the one to use (X-3)', () => {
  expect(() => requireRuntime(fail)).not.toThrow();
  expect(() => withOldRuntime(() => requireRuntime(fail))).toThrow(tooOldMessage);
  expect(() => requireRuntime(fail)).not.toThrow();
});
