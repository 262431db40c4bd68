/**
 * The ledger's tools for the AI SDK (`ai`).
 * @packageDocumentation
 */
import { type ToolSet, tool } from 'ai';
import type { ToolDefinition } from '../tools.ts';

/**
 * The definitions as `generateText`, `streamText` and agents take them. What a tool throws reaches the model
 * as the SDK's own tool error.
 *
 * @example
 * await generateText({ model, prompt, tools: toAiSdkTools(ledger.tools()) });
 */
export function toAiSdkTools(definitions: readonly ToolDefinition[]): ToolSet {
  return Object.fromEntries(
    definitions.map(({ name, description, inputSchema, execute }) => [
      name,
      tool({ description, inputSchema, execute: (input: unknown) => execute(input) }),
    ]),
  );
}
