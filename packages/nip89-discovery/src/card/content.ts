import { truncate } from '@bonafide/internal';
import * as z from 'zod';

/** A JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The price of a job. */
export interface Pricing {
  /** Pricing model in the words of the platform, such as `per-request`; `null` if absent. */
  readonly model: string | null;
  /** Price of one job, msat; `null` if absent. 0 is free. */
  readonly amountMsat: number | null;
}

/** A parameter that a platform accepts (`nip90Params`). */
export interface JobParameter {
  readonly required: boolean;
  readonly values: readonly string[];
  readonly description: string | null;
}

/**
 * The parsed content of a card. All of it is remote text, bounded in length and otherwise unchanged: sanitize
 * it before it reaches a prompt or a terminal.
 */
export interface CardContent {
  readonly name: string | null;
  readonly about: string | null;
  readonly picture: string | null;
  readonly website: string | null;
  readonly version: string | null;
  readonly lud16: string | null;
  readonly pricing: Pricing | null;
  /** Claimed latency; `null` if absent. */
  readonly performance: { readonly typicalLatencyMs: number | null } | null;
  /** True if it accepts encrypted jobs; `null` if absent. */
  readonly encryptionSupported: boolean | null;
  readonly nip90Params: Readonly<Record<string, JobParameter>> | null;
  /** Values of `supported_kinds` as text; `null` if absent. */
  readonly kinds: readonly string[] | null;
  /** Values of `capabilities`; `null` if absent. */
  readonly capabilities: readonly string[] | null;
  /** Names of known fields whose values are invalid and were ignored. Sorted. */
  readonly unreadable: readonly string[];
  /** All fields, unchanged; `null` if the content is not JSON. */
  readonly fields: JsonObject | null;
  /** True if the content is plain text, which is then `about`. */
  readonly contentPlain: boolean;
  /** True if the content begins like JSON but is not a JSON object. Only tags and the profile of the key count then. */
  readonly contentMalformed: boolean;
}

/** Largest nesting depth of JSON. */
const maxDepth = 32;
const maxLineBytes = 512;
const maxAboutBytes = 16_000;
const maxListItems = 256;
const maxParameters = 64;

const text = z.string().transform((value) => value.trim().toWellFormed());
const line = z
  .union([text, z.number().transform(String)])
  .transform((value) => truncate(value, maxLineBytes));
const link = z.url({ protocol: /^https?$/ }).max(2_048);
const object = z.record(z.string(), z.unknown());
const bool = z.union([
  z.boolean(),
  z.stringbool({ truthy: ['true', 'yes', '1'], falsy: ['false', 'no', '0'] }),
]);
const list = z
  .array(z.union([z.string(), z.number()]))
  .transform((values) => values.slice(0, maxListItems).map(String));
const nonNegative = z.number().min(0);
const digits = z
  .string()
  .transform((value) => value.replace(/[_\s]/g, ''))
  .pipe(z.string().regex(/^\d{1,15}$/))
  .transform(Number);
const msat = z.union([z.int().min(0), digits]);
const parameter = z.object({
  required: bool.catch(false),
  values: list.catch([]),
  description: text.nullish().catch(null),
});
// The likelier form comes first, since a failing member of a union costs an error object.
const pricing = z.union([
  z
    .looseObject({
      model: line.optional().catch(undefined),
      type: line.optional().catch(undefined),
      amountMsat: msat.optional().catch(undefined),
      amount_msat: msat.optional().catch(undefined),
      msat: msat.optional().catch(undefined),
      amount: z.union([msat, line]).optional().catch(undefined),
    })
    .transform((given): Pricing => {
      const words = given.model ?? given.type ?? null;
      const stated = given.amountMsat ?? given.amount_msat ?? given.msat ?? given.amount;
      if (typeof stated === 'string') {
        const price = readPrice(stated);
        return { model: words ?? price.model, amountMsat: price.amountMsat };
      }
      return { model: words, amountMsat: stated ?? null };
    }),
  line.transform((words) => readPrice(words)),
]);
const performance = z
  .looseObject({
    typicalLatencyMs: nonNegative.optional().catch(undefined),
    typical_latency_ms: nonNegative.optional().catch(undefined),
    latency_ms: nonNegative.optional().catch(undefined),
  })
  .transform((given) => ({
    typicalLatencyMs: given.typicalLatencyMs ?? given.typical_latency_ms ?? given.latency_ms ?? null,
  }));

/** Parses a price: `free`, `flexible`, a number of msat, or other text. */
function readPrice(words: string): Pricing {
  const amount = digits.safeParse(words);
  if (amount.success) return { model: null, amountMsat: amount.data };
  return { model: words === '' ? null : words, amountMsat: words.toLowerCase() === 'free' ? 0 : null };
}

const empty: CardContent = {
  name: null,
  about: null,
  picture: null,
  website: null,
  version: null,
  lud16: null,
  pricing: null,
  performance: null,
  encryptionSupported: null,
  nip90Params: null,
  kinds: null,
  capabilities: null,
  unreadable: [],
  fields: null,
  contentPlain: false,
  contentMalformed: false,
};

/**
 * Parses the content of a card. Empty content is valid. Text that does not begin like JSON is `about`. Content that begins like
 * JSON but is not a JSON object, or is nested deeper than 32, is `contentMalformed` and otherwise ignored. Fields are optional
 * and parsed leniently, one by one.
 */
export function readCardContent(content: string): CardContent {
  const trimmed = content.trim();
  if (trimmed === '') return empty;
  if (!/^[[{]/.test(trimmed)) return { ...empty, about: asAbout(trimmed), contentPlain: true };
  const fields = parseFields(trimmed);
  return fields === null ? { ...empty, contentMalformed: true } : readFields(fields);
}

/** Parses content as a JSON object; `null` if it is anything else, or nested deeper than 32. */
export function parseFields(content: string): JsonObject | null {
  const trimmed = content.trim();
  if (!trimmed.startsWith('{') || isTooDeep(trimmed)) return null;
  try {
    // Text that begins with a brace is an object or no JSON.
    return JSON.parse(trimmed);
  } catch {
    return null;
  }
}

function readFields(fields: JsonObject): CardContent {
  const unreadable: string[] = [];
  /** Returns the first of several fields whose value is valid. */
  function read<Value>(schema: z.ZodType<Value>, ...names: readonly string[]): Value | null {
    for (const name of names) {
      const given = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (given === undefined || given === null || given === '') continue;
      const parsed = schema.safeParse(given);
      if (parsed.success) return parsed.data;
      unreadable.push(name);
    }
    return null;
  }
  const about = read(text, 'about', 'description');
  const params = read(object, 'nip90Params');

  return {
    name: read(line, 'name', 'display_name', 'displayName') || null,
    about: about === null ? null : asAbout(about),
    picture: read(link, 'picture', 'image'),
    website: read(link, 'website'),
    version: read(line, 'version') || null,
    lud16: read(line, 'lud16') || null,
    pricing: read(pricing, 'pricing', 'price', 'amount'),
    performance: read(performance, 'performance'),
    encryptionSupported: read(bool, 'encryptionSupported', 'supportsEncryption'),
    nip90Params: params === null ? null : readParameters(params, unreadable),
    kinds: read(list, 'supported_kinds', 'supportedKinds', 'kinds'),
    capabilities: read(list, 'capabilities'),
    unreadable: unreadable.sort(),
    fields,
    contentPlain: false,
    contentMalformed: false,
  };
}

function readParameters(
  given: Readonly<Record<string, unknown>>,
  unreadable: string[],
): Record<string, JobParameter> {
  const read = Object.entries(given)
    .slice(0, maxParameters)
    .flatMap(([name, value]): [string, JobParameter][] => {
      const parsed = parameter.safeParse(value);
      if (!parsed.success) {
        unreadable.push(`nip90Params.${name}`);
        return [];
      }
      return [[name, { ...parsed.data, description: parsed.data.description ?? null }]];
    });
  return Object.fromEntries(read);
}

const asAbout = (words: string) => truncate(words.toWellFormed(), maxAboutBytes) || null;

/** Returns true if JSON is nested too deeply. Runs before parsing and without recursion. */
function isTooDeep(json: string): boolean {
  // Fewer brackets than the limit cannot nest too deeply.
  if ((json.match(/[{[]/g)?.length ?? 0) <= maxDepth) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return false;
}
