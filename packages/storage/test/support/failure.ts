import type { BonafideError } from '@bonafide/internal';
import { isBonafideError } from '../../src/index.ts';

/** Returns the typed error that `work` throws; any other result fails the test. */
export async function failureOf(work: () => unknown): Promise<BonafideError> {
  try {
    await work();
  } catch (error) {
    if (isBonafideError(error)) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}
