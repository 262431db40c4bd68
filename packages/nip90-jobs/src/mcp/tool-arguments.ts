import * as z from 'zod';
import type { JobRequest } from '../codec/index.ts';
import { readInput } from '../option-schemas.ts';

/** Name of the parameter that selects a tool. */
export const TOOL_PARAM = 'tool';
/** Marker of the input that holds all arguments as a JSON object. */
export const ARGUMENTS_MARKER = 'arguments';

/** A JSON schema of a tool's arguments, as far as it is read here. */
export interface ToolInputSchema {
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly required?: readonly string[] | undefined;
}

const requestSchema = z.looseObject({
  inputs: z.array(z.looseObject({ data: z.string() })),
  params: z.looseObject({}),
});

/** Result of {@link toolArguments}. `message` tells the customer what is missing. */
export type ToolArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string };

/**
 * Reads the arguments of a tool from a job request. Pure. In order of precedence: parameters with the name of a property,
 * converted to its type; an input with marker `arguments` that is a JSON object; text inputs for the string properties that
 * are left, required ones first. A text input is never read as JSON, since it may quote a third party. The tool's server
 * validates the values.
 */
export function toolArguments(request: JobRequest, schema: ToolInputSchema): ToolArguments {
  readInput(requestSchema, request, 'request');
  const properties = schema.properties ?? {};
  const args: Record<string, unknown> = {};
  const texts: string[] = [];
  for (const { data, marker, type } of request.inputs) {
    if (type !== 'text') continue;
    if (marker !== ARGUMENTS_MARKER) {
      texts.push(data);
      continue;
    }
    const object = objectOf(data);
    if (object === null)
      return { ok: false, message: 'The input with marker arguments is not a JSON object.' };
    for (const [key, value] of Object.entries(object)) if (key !== '__proto__') args[key] = value;
  }
  for (const [key, values] of Object.entries(request.params)) {
    if (key !== TOOL_PARAM && Object.hasOwn(properties, key)) args[key] = convert(values, properties[key]);
  }
  const free = [...(schema.required ?? []), ...Object.keys(properties)].filter(
    (key) => !Object.hasOwn(args, key) && typesOf(properties[key]).includes('string'),
  );
  for (const key of new Set(free)) {
    const text = texts.shift();
    if (text === undefined) break;
    args[key] = text;
  }
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(args, key));
  if (missing.length === 0) return { ok: true, args };
  return { ok: false, message: `Arguments are missing: ${missing.join(', ')}. Give them as parameters.` };
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function typesOf(schema: unknown): readonly string[] {
  const type = typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined;
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((one) => typeof one === 'string') : ['string'];
}

/** Converts the values of a parameter to the type of a property; values that do not fit stay text. */
function convert(values: readonly string[], schema: unknown): unknown {
  const types = typesOf(schema);
  if (types.includes('array')) {
    const items =
      typeof schema === 'object' && schema !== null && 'items' in schema ? schema.items : undefined;
    const [first = ''] = values;
    const list = values.length === 1 ? jsonOf(first) : undefined;
    return Array.isArray(list) ? list : values.map((value) => convert([value], items ?? { type: 'string' }));
  }
  const [value = ''] = values;
  if (types.includes('string')) return value;
  const parsed = jsonOf(value);
  if ((types.includes('number') || types.includes('integer')) && typeof parsed === 'number') return parsed;
  if (types.includes('boolean') && typeof parsed === 'boolean') return parsed;
  if (types.includes('object') && typeof parsed === 'object') return parsed;
  return value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
