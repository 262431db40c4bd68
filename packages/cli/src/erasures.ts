import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { bytesToHex, hmacBase32 } from '@bonafide/internal';
import { openLedger } from './workspace.ts';

interface Entry {
  readonly agent: string;
  /** Keyed hash of the peerId. */
  readonly peer: string;
  readonly at: number;
}

/** The list of erased peers beside a ledger's file, so that a restored backup does not bring them back. */
const fileOf = (path: string) => `${path}.erasures`;

/** Adds an erased peer to the list. Keeps a keyed hash and not the id. */
export function listErasure(
  path: string,
  { agent, peerId, at }: Omit<Entry, 'peer'> & { readonly peerId: string },
) {
  const { key } = readErasures(path) ?? begin(path);
  const entry: Entry = { agent, peer: hmacBase32(key, peerId), at };
  appendFileSync(fileOf(path), `${JSON.stringify(entry)}\n`, { flush: true });
}

/** Erases again what a restored backup has brought back. Returns the number of peers. */
export async function repeatErasures(path: string): Promise<number> {
  const erasures = readErasures(path);
  if (!erasures) return 0;
  const { key, entries } = erasures;
  let count = 0;
  for (const [agent, ofAgent] of Map.groupBy(entries, (entry) => entry.agent)) {
    const erased = new Set(ofAgent.map((entry) => entry.peer));
    await using open = await openLedger(path, agent, 'write');
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof open.ledger.listPeers>> = await open.ledger.listPeers({
        limit: 1_000,
        orderBy: 'firstSeenAt',
        cursor,
      });
      for (const { peerId } of page.items) if (erased.has(hmacBase32(key, peerId))) found.push(peerId);
      cursor = page.nextCursor;
    } while (cursor !== null);
    for (const peerId of found) await open.ledger.forgetPeer(peerId, { reason: 'Erased before.' });
    count += found.length;
  }
  return count;
}

function begin(path: string): { readonly key: string } {
  const key = bytesToHex(globalThis.crypto.getRandomValues(new Uint8Array(32)));
  appendFileSync(fileOf(path), `${JSON.stringify({ key })}\n`, { mode: 0o600, flush: true });
  return { key };
}

function readErasures(path: string): { readonly key: string; readonly entries: readonly Entry[] } | null {
  const file = fileOf(path);
  if (!existsSync(file)) return null;
  const [first, ...rest] = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  if (first === undefined) return null;
  const { key } = JSON.parse(first) as { readonly key: string };
  return { key, entries: rest.map((line) => JSON.parse(line) as Entry) };
}
