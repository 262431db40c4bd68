import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineProject } from 'vitest/config';
import { compiledCode } from './scripts/setup/process.mjs';

/** The export condition under which workspace packages resolve to their sources. Published packages do not have it. */
const sourceCondition = '@bonafide/source';

/**
 * A limit that only ends what hangs. Tests wait for conditions, so a slow machine needs no other number; a test whose
 * subject is a duration controls the clock instead.
 */
export const hangLimitMs = 1_200_000;

// Inherited by the workers and by every process that a test starts.
process.env.NODE_COMPILE_CACHE ??= compiledCode;

/** Two more than cores: many tests wait for relays, boxes and processes that they started. */
const workers = Number(process.env.VITEST_MAX_WORKERS ?? availableParallelism() + 2);

/**
 * Options of a project whose sources and tests leave nothing behind in modules, globals and the environment: its files
 * share workers. The start of a worker, with what the files import, takes half a second of a processor.
 */
export const sharedWorkers = { isolate: false } as const;

/**
 * Creates the vitest project of one package.
 *
 * @param name - Name for `--project`: the package's name without its scope.
 * @param test - Further vitest options of this project.
 */
export function packageProject(name: string, test: object = {}) {
  return defineProject({
    ssr: { resolve: { conditions: [sourceCondition, ...defaultServerConditions] } },
    test: {
      name,
      maxWorkers: workers,
      testTimeout: hangLimitMs,
      hookTimeout: hangLimitMs,
      expect: { poll: { timeout: hangLimitMs / 2 } },
      // Processes that a test starts resolve workspace packages in the same way.
      env: { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --conditions=${sourceCondition}`.trim() },
      ...test,
    },
  });
}
