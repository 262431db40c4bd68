// An MCP server with one tool, as anyone would write it.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const server = new McpServer({ name: 'shout', version: '1.0.0' });
const inputSchema = z.object({ text: z.string() });
server.registerTool('shout', { description: 'Writes in capitals.', inputSchema }, async ({ text }) => ({
  content: [{ type: 'text', text: text.toUpperCase() }],
}));
await server.connect(new StdioServerTransport());
