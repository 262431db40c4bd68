import { type Layer, layers } from './suite.ts';
import type { LayerResult, TestResult } from './verdict.ts';

/** Cases in the order of their layers, and within a layer as the suite has them. */
export function inLayerOrder<Case extends { readonly layer: Layer }>(cases: readonly Case[]): Case[] {
  return layers.flatMap((layer) => cases.filter((test) => test.layer === layer));
}

/** Tests counted by layer; layers without a test are absent. */
export function summarizeLayers(tests: readonly TestResult[]): LayerResult[] {
  return layers.flatMap((layer) => {
    const own = tests.filter((test) => test.layer === layer);
    if (own.length === 0) return [];
    const count = (status: TestResult['status']) => own.filter((test) => test.status === status).length;
    const passed = count('passed');
    return {
      layer,
      total: own.length,
      passed,
      failed: count('failed'),
      notRun: count('not-run'),
      passRate: passed / own.length,
    };
  });
}

const weights: Partial<Record<Layer, number>> = { correctness: 1, edge: 0.5 };

/** The pass rate of the composite score: (correctness + ½ edge) weighted by count, or null without either. */
export function compositePassRate(results: readonly LayerResult[]): number | null {
  let passed = 0;
  let total = 0;
  for (const result of results) {
    const weight = weights[result.layer] ?? 0;
    passed += weight * result.passed;
    total += weight * result.total;
  }
  return total === 0 ? null : passed / total;
}

/**
 * Returns the performance tier: 1 when every performance test passed, 2 for at least 60 %, else 3; null when
 * the suite has none. Performance tests count for the outcome like other tests, but not for the composite
 * score.
 */
export function performanceTier(results: readonly LayerResult[]): 1 | 2 | 3 | null {
  const own = results.find(({ layer }) => layer === 'performance');
  if (!own) return null;
  if (own.passRate === 1) return 1;
  return own.passRate >= 0.6 ? 2 : 3;
}
