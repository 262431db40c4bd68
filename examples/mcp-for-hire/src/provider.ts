// node provider.ts <relay> <command> [argument …]: offers the tools of any MCP server for hire, until Ctrl-C.
import { provideMcpServer } from '@bonafide/nip90-jobs/mcp';
import { createKeySigner, createTransport, loadSecretKey } from '@bonafide/nostr-transport';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [relay = '', command = '', ...args] = process.argv.slice(2);
const mcp = new Client({ name: 'mcp-for-hire', version: '1.0.0' });
await mcp.connect(new StdioClientTransport({ command, args }));
const transport = createTransport({ addresses: { allowHosts: [new URL(relay).hostname] } });
const signer = createKeySigner(await loadSecretKey({ env: 'BONAFIDE_SECRET_KEY' }));
const { tools } = await provideMcpServer(mcp, { kinds: [5910], transport, signer, relays: [relay] });
process.stdout.write(`${await signer.getPublicKey()} offers ${tools.join(', ')}.\n`);
