import * as stylesOfJavascript from '../../test/corpus/program-styles.ts';
import * as stylesOfProtocols from '../../test/corpus/protocol-styles.ts';
import { stylesOfIterators } from '../../test/corpus/styles-of-iterators.ts';
import { stylesOfPrograms } from '../../test/corpus/styles-of-programs.ts';
import { stylesOfValues } from '../../test/corpus/styles-of-values.ts';
import { type Corpus, javascript, nodeTest, pytest, python, type Sample, withReference } from './samples.ts';

const casesOfPython = [...stylesOfPrograms, ...stylesOfIterators, ...stylesOfValues];
const casesOfJavascript = [...Object.values(stylesOfJavascript), ...Object.values(stylesOfProtocols)].flat();

/** Each style alone and beside each reference of another. */
const right: readonly Sample[] = [
  ...casesOfPython.flatMap(({ id, tests, styles, lacking = {}, noReference = [] }) =>
    Object.entries(styles).flatMap(([style, source]) => {
      const sample = { id: `${id}: ${style}`, artifact: python(source), suite: pytest(id, tests) };
      const others = Object.entries(styles).filter(([other]) => !noReference.includes(other));
      return [
        { ...sample, lacking: lacking[style] ?? [] },
        ...others.map(([other, reference]) => ({
          ...withReference(sample, python(reference)),
          lacking: lacking[`${style} for ${other}`] ?? [],
        })),
      ];
    }),
  ),
  ...casesOfJavascript.flatMap(({ id, tests, styles, references, needsReference }) =>
    Object.entries(styles).flatMap(([style, source]) => {
      const sample = { id: `${id}: ${style}`, artifact: javascript(source), suite: nodeTest(id, tests) };
      const others = Object.entries(styles).filter(([other]) => references?.includes(other) ?? true);
      return [
        ...(needsReference === true ? [] : [sample]),
        ...others.map(([, reference]) => withReference(sample, javascript(reference))),
      ];
    }),
  ),
];

/** Wrong programs beside each reference, and the test that they fail. */
const wrong: readonly Sample[] = [
  ...casesOfPython.flatMap(({ id, tests, styles, wrong: parts, noReference = [] }) =>
    parts.flatMap(([style, part, instead, test]) => {
      const source = String(styles[style]).replace(part, () => instead);
      const sample = { id: `${id}: ${style}`, artifact: python(source), suite: pytest(id, tests) };
      return Object.entries(styles)
        .filter(([other]) => !noReference.includes(other))
        .map(([, reference]) => ({
          ...withReference(sample, python(reference)),
          failing: async () => [test],
        }));
    }),
  ),
];
const whollyWrong: readonly Sample[] = casesOfJavascript.flatMap(
  ({ id, tests, styles, wrong: programs, references }) =>
    Object.entries(programs).flatMap(([name, source]) => {
      const sample = {
        ...{ id: `${id}: ${name}`, artifact: javascript(source), suite: nodeTest(id, tests) },
        expect: ['FAILURE', 'PARTIAL'],
      };
      return Object.entries(styles)
        .filter(([other]) => references?.includes(other) ?? true)
        .map(([, reference]) => withReference(sample, javascript(reference)));
    }),
);

/** Programs of other styles than the reference. */
export const corporaOfStyles: readonly Corpus[] = [
  { name: 'programs in another style than the reference', honest: true, samples: right },
  { name: 'wrong programs in another style, pytest, by test', honest: false, byTest: true, samples: wrong },
  { name: 'wrong programs in another style, node:test', honest: false, samples: whollyWrong },
];
