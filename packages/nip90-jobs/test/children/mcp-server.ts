// An MCP server as a process of its own, over stdio, as anyone would write it.
import { existsSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const server = new McpServer({ name: 'sums', version: '1.0.0' });
server.registerTool(
  'add',
  {
    description: 'Adds two numbers.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  },
  async ({ a, b }) => ({
    content: [{ type: 'text', text: `${a + b}` }],
    structuredContent: { sum: a + b },
  }),
);
server.registerTool(
  'shout',
  {
    description: 'Writes a text in capitals, word by word; goes on when the file exists.',
    inputSchema: z.object({ text: z.string(), until: z.string().optional() }),
  },
  async ({ text, until }, context) => {
    const { progressToken } = context.mcpReq._meta ?? {};
    const words = text.split(' ');
    for (const [index, word] of words.entries()) {
      if (progressToken !== undefined)
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: index + 1, total: words.length, message: word.toUpperCase() },
        });
      while (until !== undefined && !existsSync(until))
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { content: [{ type: 'text', text: text.toUpperCase() }] };
  },
);
server.registerTool('fail', { description: 'Fails.', inputSchema: z.object({}) }, async () => ({
  content: [{ type: 'text', text: 'out of luck' }],
  isError: true,
}));
server.registerTool('crash', { description: 'Ends its server.', inputSchema: z.object({}) }, async () =>
  process.exit(3),
);
await server.connect(new StdioServerTransport());
