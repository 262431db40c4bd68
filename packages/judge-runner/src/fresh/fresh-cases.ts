import { ProtocolError } from '../answers.ts';
import { truthOf } from '../compare.ts';
import { JudgeError } from '../errors.ts';
import { artifactFolder } from '../languages/python.ts';
import { textOf } from '../line.ts';
import type { Box } from '../sandbox.ts';
import type { CaseGenerator, VectorCase, VectorSuite } from '../suite.ts';
import { decodeValue, encodeValue, type TaggedJson, type Value, ValueFormatError } from '../value.ts';
import { decodeAnswer, describeRaised, parseReply, type Reply } from '../vector-reply.ts';
import { moduleName } from '../vectors.ts';
import { drawValue } from './draw.ts';
import { createStream } from './stream.ts';

/** Cases of a generator that says no number. */
const defaultCount = 10;

/** A question to a reference: which function, and the inputs. */
export interface OracleQuestion {
  readonly fn: string;
  readonly args: readonly Value[];
}

/**
 * A reference in this process, for who uses the judge as a library; what it throws counts as raised, by its `name`. No
 * commitment covers it.
 */
export type Oracle = (question: OracleQuestion) => Value | Promise<Value>;

/** A reference's reply. */
type Told = { readonly value: Value } | { readonly raised: string; readonly text: string };

/** A source of expected results for drawn inputs. */
interface Reference {
  ask(fn: string, args: readonly TaggedJson[], as?: VectorCase['as']): Promise<Told>;
}

const invalid = (message: string, cause?: unknown): JudgeError =>
  new JudgeError('SUITE_INVALID', message, cause === undefined ? {} : { cause });

/**
 * Connects to the suite's oracle in its box. Its author is trusted, so every fault of its replies is a fault
 * of the suite.
 */
export async function boxedReference(box: Box): Promise<Reference> {
  let number = 0;
  const exchange = async (question: object): Promise<Reply> => {
    const line = await box.request(JSON.stringify({ ...question, id: number }));
    if (line === null) throw invalid('The oracle ended, or was ended, before it had answered everything');
    try {
      const reply = parseReply(textOf(line), number);
      number += 1;
      return reply;
    } catch (error) {
      if (error instanceof ProtocolError) throw invalid(`The oracle gave ${error.message}`, error);
      throw error;
    }
  };
  const loaded = await exchange({ load: moduleName, folder: artifactFolder });
  if ('raised' in loaded) throw invalid(`The oracle cannot be loaded: ${describeRaised(loaded.raised)}`);
  return {
    async ask(fn, args, as) {
      const reply = await exchange({ fn, args, ...(as === undefined ? {} : { as }) });
      if ('raised' in reply)
        return { raised: reply.raised.mro[0] ?? 'Exception', text: describeRaised(reply.raised) };
      if ('missing' in reply) throw invalid(`The oracle has no ${fn}`);
      if (!('value' in reply)) throw invalid(`The oracle's ${fn} gave an answer that is too large`);
      return { value: decodeAnswer(reply.value) };
    },
  };
}

/** A function of this process as a reference. */
export function localReference(oracle: Oracle): Reference {
  return {
    async ask(fn, args, as) {
      if (as !== undefined) throw invalid(`An oracle in this process cannot convert with as: '${as}'`);
      try {
        return { value: await oracle({ fn, args: args.map((arg) => decodeValue(arg)) }) };
      } catch (error) {
        const { name, message } = error instanceof Error ? error : new Error(String(error));
        return { raised: name, text: `${name}: ${message}` };
      }
    },
  };
}

/** A run's request to the suite's generators. */
export interface FreshRequest {
  /** Cases per generator, instead of what each says; 0 for none. */
  readonly count?: number;
  /** Draws again what a run with this seed drew. Default: a new one. */
  readonly seed?: string;
  /** Says what must come of drawn inputs, instead of the suite's oracle. */
  readonly oracle?: Oracle;
}

/** A seed of 128 bits as hex. */
export const newSeed = (random: () => number): string =>
  Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');

/** A generator with what a run made of it. */
interface Drawing {
  readonly generator: CaseGenerator;
  readonly index: number;
  readonly seed: string;
}

/**
 * Draws the inputs of one case whose generator lists its specs. Pure.
 * @throws ValueFormatError when they cannot be drawn.
 */
export function drawInputs({ generator, index, seed }: Drawing): readonly TaggedJson[] | null {
  if ('from' in generator.args) return null;
  const stream = createStream(seed, generator.id, index);
  return generator.args.map((spec) => encodeValue(drawValue(spec, stream)));
}

/** The number that a generator's own function is called with: 53 bits of the case's stream. Pure. */
export const drawNumber = ({ generator, index, seed }: Drawing): number =>
  Number(createStream(seed, generator.id, index).below(2n ** 53n));

async function inputsOf(drawing: Drawing, reference: Reference): Promise<readonly TaggedJson[]> {
  const { generator } = drawing;
  if (!('from' in generator.args)) {
    try {
      return drawInputs(drawing) ?? [];
    } catch (error) {
      if (error instanceof ValueFormatError)
        throw invalid(`The generator '${generator.id}' cannot draw: ${error.message}`, error);
      throw error;
    }
  }
  const told = await reference.ask(generator.args.from, [drawNumber(drawing)]);
  if ('raised' in told) throw invalid(`The generator '${generator.id}' raised ${told.text}`);
  const { value } = told;
  if (typeof value === 'object' && value !== null && (value.type === 'list' || value.type === 'tuple'))
    return value.items.map(encodeValue);
  throw invalid(`The generator '${generator.id}' must return the list of arguments`);
}

async function drawCase(drawing: Drawing, fn: string, reference: Reference): Promise<VectorCase> {
  const { generator, index } = drawing;
  const { id: own, layer, args: _args, count: _count, raises, ...how } = generator;
  const id = `${own}#${index}`;
  const args = await inputsOf(drawing, reference);
  const told = await reference.ask(fn, args, generator.as);
  if ('raised' in told) {
    if (raises !== true) throw invalid(`The oracle raised ${told.text} for the case '${id}'`);
    const { fn: named } = how;
    return { id, layer, ...(named === undefined ? {} : { fn: named }), args, raises: told.raised };
  }
  try {
    const expect = how.match === 'truth' ? truthOf(told.value) : encodeValue(told.value);
    if (how.match === 'truth' && expect === null) throw new ValueFormatError('its truth cannot be decided');
    return { id, layer, ...how, args, expect };
  } catch (error) {
    if (error instanceof ValueFormatError)
      throw invalid(`The oracle's answer to '${id}' is not a plain value: ${error.message}`, error);
    throw error;
  }
}

/**
 * Draws the cases of a run: the same seed draws the same.
 * @param options.count - Cases per generator, instead of what each says.
 * @throws JudgeError `SUITE_INVALID` when they cannot be drawn, or the oracle cannot answer them.
 */
export async function drawCases(
  suite: VectorSuite,
  reference: Reference,
  options: { readonly seed: string; readonly count?: number },
): Promise<VectorCase[]> {
  const cases: VectorCase[] = [];
  for (const generator of suite.generators ?? [])
    for (let index = 0; index < (options.count ?? generator.count ?? defaultCount); index += 1)
      cases.push(
        await drawCase(
          { generator, index, seed: options.seed },
          generator.fn ?? suite.entryPoint ?? '',
          reference,
        ),
      );
  return cases;
}
