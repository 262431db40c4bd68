import { seededRandom } from '@bonafide/internal';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  type Measurements,
  type Outcome,
  type RoutingConfigInput,
  resolveConfig,
} from '../../src/index.ts';
import { good, manualClock, platform } from '../support.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const taskType = 'code';
export const { lifecycle: config } = resolveConfig();

export function setUp(settings: RoutingConfigInput = {}) {
  const clock = manualClock();
  const store = createMemoryRoutingStore();
  const matrix = createRoutingMatrix({ store, clock, random: seededRandom(1), config: settings });
  let attempts = 0;
  const benchmark = async (n: number, judged = good()) =>
    (
      await matrix.recordBenchmark({
        platform: platform(n),
        taskType,
        attemptId: `attempt-${++attempts}`,
        verdict: judged,
      })
    ).entry;
  const produce = async (n: number, outcome: Outcome, measurements: Measurements = {}) =>
    (
      await matrix.recordOutcome({
        jobId: `job-${++attempts}`,
        platform: platform(n),
        taskType,
        outcome,
        measurements,
      })
    ).entry;
  const qualify = async (...platforms: readonly number[]) => {
    for (const n of platforms) for (let i = 0; i < 3; i += 1) await benchmark(n);
  };
  const times = async (count: number, n: number, outcome: Outcome, measurements: Measurements = {}) => {
    for (let i = 0; i < count; i += 1) await produce(n, outcome, measurements);
  };
  const standing = async (n: number) => {
    const entry = await matrix.entry(taskType, platform(n));
    return entry === null ? null : [entry.status, entry.allocation];
  };
  const reasons = async () => {
    const { excluded } = await matrix.select({ taskType, valueMsat: 1 });
    return Object.fromEntries(
      excluded.map(({ platformId, reason }) => [Number(`0x${platformId.split(':')[0]}`), reason]),
    );
  };
  return { matrix, clock, benchmark, produce, qualify, times, standing, reasons };
}
