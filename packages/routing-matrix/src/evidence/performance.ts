/** Latency class of a platform relative to the task type's baseline. */
export type PerformanceTier = 'FAST' | 'STANDARD' | 'SLOW';

/** Strength of a platform. */
export type Annotation = 'fast' | 'reliable' | 'efficient' | 'thorough';

/** Returns the latency class of a platform. Arguments are valid. */
export function performanceTier(p50Ms: number | null, baselineMs: number | null): PerformanceTier | null {
  if (p50Ms === null || baselineMs === null || baselineMs <= 0) return null;
  if (p50Ms < 0.75 * baselineMs) return 'FAST';
  return p50Ms <= 1.5 * baselineMs ? 'STANDARD' : 'SLOW';
}

/** Input of {@link annotate}; `null`: not measured. */
export interface PerformanceFigures {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly baselineP50Ms: number | null;
  readonly baselineP95Ms: number | null;
  /** Largest recent peak memory as a share of the limit. */
  readonly memoryShare: number | null;
  /** Typical recent test coverage, 0..1. */
  readonly coverage: number | null;
}

/** Returns the strengths of a platform. Arguments are valid. */
export function annotate(figures: PerformanceFigures): Annotation[] {
  const { p50Ms, p95Ms, baselineP50Ms, baselineP95Ms, memoryShare, coverage } = figures;
  const annotations: Annotation[] = [];
  if (p50Ms !== null && baselineP50Ms !== null && p50Ms < 0.75 * baselineP50Ms) annotations.push('fast');
  if (p95Ms !== null && baselineP95Ms !== null && p95Ms < baselineP95Ms) annotations.push('reliable');
  if (memoryShare !== null && memoryShare < 0.8) annotations.push('efficient');
  if (coverage !== null && coverage > 0.9) annotations.push('thorough');
  return annotations;
}
