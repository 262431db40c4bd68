import { correctChanges, testsOfChanges, wrongChanges } from '../../test/corpus/attacks-by-changes.ts';
import { correctCircles, testsOfCircles, wrongCircles } from '../../test/corpus/attacks-by-circles.ts';
import { testsOfConversions, wrongConversions } from '../../test/corpus/attacks-by-conversions.ts';
import {
  correctFactories,
  testsOfFactories,
  wrongFactories,
} from '../../test/corpus/attacks-by-factories.ts';
import { attacksByFields } from '../../test/corpus/attacks-by-fields.ts';
import { learningsOfPython } from '../../test/corpus/attacks-by-learning.ts';
import { judged, makingsOfJavascript, makingsOfPython } from '../../test/corpus/attacks-by-making.ts';
import { attacksByMimicry } from '../../test/corpus/attacks-by-mimicry.ts';
import * as reads from '../../test/corpus/attacks-by-reads.ts';
import {
  correctExtended,
  correctGivenObjects,
  correctSharing,
  testsOfExtended,
  testsOfGivenObjects,
  testsOfSharing,
  wrongExtended,
  wrongGivenObjects,
  wrongSharing,
} from '../../test/corpus/attacks-by-sharing.ts';
import { attacksOfRooms } from '../../test/corpus/attacks-of-rooms.ts';
import { attacksOnSurroundings } from '../../test/corpus/attacks-on-surroundings.ts';
import { faultsOfClasses } from '../../test/corpus/faults-of-classes.ts';
import { faultsOfErrors } from '../../test/corpus/faults-of-errors.ts';
import { faultsOfLoops } from '../../test/corpus/faults-of-loops.ts';
import { faultsOfValues } from '../../test/corpus/faults-of-values.ts';
import { forgedQuestions } from '../../test/corpus/forged-questions.ts';
import { compiler, forger, patcher, suiteOf, waysToRun } from '../../test/corpus/generated-code.ts';
import { failingRuns } from '../../test/corpus/runs-of-answers.ts';
import { unearnedCalls } from '../../test/corpus/unearned-calls.ts';
import { unearnedCarriers, unearnedCarriersOfJavascript } from '../../test/corpus/unearned-carriers.ts';
import { unearnedChains } from '../../test/corpus/unearned-chains.ts';
import { unearnedFunctionsOfJavascript } from '../../test/corpus/unearned-functions.ts';
import { unearnedJavascript } from '../../test/corpus/unearned-javascript.ts';
import { unearnedMakersOfJavascript } from '../../test/corpus/unearned-makers.ts';
import { unearnedNames } from '../../test/corpus/unearned-names.ts';
import { unearnedMakings, unearnedOrders } from '../../test/corpus/unearned-orders.ts';
import { unearnedPython } from '../../test/corpus/unearned-python.ts';
import {
  type ReferenceCase,
  unearnedReferences,
  unearnedReferencesOfJavascript,
} from '../../test/corpus/unearned-references.ts';
import { unearnedVisits } from '../../test/corpus/unearned-visits.ts';
import { attackSuite, attacks, attackTests } from '../../test/fixtures.ts';
import { failedInOneProcess } from '../../test/one-process.ts';
import {
  type Corpus,
  javascript,
  limits,
  nodeTest,
  plainly,
  pytest,
  python,
  type Sample,
} from './samples.ts';

/** Some wait for what never comes. */
const patient = { wallMs: 20_000 };

const fakes: readonly Sample[] = attacks()
  .filter(({ category }) => category === 'fake')
  .map(({ id, artifact }) => ({
    ...{ id, artifact },
    suite: { ...pytest(id, attackTests()), limits },
  }));
const liesInPython: readonly Sample[] = [
  ...[...unearnedPython, ...unearnedCarriers, ...unearnedCalls, ...unearnedChains],
].map(({ id, artifact, tests }) => ({
  ...{ id, artifact: python(artifact), suite: { ...pytest(id, tests), limits: patient } },
}));
const liesInJavascript: readonly Sample[] = [
  ...[...unearnedJavascript, ...unearnedCarriersOfJavascript],
  ...[...unearnedMakersOfJavascript, ...unearnedFunctionsOfJavascript],
].map(({ id, artifact, tests }) => ({
  ...{ id, artifact: javascript(artifact), suite: { ...nodeTest(id, tests), limits: patient } },
}));

/** A wrong program, judged with a reference or without one. */
const referred = ({ id, language, wrong, reference, tests }: ReferenceCase, isReferred: boolean): Sample => {
  const [artifactOf, suiteOf] =
    language === 'javascript' ? ([javascript, nodeTest] as const) : ([python, pytest] as const);
  const suite = suiteOf(id, tests);
  return {
    ...{ id, artifact: artifactOf(wrong) },
    suite: isReferred ? ({ ...suite, reference: artifactOf(reference) } as Sample['suite']) : suite,
  };
};
const references = [
  ...[...unearnedReferences, ...unearnedReferencesOfJavascript],
  ...[...unearnedOrders, ...unearnedMakings],
];
const liesAgainstReferences: readonly Sample[] = [
  ...references.map((each) => ({
    ...referred(each, true),
    expect: each.isWhollyWrong ? ['FAILURE'] : ['FAILURE', 'PARTIAL'],
  })),
  ...[...unearnedNames, ...unearnedVisits].map((each) => ({ ...referred(each, true), expect: ['FAILURE'] })),
  ...unearnedNames.map((each) => ({ ...referred(each, false), expect: ['FAILURE'] })),
];

const rooms = [...attacksOfRooms, ...attacksByMimicry, ...attacksByFields];
const allReads = { ...reads.wrongReads, ...reads.moreWrongReads };
const testsOfReads = reads.testsOfReads + reads.testOfRejections;
const modulesTogether: readonly Sample[] = [
  ...[false, true].flatMap((isReferred) => [
    { id: 'python', ...judged('python', { ...makingsOfPython, ...learningsOfPython }, isReferred) },
    { id: 'javascript', ...judged('javascript', makingsOfJavascript, isReferred) },
  ]),
  ...[null, reads.correctReads].map((reference) => ({
    ...{ id: 'reads', ...reads.judgedReads(allReads, testsOfReads, reference) },
  })),
  ...Object.entries(wrongConversions).map(([id, source]) => ({
    ...{ id, artifact: javascript(source), suite: nodeTest(id, testsOfConversions) },
  })),
];

/** Wrong modules that pass some tests in one process as well: what counts are the others. */
const modulesByTest: readonly Sample[] = (
  [
    [correctFactories, testsOfFactories, wrongFactories],
    [correctCircles, testsOfCircles, wrongCircles],
    [correctSharing, testsOfSharing, wrongSharing],
    [correctGivenObjects, testsOfGivenObjects, wrongGivenObjects],
    [correctExtended, testsOfExtended, wrongExtended],
    [correctChanges, testsOfChanges, wrongChanges],
  ] as const
).flatMap(([correct, tests, wrong]) =>
  Object.entries(wrong).flatMap(([id, source]) => {
    const suite = nodeTest(id, tests);
    const sample = { id, artifact: javascript(source), failing: () => failedInOneProcess(source, tests) };
    return [
      { ...sample, suite },
      { ...sample, suite: { ...suite, reference: javascript(correct) } as Sample['suite'] },
    ];
  }),
);

const surroundings: readonly Sample[] = attacksOnSurroundings.map(
  ({ id, language, files, reference, wrong, failing, isAlone }) => {
    const [artifactOf, suiteOf] =
      language === 'python' ? ([python, pytest] as const) : ([javascript, nodeTest] as const);
    const suite = { ...suiteOf(id, files), ...(isAlone ? {} : { reference: artifactOf(reference) }) };
    return { id, artifact: artifactOf(wrong), suite: suite as Sample['suite'], failing: async () => failing };
  },
);

const faults = [...faultsOfClasses, ...faultsOfErrors, ...faultsOfLoops, ...faultsOfValues];
const faultsOfBoxes: readonly Sample[] = [false, true].flatMap((isReferred) =>
  faults
    .filter(({ isAlone }) => !isReferred || isAlone !== true)
    .map(({ id, tests, right, wrong }) => ({
      ...referred({ id, tests, reference: right, wrong }, isReferred),
      expect: ['FAILURE', 'PARTIAL', 'ERROR'],
    })),
);

/** Programs that a test makes of answers: they would write its verdict. */
const programsOfAnswers: readonly Sample[] = [
  ...failingRuns.map(({ id, artifact, tests }) => ({
    ...{ id, artifact: python(artifact), suite: pytest(id, tests) },
  })),
  ...waysToRun.flatMap(([id, imports, expression]) =>
    [forger, patcher].flatMap((wrong) => {
      const suite = nodeTest(id, suiteOf(imports, expression));
      const referred = { ...suite, reference: javascript(compiler) } as Sample['suite'];
      return [suite, referred].map((each) => ({ id, artifact: javascript(wrong), suite: each }));
    }),
  ),
  // A suite that lets another realm run what is answered fails for its reference as well.
].map((sample) => ({ ...sample, expect: ['FAILURE', 'SUITE_INVALID'] }));

/** What earns nothing, by the way that it goes. */
export const corporaOfAttacks: readonly Corpus[] = [
  {
    ...{ name: 'attacks of the corpus, vectors', honest: false },
    samples: attacks()
      .filter(({ category }) => category !== 'control')
      .map(({ id, artifact, expect }) => ({
        ...{ id, artifact, expect },
        suite: { ...attackSuite(), limits },
      })),
  },
  {
    ...{ name: 'fakes of the corpus, pytest', honest: false, samples: fakes },
    plain: plainly(fakes, { limits }),
  },
  {
    ...{ name: 'lies in answers, pytest', honest: false, samples: liesInPython },
    plain: plainly(liesInPython),
  },
  { name: 'lies in answers, node:test', honest: false, samples: liesInJavascript },
  { name: 'lies against references, names and visits', honest: false, samples: liesAgainstReferences },
  ...[...new Set(rooms.map(({ room }) => room))].map((room) => {
    const samples = rooms.filter((attack) => attack.room === room);
    return { name: `attacks on ${room}`, honest: false, samples, plain: plainly(samples, { limits }) };
  }),
  {
    ...{ name: 'attacks on making, learning and reads, by test', honest: false, byTest: true },
    samples: modulesTogether,
  },
  {
    ...{ name: 'wrong factories, circles, sharing and changes, by test', honest: false, byTest: true },
    samples: modulesByTest,
  },
  { name: 'attacks on surroundings, by test', honest: false, byTest: true, samples: surroundings },
  { name: 'programs that tests make of answers', honest: false, samples: programsOfAnswers },
  { name: 'faults that two boxes could hide', honest: false, samples: faultsOfBoxes },
  {
    ...{ name: 'forged questions', honest: false },
    samples: forgedQuestions.map(({ id, tests, wrong }) => ({
      ...{ id, artifact: python(wrong), suite: { ...pytest(id, tests), limits: { wallMs: 10_000 } } },
      expect: ['FAILURE', 'ERROR'],
    })),
  },
];
