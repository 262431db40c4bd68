import * as nodeModule from 'node:module';
import { JudgeError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { Artifact } from '../suite.ts';
import type { SuiteFiles } from '../suite-files.ts';
import { mainFile } from './main-file.ts';
import { nodeProgram } from './node-program.ts';
import {
  artifactFiles,
  judgeFiles,
  judgeFolder,
  type Runtime,
  suiteFiles,
  writableFolder,
} from './python.ts';

const program = '/runtime/node';

const workerFiles = [
  'exec.py',
  'launch.py',
  'lines.py',
  'worker.mjs',
  'json.mjs',
  'intrinsics.mjs',
  'lines.mjs',
  'values.mjs',
  'making.mjs',
  'circles.mjs',
  'described.mjs',
  'owned.mjs',
  'followed.mjs',
  'handled.mjs',
  'function-kinds.mjs',
  'function-properties.mjs',
  'exit-listeners.mjs',
  'contents.mjs',
  'message-limits.mjs',
  'objects.mjs',
  'clones.mjs',
  'object-numbers.mjs',
  'object-descriptions.mjs',
  'library-prints.mjs',
  'class-descriptions.mjs',
  'live-objects.mjs',
  'lent-values.mjs',
  'answer-encoding.mjs',
  'question-decoding.mjs',
  'questions.mjs',
  'changed-arguments.mjs',
  'changes.mjs',
  'callbacks.mjs',
  'promises.mjs',
  'promise-state.mjs',
  'raised-errors.mjs',
  'contexts.mjs',
  'exported-modules.mjs',
  'around.mjs',
  'left-files.mjs',
  'opened.mjs',
  'process-warnings.mjs',
  'read-state.mjs',
  'owners.mjs',
  'process-state.mjs',
  'signals.mjs',
  'shared-files.mjs',
  'received-classes.mjs',
  'update.mjs',
  'analysis.mjs',
];
const testerFiles = [
  'exec.py',
  'launch.py',
  'lines.py',
  'tester.mjs',
  'json.mjs',
  'generated-code.mjs',
  'thread.cjs',
  'names.mjs',
  'intrinsics.mjs',
  'lines.mjs',
  'live.mjs',
  'mixins.mjs',
  'update.mjs',
  'values.mjs',
  'contexts.mjs',
  'proxy.mjs',
  'call-sites.mjs',
  'outgoing.mjs',
  'handles.mjs',
  'question-encoding.mjs',
  'callback-answers.mjs',
  'given-numbers.mjs',
  'given-values.mjs',
  'given-objects.mjs',
  'given-errors.mjs',
  'given-promises.mjs',
  'given-changes.mjs',
  'function-properties.mjs',
  'given-classes.mjs',
  'incoming.mjs',
  'library-prints.mjs',
  'lent.mjs',
  'claims.mjs',
  'reads.mjs',
  'learnt-makings.mjs',
  'expected.mjs',
  'conversions.mjs',
  'remote.mjs',
  'object-stand-ins.mjs',
  'promise-stand-ins.mjs',
  'class-stand-ins.mjs',
  'function-kinds.mjs',
  'function-stand-ins.mjs',
  'forwarded-properties.mjs',
  'held-properties.mjs',
  'believed-methods.mjs',
  'method-names.mjs',
  'named-exports.mjs',
  'trusted-classes.mjs',
  'snapshots.mjs',
  'contents.mjs',
  'surroundings.mjs',
  'left-files.mjs',
  'process-warnings.mjs',
  'read-state.mjs',
  'owners.mjs',
  'process-state.mjs',
  'signals.mjs',
  'shared-files.mjs',
  'suite-api.mjs',
  'suite-runs.mjs',
  'suite-syntax.mjs',
  'suite-text.mjs',
  'suite-notes.mjs',
  'suite-bindings.mjs',
  'suite-makers.mjs',
  'suite-places.mjs',
  'wrapped-tests.mjs',
  'suite-truth.mjs',
  'suite-snapshots.mjs',
  'suite-values.mjs',
  'read-paths.mjs',
  'set-names.mjs',
  'thrown.mjs',
  'unchanged.mjs',
  'analysis.mjs',
  'guard.mjs',
  'network.mjs',
];

/** A program of ours on the Node that the judge itself runs on. A launcher in Python narrows it, which Node cannot. */
function nodeRuntime(
  files: Runtime['files'],
  limits: Limits,
  command: readonly [script: string, ...rest: string[]],
): Runtime {
  return {
    files,
    command: (interpreter) => [
      interpreter,
      '-s',
      '-S',
      '-B',
      `${judgeFolder}/exec.py`,
      program,
      // The limit of the box decides, not the engine's own.
      `--max-old-space-size=${Math.ceil(limits.memoryHardBytes / 2 ** 20)}`,
      '--no-warnings',
      '--no-global-search-paths',
      `${judgeFolder}/${command[0]}`,
      ...command.slice(1),
    ],
    environment: {
      PATH: '/usr/bin',
      HOME: writableFolder,
      TMPDIR: '/box/tmp',
      LC_ALL: 'C.UTF-8',
      UV_USE_IO_URING: '0',
    },
    programs: { [nodeProgram()]: program },
    becomes: true,
    reservesMemory: true,
  };
}

/** An artifact of JavaScript. */
export async function javascriptRuntime(artifact: Artifact, limits: Limits): Promise<Runtime> {
  const main =
    'source' in artifact ? 'solution.js' : (mainFile('javascript', artifact.files) ?? 'solution.js');
  const files = [...(await judgeFiles(workerFiles)), ...artifactFiles(artifact, 'solution.js')];
  return nodeRuntime(files, limits, ['worker.mjs', main.slice('solution.'.length)]);
}

/**
 * Test files of JavaScript, without an artifact.
 * @throws JudgeError `SUITE_UNSUPPORTED` on a Node that cannot say where an import leads.
 */
export async function nodeTestRuntime(suite: SuiteFiles, limits: Limits): Promise<Runtime> {
  if (typeof nodeModule.registerHooks !== 'function')
    throw new JudgeError('SUITE_UNSUPPORTED', 'Suites of node:test need Node 22.15 or newer', {
      remedy: 'Install a current Node',
    });
  return nodeRuntime([...(await judgeFiles(testerFiles)), ...suiteFiles(suite)], limits, ['tester.mjs']);
}
