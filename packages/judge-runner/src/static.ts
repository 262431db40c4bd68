import * as z from 'zod';
import { artifactFolder } from './languages/python.ts';
import { textOf } from './line.ts';
import type { Box } from './sandbox.ts';
import { secretPaths } from './seccomp/watched.ts';
import { type StaticRule, staticRules } from './static-rules.ts';
import type { StaticThresholds } from './suite.ts';
import type { StaticFinding, Violation } from './verdict.ts';

/** Rules that no honest program matches: opening a file of secrets by its full name. */
const unmistakable: ReadonlySet<StaticRule> = new Set(['secret-path']);

const findings = z.object({
  findings: z
    .array(
      z.object({
        rule: z.enum(staticRules),
        file: z.string().max(400),
        line: z.int().min(0),
        detail: z.string().max(600),
      }),
    )
    .max(500),
});

/**
 * Reads the artifact's text without running it, in the artifact's box before it is loaded, while the launcher
 * is still trusted. Null when the box ended meanwhile, as with a text that exhausts the parser.
 */
export async function analyseArtifact(box: Box): Promise<readonly StaticFinding[] | null> {
  const line = await box.request(JSON.stringify({ id: -1, analyse: artifactFolder, secret: secretPaths }));
  if (line === null) return null;
  const parsed = findings.safeParse(JSON.parse(textOf(line)));
  return parsed.success ? parsed.data.findings : null;
}

/** Findings that decide: the unmistakable ones, those that the suite forbids, and too many of the others. Pure. */
export function staticViolations(
  found: readonly StaticFinding[],
  thresholds: StaticThresholds = {},
): Violation[] {
  const forbidden = new Set([...unmistakable, ...(thresholds.forbid ?? [])]);
  const decisive = found.filter(({ rule }) => forbidden.has(rule));
  const others = found.length - decisive.length;
  const violations: Violation[] = decisive.map(({ file, line, detail }) => ({
    kind: 'static',
    evidence: `Its text, ${file} line ${line}, ${detail}.`,
  }));
  if (thresholds.maxWarnings !== undefined && others > thresholds.maxWarnings)
    violations.push({
      kind: 'static',
      evidence: `Its text has ${others} suspicious places; the suite allows ${thresholds.maxWarnings}.`,
    });
  return violations;
}
