import { isStorageError, type StorageError } from '../../src/index.ts';

/** The StorageError that `work` throws; anything else, or nothing, fails the test. */
export async function failureOf(work: () => unknown): Promise<StorageError> {
  try {
    await work();
  } catch (error) {
    if (isStorageError(error)) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}
