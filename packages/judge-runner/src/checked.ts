import * as z from 'zod';
import * as outcome from './classify.ts';
import * as committed from './commitment.ts';
import { compareAnswer as compare } from './compare.ts';
import { JudgeError } from './errors.ts';
import { callable, parseGiven } from './host-options.ts';
import * as byLayer from './layers.ts';
import { mergeLimits as merge } from './limits.ts';
import { matchesOutput as matches } from './program/match.ts';
import { rateQuality as rate, toolResultsSchema } from './quality.ts';
import { limitsSchema, parseSuite, toleranceSchema } from './schemas.ts';
import { staticViolations as violationsOf } from './static.ts';
import { staticRules } from './static-rules.ts';
import { layers, type Suite } from './suite.ts';
import * as values from './value.ts';

/** Returns a function that checks its arguments. They are passed on as they are. */
const checked =
  <Arguments extends readonly unknown[], Result>(
    run: (...given: Arguments) => Result,
    what: string,
    schemas: Readonly<Record<string, z.ZodType>>,
  ): ((...given: Arguments) => Result) =>
  (...given) => {
    for (const [place, [name, schema]] of Object.entries(schemas).entries())
      parseGiven(schema, given[place], `${what}.${name}`, 'INVALID_INPUT');
    return run(...given);
  };

const count = z.int().min(0);
const text = z.string().nullable();
const layer = z.enum(layers);
const record = z.looseObject({
  expected: z.array(z.looseObject({ id: z.string(), layer })),
  passed: z.array(z.string()),
  violations: z.array(z.looseObject({ kind: z.string(), evidence: z.string() })),
  exceeded: z.array(z.enum(['disk', 'oom', 'output', 'pids', 'cpu', 'timeout'])),
  protocolError: text,
  crash: text,
  build: text.optional(),
});
const results = z.array(
  z.looseObject({
    layer,
    total: count,
    passed: count,
    failed: count,
    notRun: count,
    passRate: z.number().min(0).max(1),
  }),
);
const hex = z.string().regex(/^(?:[0-9a-f]{2})*$/u, 'Expected lower-case hex');
const published = { root: hex, count };
const commitment = z.looseObject({ ...published, suiteId: z.string(), salts: z.array(hex) });
const suite = z.custom<Suite>((given) => typeof given === 'object' && given !== null, 'Expected a suite');

const primitives: ReadonlySet<string> = new Set(['boolean', 'bigint', 'number', 'string']);
const isNumber = (given: unknown): boolean => typeof given === 'number';

/** Tells whether anything is a value, without trusting its depth. */
function isValue(given: unknown, depth = 0): boolean {
  if (given === null || primitives.has(typeof given)) return true;
  if (typeof given !== 'object' || depth > values.maxValueDepth) return false;
  const { type, items, entries, hex: bytes, real, imaginary, name } = given as Record<string, unknown>;
  const areValues = (list: unknown) => Array.isArray(list) && list.every((item) => isValue(item, depth + 1));
  switch (type) {
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
      return areValues(items);
    case 'dict':
      return Array.isArray(entries) && entries.every((pair) => areValues(pair) && pair.length === 2);
    case 'bytes':
      return typeof bytes === 'string';
    case 'complex':
      return isNumber(real) && isNumber(imaginary);
    case 'opaque':
      return typeof name === 'string';
    default:
      return false;
  }
}
const value = z.custom<values.Value>(
  (given) => isValue(given),
  'Expected a value, as `decodeValue` returns it',
);

/** Returns the outcome of a run. Pure. @throws JudgeError `INVALID_INPUT` */
export const classify = checked(outcome.classify, 'classify', { record });

/**
 * Returns what decided an outcome other than the pass rate: `security`, an error kind, or null.
 *
 * @throws JudgeError `INVALID_INPUT`
 */
export const causeOf = checked(outcome.causeOf, 'causeOf', { record });

/** Expected tests that passed, as a share in [0, 1]. @throws JudgeError `INVALID_INPUT` */
export const passRateOf = checked(outcome.passRateOf, 'passRateOf', { record });

/** Tests counted by layer; layers without a test are absent. @throws JudgeError `INVALID_INPUT` */
export const summarizeLayers = checked(byLayer.summarizeLayers, 'summarizeLayers', {
  tests: z.array(z.looseObject({ layer, status: z.string() })),
});

/**
 * The pass rate of the composite score: (correctness + ½ edge) weighted by count, or null without either.
 *
 * @throws JudgeError `INVALID_INPUT`
 */
export const compositePassRate = checked(byLayer.compositePassRate, 'compositePassRate', { results });

/**
 * The tier by the tests of performance: 1 when all passed, 2 from .6, else 3; null without any.
 *
 * @throws JudgeError `INVALID_INPUT`
 */
export const performanceTier = checked(byLayer.performanceTier, 'performanceTier', { results });

/** Rates what quality tools found, 0…10. Pure. @throws JudgeError `INVALID_INPUT` */
export const rateQuality = checked(rate, 'rateQuality', { results: toolResultsSchema });

/**
 * Findings that decide: the unmistakable ones, those that the suite forbids, and too many of the others. Pure.
 *
 * @throws JudgeError `INVALID_INPUT`
 */
export const staticViolations = checked(violationsOf, 'staticViolations', {
  found: z.array(
    z.looseObject({ rule: z.enum(staticRules), file: z.string(), line: count, detail: z.string() }),
  ),
  thresholds: z
    .strictObject({ forbid: z.array(z.enum(staticRules)).optional(), maxWarnings: count.optional() })
    .optional(),
});

/** Compares the output of a program with the expected text, by a rule. Pure. @throws JudgeError `INVALID_INPUT` */
export const matchesOutput = checked(matches, 'matchesOutput', {
  answer: z.string(),
  expected: z.string(),
  match: z
    .union([
      z.enum(['exact', 'lines', 'tokens', 'json', 'pattern']),
      callable<(answer: string, expected: string) => boolean>(),
    ])
    .optional(),
  tolerance: toleranceSchema.optional(),
});

/**
 * Compares an answer with the expected value. Returns null when the rule is met, else the difference. Pure.
 *
 * @throws JudgeError `INVALID_INPUT`
 */
export const compareAnswer = checked(compare, 'compareAnswer', {
  answer: value,
  expected: value,
  rule: z
    .strictObject({
      match: z.enum(['equal', 'same', 'truth']).optional(),
      tolerance: toleranceSchema.optional(),
      order: z.enum(['exact', 'any']).optional(),
    })
    .optional(),
});

/**
 * Writes a value as tagged JSON. Pure.
 *
 * @throws ValueFormatError for an `opaque` value, which nothing can reproduce.
 * @throws JudgeError `INVALID_INPUT`
 */
export const encodeValue = checked(values.encodeValue, 'encodeValue', { value });

/** Describes a value in at most `maxLength` characters, as Python would print it. @throws JudgeError `INVALID_INPUT` */
export const describeValue = checked(values.describeValue, 'describeValue', {
  value,
  maxLength: z.int().min(1).optional(),
});

/**
 * Reads tagged JSON into a {@link Value}. Pure; trusts nothing about `json`.
 *
 * @param options.answers - Also read `{ "$opaque": "TypeName" }`, which only answers may contain.
 * @throws ValueFormatError when it is not in the form of {@link TaggedJson}, or deeper or larger than allowed.
 */
export const decodeValue: typeof values.decodeValue = (json, options) => {
  parseGiven(decodeOptions, options, 'decodeValue.options', 'INVALID_INPUT');
  try {
    return values.decodeValue(json, options);
  } catch (cause) {
    if (cause instanceof JudgeError) throw cause;
    // A getter or a proxy of the host.
    throw new JudgeError('INVALID_INPUT', 'The JSON cannot be read, because a property of it throws.', {
      cause,
    });
  }
};

const decodeOptions = z.strictObject({ answers: z.boolean().optional() }).optional();

/** The limits of a run: the defaults, then the judge's, then the suite's own. @throws JudgeError `INVALID_INPUT` */
export const mergeLimits: typeof merge = (...overrides) => {
  for (const each of overrides)
    if (each !== undefined) parseGiven(limitsSchema, each, 'limits', 'INVALID_INPUT');
  return merge(...overrides);
};

/**
 * Commits to a suite without revealing a case: the root of a Merkle tree over its salted parts.
 *
 * @throws JudgeError `SUITE_INVALID`, `INVALID_INPUT`
 */
export const commitOracle = checked(committed.commitOracle, 'commitOracle', {
  suite,
  options: z.strictObject({ salt: callable<(index: number) => Uint8Array>().optional() }).optional(),
});

/**
 * Makes sure that a suite is the one that was committed to.
 *
 * @throws JudgeError `COMMITMENT_MISMATCH`, `SUITE_INVALID`, `INVALID_INPUT`
 */
export const checkCommitment = checked(
  (given: committed.OracleCommitment, of: Suite) => committed.checkCommitment(given, parseSuite(of)),
  'checkCommitment',
  { commitment, suite },
);

/**
 * Opens one case of a commitment, which shows nothing about the others.
 *
 * @throws JudgeError `COMMITMENT_MISMATCH`, `SUITE_INVALID`, `INVALID_INPUT`
 */
export const openLeaf = checked(
  (given: committed.OracleCommitment, of: Suite, caseId: string) =>
    committed.openLeaf(given, parseSuite(of), caseId),
  'openLeaf',
  { commitment, suite, caseId: z.string() },
);

/**
 * Returns true when an opened case is the one that was committed at its index. Pure; needs only published
 * data.
 *
 * @throws JudgeError `INVALID_INPUT`
 */
export const verifyLeaf = checked(committed.verifyLeaf, 'verifyLeaf', {
  commitment: z.looseObject(published),
  opening: z.looseObject({
    index: z.number(),
    salt: z.string(),
    case: z.looseObject({}),
    path: z.array(z.string()),
  }),
});
