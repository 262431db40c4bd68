/**
 * The ledger's tools on a server of the Model Context Protocol (`@modelcontextprotocol/server`).
 * @packageDocumentation
 */
import type { Unsubscribe } from '@bonafide/internal';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Ledger } from '../ledger.ts';
import type { ToolDefinition } from '../tools.ts';

/**
 * Registers the ledger's tools with a server. `assess_peer` is added and removed with the assessor mode, and
 * clients are notified. An error of a tool reaches the client as a tool result with `isError`. Returns a
 * function that removes the tools.
 *
 * @example
 * const server = new McpServer({ name: 'ledger', version: '1.0.0' }); registerMcpTools(server, ledger); await
 * server.connect(new StdioServerTransport());
 */
export function registerMcpTools(
  server: McpServer,
  ledger: Pick<Ledger, 'tools' | 'on'>,
  options: { readonly assessor?: string } = {},
): Unsubscribe {
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

function register(server: McpServer, tool: ToolDefinition): { remove(): void } {
  const { name, description, inputSchema, annotations, execute } = tool;
  return server.registerTool(name, { description, inputSchema, annotations }, async (input: unknown) => {
    const result = await execute(input);
    return {
      content: [{ type: 'text' as const, text: JSON.stringify(result) }],
      structuredContent: { ...result },
    };
  });
}
