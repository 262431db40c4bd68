/**
 * Conformance tests of ledger stores, for authors of adapters.
 * @packageDocumentation
 */
import {
  type DescribeStoreOptions,
  describeStore,
  type OpenedStore,
  type StoreTest,
} from '@bonafide/storage/testing';
import type { LedgerStore } from '../store.ts';
import { agents } from './agents.ts';
import { assessing } from './assessing.ts';
import { bounds } from './bounds.ts';
import { erasure, voiding } from './correction.ts';
import { handles } from './handles.ts';
import { hookFailures } from './hook-failures.ts';
import { instances } from './instances.ts';
import { outcomes } from './outcomes.ts';
import { reading } from './reading.ts';
import { recording } from './recording.ts';
import { retention } from './retention.ts';
import { search } from './search.ts';
import { wholeness } from './wholeness.ts';

/**
 * An empty store with what the tests need around it. Give `forAgent` for every store that several agents can share
 *: without it the report says that those tests were skipped.
 */
export type LedgerStoreFixture = OpenedStore<LedgerStore>;

/** All tests, by group and title. */
export const ledgerStoreTests = {
  recording,
  outcomes,
  assessing,
  reading,
  retention,
  wholeness,
  agents,
  bounds,
  handles,
  instances,
  voiding,
  erasure,
  search,
  hookFailures,
} as const;

/** The groups of tests, which an adapter may skip by name and with a reason. */
export type LedgerStoreGroup = keyof typeof ledgerStoreTests | 'capabilities';

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
  const capabilities = { 'reports its capabilities': reportOn(name) };
  describeStore(`ledger store: ${name}`, open, { ...ledgerStoreTests, capabilities }, options);
}

/** Prints one line: which optional parts of the contract the store has. */
function reportOn(name: string): StoreTest<LedgerStore> {
  return (store, { forAgent, reopen }) => {
    const has = {
      'several agents': forAgent !== undefined,
      'opened again': reopen !== undefined,
      'hook failures': store.addHookFailures !== undefined && store.listHookFailures !== undefined,
      search: store.searchInteractions !== undefined,
      'over-assessed peers in one query': store.listOverAssessed !== undefined,
    };
    const line = Object.entries(has).map(
      ([capability, isThere]) => `${capability}: ${isThere ? 'yes' : 'no'}`,
    );
    // biome-ignore lint/suspicious/noConsole: the report is for the author of the adapter, who runs these tests.
    console.info(`Capabilities of ledger store '${name}': ${line.join(', ')}`);
  };
}
