/**
 * Creates the folder of a new agent.
 * @packageDocumentation
 */
export { isBonafideError } from '@bonafide/internal';
export { type CreatedProject, type CreateOptions, createProject } from './create-project.ts';
export { CreateError, type CreateErrorCode } from './errors.ts';
export { filesOf, type ProjectFile, type ProjectOptions } from './files.ts';
