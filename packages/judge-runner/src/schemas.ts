import { mostSimilar, truncate } from '@bonafide/internal';
import * as z from 'zod';
import { JudgeError, type JudgeErrorCode } from './errors.ts';
import type { FreshRequest, Oracle } from './fresh/fresh-cases.ts';
import { valueSpecSchema } from './fresh/spec-schema.ts';
import type { Limits } from './limits.ts';
import { wrongShared } from './shared-files.ts';
import { staticRules } from './static-rules.ts';
import {
  type Artifact,
  type CaseGenerator,
  layers,
  type NodeTestSuite,
  type ProgramCase,
  type ProgramSuite,
  type PytestSuite,
  type Suite,
  type VectorCase,
  type VectorSuite,
} from './suite.ts';
import { decodeValue, maxValueNodes, type TaggedJson, ValueFormatError } from './value.ts';

/** Returns what is wrong with a value that JSON has no word for, and how a suite writes it; undefined for any other. */
function describeUnwritable(input: unknown): string | undefined {
  if (typeof input === 'number' && !Number.isFinite(input))
    return `has ${input}, for which JSON has no word: write { "$float": "${Number.isNaN(input) ? 'nan' : input > 0 ? 'inf' : '-inf'}" }`;
  if (typeof input === 'bigint')
    return 'has a bigint, for which JSON has no word: write { "$int": "…" } with its digits';
  if (input instanceof Uint8Array)
    return 'has bytes, for which JSON has no word: write { "$bytes": "…" } with hexadecimal digits';
  if (input instanceof Set) return 'has a Set, for which JSON has no word: write { "$set": […] }';
  if (input instanceof Map)
    return 'has a Map, for which JSON has no word: write { "$dict": [[key, value], …] }';
  return input === undefined ? 'has undefined, for which JSON has no word: write null for None' : undefined;
}

/** Returns what is wrong with the first part of a value that JSON has no word for. Parts that contain themselves are left to others. */
function findUnwritable(input: unknown): string | undefined {
  const pending = [input];
  for (let count = 0; pending.length > 0 && count < maxValueNodes; count += 1) {
    const part = pending.pop();
    const found = describeUnwritable(part);
    if (found !== undefined) return found;
    if (typeof part === 'object' && part !== null) for (const each of Object.values(part)) pending.push(each);
  }
  return undefined;
}

const tagged: z.ZodType<TaggedJson> = z
  .custom<TaggedJson>((input) => findUnwritable(input) === undefined, {
    error: ({ input }) => findUnwritable(input),
  })
  .pipe(z.json())
  .superRefine((json, context) => {
    try {
      decodeValue(json);
    } catch (error) {
      if (!(error instanceof ValueFormatError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  });

const positive = z.number().positive();
const bytes = z.int().positive();

/** Unknown fields that a refusal names. */
const namedFields = 5;
/** An object without other fields. An unknown one is refused, with the one that was probably meant. */
const strict = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const named = issue.keys.slice(0, namedFields).map((key) => {
        const [similar] = mostSimilar(key, Object.keys(shape), (name) => [name]);
        const field = JSON.stringify(truncate(key, 100));
        return similar === undefined ? field : `${field} (did you mean ${similar}?)`;
      });
      const more = issue.keys.length - named.length;
      return `has unknown fields: ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
    },
  });

/** Limits, each optional: what is absent keeps its default. */
export const limitsSchema = strict({
  wallMs: positive.exactOptional(),
  cpuSoftMs: positive.exactOptional(),
  cpuHardMs: positive.exactOptional(),
  memorySoftBytes: bytes.exactOptional(),
  memoryHardBytes: bytes.exactOptional(),
  pids: z.int().min(1).exactOptional(),
  cpus: positive.exactOptional(),
  outputBytes: bytes.exactOptional(),
  diskBytes: z.int().min(4096).exactOptional(),
  answerBytes: bytes.exactOptional(),
}) satisfies z.ZodType<Partial<Limits>>;

const dottedName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/, 'must be a name, dotted for a method');

/** Distance at which numbers count as equal. */
export const toleranceSchema = z.union([
  z.number().nonnegative(),
  strict({
    absolute: z.number().nonnegative().exactOptional(),
    relative: z.number().nonnegative().exactOptional(),
  }),
]);

/** Comparison of an answer with the expected value. */
const comparison = {
  match: z.enum(['equal', 'same', 'truth']).exactOptional(),
  as: z.enum(['list', 'tuple', 'set', 'sorted', 'len']).exactOptional(),
  tolerance: toleranceSchema.exactOptional(),
  order: z.enum(['exact', 'any']).exactOptional(),
};

function checkComparison(
  { order, tolerance: own }: Pick<VectorCase, 'order' | 'tolerance'>,
  context: z.RefinementCtx,
): void {
  if (order === 'any' && own !== undefined)
    context.addIssue({
      code: 'custom',
      message: "order 'any' and a tolerance together are ambiguous; convert the answer with as: 'sorted'",
    });
}

const vectorCase = strict({
  id: z.string().min(1).max(200),
  layer: z.enum(layers),
  fn: dottedName.exactOptional(),
  args: z.array(tagged),
  expect: tagged.exactOptional(),
  raises: dottedName.exactOptional(),
  ...comparison,
}).superRefine((test, context) => {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message });
  if ('expect' in test === 'raises' in test) refuse('takes exactly one of expect and raises');
  if (test.match === 'truth' && typeof test.expect !== 'boolean')
    refuse("match 'truth' expects true or false");
  checkComparison(test, context);
}) satisfies z.ZodType<VectorCase>;

const source = z.string().max(4 * 1024 * 1024);
const fileName = z
  .string()
  .max(200)
  .regex(
    // No control characters, no half characters, no back slashes, no empty names, and none of `.` and `..`.
    /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\p{Cc}\p{Cs}\\]+$/u,
    'must be a relative path',
  )
  .refine(
    (path) => path.split('/').every((part) => Buffer.byteLength(part) <= 255),
    'must have names of at most 255 bytes',
  );

const pythonPackages = strict({
  packages: z
    .array(
      z
        .string()
        .max(500)
        .regex(
          /^(?:(?:debian:)?[A-Za-z0-9][\w.+-]*(?:\[[\w,.-]+\])?\s*(?:[<>=!~]=?=?\s*[\w.*+!-]+\s*,?\s*)*|[^-\p{Cc}:@][^\p{Cc}:@]*\.whl)$/u,
          'must be a requirement such as numpy==1.24.2, debian:python3-numpy, or the file of a wheel',
        ),
    )
    .min(1)
    .max(200),
});
const nodePackages = strict({
  packages: z
    .record(
      z
        .string()
        .max(214)
        .regex(/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i, 'must be a name of npm'),
      z
        .string()
        .max(200)
        .regex(/^[\w.*^~<>=| -]+$/, 'must be a version or a range of versions'),
    )
    .refine((packages) => Object.keys(packages).length > 0, 'must have a package')
    .refine((packages) => Object.keys(packages).length <= 200, 'may have at most 200 packages'),
});

const base = {
  id: z.string().min(1).max(200),
  profile: z.enum(['STRICT', 'EXTENDED', 'PROCESSES']).exactOptional(),
  static: strict({
    forbid: z.array(z.enum(staticRules)).exactOptional(),
    maxWarnings: z.int().min(0).exactOptional(),
  }).exactOptional(),
  limits: limitsSchema.exactOptional(),
};

/** Refuses ids that are there twice. */
function checkIds(
  tests: readonly { readonly id: string }[],
  at: string,
  refuse: (path: readonly (string | number)[], message: string) => void,
): void {
  const seen = new Set<string>();
  for (const [index, { id }] of tests.entries()) {
    if (seen.has(id)) refuse([at, index], `'${id}' is there twice`);
    seen.add(id);
  }
}

/** Largest artifact and suite: files, and bytes of all together. */
const maxFiles = 2000;
/** Most folders of an artifact, all of which are made in its box and may be modules: a path can name a hundred. */
const maxFolders = 5000;
const maxBytes = 20 * 1024 * 1024;
const languageName = z
  .string()
  .max(20)
  .regex(/^[a-z0-9+#_-]+$/, 'must be the name of a language in lower case');
const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
/** True when no path is below another one, which no file system can hold. */
function hasNoFileAsFolder(files: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(files).every((path) => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      if (Object.hasOwn(files, path.slice(0, at))) return false;
    return true;
  });
}
/** True when files are in few enough folders. Pure. */
function hasFewFolders(files: Readonly<Record<string, unknown>>): boolean {
  const folders = new Set<string>();
  for (const path of Object.keys(files)) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
    if (folders.size > maxFolders) return false;
  }
  return true;
}
/** Files by name. A record would leave out the name that is refused here, and a test with it. */
const filesOf = <T>(content: z.ZodType<T>) =>
  z
    .unknown()
    .refine(
      (files) => typeof files !== 'object' || files === null || !Object.hasOwn(files, '__proto__'),
      'may not have a file __proto__',
    )
    .superRefine((files, context) => {
      for (const name of Object.keys(Object(files))) {
        const issue = fileName.safeParse(name).error?.issues[0];
        if (issue === undefined) continue;
        context.addIssue({ code: 'custom', path: [name], message: issue.message });
        break;
      }
    })
    .pipe(z.record(z.string(), content));
const fileTree = filesOf(z.union([z.string(), z.instanceof(Uint8Array)]))
  .refine((files) => Object.keys(files).length <= maxFiles, `may have at most ${maxFiles} files`)
  .refine(
    (files) => Object.values(files).reduce((sum, content) => sum + bytesOf(content), 0) <= maxBytes,
    `may have at most ${maxBytes} bytes`,
  )
  .refine((files) => Object.keys(files).length > 0, 'must have a file')
  .refine(hasFewFolders, `may have at most ${maxFolders} folders`)
  .refine(hasNoFileAsFolder, 'may not have a file where another has its folder');

/** An {@link Artifact} as it arrives from a stranger. */
const artifactSchema = z.union(
  [
    strict({ language: languageName.exactOptional(), source }),
    strict({
      language: languageName.exactOptional(),
      files: fileTree,
      entry: fileName.exactOptional(),
    }),
  ],
  {
    error: ({ errors, input }) => {
      const [source = [], files = []] = errors as readonly (readonly z.core.$ZodIssue[])[];
      const given = Object(input) as Readonly<Record<string, unknown>>;
      const issues = 'files' in given === 'source' in given ? [] : 'files' in given ? files : source;
      // What is wrong with the one form that was given says more than both forms.
      const [first] = issues.filter(({ code }) => code !== 'invalid_type' && code !== 'unrecognized_keys');
      return first === undefined
        ? "must be { language, source: 'text' } or { language, files: { 'solution.py': 'text' } }"
        : `${first.path.map((part) => `${String(part)}: `).join('')}${first.message}`;
    },
  },
) satisfies z.ZodType<Artifact>;

const generator = strict({
  id: z.string().min(1).max(200),
  layer: z.enum(layers),
  fn: dottedName.exactOptional(),
  args: z.union([z.array(valueSpecSchema(tagged)), strict({ from: dottedName })]),
  count: z.int().min(0).max(1000).exactOptional(),
  raises: z.boolean().exactOptional(),
  ...comparison,
}).superRefine(checkComparison) satisfies z.ZodType<CaseGenerator>;

const vectorSuite = strict({
  ...base,
  reference: artifactSchema.exactOptional(),
  python: pythonPackages.exactOptional(),
  node: nodePackages.exactOptional(),
  language: z.enum(['python', 'javascript']),
  mode: z.literal('vectors'),
  entryPoint: dottedName.exactOptional(),
  cases: z.array(vectorCase).max(10_000),
  generators: z.array(generator).min(1).max(100).exactOptional(),
  oracle: artifactSchema.exactOptional(),
}).superRefine((suite, context) => {
  const refuse = (path: readonly (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path: [...path], message });
  const generators = suite.generators ?? [];
  if (suite.language === 'python' ? suite.node : suite.python)
    refuse(
      [suite.language === 'python' ? 'node' : 'python'],
      `is for another language than ${suite.language}`,
    );
  if (suite.cases.length + generators.length === 0) refuse(['cases'], 'must have a case, or generators');
  checkIds(suite.cases, 'cases', refuse);
  checkIds(generators, 'generators', refuse);
  for (const [at, own] of [['cases', suite.cases] as const, ['generators', generators] as const])
    for (const [index, { fn }] of own.entries())
      if (fn === undefined && suite.entryPoint === undefined)
        refuse([at, index], 'needs fn, or the suite an entryPoint');
  const taken = new Set(generators.map(({ id }) => id));
  for (const [index, { id }] of suite.cases.entries())
    if (taken.has(id.replace(/#\d+$/, ''))) refuse(['cases', index], `'${id}' is the name of a generator`);
  for (const [index, { args }] of generators.entries())
    if ('from' in args && suite.oracle === undefined)
      refuse(['generators', index], 'draws its inputs from an oracle, which the suite does not have');
}) satisfies z.ZodType<VectorSuite>;

/** Text is what tests are written in; a picture or an archive among their data is bytes. */
const suiteFile = z.union([source, strict({ base64: z.base64().max(8 * 1024 * 1024) })], {
  error: 'must be a text, or { base64: bytes }',
});

const testFiles = (isTest: RegExp, example: string) => ({
  files: filesOf(suiteFile)
    .refine((files) => Object.keys(files).length <= maxFiles, `may have at most ${maxFiles} files`)
    .refine(hasNoFileAsFolder, 'may not have a file where another has its folder')
    .refine((files) => Object.keys(files).some((name) => isTest.test(name)), {
      error: ({ input }) =>
        Object.keys(Object(input)).some((name) => /\.[cm]?tsx?$/.test(name))
          ? `must contain a ${example}; tests in TypeScript are not taken: build them first`
          : `must contain a ${example}`,
    }),
  tests: z
    .array(strict({ id: z.string().min(1).max(1000), layer: z.enum(layers) }))
    .min(1)
    .max(10_000)
    .exactOptional(),
  objects: z.array(dottedName).max(200).exactOptional(),
  shared: z.array(z.string().min(1).max(1000)).max(200).exactOptional(),
  reference: artifactSchema.exactOptional(),
});

function checkTests(suite: Pick<PytestSuite, 'tests' | 'files' | 'shared'>, context: z.RefinementCtx): void {
  const wrong = wrongShared(suite);
  if (wrong !== null) context.addIssue({ code: 'custom', path: ['shared'], message: wrong });
  checkIds(suite.tests ?? [], 'tests', (path, message) =>
    context.addIssue({ code: 'custom', path: [...path], message }),
  );
}

const pytestSuite = strict({
  ...base,
  language: z.literal('python'),
  mode: z.enum(['split', 'same-process']),
  ...testFiles(/(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/, 'test_….py'),
  remoteEq: z.boolean().exactOptional(),
  python: pythonPackages.exactOptional(),
}).superRefine(checkTests) satisfies z.ZodType<PytestSuite>;

const nodeTestSuite = strict({
  ...base,
  language: z.literal('javascript'),
  mode: z.literal('split'),
  node: nodePackages.exactOptional(),
  ...testFiles(
    /(?:^|\/)(?:test\/.*|test|test-[^/]*|[^/]*[._-]test)\.[cm]?js$/,
    '….test.mjs, or another name that node --test takes for one',
  ),
}).superRefine(checkTests) satisfies z.ZodType<NodeTestSuite>;

const commandLine = z.array(z.string().min(1).max(4096)).min(1).max(200);
const programCase = strict({
  id: z.string().min(1).max(200),
  layer: z.enum(layers),
  argv: z.array(z.string().max(100_000)).max(200).exactOptional(),
  stdin: z.string().exactOptional(),
  files: filesOf(z.string()).exactOptional(),
  expect: strict({
    stdout: z.string().exactOptional(),
    exitCode: z.int().min(-64).max(255).exactOptional(),
    files: filesOf(z.string()).exactOptional(),
  }).refine((expected) => Object.keys(expected).length > 0, 'must expect something'),
  match: z
    .union([
      z.enum(['exact', 'lines', 'tokens', 'json', 'pattern']),
      z.custom<(answer: string, expected: string) => boolean>(
        (value) => typeof value === 'function',
        'must be exact, lines, tokens, json, pattern, or a function',
      ),
    ])
    .exactOptional(),
  tolerance: toleranceSchema.exactOptional(),
}) satisfies z.ZodType<ProgramCase>;

const programSuite = strict({
  id: base.id,
  limits: base.limits,
  reference: artifactSchema.exactOptional(),
  python: pythonPackages.exactOptional(),
  node: nodePackages.exactOptional(),
  language: languageName.exactOptional(),
  mode: z.literal('program'),
  build: commandLine.exactOptional(),
  run: commandLine,
  cases: z.array(programCase).min(1).max(10_000),
}).superRefine((suite, context) => {
  checkIds(suite.cases, 'cases', (path, message) =>
    context.addIssue({ code: 'custom', path: [...path], message }),
  );
  for (const [index, { match, expect }] of suite.cases.entries()) {
    if (match !== 'pattern' || expect.stdout === undefined) continue;
    try {
      new RegExp(expect.stdout, 'su');
    } catch (error) {
      context.addIssue({ code: 'custom', path: ['cases', index, 'expect'], message: String(error) });
    }
  }
}) satisfies z.ZodType<ProgramSuite>;

/** A {@link Suite} as it may arrive from a file. Unknown keys are refused, since a misspelt one would weaken a test. */
const suiteSchema = z.discriminatedUnion('mode', [
  vectorSuite,
  programSuite,
  z.discriminatedUnion('language', [pytestSuite, nodeTestSuite]),
]) satisfies z.ZodType<Suite>;

/** Returns the parsed value, or throws a JudgeError with `code` that lists every path that is wrong. */
export function parse<T>(
  schema: z.ZodType<T>,
  input: unknown,
  code: JudgeErrorCode,
  what: string,
  prepare: (input: unknown) => unknown = (given) => given,
): T {
  const parsed = read(() => schema.safeParse(prepare(withoutUndefined(input))), code, what);
  if (parsed.success) return parsed.data;
  throw new JudgeError(code, `This is not ${what}:\n${z.prettifyError(parsed.error)}`, {
    cause: parsed.error,
  });
}

/** Reads a value of the host, of which a getter or a proxy may throw. */
function read<Result>(reading: () => Result, code: JudgeErrorCode, what: string): Result {
  try {
    return reading();
  } catch (cause) {
    throw new JudgeError(code, `This is not ${what}: it cannot be read, because a property of it throws.`, {
      cause,
    });
  }
}

/** Fields whose own fields may be left out. */
const groups: ReadonlySet<string> = new Set(['limits', 'python', 'node', 'reference']);

/** Leaves out what is `undefined`: a host passes on an option that it may not have. */
function withoutUndefined(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input);
  const given = entries.map(([key, value]) => (groups.has(key) ? withoutUndefined(value) : value));
  // What is whole stays the same object, whatever class it is of.
  if (given.every((value, index) => value !== undefined && value === entries[index]?.[1])) return input;
  const left = entries.map(([key], index) => [key, given[index]] as const);
  return Object.fromEntries(left.filter(([, value]) => value !== undefined));
}

/** A suite that names no mode gets the first in the order of preference that fits what it holds. */
function withMode(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || 'mode' in input) return input;
  return { mode: 'files' in input ? 'split' : 'run' in input ? 'program' : 'vectors', ...input };
}

/**
 * Reads a suite. `mode` may be left out: files are run as `split`, everything else as `vectors`.
 * @throws JudgeError `SUITE_INVALID` with every path that is wrong.
 */
export function parseSuite(input: unknown): Suite {
  return parse(suiteSchema, input, 'SUITE_INVALID', 'a valid suite', withMode);
}

/**
 * Reads a suite of vectors.
 * @throws JudgeError `SUITE_INVALID`.
 */
export function parseVectorSuite(input: unknown): VectorSuite {
  return parse(vectorSuite, input, 'SUITE_INVALID', 'a valid suite of vectors');
}

/**
 * Reads an artifact.
 * @throws JudgeError `ARTIFACT_INVALID`.
 */
export function parseArtifact(input: unknown): Artifact {
  return parse(artifactSchema, input, 'ARTIFACT_INVALID', 'a valid artifact');
}

/**
 * Reads limits that differ from the default.
 * @throws JudgeError with `code`.
 */
export function parseLimits(input: unknown, code: 'INVALID_CONFIG' | 'INVALID_INPUT'): Partial<Limits> {
  return parse(limitsSchema, input === undefined ? {} : input, code, 'a valid set of limits');
}

const freshSchema = strict({
  count: z.int().min(0).max(1000).exactOptional(),
  seed: z.string().min(1).max(200).exactOptional(),
  oracle: z.custom<Oracle>((value) => typeof value === 'function', 'must be a function').exactOptional(),
}) satisfies z.ZodType<FreshRequest>;

/**
 * Reads what a run asks of the suite's generators.
 * @throws JudgeError `INVALID_INPUT`.
 */
export function parseFresh(input: unknown): FreshRequest {
  return parse(freshSchema, input, 'INVALID_INPUT', 'a valid request for fresh cases');
}
