import { describe, expect, it } from 'vitest';
import { pythonServers, untoldParts } from './corpus/python-servers.ts';
import { failures, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

const judge = useJudge();
proveWrongParts('what reaches into the server of a program', judge, pythonServers);

describe.concurrent('what a server cannot tell', () => {
  const { artifact, tests, wrong, harmless } = untoldParts;
  const failed = async (right: string, instead: string) => {
    const source = artifact.replace(right, () => instead);
    expect(source).not.toBe(artifact);
    return failures(await judge.run({ artifact: python(source), suite: pytest(tests) }));
  };

  it.each(wrong)('%s, replaced by %s, fails one test alone (JDG-20)', async (right, instead, test) => {
    expect(await failed(right, instead)).toEqual([expect.stringMatching(`^${test}: .*gave an answer`)]);
  });

  it.each(harmless)('%s, replaced by %s, accuses nobody (JDG-20)', async (right, instead) => {
    expect(await failed(right, instead)).toEqual([]);
  });
});
