import type { Artifact, Suite } from '../../src/index.ts';
import type { RoomAttack } from './attacks-by-room.ts';

export const limits = {
  wallMs: 20_000,
  cpuHardMs: 5000,
  memoryHardBytes: 512 * 2 ** 20,
  outputBytes: 2 ** 20,
};

type Files = Readonly<Record<string, string>>;

/** Returns an attack in Python, on a suite in split mode. */
export const python = (
  room: RoomAttack['room'],
  id: string,
  source: string | Files,
  tests: string | Files,
  reference?: string,
): RoomAttack => ({
  ...{ id, room },
  artifact: {
    language: 'python',
    ...(typeof source === 'string' ? { source } : { files: source }),
  } as Artifact,
  suite: {
    ...{ id, language: 'python', mode: 'split', limits },
    files: typeof tests === 'string' ? { 'test_it.py': tests } : tests,
    ...(reference === undefined ? {} : { reference: { language: 'python', source: reference } }),
  } as Suite,
});

/** Returns an attack in JavaScript, on a suite in split mode that imports `solve`. */
export const node = (room: RoomAttack['room'], id: string, source: string, test: string): RoomAttack => ({
  ...{ id, room, artifact: { language: 'javascript', source } },
  suite: {
    ...{ id, language: 'javascript', mode: 'split', limits },
    files: {
      'it.test.mjs': `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { solve } from 'solution';\n${test}`,
    },
  },
});
