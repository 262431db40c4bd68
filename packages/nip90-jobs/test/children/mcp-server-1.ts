// The same as mcp-server.ts, with the first major of the SDK.
import { existsSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as z from 'zod';

const server = new McpServer({ name: 'sums', version: '1.0.0' });
server.registerTool(
  'add',
  {
    description: 'Adds two numbers.',
    inputSchema: { a: z.number(), b: z.number() },
    outputSchema: { sum: z.number() },
  },
  async ({ a, b }) => ({ content: [{ type: 'text', text: `${a + b}` }], structuredContent: { sum: a + b } }),
);
server.registerTool(
  'shout',
  {
    description: 'Writes a text in capitals, word by word; goes on when the file exists.',
    inputSchema: { text: z.string(), until: z.string().optional() },
  },
  async ({ text, until }, { _meta, sendNotification }) => {
    const words = text.split(' ');
    for (const [index, word] of words.entries()) {
      if (_meta?.progressToken !== undefined)
        await sendNotification({
          method: 'notifications/progress',
          params: {
            progressToken: _meta.progressToken,
            progress: index + 1,
            total: words.length,
            message: word.toUpperCase(),
          },
        });
      while (until !== undefined && !existsSync(until))
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { content: [{ type: 'text', text: text.toUpperCase() }] };
  },
);
server.registerTool('fail', { description: 'Fails.', inputSchema: {} }, async () => ({
  content: [{ type: 'text', text: 'out of luck' }],
  isError: true,
}));
server.registerTool('crash', { description: 'Ends its server.', inputSchema: {} }, async () =>
  process.exit(3),
);
await server.connect(new StdioServerTransport());
