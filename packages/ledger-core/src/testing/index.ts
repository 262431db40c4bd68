/**
 * Conformance tests of ledger stores, for authors of adapters.
 * @packageDocumentation
 */
import { type DescribeStoreOptions, describeStore, type OpenedStore } from '@bonafide/storage/testing';
import type { LedgerStore } from '../store.ts';
import { agents } from './agents.ts';
import { assessing } from './assessing.ts';
import { handles } from './handles.ts';
import { hookFailures } from './hook-failures.ts';
import { outcomes } from './outcomes.ts';
import { reading } from './reading.ts';
import { recording } from './recording.ts';
import { retention } from './retention.ts';
import { wholeness } from './wholeness.ts';

/**
 * An empty store with what the tests need around it. Give `forAgent` for every store that several agents can share
 *: without it the report says that those tests were skipped.
 */
export type LedgerStoreFixture = OpenedStore<LedgerStore>;

const groups = {
  recording,
  outcomes,
  assessing,
  reading,
  retention,
  wholeness,
  agents,
  handles,
  hookFailures,
} as const;

/** The groups of tests, which an adapter may skip by name and with a reason. */
export type LedgerStoreGroup = keyof typeof groups;

/**
 * Registers the conformance tests of a `LedgerStore` with vitest. `makeStore` makes a fresh, empty store for every
 * test: the store itself, or a fixture when there is something to close or several agents share it.
 *
 * @example
 * testLedgerStore('my store', () => createMyLedgerStore());
 */
export function testLedgerStore(
  name: string,
  makeStore: () => LedgerStore | LedgerStoreFixture | Promise<LedgerStore | LedgerStoreFixture>,
  options: DescribeStoreOptions<LedgerStoreGroup> = {},
): void {
  const open = async (): Promise<LedgerStoreFixture> => {
    const made = await makeStore();
    return 'store' in made ? made : { store: made };
  };
  describeStore(`ledger store: ${name}`, open, groups, options);
}
