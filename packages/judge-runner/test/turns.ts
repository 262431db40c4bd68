/**
 * Options of tests that measure turns. A processor that two machines share counts the other's time as well, now and
 * then; a long turn of our own comes each time.
 */
export const measured = { retry: 4 } as const;

const text = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => [index, `${index}`]));
/** CPU time in ms in which the machine parses `text` for which the limits of the tests are written. */
const usualMs = 20;

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Measures how much more CPU time this machine takes now than the one for which limits are written, at least 1. */
function slowdown(): number {
  const times = Array.from({ length: 15 }, () => {
    const begun = cpuMs();
    JSON.parse(text);
    return cpuMs() - begun;
  }).sort((left, right) => left - right);
  return Math.max(1, (times[7] ?? 0) / usualMs);
}

/** @returns Percentiles in ms: `at(0.99)`. */
type Percentiles = (share: number) => number;

/** Measures the CPU time of the turns of this thread's event loop while `work` runs, so that a busy machine does not count. */
export async function cpuOfTurns(work: () => Promise<unknown>): Promise<Percentiles> {
  const turns: number[] = [];
  let running = true;
  let last = cpuMs();
  const turn = () => {
    const now = cpuMs();
    turns.push(now - last);
    last = now;
    if (running) setTimeout(turn, 1);
  };
  turn();
  try {
    await work();
  } finally {
    running = false;
  }
  turns.sort((left, right) => left - right);
  return (share) => turns[Math.min(turns.length - 1, Math.floor(turns.length * share))] ?? 0;
}

/** The same for a usual machine, by the time in which this one parses a text before and after. */
export async function usualCpuOfTurns(work: () => Promise<unknown>): Promise<Percentiles> {
  const before = slowdown();
  const cpu = await cpuOfTurns(work);
  const factor = Math.max(before, slowdown());
  return (share) => cpu(share) / factor;
}
