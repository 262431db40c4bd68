import { type Line, textOf } from './line.ts';
import { type ProgramLine, type ProgramRead, readProgramReply } from './program/reply.ts';
import { type ReadReply, type ReadTester, readReply, readTester, type Seal } from './split-lines.ts';
import type { VectorCase } from './suite.ts';
import { describeRaised, judgeReply, parseReply } from './vector-reply.ts';

/** The result of comparing an answer with its case. */
export interface ComparedAnswer {
  /** Reason why it is wrong; null when it is right. */
  readonly reason: string | null;
  /** The answer in Python notation, cut. */
  readonly answer: string;
}

/** An answer to a vector; the number of its question, and its case. */
export interface VectorLine {
  readonly vector: Line;
  readonly expected: number;
  readonly test: VectorCase;
}

/** The answer of a worker that was asked to load an artifact, and the number of its question. */
export interface LoadLine {
  readonly load: Line;
  readonly expected: number;
}

/** The result of loading an artifact: the error in one line, or null. */
export interface LoadRead {
  readonly raised: string | null;
}

/** An answer to a question of a tester, and the question's number. */
export interface ReplyLine {
  readonly reply: Line;
  readonly expected: number;
}

/** A message of a tester, the number of the next question, and whether the artifact is in its process. */
export interface TesterLine {
  readonly told: Line;
  readonly next: number;
  readonly forged: boolean;
  /** How the tester marks its lines; null where it does not. */
  readonly seal: Seal | null;
}

/** A line of a box, and what is needed to read it. Plain data. */
export type LineTask = VectorLine | LoadLine | ReplyLine | TesterLine | ProgramLine;

/** The result of reading a line. */
export type LineRead<Task extends LineTask> = Task extends VectorLine
  ? ComparedAnswer
  : Task extends LoadLine
    ? LoadRead
    : Task extends ReplyLine
      ? ReadReply
      : Task extends ProgramLine
        ? ProgramRead
        : ReadTester;

/** The line of a task. Pure. */
export function lineIn(task: LineTask): Line {
  if ('vector' in task) return task.vector;
  if ('reply' in task) return task.reply;
  if ('load' in task) return task.load;
  return 'program' in task ? task.program : task.told;
}

/** The line that is passed on after a line was read; null where none is. Pure. */
export function passedOn(read: LineRead<LineTask>): Line | null {
  if ('text' in read) return read.text;
  if ('question' in read) return read.question;
  return 'parts' in read ? read.parts : null;
}

/** Memory of a line, which one thread hands over to another instead of copying it. Pure. */
export const memoryOf = (line: Line | null): ArrayBuffer[] =>
  line === null || typeof line === 'string' ? [] : line.map(({ buffer }) => buffer as ArrayBuffer);

/**
 * Reads a line in this thread. Pure.
 * @throws ProtocolError when an untrusted line is malformed.
 */
export function readNow(task: LineTask): LineRead<LineTask> {
  if ('vector' in task) return judgeReply(task.test, parseReply(textOf(task.vector), task.expected));
  if ('program' in task) return readProgramReply(task);
  if ('load' in task) {
    const loaded = parseReply(textOf(task.load), task.expected);
    return { raised: 'raised' in loaded ? describeRaised(loaded.raised) : null };
  }
  return 'reply' in task
    ? readReply(textOf(task.reply), task.expected)
    : readTester(textOf(task.told), task.next, task);
}
