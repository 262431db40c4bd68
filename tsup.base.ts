import type { Options } from 'tsup';

/**
 * How every package is built. `internal` is private and lives inside each package's own output, so
 * that a package installs alone; declarations come from `tsc`, see `tsconfig.build.json`.
 */
export function packageBuild(entry: Record<string, string>): Options {
  return {
    entry,
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
