/**
 * Measures the CPU time of the turns of this thread's event loop while `work` runs, so that a busy machine does not count.
 * @returns Percentiles in ms: `at(0.99)`.
 */
export async function cpuOfTurns(work: () => Promise<unknown>): Promise<(share: number) => number> {
  const turns: number[] = [];
  let running = true;
  let last = process.threadCpuUsage();
  const turn = () => {
    const now = process.threadCpuUsage();
    turns.push((now.user + now.system - last.user - last.system) / 1000);
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
