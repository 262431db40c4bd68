import type { Environment, EnvironmentStore } from './environment/store.ts';
import type { Box, BoxSpec, Sandbox } from './sandbox.ts';
import type { Suite } from './suite.ts';

/** Opens boxes for suites. */
export interface Boxes {
  /**
   * Opens a fresh box with the packages that the suite declares.
   * @throws JudgeError `ENVIRONMENT_MISSING` when they have not been built, `SANDBOX_UNAVAILABLE`, `INFRA`.
   */
  open(suite: Suite, spec: BoxSpec): Promise<Box>;
  /** Runs `use` in a fresh box. */
  use<T>(suite: Suite, spec: BoxSpec, use: (box: Box) => Promise<T>): Promise<T>;
  /** Returns the packages that a suite declares as they were built; null when it declares none. */
  environmentOf(suite: Suite): Promise<Environment | null>;
}

/** Creates boxes of a sandbox that is found when it is first needed. */
export function createBoxes(sandbox: () => Promise<Sandbox>, environments: EnvironmentStore): Boxes {
  const open: Boxes['open'] = async (suite, spec) => {
    const environment = await environments.find(suite);
    const place = await sandbox();
    return place.open(environment === null ? spec : { ...spec, layers: environment.layers });
  };
  return {
    open,
    async use(suite, spec, use) {
      const box = await open(suite, spec);
      try {
        return await use(box);
      } finally {
        await box.close();
      }
    },
    environmentOf: (suite) => environments.find(suite),
  };
}
