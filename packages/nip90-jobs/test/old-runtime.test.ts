import { withOldRuntime } from '@bonafide/internal/testing';
import { expect, it } from 'vitest';
import { createJobClient, createProvider } from '../src/index.ts';

it.each([
  ['createJobClient', () => createJobClient({} as never)],
  ['createProvider', () => createProvider({} as never)],
] as const)(
  '%s names the oldest Node that it runs on, where an older one would fail later (X-3, X-18)',
  (_name, create) => {
    expect(() => withOldRuntime<unknown>(create)).toThrow(
      expect.objectContaining({
        code: 'RUNTIME_TOO_OLD',
        message: expect.stringMatching(
          /^Node \S+ has no Promise\.withResolvers\. Use Node 22\.13 or newer\.$/,
        ),
      }),
    );
  },
);
