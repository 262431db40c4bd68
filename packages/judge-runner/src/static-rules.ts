/** Rules of static analysis. */
export const staticRules = [
  'secret-path',
  'packed-code',
  'network-import',
  'process-import',
  'process-call',
  'native-import',
  'harness-import',
  'dynamic-code',
  'dynamic-import',
  'reflection',
  'constant-comparison',
  'unreadable',
] as const;

/** One of {@link staticRules}. */
export type StaticRule = (typeof staticRules)[number];
