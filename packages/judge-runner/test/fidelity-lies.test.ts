import { describe, expect, it } from 'vitest';
import { type Artifact, isBonafideError, type Suite } from '../src/index.ts';
import type { FidelityCase } from './corpus/fidelity-case.ts';
import { fidelityDomains } from './corpus/fidelity-domains.ts';
import { fidelityExtendedClasses } from './corpus/fidelity-extended-classes.ts';
import { fidelityFields } from './corpus/fidelity-fields.ts';
import { fidelityJavascriptConversions } from './corpus/fidelity-javascript-conversions.ts';
import { fidelityJavascriptProjects } from './corpus/fidelity-javascript-projects.ts';
import { fidelityLibraries } from './corpus/fidelity-libraries.ts';
import { fidelityAlgorithms } from './corpus/fidelity-packages-of-algorithms.ts';
import { fidelityFrameworks } from './corpus/fidelity-packages-of-frameworks.ts';
import { fidelityServices } from './corpus/fidelity-packages-of-services.ts';
import { fidelityProjects } from './corpus/fidelity-projects.ts';
import { fidelityToolkits } from './corpus/fidelity-toolkits.ts';
import { partOf } from './proof.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** Appended to a program: its classes say yes to every comparison. */
const lies = `
def _lie(yes, no):
    for kind in [each for each in list(globals().values()) if isinstance(each, type) and not issubclass(each, BaseException)]:
        if kind.__module__ == __name__:
            for name in ('eq', 'lt', 'le', 'gt', 'ge'): setattr(kind, '__%s__' % name, yes)
            kind.__ne__, kind.__hash__ = no, lambda self: 1
_lie(lambda self, other: True, lambda self, other: False)
`;
/** Appended to a program: its functions answer 0, and so do the methods of its classes. */
const constants = `
def _freeze():
    for name, each in list(globals().items()):
        if isinstance(each, type) and each.__module__ == __name__:
            for own, part in list(vars(each).items()):
                if callable(part) and not own.startswith('__'): setattr(each, own, lambda *a, **k: 0)
        elif callable(each) and getattr(each, '__module__', '') == __name__: globals()[name] = lambda *a, **k: 0
_freeze()
`;

/** Appended to a module: objects of its classes are another number each time. */
const liesOfJavascript = (source: string) =>
  [...source.matchAll(/export class (\w+)/g)]
    .map(
      ([, name]) =>
        `\nObject.assign(${name}.prototype, { valueOf: () => (globalThis.n = (globalThis.n ?? 0) + 1) });`,
    )
    .join('');

interface Wrong {
  readonly suite: Suite;
  readonly artifact: Artifact;
}

/** The tests that fail; null where the suite is refused before anything runs. */
async function failedTests({ artifact, suite }: Wrong, own?: Suite['limits']): Promise<string[] | null> {
  try {
    const { tests } = await judge.run({
      artifact,
      suite: own === undefined ? suite : { ...suite, limits: own },
    });
    return tests.filter((test) => test.status !== 'passed').map((test) => test.id);
  } catch (error) {
    if (!isBonafideError(error, 'SUITE_UNSUPPORTED')) throw error;
    return null;
  }
}

/** An artifact with other text in each of its files. */
function changed({ artifact }: FidelityCase, change: (text: string) => string): Artifact {
  if (typeof artifact === 'string') return { language: 'python', source: change(artifact) };
  const files = Object.entries(artifact).map(([path, text]) => [path, change(text)] as const);
  return { language: 'python', files: Object.fromEntries(files) };
}

function wrongPython(each: FidelityCase, change: (text: string) => string, reference: boolean): Wrong {
  const right = changed(each, (text) => text);
  return {
    artifact: changed(each, change),
    suite: {
      ...{ id: each.id, language: 'python', mode: 'split', files: { 'test_it.py': each.tests } },
      ...({ profile: 'EXTENDED', limits: { wallMs: 240_000 } } as const),
      ...(reference ? { reference: right } : each.needs),
    },
  };
}

function wrongJavascript(each: FidelityCase, change: (text: string) => string, reference: boolean): Wrong {
  const right = { language: 'javascript', source: String(each.artifact) } as const;
  return {
    artifact: { language: 'javascript', source: change(right.source) },
    suite: {
      ...{ id: each.id, language: 'javascript', mode: 'split', files: { 'it.test.mjs': each.tests } },
      ...(reference ? { reference: right } : {}),
    },
  };
}

const languages = [
  [
    'python',
    [
      ...fidelityProjects,
      ...fidelityLibraries,
      ...fidelityDomains,
      ...fidelityToolkits,
      ...fidelityFields,
      ...fidelityExtendedClasses,
      ...fidelityFrameworks,
      ...fidelityAlgorithms,
      ...fidelityServices,
    ],
    wrongPython,
    () => lies,
  ],
  [
    'javascript',
    [...fidelityJavascriptProjects, ...fidelityJavascriptConversions],
    wrongJavascript,
    liesOfJavascript,
  ],
] as const;

describe('wrong programs in the place of correct ones, with ordinary tests', () => {
  for (const [language, cases, wrongly, liesOf] of languages)
    for (const each of partOf<FidelityCase>(cases, 24)) {
      const [right, wrong] = each.breaks ?? ['', ''];
      const breaks = (text: string) => text.replace(right, () => wrong);
      it(`${each.id}: no test that notices a broken function passes for comparisons that lie (JDG-17, JDG-21)`, async () => {
        const failing = await failedTests(wrongly(each, breaks, each.needsReference === true));
        // A test that leans on operators fails without a reference for the correct program too: it notices nothing.
        const leans = (id: string) => (each.leaning ?? []).some((name) => id.endsWith(`::${name}`));
        const noticed = failing?.filter((id) => !leans(id));
        expect(noticed?.length).toBeGreaterThan(0);
        for (const reference of [false, true]) {
          const failed = await failedTests(wrongly(each, (text) => breaks(text) + liesOf(text), reference));
          expect(failed ?? noticed).toEqual(expect.arrayContaining(noticed ?? []));
        }
      });
      if (language === 'python')
        it(`${each.id}: constant functions and methods fail (JDG-17, JDG-21)`, async () => {
          const frozen = wrongly(each, (text) => text + constants, each.needsReference === true);
          // Some loop until what never comes.
          const failed = await failedTests(frozen, { wallMs: 20_000 });
          expect(failed?.length).toBeGreaterThan(1);
        });
    }
});
