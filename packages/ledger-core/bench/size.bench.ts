/*
 * What the size of a ledger costs (LED-31): the same calls on a journal of 50 peers and on one of 50,000 peers and a
 * million interactions with outcomes, by turns in one process, so that a busy machine slows both alike. The smaller sizes
 * without BONAFIDE_PROOF=full only show that it runs. Prints a markdown table per database.
 */
import { testDatabases } from '@bonafide/storage/testing';
import { createLedger, type Ledger } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';
import { fillJournal } from '../test/support/large-journal.ts';

const large =
  process.env.BONAFIDE_PROOF === 'full'
    ? { peers: 50_000, interactions: 1_000_000 }
    : { peers: 2_000, interactions: 40_000 };
const small = { peers: 50, interactions: 1_000 };

interface Side {
  readonly ledger: Ledger;
  readonly peers: number;
}

interface Measurement {
  readonly what: string;
  readonly count: number;
  readonly call: (side: Side, n: number) => Promise<unknown>;
}

const peerOf = ({ peers }: Side, n: number) => (n * 7919) % peers;
const calls: readonly Measurement[] = [
  {
    what: 'first contact: prompt block of a stranger',
    count: 600,
    call: ({ ledger }, n) => ledger.peerContext(`irc:stranger-${n}`),
  },
  {
    what: 'first contact: record the first message',
    count: 300,
    call: ({ ledger }, n) =>
      ledger.recordIncoming({ peerId: `new-${n}`, channel: 'irc', content: 'Hello, can you help me?' }),
  },
  {
    what: 'prompt block of a known peer',
    count: 600,
    call: (side, n) => side.ledger.peerContext(`irc:peer-${peerOf(side, n)}`),
  },
  {
    what: '`query_peer`',
    count: 400,
    call: async (side, n) => {
      const [query] = side.ledger.tools();
      return await query?.execute({ peer_id: `irc:peer-${peerOf(side, n) || 1}` });
    },
  },
  {
    what: '`query_peer` of the peer with a tenth of all messages',
    count: 200,
    call: async ({ ledger }) => await ledger.tools()[0]?.execute({ peer_id: 'irc:peer-0' }),
  },
  {
    what: 'peer by handle',
    count: 600,
    call: (side, n) =>
      side.ledger.resolvePeer(`p-${side.peers === small.peers ? 'aaaaaaaa' : 'bbbbbbbb'}${n % 2 ? '' : '2'}`),
  },
  {
    what: 'outcome of a work',
    count: 300,
    call: ({ ledger }, n) =>
      ledger.recordOutcome(`work-${n + 1}`, 'verified', { externalId: `verdict-${n}` }),
  },
  {
    what: 'search for a word, newest 10',
    count: 100,
    call: ({ ledger }, n) => ledger.searchInteractions({ text: `${n + 7}`, limit: 10 }),
  },
  {
    what: '20 peers by number of messages',
    count: 200,
    call: ({ ledger }) => ledger.listPeers({ limit: 20, orderBy: 'interactionCount' }),
  },
  { what: '`getSummary`', count: 15, call: ({ ledger }) => ledger.getSummary() },
];

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
const inWords = (us: number) => (us < 1_000 ? `${us.toFixed(0)} µs` : `${(us / 1_000).toFixed(1)} ms`);

/** Returns µs of CPU of this process. Of a database server the CPU is not in it. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Consumes a stream and returns how much the heap grew at most, in MB. */
async function growthOf(rows: AsyncIterable<unknown>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  let count = 0;
  for await (const _row of rows) {
    if (++count % 5_000 !== 0) continue;
    globalThis.gc?.();
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }
  return most / 1e6;
}

for (const name of ['node:sqlite', 'Postgres'] as const) {
  const database = testDatabases().find((each) => each.name === name);
  if (!database) continue;
  const opened = [];
  const sides: Side[] = [];
  for (const size of [small, large]) {
    const open = await database.open();
    opened.push(open);
    await migrateLedger(open.db);
    await fillJournal(open.db, database.dialect, size);
    // The filled rows are from 2023; now is a day after the last.
    const clock = () => 1_700_000_000_000 + 401 * 86_400_000;
    sides.push({
      ledger: createLedger({ store: createKyselyLedgerStore(open.db), clock }),
      peers: size.peers,
    });
  }
  const rows = calls.map(({ what, count, call }) => ({ what, count, call, wall: [[], []] as number[][] }));
  for (const { count, call, wall } of rows) {
    for (let n = 0; n < count; n += 1) {
      for (const [index, side] of n % 2 ? [...sides.entries()].reverse() : [...sides.entries()]) {
        const before = performance.now();
        await call(side, n);
        wall[index]?.push((performance.now() - before) * 1_000);
      }
    }
  }
  console.log(
    `\n${name}, p50\n\n| | ${sides.map(({ peers }) => `${peers.toLocaleString('en')} peers`).join(' | ')} | ratio |`,
  );
  console.log('|---|---:|---:|---:|');
  for (const { what, wall } of rows) {
    const [one = Number.NaN, other = Number.NaN] = wall.map(median);
    console.log(`| ${what} | ${inWords(one)} | ${inWords(other)} | ${(other / one).toFixed(2)} |`);
  }
  const cpu = [];
  const growth = [];
  for (const { ledger } of sides) {
    const runs = [];
    for (let n = 0; n < 9; n += 1) runs.push(await cpuOf(() => ledger.getSummary()));
    cpu.push(inWords(median(runs)));
    growth.push(
      `${(await growthOf(ledger.exportAssessments())).toFixed(1)} MB`,
      `${(await growthOf(ledger.exportAuditFindings())).toFixed(1)} MB`,
    );
  }
  console.log(`| \`getSummary\`, CPU of this process | ${cpu.join(' | ')} | |`);
  console.log(`| export of all assessments, most growth of the heap | ${growth[0]} | ${growth[2]} | |`);
  console.log(`| audit of all assessments, most growth of the heap | ${growth[1]} | ${growth[3]} | |`);
  for (const { close } of opened) await close();
}
