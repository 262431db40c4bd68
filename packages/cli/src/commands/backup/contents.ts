import { existsSync } from 'node:fs';
import { isBonafideError } from '@bonafide/internal';
import { counted, moment } from '../../format.ts';
import { openLedger } from '../../open-ledger.ts';

/** Summary of a ledger's file, to tell backups apart. */
export interface Contents {
  readonly peers: number;
  readonly interactions: number;
  readonly assessments: number;
  /** Time of the last message, ms since epoch; null without any. */
  readonly lastSeenAt: number | null;
}

/** Looks into a ledger's file; null when there is none, or none that this version can read without changing it. */
export async function contentsOf(path: string, agentId: string): Promise<Contents | null> {
  if (!existsSync(path)) return null;
  try {
    await using open = await openLedger(path, agentId);
    const { peers, interactions, assessments } = await open.ledger.getSummary();
    const [latest] = (await open.ledger.listPeers({ limit: 1 })).items;
    return { peers, interactions, assessments, lastSeenAt: latest?.lastSeenAt ?? null };
  } catch (error) {
    if (!isBonafideError(error)) throw error;
    return null;
  }
}

/** Formats a summary as one line. */
export function contentsInWords(contents: Contents | null): string {
  if (contents === null) return 'no ledger that this version can look into';
  const { peers, interactions, assessments, lastSeenAt } = contents;
  const last = lastSeenAt === null ? '' : `, the last message ${moment(lastSeenAt)}`;
  return `${counted(peers, 'peer')}, ${counted(interactions, 'interaction')}, ${counted(assessments, 'assessment')}${last}`;
}
