import { sanitizePromptText } from '@bonafide/internal';
import * as z from 'zod';
import { ProtocolError, parseAnswer } from './answers.ts';
import { JudgeError } from './errors.ts';
import { artifactFolder, suiteFolder } from './languages/python.ts';
import { inLayerOrder } from './layers.ts';
import type { Box } from './sandbox.ts';
import { type CodeArtifact, type ExpectedTest, layers } from './suite.ts';
import { skipped, type TestRun } from './test-run.ts';
import type { TestResult, TranscriptEntry } from './verdict.ts';

const maxTranscript = 1000;
const describedLength = 500;

/** Everything beside an answer: what was printed, warned and logged meanwhile, and changed temporary files. */
const outputs = {
  out: z.string().exactOptional(),
  err: z.string().exactOptional(),
  notes: z
    .array(
      z.union([
        z.tuple([z.literal('warning'), z.array(z.string().max(200)).max(20), z.string().max(2000)]),
        z.tuple([
          z.literal('log'),
          z.string().max(200),
          z.int().min(0).max(1000),
          z.string().max(2000),
          z.string().max(500),
        ]),
      ]),
    )
    .max(1000)
    .exactOptional(),
  files: z
    .array(z.tuple([z.string().max(4096), z.union([z.string().max(2_000_000), z.null(), z.literal(false)])]))
    .max(1000)
    .exactOptional(),
};
const id = z.int();
/** Messages that an artifact's box may send. Values are validated again by the tester. */
const replySchema = z.union([
  z.strictObject({
    id,
    value: z.unknown(),
    args: z.array(z.tuple([z.int(), z.unknown()])).exactOptional(),
    /** Arguments of earlier calls that have changed, and whether those of this one may. */
    later: z
      .array(z.tuple([z.int(), z.int(), z.unknown()]))
      .max(100)
      .exactOptional(),
    kept: z.literal(true).exactOptional(),
    ...outputs,
  }),
  z.strictObject({
    id,
    raised: z.strictObject({
      mro: z.array(z.string().max(200)).min(1).max(50),
      message: z.string().max(2000),
      module: z.string().max(200),
      args: z.unknown().optional(),
      class: z.unknown().optional(),
      self: z.int().exactOptional(),
    }),
    ...outputs,
  }),
  z.strictObject({
    id,
    callback: z.int(),
    local: z.tuple([z.int().positive(), z.string().max(20), z.string().max(200)]).exactOptional(),
    args: z.array(z.unknown()).max(1000),
    kwargs: z.array(z.tuple([z.string(), z.unknown()])).max(1000),
    ...outputs,
  }),
  z.strictObject({ id, serving: z.literal(true), ...outputs }),
]);
type Reply = z.infer<typeof replySchema>;

const expectedTests = z.array(z.object({ id: z.string(), layer: z.enum(layers) }));
const test = z.string().exactOptional();
/** A construct of a suite that does not work across two boxes. */
const unsupportedConstruct = z.object({
  file: z.string(),
  line: z.int(),
  construct: z.string(),
  /** Class of the artifact whose objects would have to be trusted; null when nothing helps. */
  class: z.string().nullable(),
});
/** Requirements of a suite's files on an artifact, read without running them. */
const suiteSyntax = z.looseObject({
  modules: z.array(z.string()),
  unsupported: z.array(unsupportedConstruct),
});
export type SuiteSyntax = z.infer<typeof suiteSyntax>;

/** The tests of a suite, found without an artifact. */
export interface Collected {
  readonly tests: readonly ExpectedTest[];
  /** Null for suites of JavaScript. */
  readonly syntax: SuiteSyntax | null;
}

/** Messages of a tester. It runs no code of the artifact, so its results are trusted. */
const testerSchema = z.union([
  z.object({ ask: z.looseObject({ do: z.string() }), test }),
  z.object({ back: z.looseObject({}), test }),
  z.object({
    result: z.object({
      id: z.string(),
      passed: z.boolean(),
      ms: z.number(),
      reason: z.string().nullable(),
    }),
  }),
  z.object({
    done: z.object({
      collected: expectedTests,
      errors: z.array(z.string()),
      code: z.int(),
      syntax: suiteSyntax.exactOptional(),
      shapes: z.array(z.string()).exactOptional(),
    }),
  }),
  z.object({ protocolError: z.string() }),
  z.object({ broken: z.string() }),
]);

/** The main file of a package of JavaScript, and the name by which it is imported; null for any other. Pure. */
export function mainOf(artifact: CodeArtifact): { readonly name: string; readonly file: string } | null {
  if (artifact.language !== 'javascript' || 'source' in artifact) return null;
  const manifest = artifact.files['package.json'];
  if (manifest === undefined) return artifact.entry ? { name: '', file: artifact.entry } : null;
  const parsed = packageManifest.safeParse(parseManifest(Buffer.from(manifest).toString('utf8')));
  const { name = '', main = 'index.js' } = parsed.success ? parsed.data : {};
  return { name, file: artifact.entry ?? main.replace(/^\.\//, '') };
}

const packageManifest = z.object({
  name: z.string().max(214).exactOptional(),
  main: z.string().max(1000).exactOptional(),
});

/** JSON that an artifact's author wrote. */
function parseManifest(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Modules that an artifact has, as a test imports them: dotted in Python, files in JavaScript. Pure. */
export function modulesOf(artifact: CodeArtifact): string[] {
  if (artifact.language === 'javascript')
    return 'source' in artifact
      ? ['solution.js']
      : Object.keys(artifact.files).filter((name) => /\.[cm]?js$/.test(name));
  const names = 'source' in artifact ? ['solution.py'] : Object.keys(artifact.files);
  const modules = names
    .filter((name) => name.endsWith('.py'))
    .map((name) => name.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.'));
  // Packages of a `src` layout are imported from there; a folder without an __init__.py is a package as well.
  const inside = modules.filter((name) => name.startsWith('src.')).map((name) => name.slice(4));
  const all = new Set([...modules, ...inside]);
  for (const name of [...all])
    for (let end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1))
      all.add(name.slice(0, end));
  return [...all];
}

const readTester = (line: string) => testerSchema.parse(JSON.parse(line));

/**
 * Finds the tests of a suite of test files, in a tester's box without any artifact.
 * @param modules - Names of the modules that imports may leave to the artifact.
 * @param main - Main file of a package.
 * @param anyModule - True when imports may leave every module to it that nobody else has.
 * @throws JudgeError `SUITE_INVALID` when it cannot be read or has no test.
 */
export async function collectTests(
  tester: Box,
  modules: readonly string[],
  main: ReturnType<typeof mainOf>,
  anyModule: boolean,
): Promise<Collected> {
  const settings = {
    collect: true,
    suite: suiteFolder,
    artifact: null,
    modules,
    main,
    any_module: anyModule,
  };
  const line = await tester.request(JSON.stringify(settings));
  const told = line === null ? null : readTester(line);
  if (told === null || !('done' in told))
    throw new JudgeError('INFRA', `The tests could not be collected: ${line ?? 'the tester ended'}`);
  const { collected, errors, syntax } = told.done;
  if (errors[0] !== undefined)
    throw new JudgeError('SUITE_INVALID', `The suite cannot be read:\n${errors.join('\n')}`);
  if (collected.length === 0) throw new JudgeError('SUITE_INVALID', 'There is no test in the suite');
  return { tests: collected, syntax: syntax ?? null };
}

/** Describes a tester's question for the transcript. */
function describeAsk(ask: Readonly<Record<string, unknown>>): string {
  const args = JSON.stringify(ask.args ?? '').slice(1, -1);
  const text = `${String(ask.do)} ${String(ask.name ?? ask.of ?? '')}(${args})`;
  return text.length > describedLength ? `${text.slice(0, describedLength - 1)}…` : text;
}

/** A run of test files, and what the reference showed in it. */
export interface LearntRun extends TestRun {
  readonly shapes: readonly string[];
  readonly syntax: SuiteSyntax | null;
  /** Reason why a file of the suite could not be read with this artifact, or null. */
  readonly collectError: string | null;
}

/** The parts of a run of test files. */
interface PytestRun {
  /** Box in which the tests run. */
  readonly tester: Box;
  /** Box of the artifact; null when it is in the tester's box. */
  readonly artifactBox: Box | null;
  readonly artifact: CodeArtifact;
  /** Null when the artifact is the reference, whose tests are those that are found. */
  readonly expected: readonly ExpectedTest[] | null;
  /** Value of the fixture `judge_seed`; null for the same value in every run. */
  readonly seed: string | null;
  readonly syntax: SuiteSyntax | null;
  /** True when the artifact may compare its own objects. */
  readonly remoteEq: boolean;
  /** Classes whose objects the suite's author trusts. */
  readonly objects: readonly string[];
  /** Places at which the reference answered objects that act; null without a reference. */
  readonly shapes: readonly string[] | null;
  /** True when the artifact is the reference: everything is accepted, and its places are noted. */
  readonly learn: boolean;
}

/**
 * Runs a suite of test files. In the mode `split` every call goes from the tester's box through here, where it is
 * counted and written down, to the artifact's box, and its answer back. An answer is never a verdict: the tester
 * decides, and it knows the artifact's objects only by their plain values. Never throws for anything that the artifact
 * does.
 * @throws JudgeError `INFRA`.
 */
export async function runPytest({
  tester,
  artifactBox,
  artifact,
  expected,
  seed,
  syntax,
  remoteEq,
  objects,
  shapes,
  learn,
}: PytestRun): Promise<LearntRun> {
  const byId = new Map((expected ?? []).map((each) => [each.id, each]));
  let found: readonly ExpectedTest[] = [];
  let foundSyntax = syntax;
  const done = new Map<string, TestResult>();
  const transcript: TranscriptEntry[] = [];
  const modules = modulesOf(artifact);
  let count = 0;
  let complete = false;
  let protocolError: string | null = null;
  let loadError: string | null = null;
  let collectError: string | null = null;
  let learnt: readonly string[] = [];

  const fail = (each: ExpectedTest, reason: string, durationMs: number | null) =>
    done.set(each.id, { ...each, status: 'failed', durationMs, reason: sanitizePromptText(reason, 500) });

  const ask = async (box: Box, question: object): Promise<Reply | null> => {
    count += 1;
    const line = await box.request(JSON.stringify({ id: count, ...question }));
    if (line === null) return null;
    const parsed = replySchema.safeParse(parseAnswer(line));
    if (!parsed.success) throw new ProtocolError('an answer that has no known shape');
    if (parsed.data.id !== count) throw new ProtocolError('an answer to a question that was not asked');
    return parsed.data;
  };

  const note = (each: string, call: string, reply: Reply | null) => {
    if (transcript.length >= maxTranscript) return;
    const answer =
      reply === null
        ? null
        : 'raised' in reply
          ? `raised ${sanitizePromptText(reply.raised.mro[0] ?? '', 80)}: ${sanitizePromptText(reply.raised.message, 200)}`
          : sanitizePromptText(JSON.stringify('value' in reply ? reply.value : reply) ?? '', describedLength);
    transcript.push({ id: each, call, answer });
  };

  /** True when the artifact is ready to be asked. */
  const load = async (box: Box): Promise<boolean> => {
    const serving = await ask(box, {
      serve: { folder: artifactFolder, modules, roots: [`${artifactFolder}/src`] },
    });
    if (serving === null) return false;
    // A package is loaded by the imports of the tests.
    if (!modules.some((name) => /^solution(?:\.[cm]?js)?$/.test(name))) return true;
    const loaded = await ask(box, { op: { do: 'module', name: 'solution' } });
    if (loaded === null) return false;
    if (!('raised' in loaded)) return true;
    loadError = `${sanitizePromptText(loaded.raised.mro[0] ?? '', 80)}: ${sanitizePromptText(loaded.raised.message, 200)}`;
    return false;
  };

  const relay = async (): Promise<boolean> => {
    if (artifactBox !== null && !(await load(artifactBox))) return false;
    const settings = {
      collect: false,
      suite: suiteFolder,
      artifact: artifactBox === null ? artifactFolder : null,
      modules,
      main: mainOf(artifact),
      seed,
      syntax,
      remote_eq: remoteEq,
      objects,
      shapes,
      learn,
      expected: (expected ?? []).map((each) => each.id),
    };
    let next: object = settings;
    for (;;) {
      const line = await tester.request(JSON.stringify(next));
      if (line === null) return false;
      // In one process with the artifact even this is an answer of the artifact's.
      const told = artifactBox === null ? readForged(line) : readTester(line);
      if ('ask' in told || 'back' in told) {
        if (artifactBox === null) throw new ProtocolError('a question that nobody can be asked');
        const reply = await ask(artifactBox, 'ask' in told ? { op: told.ask } : told.back);
        // That time passes is no question.
        if ('ask' in told && told.ask.do !== 'tick') note(told.test ?? '', describeAsk(told.ask), reply);
        if (reply === null) {
          const during = byId.get(told.test ?? '');
          if (during) fail(during, 'no answer came', null);
          return false;
        }
        const { id: _id, ...rest } = reply;
        next = rest;
      } else if ('result' in told) {
        const { result } = told;
        const each =
          byId.get(result.id) ?? (learn ? { id: result.id, layer: 'correctness' as const } : undefined);
        next = {};
        if (!each || done.has(each.id)) continue;
        if (result.passed)
          done.set(each.id, { ...each, status: 'passed', durationMs: result.ms, reason: null });
        else {
          fail(each, result.reason ?? 'it failed', result.ms);
          // A failed smoke test rejects at once.
          if (each.layer === 'smoke' && !learn) return true;
        }
      } else if ('done' in told) {
        collectError = told.done.errors[0] ?? null;
        learnt = told.done.shapes ?? [];
        found = told.done.collected;
        foundSyntax = told.done.syntax ?? syntax;
        return true;
      } else if ('protocolError' in told) {
        throw new ProtocolError(told.protocolError);
      } else if (artifactBox === null) {
        return false;
      } else {
        throw new JudgeError('INFRA', `The tests could not be run: ${told.broken}`);
      }
    }
  };

  try {
    complete = await relay();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    protocolError = error.message;
  }
  const smokeFailed = [...done.values()].some((each) => each.layer === 'smoke' && each.status === 'failed');
  const ordered = inLayerOrder(expected ?? found);
  if (complete && !smokeFailed)
    for (const each of ordered)
      if (!done.has(each.id))
        fail(
          each,
          collectError === null ? 'it did not end' : `it could not be collected: ${collectError}`,
          null,
        );
  return {
    tests: ordered.map((each) => ({ ...(done.get(each.id) ?? skipped(each)), layer: each.layer })),
    transcript,
    loadError,
    protocolError,
    complete,
    shapes: learnt,
    syntax: foundSyntax,
    collectError,
  };
}

function readForged(line: string): z.infer<typeof testerSchema> {
  const parsed = testerSchema.safeParse(parseAnswer(line));
  if (!parsed.success) throw new ProtocolError('an answer that has no known shape');
  return parsed.data;
}
