/** A file of a suite: a text, or bytes in base64. Plain JSON. */
export type SuiteFile = string | { readonly base64: string };

/** Files of a suite by their relative paths. */
export type SuiteFiles = Readonly<Record<string, SuiteFile>>;

/** Returns what a file of a suite holds. Pure. */
export const contentOf = (file: SuiteFile): string | Uint8Array =>
  typeof file === 'string' ? file : Buffer.from(file.base64, 'base64');

/** Returns the files that are texts. Pure. */
export const textFilesOf = (files: SuiteFiles): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) => (typeof file === 'string' ? [[name, file]] : [])),
  );
