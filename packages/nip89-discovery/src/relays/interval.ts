import type { Logger } from '@bonafide/internal';

/** Does something now and again, not while it is still being done; what fails is logged. Holds no process open. */
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
  timer.unref();
  return timer;
}
