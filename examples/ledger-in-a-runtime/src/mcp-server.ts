import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { registerMcpTools } from '@bonafide/ledger-core/mcp';
import { acquireWriter, openSqlite } from '@bonafide/storage';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Serves the ledger in a file over MCP: `node mcp-server.ts ledger.db`, as a client's configuration would start it. */
const path = process.argv[2] ?? 'ledger.db';
const lock = acquireWriter({ path });
const db = openSqlite({ path });
await migrateLedger(db);
const ledger = createLedger({ store: createKyselyLedgerStore(db) });

const server = new McpServer({ name: 'bonafide-ledger', version: '0.0.0' });
registerMcpTools(server, ledger);
const closed = new Promise<void>((resolve) => {
  process.stdin.once('end', resolve);
});
await server.connect(new StdioServerTransport());

await closed;
await server.close();
await ledger.close();
await db.destroy();
lock.release();
