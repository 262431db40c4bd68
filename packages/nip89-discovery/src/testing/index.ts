/**
 * The conformance suite of discovery stores, for vitest.
 * @packageDocumentation
 */
import { type DescribeStoreOptions, describeStore, type OpenStore } from '@bonafide/storage/testing';
import type { DiscoveryStore } from '../registry/store.ts';
import { batchesTests } from './batches.ts';
import { entriesTests } from './entries.ts';
import { erasingTests } from './erasing.ts';
import { persistenceTests } from './persistence.ts';
import { relayAndStatementTests } from './relays-and-statements.ts';

const groups = {
  ...entriesTests,
  ...batchesTests,
  ...relayAndStatementTests,
  ...erasingTests,
  ...persistenceTests,
} as const;

/** The capabilities that {@link testDiscoveryStore} tests. */
export type DiscoveryStoreGroup = keyof typeof groups;

/**
 * Declares the conformance suite. `open` returns an empty store on each call.
 *
 * ```ts
 * testDiscoveryStore('my adapter', () => ({ store: createMyStore() }));
 * ```
 */
export function testDiscoveryStore(
  name: string,
  open: OpenStore<DiscoveryStore>,
  options: DescribeStoreOptions<DiscoveryStoreGroup> = {},
): void {
  describeStore(`discovery store: ${name}`, open, groups, options);
}
