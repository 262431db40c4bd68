import type { ReflectAnswer, Reflector, ReflectRequest } from '../reflection/reflector.ts';

/** One step of a script: an answer, its output alone, an error to throw, or a function of the request. */
export type ScriptStep =
  | ReflectAnswer
  | { readonly assessments: readonly unknown[] }
  | string
  | Error
  | ((request: ReflectRequest) => Promise<ReflectAnswer> | ReflectAnswer);

/** A scripted reflector with the requests that it received. */
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
 * Creates a reflector for tests: it returns the steps in order and repeats the last one. Without steps it proposes
 * nothing.
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
