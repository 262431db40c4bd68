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
