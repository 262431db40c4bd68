import { describe, expect, it } from 'vitest';
import { isBonafideError } from '../src/index.ts';
import { attacksOfRooms } from './corpus/attacks-of-rooms.ts';
import { partOf } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

describe.concurrent('wrong programs, by the part of the judge that they are aimed at', () => {
  for (const { room, id, artifact, suite } of partOf(attacksOfRooms, 46))
    it(`${room}: ${id} gains nothing, and nothing is thrown (JDG-17, JDG-20, JDG-22, JDG-23)`, async () => {
      const verdict = await judge.run({ artifact, suite }).catch((error) => {
        if (isBonafideError(error, 'SUITE_UNSUPPORTED')) return null;
        throw error;
      });
      expect(
        verdict?.outcome ?? 'SUITE_UNSUPPORTED',
        JSON.stringify([verdict?.tests, verdict?.summary]),
      ).toMatch(/^(?:FAILURE|ERROR|SECURITY_VIOLATION|SUITE_UNSUPPORTED)$/);
    });
});
