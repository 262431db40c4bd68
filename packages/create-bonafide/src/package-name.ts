import { CreateError } from './errors.ts';

/** Names that npm refuses. */
const reserved = ['node_modules', 'favicon.ico'];

/**
 * Returns the name of a package for a folder.
 * @throws CreateError `INVALID_INPUT` when nothing of it can be in such a name
 */
export function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '');
  if (name !== '' && name.length <= 214 && !reserved.includes(name)) return name;
  throw new CreateError(
    'INVALID_INPUT',
    `No package name can be made from '${folder}'. Use another name, such as my-agent.`,
  );
}
