// node customer.ts <relay>: an MCP server over stdio whose tools hire providers, for any model's host.
import { createJobClient, createMemoryJobStore } from '@bonafide/nip90-jobs';
import { jobTools, registerJobTools } from '@bonafide/nip90-jobs/mcp';
import { createKeySigner, createTransport, loadSecretKey } from '@bonafide/nostr-transport';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [relay = ''] = process.argv.slice(2);
const transport = createTransport({ addresses: { allowHosts: [new URL(relay).hostname] } });
const signer = createKeySigner(await loadSecretKey({ env: 'BONAFIDE_SECRET_KEY' }));
const client = createJobClient({ transport, signer, store: createMemoryJobStore(), relays: [relay] });
await client.start();
const server = new McpServer({ name: 'hire', version: '1.0.0' });
registerJobTools(server, jobTools(client));
await server.connect(new StdioServerTransport());
