import type { CodeArtifact, Suite } from './suite.ts';

/** The reference of a suite, or of a suite of vectors its oracle; null without either. Pure. */
export function referenceOf(suite: Suite): CodeArtifact | null {
  const found = suite.reference ?? (suite.mode === 'vectors' ? suite.oracle : undefined);
  return found === undefined ? null : ({ language: suite.language, ...found } as CodeArtifact);
}
