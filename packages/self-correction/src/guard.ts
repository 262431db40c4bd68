import { isNotMigrated } from '@bonafide/internal';
import { SelfCorrectionError } from './errors.ts';

/** Makes failures of a port typed. Errors of this package pass through. */
export function guard(code: 'FORGE_FAILED' | 'STORE_FAILED', message: string) {
  return async <Result>(call: () => Promise<Result>): Promise<Result> => {
    try {
      return await call();
    } catch (error) {
      if (error instanceof SelfCorrectionError) throw error;
      if (isNotMigrated(error)) {
        throw new SelfCorrectionError(
          'NOT_MIGRATED',
          'The database has no proposals, or those of an older version. Call migrateSelfCorrection(db) first.',
          { cause: error },
        );
      }
      throw new SelfCorrectionError(code, message, { cause: error });
    }
  };
}
