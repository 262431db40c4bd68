import { type Logger, unrefTimer } from '@bonafide/internal';

/**
 * Runs a task at an interval, skipping it while the previous run is active, and logs failures. Does not keep
 * the process alive.
 */
export function repeat(
  ms: number,
  logger: Logger,
  whenItFails: string,
  work: () => Promise<void>,
): NodeJS.Timeout {
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    work()
      .catch((error) => logger.error({ err: error }, whenItFails))
      .finally(() => {
        isBusy = false;
      });
  }, ms);
  unrefTimer(timer);
  return timer;
}
