import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSqlite } from '@bonafide/storage';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';

const kills = process.env.BONAFIDE_PROOF === 'full' ? 200 : 10;
const writer = join(import.meta.dirname, 'support/writer.ts');

/**
 * Starts the writer and kills it `ms` after it has acknowledged `records`, so that kills meet it at different points of a write.
 * Returns what it said was written.
 */
async function runAndKill(
  path: string,
  run: string,
  records: number,
  ms: number,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, [writer, path, run], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      said += chunk;
      // The first line says that it begins.
      if (said.split('\n').length - 2 >= records) resolve();
    });
  });
  const ended = new Promise<string | number | null>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  await Promise.race([ready, ended]);
  await sleep(ms);
  child.kill('SIGKILL');
  expect(await ended, complaint).toBe('SIGKILL');
  // The kill may have cut the last line short; it was not said then.
  return said.split('\n').slice(1, -1);
}

it(
  `LED-23 loses nothing that was acknowledged, ${kills} SIGKILLs under load`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bonafide-crash-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'ledger.db');
    let acknowledged = 0;

    for (let kill = 0; kill < kills; kill++) {
      const said = await runAndKill(path, `r${kill}`, 1 + ((kill * 7) % 40), (kill * 37) % 10);
      acknowledged += said.length;
      for (const end of ['', '-wal', '-shm']) {
        const mode = statSync(path + end, { throwIfNoEntry: false })?.mode;
        if (mode !== undefined) expect(mode & 0o777, `mode of the file${end}`).toBe(0o600);
      }
      const db = openSqlite<unknown>({ path });
      const strings = async (query: ReturnType<typeof sql<{ key: string }>>) =>
        new Set((await query.execute(db)).rows.map(({ key }) => key));
      const like = `r${kill}-%`;
      const kept = {
        i: await strings(
          sql`select external_id as key from ledger_interactions where external_id like ${like}`,
        ),
        o: await strings(
          sql`select substr(external_id, 3) as key from ledger_outcomes where external_id like ${`o-${like}`}`,
        ),
        a: await strings(
          sql`select substr(rationale, 12) as key from ledger_assessments where rationale like ${`Because of ${like}`}`,
        ),
      };
      const lost = said.filter((line) => !kept[line.charAt(0) as keyof typeof kept]?.has(line.slice(2)));
      expect(lost, `kill ${kill}`).toEqual([]);

      expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: 'ok' }]);
      expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([]);
      // No half record: a message is there with its outcome, and every count is that of the rows.
      const halves = await sql`
      select p.peer_id from ledger_peers p where
        p.interaction_count <> (select count(*) from ledger_interactions i where i.peer_id = p.peer_id)
        or p.assessment_count <> (select count(*) from ledger_assessments a where a.peer_id = p.peer_id)
        or p.success_count + p.failure_count + p.open_count <>
          (select count(distinct correlation_id) from ledger_outcomes o where o.peer_id = p.peer_id)
      union all select i.interaction_id from ledger_interactions i where not exists
        (select 1 from ledger_outcomes o where o.peer_id = i.peer_id and o.correlation_id = i.correlation_id)`;
      expect((await halves.execute(db)).rows).toEqual([]);
      await db.destroy();
    }
    expect(acknowledged).toBeGreaterThan(kills);
    // A limit against a hang, for each kill: on a busy machine all of them together take any time.
  },
  kills * 60_000,
);
