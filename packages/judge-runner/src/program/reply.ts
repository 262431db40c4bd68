import { sanitizeRemoteText, terminalJson } from '@bonafide/internal';
import * as z from 'zod';
import { ProtocolError, parseAnswer } from '../answers.ts';
import { type Line, lineOf, textOf } from '../line.ts';
import type { OutputMatch, ProgramCase } from '../suite.ts';
import { matchesOutput } from './match.ts';

const describedLength = 500;

// Content stays base64 and is decoded only where it is compared: a check of its form would cost as much as decoding it.
const base64 = z.string();
const part = z.tuple([
  z
    .string()
    .min(1)
    .max(1000)
    .refine((path) => !path.startsWith('/') && !path.split('/').includes('..')),
  base64,
  z.union([z.int().min(0).max(0o777), z.enum(['link', 'folder'])]),
  z.boolean(),
]);
const id = z.int();
const replySchema = z.union([
  z.strictObject({
    id,
    code: z.int(),
    out: base64,
    err: base64,
    /** False: it is larger than it may be. */
    files: z.record(z.string().max(1000), z.union([base64, z.literal(false)])).exactOptional(),
  }),
  z.strictObject({ id, error: z.string().max(2000), files: z.record(z.string(), base64).exactOptional() }),
  z.strictObject({ id, parts: z.array(part).max(5000), more: z.boolean() }),
  z.strictObject({ id, unpacked: z.literal(true) }),
  z.strictObject({ id, installed: z.boolean() }),
]);

type NamedMatch = Extract<OutputMatch, string>;

/** What one run of a program came to, as text. */
export interface ProgramOutput {
  readonly code: number;
  readonly stdout: string;
  /** End of what it printed on stderr. */
  readonly stderr: string;
  /** Null for a file that is much larger than the one that is expected. */
  readonly files: Readonly<Record<string, string | null>>;
}

/** A reply of a launcher of programs; the number of its question, and the case that it answers. */
export interface ProgramLine {
  readonly program: Line;
  readonly expected: number;
  /** Without a function of the operator's, which compares elsewhere. */
  readonly test: Omit<ProgramCase, 'match'> & { readonly match?: NamedMatch };
  /** True when the output is compared elsewhere. */
  readonly whole: boolean;
  /** Bytes that a program may print. */
  readonly most: number;
}

/** A reply that was read. */
export type ProgramRead =
  | {
      readonly kind: 'ran';
      /** Exit code and beginning of the output, inert. */
      readonly answer: string;
      /** Reason why the case failed, or null. */
      readonly reason: string | null;
      /** True when it printed more than it may. */
      readonly overflow: boolean;
      /** Present where the output is compared elsewhere. */
      readonly output?: ProgramOutput;
    }
  | { readonly kind: 'error'; readonly error: string }
  /** Files of a build as JSON, as a launcher unpacks them; their number, and the characters of their base64. */
  | {
      readonly kind: 'parts';
      readonly parts: Line;
      readonly count: number;
      readonly size: number;
      readonly more: boolean;
    }
  | { readonly kind: 'unpacked' }
  /** Whether the box has a command. */
  | { readonly kind: 'command'; readonly installed: boolean };

const decoded = (content: string): string => Buffer.from(content, 'base64').toString('utf8');
const cut = (text: string): string => terminalJson(text.length > 300 ? `${text.slice(0, 299)}…` : text);

/** Largest file that is read where another is expected, in bytes. Pure. */
export const mostOfFile = (expected: string): number => 1_000_000 + 2 * Buffer.byteLength(expected);

/** Returns the reason why a case failed, or null when it passed. Pure, except for an operator's own function. */
export function judgeOutput(
  test: ProgramCase,
  { code, stdout, stderr, files }: ProgramOutput,
): string | null {
  const wanted = test.expect.exitCode ?? 0;
  if (code !== wanted) {
    const said = sanitizeRemoteText(stderr.slice(-300), 300);
    return `exit code ${code} instead of ${wanted}${said === '' ? '' : ` (${said})`}`;
  }
  const { stdout: text, files: wantedFiles = {} } = test.expect;
  if (text !== undefined && !matchesOutput(stdout, text, test.match, test.tolerance))
    return `printed ${cut(stdout)} instead of ${cut(text)}`;
  for (const [name, content] of Object.entries(wantedFiles)) {
    const got = Object.hasOwn(files, name) ? files[name] : undefined;
    if (got === undefined) return `wrote no file ${name}`;
    if (got === null) return `wrote more than ${mostOfFile(content)} bytes to ${name}`;
    if (!matchesOutput(got, content, test.match, test.tolerance))
      return `wrote ${cut(got)} to ${name} instead of ${cut(content)}`;
  }
  return null;
}

/**
 * Reads a line of a launcher of programs, and compares what a program printed with its case. Every byte may be forged. Pure.
 * @throws ProtocolError
 */
export function readProgramReply({ program, expected, test, whole, most }: ProgramLine): ProgramRead {
  const parsed = replySchema.safeParse(parseAnswer(textOf(program)));
  if (!parsed.success) throw new ProtocolError('an answer that has no known shape');
  const reply = parsed.data;
  if (reply.id !== expected) throw new ProtocolError('an answer to a question that was not asked');
  if ('unpacked' in reply) return { kind: 'unpacked' };
  if ('installed' in reply) return { kind: 'command', installed: reply.installed };
  if ('parts' in reply)
    return {
      ...{ kind: 'parts', parts: lineOf(JSON.stringify(reply.parts)), count: reply.parts.length },
      ...{ size: reply.parts.reduce((sum, [, content]) => sum + content.length, 0), more: reply.more },
    };
  if (!('code' in reply)) return { kind: 'error', error: sanitizeRemoteText(reply.error, 1000) };
  const printed = Buffer.from(reply.out, 'base64');
  const output: ProgramOutput = {
    ...{ code: reply.code, stdout: printed.toString('utf8'), stderr: decoded(reply.err) },
    files: Object.fromEntries(
      Object.entries(reply.files ?? {}).map(([name, content]) => [
        name,
        content === false ? null : decoded(content),
      ]),
    ),
  };
  const overflow = printed.length > most;
  return {
    ...{ kind: 'ran', overflow },
    answer: `exit ${output.code}, ${sanitizeRemoteText(output.stdout.slice(0, 2 * describedLength), describedLength)}`,
    reason: whole ? null : overflow ? `printed more than ${most} bytes` : judgeOutput(test, output),
    ...(whole ? { output } : {}),
  };
}
