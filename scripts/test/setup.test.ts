import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../setup/process.mjs';
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
});
