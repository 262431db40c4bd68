/**
 * The ledger's tools in OpenAI's function format, which many other services take as well.
 * @packageDocumentation
 */
import { isBonafideError } from '@bonafide/internal';
import * as z from 'zod';
import { parse } from '../parse.ts';
import { requireDefinitions } from '../tool-definitions.ts';
import type { ToolDefinition } from '../tools.ts';

/** A function in the form of the Responses API, assignable to `OpenAI.Responses.FunctionTool`. */
export interface OpenAiTool {
  type: 'function';
  name: string;
  description: string;
  /** The arguments' JSON Schema. */
  parameters: Record<string, unknown>;
  strict: boolean;
}

/** A function in the form of chat completions, assignable to `OpenAI.Chat.ChatCompletionFunctionTool`. */
export interface OpenAiChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** The JSON Schema of a tool's input, in the draft that function calling takes. */
function parametersOf({ inputSchema }: ToolDefinition): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(inputSchema, { target: 'draft-7', io: 'input' });
  return { ...schema, additionalProperties: false };
}

/** Converts the definitions for the Responses API: `client.responses.create({ tools })`. */
export function toOpenAiTools(definitions: readonly ToolDefinition[]): OpenAiTool[] {
  return requireDefinitions(definitions).map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    parameters: parametersOf(tool),
    // Strict mode has no optional parameters.
    strict: false,
  }));
}

/** Converts the definitions for chat completions: `client.chat.completions.create({ tools })`. */
export function toOpenAiChatTools(definitions: readonly ToolDefinition[]): OpenAiChatTool[] {
  return requireDefinitions(definitions).map((tool) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: parametersOf(tool) },
  }));
}

const callSchema = z.object({ name: z.string(), arguments: z.string() });

/**
 * Does what the model called for and returns the output to send back: JSON text. A call that fails for a reason the
 * model can mend (no such tool, wrong arguments, unknown peer …) is answered with `{ error: { code, message } }`;
 * anything else is thrown.
 *
 * @throws LedgerError `INVALID_INPUT` when `definitions` or `call` is none
 */
export async function runOpenAiToolCall(
  definitions: readonly ToolDefinition[],
  call: { readonly name: string; readonly arguments: string },
): Promise<string> {
  parse(callSchema, call, 'call');
  const tool = requireDefinitions(definitions).find(({ name }) => name === call.name);
  if (!tool) return failure('TOOL_NOT_FOUND', 'There is no such tool.');
  let input: unknown;
  try {
    input = JSON.parse(call.arguments || '{}');
  } catch {
    return failure('INVALID_INPUT', 'The arguments are not JSON.');
  }
  try {
    return JSON.stringify(await tool.execute(input));
  } catch (error) {
    if (isBonafideError(error) && error.name === 'LedgerError') return failure(error.code, error.message);
    throw error;
  }
}

const failure = (code: string, message: string): string => JSON.stringify({ error: { code, message } });
