import type { CardRejection } from '../card/assess.ts';
import type { RelayStanding } from './relay-tier.ts';

/** What is remembered of a relay over a restart: where it stands, and what it gave us (DIS-1). */
export interface RelayRecord extends RelayStanding {
  readonly relay: string;
  readonly received: number;
  readonly taken: number;
  readonly dropped: number;
  readonly rejected: Readonly<Partial<Record<CardRejection, number>>>;
  readonly lastEventAt: number | null;
}
