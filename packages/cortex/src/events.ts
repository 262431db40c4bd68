import type { Emitter, Logger } from '@bonafide/internal';
import type { CycleRecord } from './audit/cycle-record.ts';

/** Emitted after a cycle was applied. */
export interface AfterReflectEvent {
  readonly cycle: number;
  /** The first of `triggers`. */
  readonly trigger: string;
  readonly triggers: readonly string[];
  /** Ids of the peers that were assessed. */
  readonly peersAssessed: readonly string[];
  /** Keys of beliefs that are new. */
  readonly beliefsAdded: readonly string[];
  /** Keys of beliefs that were repeated or revised. */
  readonly beliefsReaffirmed: readonly string[];
  /** Keys of expired and evicted beliefs. */
  readonly beliefsExpired: readonly string[];
  /** Number of directives issued to the main loop. */
  readonly directivesIssued: number;
  readonly summary: string;
  readonly elapsedSeconds: number;
}

/**
 * Emitted after the cortex wrote an assessment. The ledger emits the same row: deduplicate by `assessmentId`.
 */
export interface AfterAssessEvent {
  readonly peerId: string;
  readonly trust: number;
  readonly rationale: string;
  readonly infoScore: number;
  readonly cycle: number;
  readonly assessmentId: string;
}

/** The cortex's events by name. */
export interface CortexEvents {
  readonly afterReflect: AfterReflectEvent;
  readonly afterAssess: AfterAssessEvent;
}

/** Logs an applied cycle and emits its event. */
export function announce(record: CycleRecord, events: Emitter<CortexEvents>, logger: Logger): void {
  const { cycle, trigger, triggers, summary, beliefs, directives } = record;
  const peersAssessed = record.assessments.map((assessment) => assessment.peerId);
  logger.info({ cycle, triggers, peersAssessed, dropped: record.dropped.length }, 'Cycle applied');
  events.emit('afterReflect', {
    ...{ cycle, trigger, triggers, peersAssessed, summary },
    beliefsAdded: beliefs.added,
    beliefsReaffirmed: [...beliefs.reaffirmed, ...beliefs.revised],
    beliefsExpired: [...beliefs.expired, ...beliefs.evicted],
    directivesIssued: directives.length,
    elapsedSeconds: record.durationMs / 1_000,
  });
}
