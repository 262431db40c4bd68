import { createHash } from 'node:crypto';
import { sanitizeRemoteText } from '@bonafide/internal';
import * as z from 'zod';
import { ProtocolError, parseAnswer } from './answers.ts';
import { type Line, lineOf } from './line.ts';
import { messageLimits } from './message-limits.ts';
import { layers } from './suite.ts';

const describedLength = 500;
const path = z.string().min(1).max(4096);
const stream = z.enum(['stdout', 'stderr']);
/** Names of classes of an exception or a warning. */
const names = z.array(z.string().max(200)).min(1).max(20);
const plain = z.union([z.null(), z.boolean(), z.number(), z.string().max(1000)]);

/** Names of the classes of an exception, its text, and itself where its class is the artifact's own. */
const noted = z.tuple([names, z.string().max(500), z.unknown()]);
/** Everything beside an answer: what was printed, warned and logged meanwhile, and changed temporary files. */
const outputs = {
  out: z.string().exactOptional(),
  err: z.string().exactOptional(),
  notes: z
    .array(
      z.union([
        /** Names of its classes, itself where its class is the artifact's own, and its text. */
        z.tuple([z.literal('warning'), names, z.unknown(), z.string().max(100_000)]),
        z.tuple([
          z.literal('log'),
          z.string().max(200),
          z.int().min(0).max(1000),
          /** The exception that was logged. */
          noted.nullable(),
          /** Further attributes, and the last logger whose handlers see it. */
          z.record(z.string().max(200), z.unknown()),
          z.string().max(200),
          z.string().max(100_000),
        ]),
        /** Name of a thread in Python, and the error by which it ended. */
        z.tuple([z.literal('thread'), z.string().max(200), noted, z.literal('')]),
      ]),
    )
    .max(10_000)
    .exactOptional(),
  /**
   * Temporary files: a path with its content in base64, its mode and the time of its change in milliseconds; null and its mode for a folder, false for
   * what is gone, true for what cannot be told.
   */
  files: z
    .array(
      z.union([
        z.tuple([path, z.union([z.null(), z.boolean()])]),
        z.tuple([path, z.null(), z.tuple([z.int().min(0).max(0o777), z.int()])]),
        z.tuple([path, z.string().max(6_000_000), z.tuple([z.int().min(0).max(0o777), z.int()])]),
      ]),
    )
    .max(11_000)
    .exactOptional(),
};
/** Its own: number, module and name of its class, plain attributes, the formats of records and times, and the standard stream to which it writes. */
const ownHandler = z.tuple([
  z.literal(true),
  z.int().positive(),
  z.tuple([z.string().max(200), z.string().max(200)]),
  z.record(z.string().max(200), plain),
  z.tuple([z.string().max(1000).nullable(), z.string().max(1000).nullable()]).nullable(),
  stream.nullable(),
]);
const handler = z.union([ownHandler, z.tuple([z.literal(false), z.int().positive()])]);
/** Precision, rounding, least and greatest exponent, whether exponents have capitals, whether they are clamped, and names of what raises errors. */
const decimal = z.tuple([
  z.int().min(1).max(1_000_000),
  z.string().max(30),
  z.int(),
  z.int(),
  z.int(),
  z.int(),
  z.array(z.string().max(30)).max(20),
]);
/** What an artifact has changed around itself, and its tester has as well. */
const around = z.strictObject({
  env: z
    .array(
      z.tuple([z.string().min(1).max(messageLimits.variable), z.string().max(messageLimits.text).nullable()]),
    )
    .max(messageLimits.env)
    .exactOptional(),
  /** Null for none. */
  exitCode: z.int().nullable().exactOptional(),
  /** Null for that in which it has begun. */
  folder: z.string().max(4096).nullable().exactOptional(),
  /** Files of the suite that a reference has opened. */
  opened: z.array(z.string().max(4096)).max(1000).exactOptional(),
  argv: z.array(z.string().max(messageLimits.text)).max(messageLimits.argv).exactOptional(),
  /** Loggers, in Python: name, level, whether the next one has its records, whether it is disabled. */
  loggers: z
    .array(z.tuple([z.string().max(200), z.tuple([z.int().min(0).max(1000), z.boolean(), z.boolean()])]))
    .max(200)
    .exactOptional(),
  /** The level up to which nothing is logged, in Python. */
  silenced: z.int().min(0).max(1000).exactOptional(),
  /** How decimal numbers are computed, in Python. */
  decimal: decimal.exactOptional(),
  /** Handlers of loggers by their name, in Python. */
  handlers: z.record(z.string().max(200), z.array(handler).max(100)).exactOptional(),
  /** Standard streams that it has replaced, in Python. */
  streams: z.array(stream).max(2).exactOptional(),
  /** Warnings of its process, in JavaScript: name, text and code. */
  warnings: z
    .array(z.tuple([z.string().max(500), z.string().max(500), z.string().max(500).nullable()]))
    .max(100)
    .exactOptional(),
  /** Names of files that it has left in the folder in which it has begun. */
  left: z.array(z.string().max(messageLimits.name)).max(100).exactOptional(),
  /** Paths of the library, in Python, that the suite reads and whose values it has changed. */
  changed: z.array(z.string().max(messageLimits.name)).max(200).exactOptional(),
  /** State of its process that the suite reads of its own: the index of a path, and the number of the value that it has now, which is told in words, in JavaScript. */
  state: z
    .array(z.tuple([z.int().min(0).max(200), z.int().min(0).max(100), z.string().max(200)]))
    .max(200)
    .exactOptional(),
  /** States of generators of random numbers, in Python. */
  random: z.unknown().optional(),
  numpy: z.unknown().optional(),
  /** Functions and values of the language that it has replaced: object, name, and what is there now, and whether a function computes it; without, what was there before. */
  replaced: z
    .array(
      z.union([
        z.tuple([z.string(), z.string()]),
        z.tuple([z.string(), z.string(), z.unknown()]),
        z.tuple([z.string(), z.string(), z.unknown(), z.boolean()]),
      ]),
    )
    .max(messageLimits.replaced)
    .exactOptional(),
});
/** Numbers of the containers within one, in Python; 0 for those of the test. */
const inner = z.array(z.int()).max(messageLimits.inner);
const numbers = z.array(z.int().positive()).max(messageLimits.changed);
const ownNumbers = z.array(z.int().nonnegative()).max(messageLimits.changed);
/** Changes of containers that both boxes know: arguments of earlier calls, and parts of objects that a test has read. */
const changes = {
  later: z
    .array(z.tuple([z.int(), z.int(), z.unknown()]))
    .max(100)
    .exactOptional(),
  changed: z
    .array(z.union([z.tuple([z.int(), z.unknown()]), z.tuple([z.int(), z.unknown(), inner])]))
    .max(messageLimits.changed)
    .exactOptional(),
  /** Containers of the test, in Python. */
  owned: z.array(z.unknown()).max(300).exactOptional(),
  /** What an artifact has given classes of the test: number, whether it is their prototype, name, value. */
  given: z
    .array(z.tuple([z.int().positive(), z.boolean(), z.string().max(messageLimits.name), z.unknown()]))
    .max(messageLimits.given)
    .exactOptional(),
  /** Seconds until its event loop has something to do, null for never, and numbers of awaited tasks that have ended. */
  turns: z.tuple([z.number().nonnegative().nullable(), z.array(z.int()).max(10_000)]).exactOptional(),
  around: around.exactOptional(),
  /** Texts of uncaught errors, in JavaScript. */
  faults: z.array(z.string().max(500)).max(20).exactOptional(),
  /** Numbers of objects of which a function was replaced, in JavaScript. */
  stale: z.array(z.int()).max(256).exactOptional(),
  /** Variables that modules export and that have other values now, in JavaScript: module, name, value, its number. */
  exported: z.array(z.array(z.unknown()).min(3).max(4)).max(messageLimits.changed).exactOptional(),
  /** Properties of functions of the test that the artifact has changed: number, name, and the value where there is one, with its number. */
  properties: z
    .array(
      z.union([
        z.tuple([z.int().positive(), z.string().max(messageLimits.name)]),
        z.tuple([z.int().positive(), z.string().max(messageLimits.name), z.unknown()]),
        z.tuple([z.int().positive(), z.string().max(messageLimits.name), z.unknown(), z.int()]),
      ]),
    )
    .max(messageLimits.changed)
    .exactOptional(),
  /**
   * Numbers of things of the test, in Python: those that the artifact holds by weak references only from now on, methods of whose objects that is so, and
   * those that it holds again.
   */
  weak: z.tuple([numbers, numbers, numbers]).exactOptional(),
  /** Numbers of objects of the artifact, in Python: those that it holds by weak references only from now on, and those that it holds again, or that are gone. */
  loose: z.tuple([ownNumbers, ownNumbers]).exactOptional(),
  /** True where a container may occur more than once in a value, in Python: the second time it is told by its number. */
  repeats: z.literal(true).exactOptional(),
  /** True where threads that the artifact has started run, in Python. */
  threads: z.literal(true).exactOptional(),
  /** Numbers of threads that have called functions of the test, and have ended. */
  gone: numbers.exactOptional(),
  /** Numbers of contexts of the test of which a question, and all copies that the artifact has made of it, are gone. */
  left: numbers.exactOptional(),
  /** Signals that the artifact has aborted, in JavaScript: number and reason. */
  aborted: z
    .array(z.tuple([z.int(), z.unknown()]))
    .max(messageLimits.aborted)
    .exactOptional(),
};
/** The arguments of a call that answered, or raised an error. */
const afterCall = {
  args: z.array(z.tuple([z.int(), z.unknown()])).exactOptional(),
  /** True when they may change later. */
  kept: z.literal(true).exactOptional(),
  /** In JavaScript, number of the asynchronous context that it may have entered. */
  entered: z.int().exactOptional(),
};
const id = z.int();
/** Messages that an artifact's box may send. Values are validated again by the tester. */
const replySchema = z.union([
  z.strictObject({
    id,
    value: z.unknown(),
    ...afterCall,
    /** Number of the container that this is. */
    lent: z.int().exactOptional(),
    inner: inner.exactOptional(),
    /** True for a property that a function of the artifact answers, in JavaScript. */
    computed: z.literal(true).exactOptional(),
    /** Number of an argument, or of an answer, which this very value is. */
    is: z.int().exactOptional(),
    same: z.int().exactOptional(),
    /** True where what was awaited has not ended, or was cancelled. */
    pending: z.literal(true).exactOptional(),
    cancelled: z.literal(true).exactOptional(),
    ...changes,
    ...outputs,
  }),
  z.strictObject({
    id,
    raised: z.strictObject({
      mro: z.array(z.string().max(200)).min(1).max(50),
      message: z.string().max(100_000),
      module: z.string().max(200),
      args: z.unknown().optional(),
      class: z.unknown().optional(),
      self: z.int().exactOptional(),
      /** Number of an error of the test, with what it is now if that has changed. */
      own: z.array(z.unknown()).min(1).max(3).exactOptional(),
      /** Number of an exception of the test, in Python: `held` and `cause` are what the artifact has changed. */
      mine: z.int().exactOptional(),
      /** As its class writes it; null where the class leaves that to the language. */
      repr: z.string().max(2000).nullable().exactOptional(),
      /** Attributes of an exception of the library, and notes. */
      held: z
        .array(z.tuple([z.string().max(200), z.unknown()]))
        .max(50)
        .exactOptional(),
      cause: z.unknown().optional(),
      context: z.unknown().optional(),
      suppressed: z.boolean().exactOptional(),
      /** True where the artifact has answered, and its answer cannot cross. */
      unplain: z.literal(true).exactOptional(),
    }),
    ...afterCall,
    ...changes,
    ...outputs,
  }),
  z.strictObject({
    id,
    callback: z.int(),
    local: z
      .tuple([z.int().positive(), z.string().max(20), z.string().max(messageLimits.name)])
      .exactOptional(),
    args: z.array(z.unknown()).max(messageLimits.args),
    kwargs: z.array(z.tuple([z.string(), z.unknown()])).max(1000),
    self: z.unknown().optional(),
    /** In JavaScript, numbers of the asynchronous context in which it is called, and of that of the test from which this has come. */
    context: z.tuple([z.int().nullable(), z.int().nullable()]).exactOptional(),
    /** In Python, a thread of the artifact that has not begun in a context of the test. */
    apart: z.int().exactOptional(),
    /** In Python, the number of the test's context in which such a function is called. */
    within: z.int().positive().exactOptional(),
    /** In Python, number of a call of a thread that the artifact has started, the thread's name, and whether it is a daemon. */
    beside: z.tuple([z.int().positive(), z.string().max(200), z.boolean()]).exactOptional(),
    /** What is done with a coroutine of the test. */
    awaits: z.enum(['begin', 'beside', 'turn', 'cancel']).exactOptional(),
    /** Numbers of arrays and plain objects of the artifact among the arguments, which it may answer as well. */
    lent: z.array(z.int().nullable()).max(messageLimits.args).exactOptional(),
    ...changes,
    ...outputs,
  }),
  /** Why an answer is none that could leave the box: too deep or too large. */
  z.strictObject({ id, unplain: z.string().max(2000), ...changes, ...outputs }),
  z.strictObject({ id, serving: z.literal(true), ...outputs }),
]);

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
/** A place at which a test leans on an operator of a class of the artifact. */
const leaningPlace = z.object({
  file: z.string(),
  line: z.int(),
  /** Id of the test, without its parameters. */
  test: z.string(),
  construct: z.string(),
  /** Class of the artifact; null where the syntax does not show it. */
  class: z.string().nullable(),
  /** Last line, where the place permits to convert an object that a call has answered. */
  last: z.int().exactOptional(),
  /** False where no correct program fails: the place only permits. */
  isNamed: z.boolean().exactOptional(),
});
const position = z.tuple([z.int(), z.int()]);
/** A statement of a test that keeps nothing of the objects that it converts. */
const assertion = z.object({ file: z.string(), test: z.string(), begin: position, end: position });
/** Requirements of a suite's files on an artifact, read without running them. */
const suiteSyntax = z.looseObject({
  modules: z.array(z.string()),
  /** Modules that only an artifact can have. */
  imports: z.array(z.string()).exactOptional(),
  /** The first place that imports each, in Python: without what a test may do without, as below `try`. */
  required: z.array(z.object({ file: z.string(), line: z.int(), module: z.string() })).exactOptional(),
  unsupported: z.array(unsupportedConstruct),
  places: z.array(leaningPlace).exactOptional(),
  assertions: z.array(assertion).exactOptional(),
});
export type SuiteSyntax = z.infer<typeof suiteSyntax>;

/** Messages of a tester. It runs no code of the artifact, so its results are trusted. */
const testerSchema = z.union([
  z.object({ ask: z.looseObject({ do: z.string() }), test }),
  z.object({ back: z.looseObject({}), test }),
  /** Ids of the tests that begin: one, or those that run at the same time. */
  z.object({ begins: z.array(z.string()).min(1) }),
  z.object({
    result: z.object({
      id: z.string(),
      passed: z.boolean(),
      ms: z.number(),
      reason: z.string().nullable(),
      /** True where the judge's own code failed it, and no assertion. */
      refused: z.boolean().exactOptional(),
      /** Places of this test, as file and line, that come after the line at which it failed. */
      unreached: z.array(z.tuple([z.string(), z.int()])).exactOptional(),
    }),
  }),
  z.object({
    done: z.object({
      collected: expectedTests,
      errors: z.array(z.string()),
      code: z.int(),
      syntax: suiteSyntax.exactOptional(),
      shapes: z.array(z.string()).exactOptional(),
      /** Tests that need a plugin which the suite does not declare. */
      undeclared: z
        .array(z.object({ file: z.string(), line: z.int(), test: z.string(), construct: z.string() }))
        .exactOptional(),
    }),
  }),
  z.object({ protocolError: z.string() }),
  z.object({ broken: z.string() }),
]);

/** A tester's message. */
export type Told = z.infer<typeof testerSchema>;

/** An answer of an artifact's box that was checked. */
export interface ReadReply {
  /** The answer as it is passed on: JSON. */
  readonly text: Line;
  /** The answer in one line, inert and cut. */
  readonly described: string;
  /** The error that it reports, in one line; null otherwise. */
  readonly raised: string | null;
  /** True where what was awaited has not ended. */
  readonly isPending: boolean;
}

/**
 * Reads a line of an artifact's box as the reply to question `expected`. Every byte of it may be forged. Pure.
 * @throws ProtocolError
 */
export function readReply(line: string, expected: number): ReadReply {
  const parsed = replySchema.safeParse(parseAnswer(line));
  if (!parsed.success) throw new ProtocolError('an answer that has no known shape');
  const { id: number, ...reply } = parsed.data;
  if (number !== expected) throw new ProtocolError('an answer to a question that was not asked');
  const text = JSON.stringify(reply);
  // Numbers such as 1e20 are written out.
  if (text.length > 2 * line.length + 1000) throw new ProtocolError('an answer that grows when it is read');
  if (!('raised' in reply)) {
    const value = 'value' in reply ? JSON.stringify(reply.value) : text;
    // What is cut off need not be cleaned.
    return {
      text: lineOf(text),
      described: sanitizeRemoteText((value ?? '').slice(0, 2 * describedLength), describedLength),
      raised: null,
      isPending: 'pending' in reply,
    };
  }
  const { mro, message } = reply.raised;
  const raised = `${sanitizeRemoteText(mro[0] ?? '', 80)}: ${sanitizeRemoteText(message, 200)}`;
  return { text: lineOf(text), described: `raised ${raised}`, raised, isPending: false };
}

/** Describes a tester's question for the transcript. */
function describeAsk(ask: Readonly<Record<string, unknown>>): string {
  const args = JSON.stringify(ask.args ?? '').slice(1, -1);
  const text = `${String(ask.do)} ${String(ask.name ?? ask.of ?? '')}(${args})`;
  return text.length > describedLength ? `${text.slice(0, describedLength - 1)}…` : text;
}

/** A message of a tester, and what it asks of the artifact. */
export type ReadTester =
  | {
      /** The question as it is passed on: JSON with the number that the reply must have. */
      readonly question: Line;
      readonly test: string;
      /** What the artifact is to do; null for an answer to a question of its own. */
      readonly asks: string | null;
      /** The question in one line, cut; null for all but a question of a test. */
      readonly described: string | null;
    }
  | { readonly question: null; readonly told: Exclude<Told, { ask: unknown } | { back: unknown }> };

/** Parses a line of a tester, which may be nested as deeply as a suite's values are. */
function parseTold(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new ProtocolError('an answer that is not JSON');
  }
}

/** Marks the lines of a tester, so that nothing that runs beside it can write one. */
export interface Seal {
  /** Secret that the tester was given before it read the suite. */
  readonly key: string;
  /** Number of the line. */
  readonly number: number;
}

/** Length of a mark: SHA-256 in hexadecimal. */
const markLength = 64;

/** Returns the text of a marked line. */
function unsealed(line: string, { key, number }: Seal): string {
  const text = line.slice(markLength + 1);
  const mark = createHash('sha256').update(`${key}${number} ${text}${key}`).digest('hex');
  if (line.slice(0, markLength + 1) !== `${mark} `)
    throw new ProtocolError('a line that the tests wrote in the place of the judge');
  return text;
}

/** Questions that the transcript leaves out. */
const isUnwritten = new Set(['tick', 'turn', 'listen', 'watch', 'exit']);

/**
 * Reads a line of a tester.
 * @param next - Number of the next question to the artifact.
 * @param forged - True when the artifact is in the tester's process, so that every byte may be forged.
 * @param seal - How the tester marks the line; null where it does not.
 * @throws ProtocolError when the line is malformed. A tester writes none such, unless something has reached into it.
 */
export function readTester(
  marked: string,
  next: number,
  { forged = false, seal = null }: { forged?: boolean; seal?: Seal | null } = {},
): ReadTester {
  const line = seal === null ? marked : unsealed(marked, seal);
  const parsed = testerSchema.safeParse(forged ? parseAnswer(line) : parseTold(line));
  if (!parsed.success) throw new ProtocolError('an answer that has no known shape');
  const told = parsed.data;
  if (!('ask' in told || 'back' in told)) return { question: null, told };
  const asked = 'ask' in told ? { op: told.ask } : told.back;
  return {
    question: lineOf(JSON.stringify({ id: next, ...asked })),
    test: told.test ?? '',
    asks: 'ask' in told ? told.ask.do : null,
    // That time passes is no question, nor what is looked at.
    described: 'ask' in told && !isUnwritten.has(told.ask.do) ? describeAsk(told.ask) : null,
  };
}
