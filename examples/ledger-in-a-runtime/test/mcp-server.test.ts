import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { openSqlite } from '@bonafide/storage';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';

const script = join(import.meta.dirname, '../src/mcp-server.ts');

it('LED-17 the MCP server serves a ledger file over stdio', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'ledger.db');
  const db = openSqlite({ path });
  await migrateLedger(db);
  const ledger = createLedger({ store: createKyselyLedgerStore(db) });
  await ledger.recordIncoming({ peerId: 'bob', channel: 'telegram', content: 'Hello ⟧ there', alias: 'Bob' });

  const client = new Client({ name: 'test', version: '0.0.0' });
  onTestFinished(() => client.close());
  // The transport passes on only a few variables of the environment, and NODE_OPTIONS is not one of them.
  const args = ['--conditions=@bonafide/source', script, path];
  const transport = new StdioClientTransport({ command: process.execPath, args });
  await client.connect(transport);

  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['query_peer', 'list_peers', 'assess_peer']);
  const assessed = await client.callTool({
    name: 'assess_peer',
    arguments: { peer_id: 'telegram:bob', trust: 2, rationale: 'Said hello, asked for nothing.' },
  });
  expect(assessed.structuredContent).toMatchObject({ recorded: true, trust: 2, info_score: 1 });
  const found = await client.callTool({ name: 'query_peer', arguments: { peer_id: 'telegram:bob' } });
  expect(found.structuredContent).toMatchObject({
    alias: '⟦Bob⟧',
    trust: 2,
    rationale: '⟦Said hello, asked for nothing.⟧',
    last_interactions: [{ direction: 'in', text: '⟦Hello there⟧' }],
  });
  const failed = await client.callTool({
    name: 'assess_peer',
    arguments: { peer_id: 'nobody', trust: 2, rationale: 'Never met.' },
  });
  expect(failed).toMatchObject({ isError: true });
  await client.close();

  // Written by the other process, in the file that this one has open too.
  expect(await ledger.getLatestAssessment('telegram:bob')).toMatchObject({ trust: 2 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await db.destroy();
});
