/**
 * The ledger's tools on a server of the Model Context Protocol (`McpServer` of
 * `@modelcontextprotocol/server` 2 and of `@modelcontextprotocol/sdk` 1).
 * @packageDocumentation
 */
import { hasMethods, type Unsubscribe } from '@bonafide/internal';
import * as z from 'zod';
import type { Ledger } from '../ledger.ts';
import { parse } from '../parse.ts';
import type { ToolAnnotations, ToolDefinition } from '../tools.ts';

/** What {@link registerMcpTools} uses of an SDK's `McpServer`. */
export interface McpToolServer {
  registerTool(
    name: string,
    config: { description: string; inputSchema: z.ZodObject; annotations: ToolAnnotations },
    // biome-ignore lint/suspicious/noExplicitAny: each SDK has a type of its own for the arguments.
    callback: (input: any) => Promise<McpToolResult>,
  ): { remove(): void };
}

/** What a registered tool answers. */
export interface McpToolResult {
  /** For the compiler: the SDKs' results are open. */
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent: Record<string, unknown>;
}

const serverSchema = z.custom(hasMethods('registerTool'), 'must be an McpServer');
const ledgerSchema = z.custom(hasMethods('tools', 'on'), 'must be a ledger');

/**
 * Registers the ledger's tools with a server. `assess_peer` is added and removed with the assessor mode, and
 * clients are notified. An error of a tool reaches the client as a tool result with `isError`. Returns a
 * function that removes the tools.
 *
 * @example
 * const server = new McpServer({ name: 'ledger', version: '1.0.0' });
 * registerMcpTools(server, ledger);
 * await server.connect(new StdioServerTransport());
 * @throws LedgerError `INVALID_INPUT`
 */
export function registerMcpTools(
  server: McpToolServer,
  ledger: Pick<Ledger, 'tools' | 'on'>,
  options: { readonly assessor?: string } = {},
): Unsubscribe {
  parse(serverSchema, server, 'server');
  parse(ledgerSchema, ledger, 'ledger');
  const registered = new Map<string, { remove(): void }>();
  function follow(): void {
    const tools = ledger.tools(options);
    for (const [name, { remove }] of registered) {
      if (tools.some((tool) => tool.name === name)) continue;
      remove();
      registered.delete(name);
    }
    for (const tool of tools) {
      if (!registered.has(tool.name)) registered.set(tool.name, register(server, tool));
    }
  }
  follow();
  const unsubscribe = ledger.on('afterAssessorChange', follow);
  return () => {
    unsubscribe();
    for (const { remove } of registered.values()) remove();
    registered.clear();
  };
}

function register(server: McpToolServer, tool: ToolDefinition): { remove(): void } {
  const { name, description, inputSchema, annotations, execute } = tool;
  return server.registerTool(name, { description, inputSchema, annotations }, async (input: unknown) => {
    const result = await execute(input);
    return {
      content: [{ type: 'text' as const, text: JSON.stringify(result) }],
      structuredContent: { ...result },
    };
  });
}
