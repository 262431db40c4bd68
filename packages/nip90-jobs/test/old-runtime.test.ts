import { tooOldMessage, withOldRuntime } from '@bonafide/internal/testing';
import { expect, it } from 'vitest';
import { createJobClient, createProvider } from '../src/index.ts';

it.each(Object.entries({ createJobClient, createProvider }))(
  '%s names the oldest Node that it runs on (X-3, X-18)',
  (_name, create: (options: never) => unknown) => {
    expect(() => withOldRuntime(() => create({} as never))).toThrow(
      expect.objectContaining({ code: 'RUNTIME_TOO_OLD', message: expect.stringMatching(tooOldMessage) }),
    );
  },
);
