import { BonafideError } from '@bonafide/internal';

/**
 * Codes of this package's errors.
 *
 * - `INVALID_INPUT`: a relay is not an address, or no package name can be made from the folder's name.
 * - `FOLDER_NOT_EMPTY`: the folder has files. Nothing was changed.
 * - `WRITE_FAILED`: the folder or one of its files cannot be written; `cause` has the error.
 */
export type CreateErrorCode = 'INVALID_INPUT' | 'FOLDER_NOT_EMPTY' | 'WRITE_FAILED';

/** Thrown when a project cannot be created. */
export class CreateError extends BonafideError<CreateErrorCode> {}
