import { JudgeError } from '../errors.ts';
import type { Artifact, Language, Suite } from '../suite.ts';

const candidates: Readonly<Record<Language, readonly string[]>> = {
  python: ['solution.py'],
  javascript: ['solution.js', 'solution.mjs', 'solution.cjs'],
};

/** Returns the artifact's file that is loaded, or null when it has none that can be. Pure. */
export function mainFile(language: Language, files: Readonly<Record<string, unknown>>): string | null {
  return candidates[language].find((name) => name in files) ?? null;
}

const typescript = /\.[cm]?tsx?$/;

/**
 * Makes sure that an artifact for a suite of JavaScript is not TypeScript, which boxes cannot run.
 * @throws JudgeError `ARTIFACT_INVALID`.
 */
export function requireJavascript(artifact: Artifact, suite: Suite): void {
  if (suite.mode === 'program' || suite.language !== 'javascript') return;
  const names = 'files' in artifact ? Object.keys(artifact.files) : [];
  const first = names.find((name) => typescript.test(name));
  const isTypescript =
    artifact.language === 'typescript' ||
    (first !== undefined && !names.some((name) => /\.[cm]?js$/.test(name)));
  if (!isTypescript) return;
  throw new JudgeError(
    'ARTIFACT_INVALID',
    `TypeScript is not taken${first === undefined ? '' : `: the artifact has ${first} and no JavaScript`}. Build it first, and give the JavaScript.`,
  );
}
