import { isBonafideError } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import type { Suite } from '../src/index.ts';
import type { DocumentedCase, DocumentedResult } from './corpus/documented-case.ts';
import { limitsOfNodeTest } from './corpus/limits-of-node-test.ts';
import { limitsOfPytest } from './corpus/limits-of-pytest.ts';
import { partOf } from './proof.ts';
import { javascript, nodeTest, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge({ concurrency: 2 });

const languages = {
  pytest: { cases: limitsOfPytest, artifactOf: python, suiteOf: pytest },
  'node:test': { cases: limitsOfNodeTest, artifactOf: javascript, suiteOf: nodeTest },
} as const;

describe.concurrent.each(Object.entries(languages))(
  'the table of %s',
  (_, { cases, artifactOf, suiteOf }) => {
    const resultOf = async ({ program, tests, files, fields }: DocumentedCase, reference?: string) => {
      const plain = suiteOf(tests, reference) as Suite & { readonly files: Readonly<Record<string, string>> };
      const suite = { ...plain, ...fields, files: { ...plain.files, ...files } } as Suite;
      try {
        const { outcome, tests: judged } = await judge.run({ artifact: artifactOf(program), suite });
        const isRefused = judged.some(({ refused }) => refused === true);
        return (
          outcome === 'SUCCESS' ? 'passes' : isRefused ? 'refused' : 'fails'
        ) satisfies DocumentedResult;
      } catch (error) {
        if (!isBonafideError(error)) throw error;
        return error.code;
      }
    };

    it.each(partOf(cases, 6))('says of $construct what comes of it (JDG-21)', async (each) => {
      expect([await resultOf(each), await resultOf(each, each.program)]).toEqual([each.without, each.with]);
    });
  },
);
