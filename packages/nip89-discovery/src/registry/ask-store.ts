import { DiscoveryError } from '../errors.ts';

/** Puts a question to the store. @throws DiscoveryError `STORE_FAILED` with whatever the store threw as its cause; `INVALID_INPUT` for a wrong cursor */
export async function askStore<Result>(question: () => Promise<Result>): Promise<Result> {
  try {
    return await question();
  } catch (cause) {
    // What the caller did wrong is not the store's fault.
    if (cause instanceof DiscoveryError && cause.code === 'INVALID_INPUT') throw cause;
    throw new DiscoveryError('STORE_FAILED', 'The discovery store failed', { cause });
  }
}
