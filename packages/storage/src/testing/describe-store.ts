import { describe, it, type TestContext } from 'vitest';

/** A store that a test may use, and how to be rid of it. */
export interface OpenedStore<Store> {
  readonly store: Store;
  /** Closes the store and removes what it kept. */
  close?(): Promise<void> | void;
  /**
   * Opens the same data once more, as after a restart; called while the first is still open. Leave it out
   * when nothing outlives the object (memory). `close` of the first also has to end what this opened.
   */
  reopen?(): Promise<Store> | Store;
  /**
   * The store of another agent in the same place. Leave it out when agents can't share one (memory, a file of its own).
   * `close` of the first also has to end what this opened.
   */
  forAgent?(agentId: string): Promise<Store> | Store;
}

/** Opens a fresh, empty store. Called once per test. */
export type OpenStore<Store> = () => Promise<OpenedStore<Store>> | OpenedStore<Store>;

/**
 * One test of a conformance suite: throws when the store doesn't keep its contract.
 *
 * @param skip - ends the test as skipped, with a reason that the report shows: for what this store leaves out of
 * `opened` or of its optional verbs
 */
export type StoreTest<Store> = (
  store: Store,
  opened: OpenedStore<Store>,
  skip: (reason: string) => never,
) => Promise<void> | void;

/** The tests of a suite by capability, then by title. */
export type StoreGroups<Store> = Readonly<Record<string, Readonly<Record<string, StoreTest<Store>>>>>;

/** Options of {@link describeStore}. */
export interface DescribeStoreOptions<Group extends string = string> {
  /** Capabilities that the adapter doesn't have, each with the reason, which the test report shows. */
  readonly skip?: Readonly<Partial<Record<Group, string>>>;
  /** For a slow database, in ms. @default vitest's own */
  readonly timeoutMs?: number;
}

/**
 * Runs a conformance suite against one store: every test gets a store of its own, which is closed whatever
 * happens. Packages build their `test…Store` on it, adapter authors call those.
 *
 * @param name - of the adapter, as the report shows it
 * @throws when `skip` names a group that the suite doesn't have: a misspelt skip would hide nothing and look as if it did
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
