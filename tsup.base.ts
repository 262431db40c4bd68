import { globSync } from 'node:fs';
import type { Options } from 'tsup';

/**
 * Builds a package. `internal` is private and lives inside each package's own output, so that a package installs
 * alone; declarations come from `tsc`, see `tsconfig.build.json`. `perModule` keeps modules apart, for packages of
 * which people bundle a single function; their sources must not find files relative to `import.meta.url`.
 */
export function packageBuild(
  entry: Record<string, string>,
  { perModule = false }: { readonly perModule?: boolean } = {},
): Options {
  return {
    entry: perModule ? { ...eachModule(), ...entry } : entry,
    format: 'esm',
    target: 'node22',
    platform: 'node',
    // The output is readable as it is, and maps would be nearly half of every tarball.
    sourcemap: false,
    clean: true,
    dts: false,
    silent: true,
    // Without its prefix `node:sqlite` is no builtin.
    removeNodeProtocol: false,
    // Internal, and the libraries that it hashes, decodes and encodes with.
    noExternal: ['@bonafide/internal', '@noble/hashes', '@scure/base'],
  };
}

/**
 * Every module of `src` as an output of its own. A bundler then takes only the modules that an import needs: one file
 * with all of them keeps every schema, because a call at the top level may have effects.
 */
function eachModule(): Record<string, string> {
  return Object.fromEntries(
    globSync('src/**/*.ts').map((file) => [file.replace(/^src[\\/]|\.ts$/g, '').replaceAll('\\', '/'), file]),
  );
}
