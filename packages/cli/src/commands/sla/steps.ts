import type { DisputeClaim } from '@bonafide/trust-score';

/** Facts that make a ground one of force majeure, by its name on the command line. */
export const grounds = {
  'registry-outage': { ground: 'registry_outage', shareDown: 1 },
  'natural-disaster': { ground: 'natural_disaster', affectsInfrastructure: true },
  'ddos-attack': { ground: 'ddos_attack', mitigated: true },
  'government-shutdown': { ground: 'government_shutdown', mandated: true },
} as const satisfies Record<string, DisputeClaim['forceMajeure']>;
/** Name of a ground of force majeure on the command line. */
export type Ground = keyof typeof grounds;

/** Steps of a breach that need nothing but their time. */
export const plainSteps = ['confirm', 'lapse', 'penalise', 'good-day', 'bad-day', 'review'] as const;
/** Name of a plain step. */
export type PlainStep = (typeof plainSteps)[number];
