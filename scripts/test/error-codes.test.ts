import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const packages = globSync('packages/*', { cwd: root }).sort();

/** Returns the error codes that a package's error files declare. */
const codesOf = (folder: string) =>
  globSync(`${folder}/src/**/errors.ts`, { cwd: root }).flatMap((file) =>
    [...readFileSync(resolve(root, file), 'utf8').matchAll(/'([A-Z][A-Z0-9_]{3,})'/g)].map(
      ([, code = '']) => code,
    ),
  );

/** Other names of the shared conditions, with the name that every package uses. */
const shared: readonly (readonly [RegExp, string])[] = [
  [/_CLOSED$|^ALREADY_CLOSED$/, 'CLOSED'],
  [/_NOT_STARTED$|^NOT_(?:READY|RUNNING)$/, 'NOT_STARTED'],
  [/_ABORTED$|^(?:CANCELLED|CANCELED|INTERRUPTED)$/, 'ABORTED'],
  [/_TIMEOUT$|^TIMED_OUT$/, 'TIMEOUT'],
  [
    /^(?:INPUT|ARGUMENTS?|PARAMETERS?)_INVALID$|^INVALID_(?:ARGUMENTS?|PARAMETERS?|REQUEST)$|^BAD_INPUT$/,
    'INVALID_INPUT',
  ],
  [/^(?:CONFIG|OPTIONS?|CONFIGURATION)_INVALID$|^INVALID_(?:OPTIONS?|CONFIGURATION)$/, 'INVALID_CONFIG'],
  [/^(?:STORE|DATABASE|PERSISTENCE)_(?:ERROR|FAILURE)$|^STORAGE_FAILED$/, 'STORE_FAILED'],
];

/** Functions that need options, with a few that each must name when they are missing. */
const factories: readonly (readonly [string, string, readonly string[]])[] = [
  ['cortex', 'createCortex', ['ledger', 'reflector']],
  ['delegation', 'createDelegation', ['store', 'source', 'jobs', 'matrix', 'journal']],
  ['ledger-core', 'createLedger', ['store']],
  ['nip89-discovery', 'createDiscovery', ['transport', 'store', 'relays']],
  ['nip90-jobs', 'createJobClient', ['transport', 'signer', 'store', 'relays']],
  ['nip90-jobs', 'createProvider', ['transport', 'signer', 'relays']],
  ['reputation', 'createInquiries', ['transport', 'signer', 'relays', 'inboxRelays']],
  ['reputation', 'createReputation', ['transport', 'signer', 'store', 'relays']],
  ['routing-matrix', 'createRoutingMatrix', ['store']],
  ['self-correction', 'createSelfCorrection', ['forge']],
];

const misnamed = (code: string) => shared.find(([pattern]) => pattern.test(code))?.[1];

describe('errors of all packages (X-14)', () => {
  it.each(packages)('%s exports isBonafideError (X-14)', async (folder) => {
    const module: { isBonafideError?: (error: unknown, code?: string) => boolean } = await import(
      resolve(root, folder, 'src/index.ts')
    );
    expect(module.isBonafideError?.(new Error('x'))).toBe(false);
    const foreign = Object.assign(new Error('x'), { [Symbol.for('bonafide.error')]: true, code: 'CLOSED' });
    expect(module.isBonafideError?.(foreign)).toBe(true);
    expect(module.isBonafideError?.(foreign, 'CLOSED')).toBe(true);
    expect(module.isBonafideError?.(foreign, 'TIMEOUT')).toBe(false);
  });

  it.each(factories)(
    '%s: %s without options is INVALID_CONFIG and names them (X-4)',
    async (folder, name, options) => {
      const module = await import(resolve(root, 'packages', folder, 'src/index.ts'));
      for (const given of [undefined, {}]) {
        const error = await new Promise<Error>((_, reject) => reject(module[name](given))).catch(
          (thrown) => thrown,
        );
        expect(module.isBonafideError(error, 'INVALID_CONFIG')).toBe(true);
        for (const option of options) expect(error.message).toContain(`options.${option}: is missing`);
      }
    },
  );

  it('use one code per shared condition (X-14)', () => {
    const found = packages.flatMap((folder) =>
      codesOf(folder).flatMap((code) => {
        const name = misnamed(code);
        return name === undefined ? [] : [`${folder}: ${code} is ${name} everywhere`];
      }),
    );
    expect(found).toEqual([]);
    expect(packages.flatMap(codesOf).length).toBeGreaterThan(60);
  });

  it('the check knows other names of a condition, and domain codes that contain its words', () => {
    expect(['LEDGER_CLOSED', 'SIGNER_TIMEOUT', 'INVALID_OPTIONS', 'CONFIG_INVALID'].map(misnamed)).toEqual([
      'CLOSED',
      'TIMEOUT',
      'INVALID_CONFIG',
      'INVALID_CONFIG',
    ]);
    expect(['CLOSED', 'JOB_TIMED_OUT', 'INVALID_CURSOR', 'STORAGE_FULL'].map(misnamed)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });
});
