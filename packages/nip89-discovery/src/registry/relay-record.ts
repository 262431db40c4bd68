import type { CardRejection } from '../card/assess.ts';
import type { RelayStanding } from './relay-tier.ts';

/** The stored tier and counters of a relay. */
export interface RelayRecord extends RelayStanding {
  readonly relay: string;
  readonly received: number;
  readonly taken: number;
  readonly dropped: number;
  readonly rejected: Readonly<Partial<Record<CardRejection, number>>>;
  readonly lastEventAt: number | null;
}
