import type { ReflectAnswer, Reflector, ReflectRequest } from '../reflector.ts';

/** One step of a script: an answer, its output alone, an error to throw, or a function of the question. */
export type ScriptStep =
  | ReflectAnswer
  | { readonly assessments: readonly unknown[] }
  | string
  | Error
  | ((request: ReflectRequest) => Promise<ReflectAnswer> | ReflectAnswer);

/** A reflector that follows a script, and what it was asked. */
export interface ScriptedReflector extends Reflector {
  readonly requests: readonly ReflectRequest[];
}

function answer(step: ScriptStep, request: ReflectRequest): Promise<ReflectAnswer> | ReflectAnswer {
  if (typeof step === 'function') return step(request);
  if (step instanceof Error) throw step;
  if (typeof step === 'string') return { output: step };
  return 'output' in step ? step : { output: step };
}

/**
 * A reflector for tests: gives the steps one after another and stays with the last one. Without steps it has nothing
 * to say about anybody.
 */
export function createScriptedReflector(...steps: readonly ScriptStep[]): ScriptedReflector {
  const requests: ReflectRequest[] = [];
  return {
    name: 'scripted',
    requests,
    async reflect(request) {
      requests.push(request);
      return answer(steps[requests.length - 1] ?? steps.at(-1) ?? { assessments: [] }, request);
    },
  };
}
