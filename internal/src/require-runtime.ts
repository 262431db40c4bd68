/**
 * Throws what `fail` creates in a runtime that is older than the packages' `engines`, such as Node 20, so that it does not fail with a
 * `TypeError` later. It looks for a function and not for a version: browsers, Bun and Deno have other versions.
 */
export function requireRuntime(fail: (message: string) => Error): void {
  if (typeof Promise.withResolvers === 'function') return;
  const version: string | undefined = globalThis.process?.versions?.node;
  const runtime = version === undefined ? 'This runtime' : `Node ${version}`;
  throw fail(`${runtime} has no Promise.withResolvers. Use Node 22.13 or newer.`);
}
