import { getCompileCacheDir } from 'node:module';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, compiledCode } from '../setup/process.mjs';
import { missingPackages } from '../setup/system.mjs';

describe('set-up', () => {
  it('names exactly the system packages that are missing', () => {
    const none = () => false;
    expect(missingPackages({ present: () => true, tests: true })).toEqual([]);
    expect(missingPackages({ present: (path: string) => path.endsWith('python3') })).toEqual(['bubblewrap']);
    expect(missingPackages({ present: none })).toEqual(['bubblewrap', 'python3']);
    expect(missingPackages({ present: none, tests: true })).toEqual([
      'bubblewrap',
      'python3',
      'python3-pytest',
    ]);
  });

  it("keeps npm's own settings away from pnpm", () => {
    const cleaned = cleanEnvironment({ npm_config_registry: 'x', NPM_TOKEN: 'y', HOME: '/h' });
    expect(cleaned).toMatchObject({ HOME: '/h' });
    expect(Object.keys(cleaned).filter((name) => /^npm_/i.test(name))).toEqual([]);
  });

  it('colours what goes to a terminal only, unless somebody chose otherwise', () => {
    expect(cleanEnvironment({}, false)).toHaveProperty('NO_COLOR', '1');
    expect(cleanEnvironment({}, true)).not.toHaveProperty('NO_COLOR');
    expect(cleanEnvironment({ FORCE_COLOR: '1' }, false)).not.toHaveProperty('NO_COLOR');
    expect(cleanEnvironment({ NO_COLOR: '' }, false)).toHaveProperty('NO_COLOR', '');
  });

  it('keeps what Node compiled, in a folder of the workspace unless somebody chose another', () => {
    expect(cleanEnvironment({})).toHaveProperty('NODE_COMPILE_CACHE', compiledCode);
    expect(cleanEnvironment({ NODE_COMPILE_CACHE: '/own' })).toHaveProperty('NODE_COMPILE_CACHE', '/own');
    // This process and those that it starts have it from the configuration of vitest.
    expect(getCompileCacheDir()).toContain(process.env.NODE_COMPILE_CACHE);
  });
});
