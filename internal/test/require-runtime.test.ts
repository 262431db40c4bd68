import { expect, it } from 'vitest';
import { BonafideError, requireRuntime } from '../src/index.ts';
import { withOldRuntime } from '../src/testing/index.ts';

const fail = (message: string) => new BonafideError('RUNTIME_TOO_OLD', message);

it('accepts the Node of the engines, and names a Node that is too old with the one to use (X-3)', () => {
  expect(() => requireRuntime(fail)).not.toThrow();
  expect(() => withOldRuntime(() => requireRuntime(fail))).toThrow(
    `Node ${process.versions.node} has no Promise.withResolvers. Use Node 22.13 or newer.`,
  );
  expect(() => requireRuntime(fail)).not.toThrow();
});
