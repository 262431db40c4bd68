/**
 * The ledger's tools for the AI SDK (`ai`).
 * @packageDocumentation
 */
import type * as z from 'zod';
import { requireDefinitions } from '../tool-definitions.ts';
import type { ToolDefinition, ToolResult } from '../tools.ts';

/** A tool in the form of the AI SDK, assignable to its type `Tool` in versions 5 to 7. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  execute(input: unknown): Promise<ToolResult>;
}

/**
 * Returns the definitions as `generateText`, `streamText` and agents take them, by name. An error that a tool throws
 * reaches the model as the SDK's own tool error. Nothing of the SDK is imported.
 *
 * @example
 * await generateText({ model, prompt, tools: toAiSdkTools(ledger.tools()) });
 */
export function toAiSdkTools(definitions: readonly ToolDefinition[]): Record<string, AiSdkTool> {
  return Object.fromEntries(
    requireDefinitions(definitions).map(({ name, description, inputSchema, execute }) => [
      name,
      { description, inputSchema, execute: (input: unknown) => execute(input) },
    ]),
  );
}
