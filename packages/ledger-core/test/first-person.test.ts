import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createLedger, createMemoryLedgerStore } from '../src/index.ts';
import { ledgerMigrations } from '../src/stores/kysely.ts';

const source = join(import.meta.dirname, '../src');

describe('first person only', () => {
  it('LED-12 NET-7 nothing of the package listens, asks or is asked over a network', () => {
    const files = globSync('**/*.ts', { cwd: source });
    expect(files.length).toBeGreaterThan(20);
    const builtins = new Set<string>();
    for (const file of files) {
      const text = readFileSync(join(source, file), 'utf8');
      expect(text, file).not.toMatch(/(?<![.\w])(?:fetch|WebSocket|EventSource|XMLHttpRequest)\s*\(/u);
      for (const [, name = ''] of text.matchAll(/'([^']+)'/gu))
        if (name.startsWith('node:') && isBuiltin(name)) builtins.add(name);
    }
    expect([...builtins]).toEqual([]);
  });

  it('LED-12 a ledger writes what this agent saw, did, thought, and nothing that others rated', () => {
    const store = createMemoryLedgerStore();
    const writes = (of: object) =>
      Object.keys(of).filter(
        (name) => !/^(?:get|list|peer|resolve|export|search|on$|close$|agentId$)/u.test(name),
      );
    expect(writes(store)).toEqual([
      'recordInteraction',
      'recordOutcome',
      'recordAssessment',
      // The operator's corrections.
      'voidInteraction',
      'forgetPeer',
      // The key that handles are derived from, and verdicts about erased peers.
      'keepValue',
      'prune',
      // What the agent's own hooks failed at.
      'addHookFailures',
    ]);
    expect(writes(createLedger({ store })).sort()).toEqual([
      'assessorReport',
      'auditAssessments',
      'forgetPeer',
      'noteHookFailures',
      'prune',
      'recordAssessment',
      'recordIncoming',
      'recordOutcome',
      'recordOutgoing',
      'setAssessor',
      'tools',
      'voidInteraction',
    ]);
  });

  it("LED-5 LED-24 every row is one agent's: no table is without its agentId in the key", () => {
    const db = new DatabaseSync(':memory:');
    for (const { statements } of ledgerMigrations)
      for (const statement of statements('sqlite')) db.exec(statement);
    // The search index has no rows of its own: it is read through the messages, which are bound to an agent.
    const tables = db
      .prepare(`select name from sqlite_schema where type = 'table' and name not like 'ledger_search%'`)
      .all() as {
      name: string;
    }[];
    expect(tables.map(({ name }) => name).sort()).toEqual([
      'ledger_assessments',
      'ledger_hook_failures',
      'ledger_interactions',
      'ledger_outcomes',
      'ledger_peers',
      'ledger_settings',
    ]);
    for (const { name } of tables) {
      const columns = db.prepare(`select name, pk from pragma_table_info(?)`).all(name) as {
        name: string;
        pk: number;
      }[];
      expect(columns.find(({ pk }) => pk === 1)?.name, name).toBe('agent_id');
    }
    db.close();
  });
});
