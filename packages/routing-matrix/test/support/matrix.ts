import { seededRandom } from '@bonafide/internal';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  type Outcome,
  type RoutingMatrixOptions,
} from '../../src/index.ts';
import { good, manualClock, platform } from '../support.ts';

export const taskType = 'code';
export const dayMs = 86_400_000;

/** Creates a matrix in memory, with short forms of what most tests do to it. */
export function setUp(options: Partial<RoutingMatrixOptions> = {}) {
  const clock = manualClock();
  const store = createMemoryRoutingStore();
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const matrix = createRoutingMatrix({ store, clock, random: seededRandom(1), newId, ...options });

  let attempts = 0;
  const benchmark = (n: number, judged = good(), type = taskType) =>
    matrix.recordBenchmark({
      platform: platform(n),
      taskType: type,
      attemptId: `attempt-${++attempts}`,
      verdict: judged,
    });
  const qualify = async (...platforms: readonly number[]) => {
    for (const n of platforms) for (let i = 0; i < 3; i += 1) await benchmark(n);
  };
  const produce = (n: number, outcome: Outcome, jobId = `job-${++attempts}`, measurements = {}) =>
    matrix.recordOutcome({ jobId, platform: platform(n), taskType, outcome, measurements });
  /** Qualifies platforms and gives them production outcomes, so that they stand where the outcomes put them. */
  const prove = async (n: number, ...outcomes: readonly Outcome[]) => {
    await qualify(n);
    for (const outcome of outcomes) await produce(n, outcome);
  };
  return { matrix, store, clock, benchmark, qualify, produce, prove, newId };
}

export const keysOf = (decision: { readonly picks: readonly { readonly platformId: string }[] }) =>
  decision.picks.map(({ platformId }) => platformId);
export const idOf = (n: number, d = 'main') => `${platform(n).pubkey}:${d}`;
