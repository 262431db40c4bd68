import { describe, expect, it } from 'vitest';
import { neededBy } from '../pack.mjs';

describe('the check of the tarballs', () => {
  it('X-11 brings along what a package needs of ours, however indirectly, and nothing else', () => {
    const manifests = new Map([
      ['@bonafide/shop', { dependencies: { '@bonafide/till': 'workspace:^', zod: '^4' } }],
      [
        '@bonafide/till',
        { dependencies: { '@bonafide/drawer': 'workspace:^', '@bonafide/shop': 'workspace:^' } },
      ],
      ['@bonafide/drawer', {}],
      ['@bonafide/other', {}],
    ]);
    expect([...neededBy('@bonafide/shop', manifests)].sort()).toEqual([
      '@bonafide/drawer',
      '@bonafide/shop',
      '@bonafide/till',
    ]);
    expect(neededBy('@bonafide/other', manifests).size).toBe(0);
  });
});
