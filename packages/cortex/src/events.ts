/** After a cycle was applied (CTX-22). */
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
  /** Keys of beliefs whose time ran out or that the cap put out. */
  readonly beliefsExpired: readonly string[];
  /** How many directives went to the main loop. */
  readonly directivesIssued: number;
  readonly summary: string;
  readonly elapsedSeconds: number;
}

/** After the cortex wrote an assessment (CTX-22). The ledger announces the same row itself: dedupe by `assessmentId`. */
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
