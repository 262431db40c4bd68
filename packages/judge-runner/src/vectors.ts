import { readLine } from './answer-thread.ts';
import { ProtocolError } from './answers.ts';
import { artifactFolder } from './languages/python.ts';
import { inLayerOrder } from './layers.ts';
import type { Line } from './line.ts';
import type { Box } from './sandbox.ts';
import type { Artifact, VectorCase, VectorSuite } from './suite.ts';
import { skipped, type TestRun } from './test-run.ts';
import { decodeValue, describeValue } from './value.ts';
import type { TestResult, TranscriptEntry } from './verdict.ts';

/** Module name that is imported: `solution`, as in HumanEval. */
export const moduleName = 'solution';
const describedLength = 500;

function describeCall(suite: VectorSuite, test: VectorCase): string {
  const args = test.args.map((arg) => describeValue(decodeValue(arg), describedLength)).join(', ');
  const call = `${test.fn ?? suite.entryPoint ?? ''}(${args})`;
  const whole = test.as === undefined ? call : `${test.as}(${call})`;
  return whole.length > describedLength ? `${whole.slice(0, describedLength - 1)}…` : whole;
}

/** The module that is loaded: of Python by its name, of JavaScript by its file. */
function entryOf(artifact: Artifact): { readonly load: string; readonly entry?: string } {
  if ('source' in artifact || artifact.entry === undefined) return { load: moduleName };
  const { entry } = artifact;
  if (!entry.endsWith('.py')) return { load: moduleName, entry };
  return { load: entry.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.') };
}

/**
 * Runs a suite in the `vectors` mode: one question at a time goes into the box, one answer comes out,
 * and here, outside, it is right or wrong. Never throws for anything that the artifact does.
 */
export async function runVectors(box: Box, suite: VectorSuite, artifact: Artifact): Promise<TestRun> {
  const cases = inLayerOrder(suite.cases);
  const done = new Map<string, TestResult>();
  const transcript: TranscriptEntry[] = [];
  let loadError: string | null = null;
  let protocolError: string | null = null;
  let complete = false;

  const request = (question: object, number: number): Promise<Line | null> =>
    box.request(JSON.stringify({ ...question, id: number }));

  const askAll = async (): Promise<boolean> => {
    const loaded = await request({ ...entryOf(artifact), folder: artifactFolder }, 0);
    if (loaded === null) return false;
    loadError = (await readLine({ load: loaded, expected: 0 })).raised;
    if (loadError !== null) return false;
    for (const [index, test] of cases.entries()) {
      const question = {
        fn: test.fn ?? suite.entryPoint,
        args: test.args,
        ...(test.as === undefined ? {} : { as: test.as }),
      };
      const call = describeCall(suite, test);
      const startedAt = performance.now();
      const line = await request(question, index + 1);
      if (line === null) {
        transcript.push({ id: test.id, call, answer: null });
        done.set(test.id, failed(test, null, 'no answer came'));
        return false;
      }
      const durationMs = performance.now() - startedAt;
      const { reason, answer } = await readLine({ vector: line, expected: index + 1, test });
      transcript.push({ id: test.id, call, answer });
      done.set(
        test.id,
        reason === null
          ? { id: test.id, layer: test.layer, status: 'passed', durationMs, reason: null }
          : failed(test, durationMs, reason),
      );
      // A failed smoke test rejects at once.
      if (reason !== null && test.layer === 'smoke') return true;
    }
    return true;
  };

  try {
    complete = await askAll();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    protocolError = error.message;
  }
  const tests = cases.map((test) => done.get(test.id) ?? skipped(test));
  return { tests, transcript, loadError, protocolError, complete };
}

function failed(test: VectorCase, durationMs: number | null, reason: string): TestResult {
  return { id: test.id, layer: test.layer, status: 'failed', durationMs, reason };
}
