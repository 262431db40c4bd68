import { randomBytes } from 'node:crypto';
import { sanitizeRemoteText } from '@bonafide/internal';
import { readLine } from './answer-thread.ts';
import { ProtocolError } from './answers.ts';
import { mainOf, modulesOf } from './artifact-modules.ts';
import { JudgeError } from './errors.ts';
import { undeclaredIn, withMissingModule } from './imports.ts';
import { createRunProgress } from './interruption.ts';
import { artifactFolder, suiteFolder, writableFolder } from './languages/python.ts';
import { inLayerOrder } from './layers.ts';
import { type Line, textOf } from './line.ts';
import { messageLimits } from './message-limits.ts';
import { pytestPlugins } from './pytest-plugins.ts';
import type { Box } from './sandbox.ts';
import { currentFolder, unsharedFiles } from './shared-files.ts';
import type { ReadReply, SuiteSyntax } from './split-lines.ts';
import type { CodeArtifact, ExpectedTest, NodeTestSuite, PytestSuite } from './suite.ts';
import { skipped, type TestRun } from './test-run.ts';
import { hidesTests, type UnsupportedConstruct } from './unsupported.ts';
import type { TestResult, TranscriptEntry } from './verdict.ts';

const maxTranscript = 1000;
/** The tests of a suite, found without an artifact. */
export interface Collected {
  readonly tests: readonly ExpectedTest[];
  /** Null for suites of JavaScript. */
  readonly syntax: SuiteSyntax | null;
  /** Places that need packages which the suite does not declare, and imports of test tools that are not taken. It judges with none. */
  readonly undeclared: readonly (UnsupportedConstruct & { readonly module: string })[];
}

/** Exit code with which pytest reports that it could not begin, as when a conftest.py cannot be loaded. */
const usageError = 4;
const conftestFailed = 'a conftest.py could not be loaded';

/** Where tests are found, by language. */
const whatTestsAre = {
  python: 'A test is a function test_…, or a method test_… of a class Test…, in a file test_….py.',
  javascript: "A test is a call of test() or it() of 'node:test', in a file ….test.mjs.",
} as const;

/** Null for a malformed line. */
const unlessMalformed = (error: unknown): null => {
  if (error instanceof ProtocolError) return null;
  throw error;
};

/**
 * Finds the tests of a suite of test files, in a tester's box without any artifact.
 * @param artifact - The artifact or reference whose modules the tests may import; null for none.
 * @param anyModule - True when every module that is not otherwise known may come from the artifact.
 * @param ownPytest - True when the suite declares the pytest that runs it.
 * @throws JudgeError `SUITE_INVALID` when it cannot be read or has no test.
 */
export async function collectTests(
  tester: Box,
  suite: PytestSuite | NodeTestSuite,
  artifact: CodeArtifact | null,
  anyModule: boolean,
  ownPytest: boolean,
): Promise<Collected> {
  const settings = {
    collect: true,
    suite: suiteFolder,
    folder: currentFolder(suite),
    artifact: null,
    modules: [...(artifact === null ? [] : modulesOf(artifact)), 'solution'],
    main: artifact === null ? null : mainOf(artifact),
    any_module: anyModule,
    own_pytest: ownPytest,
    plugins: pytestPlugins(suite),
  };
  const line = await tester.request(JSON.stringify(settings));
  const read =
    line === null
      ? null
      : await readLine({ told: line, next: 0, forged: false, seal: null }).catch(unlessMalformed);
  if (read === null || read.question !== null || !('done' in read.told))
    throw new JudgeError(
      'INFRA',
      `The tests could not be collected: ${line === null ? 'the tester ended' : textOf(line)}`,
    );
  const { collected, errors, syntax = null, code } = read.told.done;
  const undeclared = undeclaredIn(suite, syntax, artifact);
  // Files whose packages are missing cannot be read, and say less about it.
  if (undeclared.length > 0) return { tests: collected, syntax, undeclared };
  if (errors[0] !== undefined)
    throw new JudgeError('SUITE_INVALID', `The suite cannot be read:\n${errors.join('\n')}`);
  if (collected.length === 0 && !(suite.mode === 'split' && hidesTests(suite, syntax)))
    throw new JudgeError(
      'SUITE_INVALID',
      code === usageError
        ? `The suite cannot be read: ${conftestFailed}. Run pytest in its folder to see why.`
        : `There is no test in the suite. ${whatTestsAre[suite.language]}`,
    );
  const wanted = suite.tests && new Set(suite.tests.map((test) => test.id));
  // In one process with the tests an artifact may be the plugin that they need.
  const needing = (suite.mode === 'split' ? (read.told.done.undeclared ?? []) : [])
    .filter(({ test }) => wanted?.has(test) ?? true)
    .map(({ file, line, construct }) => ({ file, line, construct, module: '' }));
  return { tests: collected, syntax, undeclared: needing };
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
  readonly suite: PytestSuite | NodeTestSuite;
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
  /** True when the suite declares the pytest that runs it. */
  readonly ownPytest: boolean;
  /** Classes whose objects the suite's author trusts. */
  readonly objects: readonly string[];
  /** Places at which the reference answered objects that act; null without a reference. */
  readonly shapes: readonly string[] | null;
  /** Time limit of the artifact's box, in ms. */
  readonly wallMs: number;
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
  suite,
  tester,
  artifactBox,
  artifact,
  expected,
  seed,
  syntax,
  remoteEq,
  ownPytest,
  objects,
  shapes,
  wallMs,
  learn,
}: PytestRun): Promise<LearntRun> {
  const byId = new Map((expected ?? []).map((each) => [each.id, each]));
  let found: readonly ExpectedTest[] = [];
  let foundSyntax = syntax;
  const done = new Map<string, TestResult>();
  const unreached = new Map<string, readonly (readonly [file: string, line: number])[]>();
  const transcript: TranscriptEntry[] = [];
  const modules = modulesOf(artifact);
  // The tests' own box is given more time than the artifact's, which is the limit.
  const endsAt = performance.now() + wallMs;
  const progress = createRunProgress(() => Math.min(performance.now(), endsAt));
  let count = 0;
  let complete = false;
  let protocolError: string | null = null;
  let loadError: string | null = null;
  let collectError: string | null = null;
  let learnt: readonly string[] = [];
  /** Error that the artifact raised last while the tests were collected. */
  let lastRaised: string | null = null;

  const fail = (each: ExpectedTest, told: string, durationMs: number | null, refused = false) => {
    const reason = withMissingModule(sanitizeRemoteText(told, 500), suite, foundSyntax, artifact);
    done.set(each.id, { ...each, status: 'failed', durationMs, reason, ...(refused && { refused }) });
  };

  const ask = async (box: Box, question: Line): Promise<ReadReply | null> => {
    const line = await box.request(question);
    return line === null ? null : readLine({ reply: line, expected: count });
  };

  const note = (each: string, call: string, reply: ReadReply | null) => {
    if (transcript.length < maxTranscript)
      transcript.push({ id: each, call, answer: reply?.described ?? null });
  };

  /** True when the worker serves the artifact, which it has not loaded. */
  const serve = async (box: Box): Promise<boolean> => {
    count += 1;
    const begun = currentFolder(suite);
    const current = begun === suiteFolder ? writableFolder : begun;
    const folders = { folder: artifactFolder, current, modules, roots: [`${artifactFolder}/src`] };
    const settings = { ...folders, limits: messageLimits };
    return (await ask(box, JSON.stringify({ id: count, serve: settings }))) !== null;
  };

  /** True when the artifact is ready to be asked. */
  const load = async (box: Box): Promise<boolean> => {
    // A package is loaded by the imports of the tests.
    if (!modules.some((name) => /^solution(?:\.[cm]?js)?$/.test(name))) return true;
    count += 1;
    // What it does while it is loaded is told with the first answer to the tests.
    const op = { do: 'module', name: 'solution', untold: true };
    const loaded = await ask(box, JSON.stringify({ id: count, op }));
    if (loaded === null) return false;
    loadError = loaded.raised;
    return loadError === null;
  };

  const relay = async (): Promise<boolean> => {
    // What the tests look at is watched in the artifact's box before anything of the artifact runs there.
    let isLoaded = artifactBox === null || suite.language !== 'javascript';
    if (artifactBox !== null) {
      if (!(await serve(artifactBox))) return false;
      if (isLoaded && !(await load(artifactBox))) return false;
    }
    const settings = {
      collect: false,
      suite: suiteFolder,
      folder: currentFolder(suite),
      artifact: artifactBox === null ? artifactFolder : null,
      modules,
      main: mainOf(artifact),
      seed,
      syntax,
      remote_eq: remoteEq,
      own_pytest: ownPytest,
      plugins: pytestPlugins(suite),
      objects,
      shapes,
      learn,
      unshared: unsharedFiles(suite, shapes, learn),
      expected: (expected ?? []).map((each) => each.id),
    };
    const key = artifactBox === null ? null : randomBytes(32).toString('base64url');
    let next: Line = JSON.stringify(key === null ? settings : { key, ...settings });
    for (let number = 0; ; number += 1) {
      const line = await tester.request(next);
      if (line === null) return false;
      // In one process with the artifact even this is an answer of the artifact's.
      const seal = key === null ? null : { key, number };
      const read = await readLine({ told: line, next: count + 1, forged: artifactBox === null, seal });
      if (read.question !== null) {
        if (artifactBox === null) throw new ProtocolError('a question without an artifact to answer it');
        count += 1;
        progress.ask(read.asks);
        const reply = await ask(artifactBox, read.question);
        if (!isLoaded && reply !== null) {
          isLoaded = true;
          if (!(await load(artifactBox))) return false;
        }
        if (read.described !== null) note(read.test, read.described, reply);
        if (reply === null) return false;
        progress.answer(reply.isPending);
        if (read.test === '') lastRaised = reply.raised ?? lastRaised;
        next = reply.text;
        continue;
      }
      const { told } = read;
      if ('begins' in told) {
        // In one process with the artifact, a name may be the artifact's.
        progress.begin(told.begins.filter((id) => learn || byId.has(id)));
        next = '{}';
      } else if ('result' in told) {
        const { result } = told;
        progress.end(result.id);
        const each =
          byId.get(result.id) ?? (learn ? { id: result.id, layer: 'correctness' as const } : undefined);
        next = '{}';
        // A test that failed is not outdone by another of its name.
        if (!each || done.get(each.id)?.status === 'failed' || (done.has(each.id) && result.passed)) continue;
        if (result.passed)
          done.set(each.id, { ...each, status: 'passed', durationMs: result.ms, reason: null });
        else {
          fail(each, result.reason ?? 'it failed', result.ms, result.refused);
          unreached.set(each.id, result.unreached ?? []);
          // A failed smoke test rejects at once.
          if (each.layer === 'smoke' && !learn) return true;
        }
      } else if ('done' in told) {
        const { collected, errors, code } = told.done;
        collectError = errors[0] ?? null;
        if (collectError === null && collected.length === 0 && code === usageError)
          collectError = lastRaised === null ? conftestFailed : `${conftestFailed}: ${lastRaised}`;
        learnt = told.done.shapes ?? [];
        found = collected;
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
  const { waiting, ...interruption } = progress.read();
  const smokeFailed = [...done.values()].some((each) => each.layer === 'smoke' && each.status === 'failed');
  const ordered = inLayerOrder(expected ?? found);
  // The first line is decisive; the others would be repeated with every test. The compiler does not see that `relay` sets it.
  const [uncollected] = ((collectError as string | null) ?? '').split('\n');
  if (complete && !smokeFailed)
    for (const each of ordered)
      if (!done.has(each.id))
        fail(each, uncollected ? `it could not be collected: ${uncollected}` : 'it did not end', null);
  return {
    tests: ordered.map((each) => ({ ...(done.get(each.id) ?? skipped(each)), layer: each.layer })),
    transcript,
    loadError,
    protocolError,
    complete,
    interruption:
      complete || loadError !== null
        ? null
        : { ...interruption, waiting: artifactBox === null ? null : waiting },
    shapes: learnt,
    syntax: foundSyntax,
    collectError,
    unreached,
  };
}
