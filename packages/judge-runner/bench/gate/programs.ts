import type { Suite } from '../../src/index.ts';
import { changesBesideErrors } from '../../test/corpus/changes-beside-errors.ts';
import { errorsAndFakes } from '../../test/corpus/errors-and-fakes.ts';
import { fakesOfTests } from '../../test/corpus/fakes-of-tests.ts';
import type { FidelityCase, FidelityPackage } from '../../test/corpus/fidelity-case.ts';
import { fidelityJavascript } from '../../test/corpus/fidelity-javascript.ts';
import { fidelityJavascriptBuilders } from '../../test/corpus/fidelity-javascript-builders.ts';
import { fidelityJavascriptCircles } from '../../test/corpus/fidelity-javascript-circles.ts';
import { fidelityJavascriptClasses } from '../../test/corpus/fidelity-javascript-classes.ts';
import { fidelityJavascriptConversions } from '../../test/corpus/fidelity-javascript-conversions.ts';
import { fidelityJavascriptFactories } from '../../test/corpus/fidelity-javascript-factories.ts';
import { fidelityJavascriptLanguage } from '../../test/corpus/fidelity-javascript-language.ts';
import { fidelityJavascriptLibraries } from '../../test/corpus/fidelity-javascript-libraries.ts';
import { fidelityJavascriptModules } from '../../test/corpus/fidelity-javascript-modules.ts';
import { fidelityJavascriptPackages } from '../../test/corpus/fidelity-javascript-packages.ts';
import { fidelityJavascriptProjects } from '../../test/corpus/fidelity-javascript-projects.ts';
import { fidelityJavascriptStates } from '../../test/corpus/fidelity-javascript-states.ts';
import { fidelityJavascriptStyles } from '../../test/corpus/fidelity-javascript-styles.ts';
import { fidelityJavascriptUtilities } from '../../test/corpus/fidelity-javascript-utilities.ts';
import { fidelityJavascriptWaiting } from '../../test/corpus/fidelity-javascript-waiting.ts';
import { fidelityOperators } from '../../test/corpus/fidelity-operators.ts';
import { fidelityPython } from '../../test/corpus/fidelity-python.ts';
import { objectsOfNode } from '../../test/corpus/objects-of-node.ts';
import { overTimeCases } from '../../test/corpus/over-time.ts';
import { containerCases } from '../../test/corpus/python-containers.ts';
import { pythonLibraryObjects } from '../../test/corpus/python-library-objects.ts';
import { mockCases } from '../../test/corpus/python-mocks.ts';
import { patchingCases } from '../../test/corpus/python-patching.ts';
import { pythonServers } from '../../test/corpus/python-servers.ts';
import { rulesOfObjects } from '../../test/corpus/rules-of-objects.ts';
import { sharedObjectCases } from '../../test/corpus/shared-objects.ts';
import { suiteRunCases } from '../../test/corpus/suite-runs.ts';
import { surroundingsCases } from '../../test/corpus/surroundings.ts';
import { threadsOfPrograms } from '../../test/corpus/threads-of-programs.ts';
import { honest, honestSuite } from '../../test/fixtures.ts';
import {
  type Corpus,
  javascript,
  nodeTest,
  plainly,
  pytest,
  python,
  type Sample,
  withReference,
} from './samples.ts';

const sampleOfPython = ({
  id,
  artifact,
  tests,
  profile = 'STRICT',
  needs,
  leaning = [],
  lacking = [],
}: FidelityCase): Sample => ({
  ...{ id, artifact: python(artifact), leaning, lacking },
  suite: { ...pytest(id, tests), profile, ...needs } as Suite,
});
const sampleOfJavascript = ({
  id,
  artifact,
  tests,
  needs,
  leaning = [],
  lacking = [],
}: FidelityCase): Sample => ({
  ...{ id, artifact: javascript(artifact), leaning, lacking },
  suite: {
    ...nodeTest(id, tests),
    ...(needs?.objects === undefined ? {} : { objects: needs.objects }),
  } as Suite,
});
const sampleOfPackage = ({ id, artifact, tests, leaning = [], lacking = [] }: FidelityPackage): Sample => ({
  ...{ id, artifact: javascript(artifact), leaning, lacking },
  suite: nodeTest(id, tests),
});

/** Programs whose classes compare by operators of their own need a reference. */
const needsNone = ({ needsReference }: FidelityCase) => needsReference !== true;
const ofPython = fidelityPython.filter(needsNone).map(sampleOfPython);
const ofPythonWithReference = [...fidelityPython, ...fidelityOperators].map((each) =>
  withReference(sampleOfPython({ ...each, profile: 'STRICT', needs: {}, leaning: [], lacking: [] })),
);
const casesOfJavascript: readonly FidelityCase[] = [
  ...[...fidelityJavascript, ...fidelityJavascriptStyles, ...fidelityJavascriptProjects],
  ...[...fidelityJavascriptLanguage, ...fidelityJavascriptConversions, ...fidelityJavascriptFactories],
  ...[...fidelityJavascriptLibraries, ...fidelityJavascriptPackages],
  ...[...fidelityJavascriptCircles, ...fidelityJavascriptClasses],
];
const packages: readonly FidelityPackage[] = [
  ...[...fidelityJavascriptWaiting, ...fidelityJavascriptBuilders, ...fidelityJavascriptStates],
  ...[...fidelityJavascriptUtilities, ...fidelityJavascriptModules],
];

/** A program with one of its parts written otherwise. */
function broken(text: string, right: string, wrong: string): string {
  const changed = text.replace(right, () => wrong);
  if (changed === text) throw new Error(`The part to be broken is missing: ${right}`);
  return changed;
}
/** Programs with one wrong part, with a reference and without one. */
const withWrongPart: readonly Sample[] = [
  ...[...fidelityPython, ...fidelityOperators].flatMap((each) => {
    const { artifact, breaks } = each;
    if (breaks === undefined || typeof artifact !== 'string') return [];
    const { suite } = sampleOfPython({ ...each, needs: {} });
    const sample = { id: each.id, artifact: python(broken(artifact, ...breaks)), suite };
    return [...(needsNone(each) ? [sample] : []), withReference(sample, python(artifact))];
  }),
  ...packages.flatMap((each) =>
    each.breaks.flatMap(([file, right, wrong], index) => {
      const files = { ...each.artifact, [file]: broken(String(each.artifact[file]), right, wrong) };
      const { suite } = sampleOfPackage(each);
      const sample = { id: `${each.id} ${index + 1}`, artifact: javascript(files), suite };
      const isReferred = (each.lacking ?? []).length === 0;
      return [sample, ...(isReferred ? [withReference(sample, javascript(each.artifact))] : [])];
    }),
  ),
].map((sample) => ({ ...sample, expect: ['FAILURE', 'PARTIAL', 'ERROR'] }));

const withParts = [
  ...[
    ...surroundingsCases,
    ...containerCases,
    ...pythonServers,
    ...pythonLibraryObjects,
    ...overTimeCases,
    ...sharedObjectCases,
    ...objectsOfNode,
    ...changesBesideErrors,
    ...errorsAndFakes,
    ...patchingCases,
    ...mockCases,
    ...fakesOfTests,
    ...threadsOfPrograms,
  ],
  ...[...suiteRunCases, ...rulesOfObjects].map((each) => ({ ...each, language: 'javascript' as const })),
];
/** Programs that change what is around them, raise errors or lean on how Node runs tests, and the same with one wrong part, which tests notice. */
const ofParts = (wrong: boolean) =>
  withParts.flatMap(({ id, language = 'python', artifact, tests, wrong: parts }): Sample[] => {
    const [artifactOf, suiteOf] =
      language === 'python' ? ([python, pytest] as const) : ([javascript, nodeTest] as const);
    const inBothWays = (found: Sample): Sample[] => [found, withReference(found, artifactOf(artifact))];
    const sample = (source: string): Sample => ({
      ...{ id, artifact: artifactOf(source), suite: suiteOf(id, tests) },
    });
    if (!wrong) return inBothWays(sample(artifact));
    return parts.flatMap(([right, instead, failing]) => {
      const own = sample(broken(artifact, right, instead));
      return inBothWays(failing === '*' ? own : { ...own, failing: async () => [failing].flat() });
    });
  });

/** Correct programs, which pass, and the same with one wrong part, which do not. */
export const corporaOfPrograms: readonly Corpus[] = [
  ...(['STRICT', 'EXTENDED'] as const).map((profile) => ({
    ...{ name: `honest programs, ${profile}`, honest: true },
    samples: honest().map(({ id, artifact }) => ({ id, artifact, suite: { ...honestSuite, profile } })),
    // Timers interrupt calls: EXTENDED permits them.
    ...(profile === 'STRICT' ? { refused: ['signal_alarm.py'] } : {}),
  })),
  {
    ...{ name: 'ordinary tests of pytest and unittest', honest: true, samples: ofPython },
    plain: plainly(ofPython),
  },
  { name: 'ordinary tests of pytest, with a reference', honest: true, samples: ofPythonWithReference },
  {
    ...{ name: 'ordinary tests of node:test', honest: true },
    samples: casesOfJavascript.filter(needsNone).map(sampleOfJavascript),
  },
  {
    ...{ name: 'ordinary tests of node:test, with a reference', honest: true },
    samples: casesOfJavascript
      .filter((each) => !needsNone(each) || (each.leaning ?? []).length > 0)
      .map((each) => withReference(sampleOfJavascript(each))),
  },
  { name: 'ordinary packages with node:test', honest: true, samples: packages.map(sampleOfPackage) },
  {
    ...{ name: 'ordinary packages with node:test, with a reference', honest: true },
    samples: packages
      .filter(({ lacking = [] }) => lacking.length === 0)
      .map((each) => withReference(sampleOfPackage(each))),
  },
  {
    name: 'programs that change what is around them, raise errors or lean on the runner',
    honest: true,
    samples: ofParts(false),
  },
  {
    ...{ name: 'the same with one wrong part, by test', honest: false, byTest: true },
    samples: ofParts(true),
  },
  { name: 'ordinary programs with one wrong part', honest: false, samples: withWrongPart },
];
