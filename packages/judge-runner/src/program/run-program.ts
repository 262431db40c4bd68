import { sanitizePromptText } from '@bonafide/internal';
import * as z from 'zod';
import { ProtocolError, parseAnswer } from '../answers.ts';
import { programFile } from '../languages/program.ts';
import { inLayerOrder } from '../layers.ts';
import type { Box } from '../sandbox.ts';
import type { Artifact, ProgramCase, ProgramSuite } from '../suite.ts';
import { skipped, type TestRun } from '../test-run.ts';
import type { TestResult, TranscriptEntry } from '../verdict.ts';
import { matchesOutput } from './match.ts';

const describedLength = 500;
const base64 = z.base64();

/** A file on its way into or out of a box. */
export type PackedFile = readonly [path: string, base64: string, mode: number];

const packedSchema = z
  .array(
    z.tuple([
      z
        .string()
        .min(1)
        .max(1000)
        .refine((path) => !path.startsWith('/') && !path.split('/').includes('..')),
      base64,
      z.int().min(0).max(0o777),
    ]),
  )
  .max(5000);

const id = z.int();
const replySchema = z.union([
  z.strictObject({
    id,
    code: z.int(),
    out: base64,
    err: base64,
    files: z.record(z.string().max(1000), base64).exactOptional(),
  }),
  z.strictObject({ id, error: z.string().max(2000), files: z.record(z.string(), base64).exactOptional() }),
  z.strictObject({ id, files: packedSchema }),
  z.strictObject({ id, unpacked: z.literal(true) }),
]);
type Reply = z.infer<typeof replySchema>;

/** Sends one request to a launcher of programs, and reads its answer, every byte of which may be forged. */
function createAsker(box: Box): (request: object) => Promise<Reply | null> {
  let count = 0;
  return async (request) => {
    count += 1;
    const line = await box.request(JSON.stringify({ id: count, ...request }));
    if (line === null) return null;
    const parsed = replySchema.safeParse(parseAnswer(line));
    if (!parsed.success) throw new ProtocolError('an answer that has no known shape');
    if (parsed.data.id !== count) throw new ProtocolError('an answer to a question that was not asked');
    return parsed.data;
  };
}

const bytesOf = (content: string | Uint8Array): Buffer =>
  typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
const pack = (files: Readonly<Record<string, string | Uint8Array>>, mode: number): PackedFile[] =>
  Object.entries(files).map(([path, content]) => [path, bytesOf(content).toString('base64'), mode]);

/** The files of a program, as they are before it is built. */
export const programFiles = (artifact: Artifact): PackedFile[] =>
  pack('source' in artifact ? { [programFile(artifact.language)]: artifact.source } : artifact.files, 0o755);

/** The result of building a program. */
export interface Build {
  /** The files to run; null when it could not be built or its box ended. */
  readonly files: readonly PackedFile[] | null;
  /** Output of a build that failed, for a person; null otherwise. */
  readonly error: string | null;
  readonly protocolError: string | null;
}

/** Builds a program in a separate box. Never throws for anything that the build does. */
export async function buildProgram(
  box: Box,
  suite: ProgramSuite,
  files: readonly PackedFile[],
): Promise<Build> {
  const failed = (error: string | null, protocolError: string | null = null): Build => ({
    files: null,
    error,
    protocolError,
  });
  const ask = createAsker(box);
  try {
    if ((await ask({ unpack: files })) === null) return failed(null);
    const built = await ask({ build: suite.build, most: 100_000 });
    if (built === null) return failed(null);
    if ('error' in built) return failed(sanitizePromptText(built.error, 1000));
    if (!('code' in built)) throw new ProtocolError('an answer to another kind of question');
    if (built.code !== 0) {
      const said = [built.err, built.out]
        .map((text) => Buffer.from(text, 'base64').toString('utf8'))
        .join('\n');
      return failed(`The build ended with code ${built.code}: ${sanitizePromptText(said, 2000)}`);
    }
    const packed = await ask({ pack: true });
    if (packed === null) return failed(null);
    if (!('files' in packed) || !Array.isArray(packed.files))
      throw new ProtocolError('an answer to another kind of question');
    return { files: packed.files, error: null, protocolError: null };
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

const cut = (text: string): string => JSON.stringify(text.length > 300 ? `${text.slice(0, 299)}…` : text);

/** Returns the reason why a case failed, or null when it passed. */
function judgeCase(test: ProgramCase, reply: Reply): string | null {
  if (!('code' in reply))
    return 'error' in reply
      ? `it could not be started: ${sanitizePromptText(reply.error, 300)}`
      : 'no answer';
  const stdout = Buffer.from(reply.out, 'base64').toString('utf8');
  const wanted = test.expect.exitCode ?? 0;
  if (reply.code !== wanted) {
    const said = sanitizePromptText(Buffer.from(reply.err, 'base64').toString('utf8').slice(-300), 300);
    return `exit code ${reply.code} instead of ${wanted}${said === '' ? '' : ` (${said})`}`;
  }
  const { stdout: text, files = {} } = test.expect;
  if (text !== undefined && !matchesOutput(stdout, text, test.match, test.tolerance))
    return `printed ${cut(stdout)} instead of ${cut(text)}`;
  for (const [name, content] of Object.entries(files)) {
    const found = reply.files?.[name];
    if (found === undefined) return `wrote no file ${name}`;
    const got = Buffer.from(found, 'base64').toString('utf8');
    if (!matchesOutput(got, content, test.match, test.tolerance))
      return `wrote ${cut(got)} to ${name} instead of ${cut(content)}`;
  }
  return null;
}

/**
 * Runs a program once per case: arguments, stdin and files go into the box; what it printed, its exit code and its files
 * come out and are compared here. Never throws for anything that the program does.
 */
export async function runProgram(
  box: Box,
  suite: ProgramSuite,
  files: readonly PackedFile[],
  outputBytes: number,
): Promise<TestRun> {
  const cases = inLayerOrder(suite.cases);
  const done = new Map<string, TestResult>();
  const transcript: TranscriptEntry[] = [];
  let protocolError: string | null = null;
  let complete = false;
  const ask = createAsker(box);

  const askAll = async (): Promise<boolean> => {
    if ((await ask({ unpack: files })) === null) return false;
    for (const test of cases) {
      const call = describeCase(suite, test);
      const startedAt = performance.now();
      const reply = await ask({
        run: [...suite.run, ...(test.argv ?? [])],
        stdin: Buffer.from(test.stdin ?? '', 'utf8').toString('base64'),
        files: pack(test.files ?? {}, 0o644),
        read: Object.keys(test.expect.files ?? {}),
        most: outputBytes,
      });
      const { id: own, layer } = test;
      if (reply === null) {
        transcript.push({ id: own, call, answer: null });
        done.set(own, { id: own, layer, status: 'failed', durationMs: null, reason: 'no answer came' });
        return false;
      }
      const durationMs = performance.now() - startedAt;
      const answer =
        'code' in reply
          ? `exit ${reply.code}, ${sanitizePromptText(Buffer.from(reply.out, 'base64').toString('utf8'), describedLength)}`
          : 'it could not be started';
      transcript.push({ id: own, call, answer });
      const reason = judgeCase(test, reply);
      const status = reason === null ? 'passed' : 'failed';
      done.set(own, { id: own, layer, status, durationMs, reason });
      if (reason !== null && layer === 'smoke') return true;
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
  return { tests, transcript, loadError: null, protocolError, complete };
}
