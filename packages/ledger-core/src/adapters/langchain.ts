/**
 * The ledger's tools for LangChain (`@langchain/core`).
 * @packageDocumentation
 */
import { type DynamicStructuredTool, tool } from '@langchain/core/tools';
import { requireDefinitions } from '../tool-definitions.ts';
import type { ToolDefinition } from '../tools.ts';

/**
 * The definitions as LangChain's structured tools, for `model.bindTools` and agents. They answer with JSON
 * text.
 *
 * @example
 * const model = chatModel.bindTools(toLangChainTools(ledger.tools()));
 */
export function toLangChainTools(definitions: readonly ToolDefinition[]): readonly DynamicStructuredTool[] {
  return requireDefinitions(definitions).map(({ name, description, inputSchema, execute }) =>
    tool(async (input: unknown) => JSON.stringify(await execute(input)), {
      name,
      description,
      schema: inputSchema,
    }),
  );
}
