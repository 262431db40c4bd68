import type { Language } from '../suite.ts';

const candidates: Readonly<Record<Language, readonly string[]>> = {
  python: ['solution.py'],
  javascript: ['solution.js', 'solution.mjs', 'solution.cjs'],
};

/** Returns the artifact's file that is loaded, or null when it has none that can be. Pure. */
export function mainFile(language: Language, files: Readonly<Record<string, unknown>>): string | null {
  return candidates[language].find((name) => name in files) ?? null;
}
