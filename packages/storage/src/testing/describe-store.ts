import { describe, it, type TestContext } from 'vitest';

/** A store for one test. */
export interface OpenedStore<Store> {
  readonly store: Store;
  /** Closes the store and removes its data. */
  close?(): Promise<void> | void;
  /**
   * Opens the same data again, as after a restart, while the first store is still open. Omit it when data
   * does not outlive the object (memory). `close` of the first store also has to close this one.
   */
  reopen?(): Promise<Store> | Store;
  /**
   * Opens the store of another agent in the same database. Omit it when agents cannot share one (memory, one
   * file per agent). `close` of the first store also has to close this one.
   */
  forAgent?(agentId: string): Promise<Store> | Store;
}

/** Opens a new, empty store. Called once per test. */
export type OpenStore<Store> = () => Promise<OpenedStore<Store>> | OpenedStore<Store>;

/**
 * One test of a conformance suite: throws when the store breaks its contract.
 *
 * @param skip - marks the test as skipped, with a reason for the report: for optional members of `opened` and
 *   optional store methods
 */
export type StoreTest<Store> = (
  store: Store,
  opened: OpenedStore<Store>,
  skip: (reason: string) => never,
) => Promise<void> | void;

/** Tests of a suite by capability, then by title. */
export type StoreGroups<Store> = Readonly<Record<string, Readonly<Record<string, StoreTest<Store>>>>>;

/** Options of {@link describeStore}. */
export interface DescribeStoreOptions<Group extends string = string> {
  /** Capabilities that the adapter does not have, each with a reason for the report. */
  readonly skip?: Readonly<Partial<Record<Group, string>>>;
  /**
   * Time limit per test for a slow database, in ms.
   * @default vitest's own
   */
  readonly timeoutMs?: number;
}

/**
 * Runs a conformance suite against a store: every test opens a new store and closes it, also after a failure.
 * Packages build their `test…Store` functions on it; adapter authors call those.
 *
 * @param name - name of the adapter in the report
 * @throws when `skip` names a group that the suite does not have, since a misspelled name would skip nothing
 */
export function describeStore<Store, Groups extends StoreGroups<Store>>(
  name: string,
  open: OpenStore<Store>,
  groups: Groups,
  options: DescribeStoreOptions<keyof Groups & string> = {},
): void {
  const skip: Readonly<Record<string, string | undefined>> = options.skip ?? {};
  for (const group of Object.keys(skip)) {
    if (!(group in groups))
      throw new Error(`'${name}' skips '${group}', which is not one of: ${Object.keys(groups).join(', ')}.`);
  }
  describe(name, () => {
    for (const [group, tests] of Object.entries(groups)) {
      const reason = skip[group];
      describe.skipIf(reason !== undefined)(
        reason === undefined ? group : `${group} (skipped: ${reason})`,
        () => {
          for (const [title, test] of Object.entries(tests)) {
            const run = async ({ skip }: TestContext) => {
              const opened = await open();
              try {
                await test(opened.store, opened, skip);
              } finally {
                await opened.close?.();
              }
            };
            if (options.timeoutMs === undefined) it(title, run);
            else it(title, run, options.timeoutMs);
          }
        },
      );
    }
  });
}
