import type { TimeoutClass } from '../job.ts';

/** What a customer is told of a job that nothing came of in time. */
export const timeoutMessages: Readonly<Record<TimeoutClass, string>> = {
  delivery: 'No relay took the request. Check the relays, or give others where the provider reads.',
  silence: 'The provider gave no sign of life.',
  processing: 'The provider began but did not finish in time.',
  result: 'The provider announced a result that never came.',
};
