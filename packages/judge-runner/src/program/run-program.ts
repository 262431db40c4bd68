import { sanitizeRemoteText } from '@bonafide/internal';
import { readLine } from '../answer-thread.ts';
import { ProtocolError } from '../answers.ts';
import { programFile } from '../languages/program.ts';
import { inLayerOrder } from '../layers.ts';
import type { Limits } from '../limits.ts';
import type { Line } from '../line.ts';
import type { Box } from '../sandbox.ts';
import type { Artifact, ProgramCase, ProgramSuite } from '../suite.ts';
import { skipped, type TestRun } from '../test-run.ts';
import type { TestResult, TranscriptEntry } from '../verdict.ts';
import { judgeOutput, mostOfFile, type ProgramRead } from './reply.ts';
import { lackingCommand } from './toolchains.ts';

const describedLength = 500;
/** Bytes of a build's output that are kept. */
const buildOutputBytes = 100_000;
/** Bytes of one part of a file, characters of the parts of one message, and most files that a build may leave. */
const partBytes = 192 * 1024;
const messageBytes = 512 * 1024;
const maxBuiltFiles = 20_000;
/** A case that asks for nothing, for what is not a run of the program. */
const noCase = { id: '', layer: 'correctness', expect: {} } as const;

/** A file on its way into a box, or a part of one: path, base64, mode, whether it is the first part. */
type PackedPart = readonly [path: string, base64: string, mode: number, first: boolean];

/** Sends one request, the fields of an object as JSON, to a launcher of programs, and reads its answer. */
type Ask = (fields: Line, test?: ProgramCase, most?: number) => Promise<ProgramRead | null>;

/** Puts text before and after a line. */
const around = (before: string, line: Line, after: string): Line =>
  typeof line === 'string' ? `${before}${line}${after}` : [Buffer.from(before), ...line, Buffer.from(after)];

function createAsker(box: Box): Ask {
  let count = 0;
  return async (fields, test = noCase, most = buildOutputBytes) => {
    count += 1;
    const line = await box.request(around(`{"id":${count},`, fields, '}'));
    if (line === null) return null;
    const { match, ...plain } = test;
    const isOwn = typeof match === 'function';
    const read = await readLine({
      ...{ program: line, expected: count, whole: isOwn || test === noCase, most },
      test: isOwn || match === undefined ? plain : { ...plain, match },
    });
    if (!isOwn || read.kind !== 'ran' || read.output === undefined || read.overflow) return read;
    return { ...read, reason: judgeOutput(test, read.output) };
  };
}

const bytesOf = (content: string | Uint8Array): Buffer =>
  typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
const pack = (files: Readonly<Record<string, string | Uint8Array>>, mode: number): PackedPart[] =>
  Object.entries(files).map(([path, content]) => [path, bytesOf(content).toString('base64'), mode, true]);

/** Files in parts of a moderate size. */
function* partsOf(files: Readonly<Record<string, string | Uint8Array>>, mode: number): Generator<PackedPart> {
  for (const [path, content] of Object.entries(files)) {
    const bytes = bytesOf(content);
    for (let start = 0; start === 0 || start < bytes.length; start += partBytes)
      yield [path, bytes.subarray(start, start + partBytes).toString('base64'), mode, start === 0];
  }
}

/**
 * Files as JSON, in messages of a moderate size. Each is made when it is sent: all at once would stall the event loop of the
 * host.
 */
function* messagesOf(parts: Iterable<PackedPart>): Generator<string> {
  let pending: PackedPart[] = [];
  let size = 0;
  for (const part of parts) {
    pending.push(part);
    size += part[0].length + part[1].length;
    if (size < messageBytes) continue;
    yield JSON.stringify(pending);
    [pending, size] = [[], 0];
  }
  if (pending.length > 0) yield JSON.stringify(pending);
}

/** The files of a program in messages, as they are before it is built. They can be sent once. */
export const programFiles = (artifact: Artifact): Iterable<Line> =>
  messagesOf(
    partsOf(
      'source' in artifact ? { [programFile(artifact.language)]: artifact.source } : artifact.files,
      0o755,
    ),
  );

/** @returns False when the box ended. */
async function unpack(ask: Ask, files: Iterable<Line>): Promise<boolean> {
  for (const message of files) {
    const read = await ask(around('"unpack":', message, ''));
    if (read === null) return false;
    if (read.kind !== 'unpacked') throw new ProtocolError('an answer to another kind of question');
  }
  return true;
}

/**
 * Asks a box for the command of a suite, before anything of the artifact is in the box: a machine that lacks it says nothing about the
 * artifact. A path, such as `./main`, is the artifact's.
 * @throws JudgeError `SUITE_UNSUPPORTED`
 */
async function requireCommand(
  ask: Ask,
  suite: ProgramSuite,
  [command = '']: readonly string[],
): Promise<void> {
  if (command.includes('/')) return;
  const read = await ask(`"which":${JSON.stringify(command)}`);
  if (read?.kind !== 'command' || read.installed) return;
  throw await lackingCommand(suite, command);
}

/** The result of building a program. */
export interface Build {
  /** The files to run, in messages; null when it could not be built or its box ended. */
  readonly files: readonly Line[] | null;
  /** Output of a build that failed, for a person; null otherwise. */
  readonly error: string | null;
  readonly protocolError: string | null;
}

/**
 * Builds a program in a separate box. Never throws for anything that the build does.
 * @param maxBytes - Most bytes of all files that it leaves: files with holes take less of a disk than of memory here.
 */
export async function buildProgram(
  box: Box,
  suite: ProgramSuite,
  files: Iterable<Line>,
  maxBytes: number,
): Promise<Build> {
  const failed = (error: string | null, protocolError: string | null = null): Build => ({
    files: null,
    error,
    protocolError,
  });
  const ask = createAsker(box);
  try {
    await requireCommand(ask, suite, suite.build ?? []);
    if (!(await unpack(ask, files))) return failed(null);
    const built = await ask(`"build":${JSON.stringify(suite.build)},"most":${buildOutputBytes}`);
    if (built === null) return failed(null);
    if (built.kind === 'error') return failed(built.error);
    if (built.kind !== 'ran' || built.output === undefined)
      throw new ProtocolError('an answer to another kind of question');
    const { code, stdout, stderr } = built.output;
    if (code !== 0)
      return failed(`The build ended with code ${code}: ${sanitizeRemoteText(`${stderr}\n${stdout}`, 2000)}`);
    const messages: Line[] = [];
    let count = 0;
    let size = 0;
    for (let request = '"pack":true'; ; request = '"pack":false') {
      const packed = await ask(request);
      if (packed === null) return failed(null);
      if (packed.kind !== 'parts') throw new ProtocolError('an answer to another kind of question');
      count += packed.count;
      size += packed.size;
      if (count > maxBuiltFiles) return failed(`The build leaves more than ${maxBuiltFiles} files.`);
      if ((size * 3) / 4 > maxBytes) return failed(`The build leaves more than ${maxBytes} bytes.`);
      messages.push(packed.parts);
      if (!packed.more) return { files: messages, error: null, protocolError: null };
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return failed(null, error.message);
  }
}

function describeCase(suite: ProgramSuite, test: ProgramCase): string {
  const call = [...suite.run, ...(test.argv ?? [])].map((part) => JSON.stringify(part)).join(' ');
  const stdin = test.stdin === undefined || test.stdin === '' ? '' : ` < ${JSON.stringify(test.stdin)}`;
  const whole = `${call}${stdin}`;
  return whole.length > describedLength ? `${whole.slice(0, describedLength - 1)}…` : whole;
}

const expectedFiles = (test: ProgramCase) => Object.entries(test.expect.files ?? {});

/** The limits of a box in which a program runs: an answer holds what a case may print, and the files that it is to write. Pure. */
export function runLimits(suite: ProgramSuite, limits: Limits): Limits {
  const sizes = suite.cases.map((test) =>
    expectedFiles(test).reduce((sum, [, content]) => sum + mostOfFile(content), 0),
  );
  // As base64, and what is around it.
  const most = Math.ceil((limits.outputBytes + Math.max(...sizes)) * 1.34) + 100_000;
  return { ...limits, answerBytes: Math.max(limits.answerBytes, most) };
}

/**
 * Runs a program once per case: arguments, stdin and files go into the box; what it printed, its exit code and its files
 * come out and are compared here. Never throws for anything that the program does.
 */
export async function runProgram(
  box: Box,
  suite: ProgramSuite,
  files: Iterable<Line>,
  outputBytes: number,
): Promise<TestRun> {
  const cases = inLayerOrder(suite.cases);
  const done = new Map<string, TestResult>();
  const transcript: TranscriptEntry[] = [];
  let protocolError: string | null = null;
  let complete = false;
  let overflow = false;
  const ask = createAsker(box);

  const askAll = async (): Promise<boolean> => {
    await requireCommand(ask, suite, suite.run);
    if (!(await unpack(ask, files))) return false;
    for (const test of cases) {
      const call = describeCase(suite, test);
      const { id: own, layer } = test;
      const startedAt = performance.now();
      const fields = {
        run: [...suite.run, ...(test.argv ?? [])],
        stdin: Buffer.from(test.stdin ?? '', 'utf8').toString('base64'),
        files: pack(test.files ?? {}, 0o644),
        read: Object.fromEntries(expectedFiles(test).map(([name, content]) => [name, mostOfFile(content)])),
        most: outputBytes,
      };
      const read = await ask(JSON.stringify(fields).slice(1, -1), test, outputBytes);
      if (read === null) {
        transcript.push({ id: own, call, answer: null });
        done.set(own, { id: own, layer, status: 'failed', durationMs: null, reason: 'no answer came' });
        return false;
      }
      if (read.kind !== 'ran' && read.kind !== 'error')
        throw new ProtocolError('an answer to another kind of question');
      const durationMs = performance.now() - startedAt;
      const reason = read.kind === 'ran' ? read.reason : `it could not be started: ${read.error}`;
      transcript.push({
        id: own,
        call,
        answer: read.kind === 'ran' ? read.answer : 'it could not be started',
      });
      const status = reason === null ? 'passed' : 'failed';
      done.set(own, { id: own, layer, status, durationMs, reason });
      if (read.kind === 'ran' && read.overflow) overflow = true;
      if (overflow || (reason !== null && layer === 'smoke')) return true;
    }
    return true;
  };

  try {
    complete = await askAll();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    protocolError = error.message;
  }
  const tests = cases.map((test) => done.get(test.id) ?? skipped(test));
  return {
    tests,
    transcript,
    loadError: null,
    protocolError,
    complete,
    ...(overflow ? { exceeded: ['output'] } : {}),
  };
}
