import { type Child, runChild as run } from '@bonafide/internal/testing';
import { onTestFinished } from 'vitest';

/** Runs a script of this folder until the test ends. */
export function runChild(script: string, ...args: readonly string[]): Child {
  const child = run(new URL(script, import.meta.url), args);
  onTestFinished(child.stop);
  return child;
}
