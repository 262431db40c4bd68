import type { Limits } from '../limits.ts';
import type { Artifact } from '../suite.ts';
import { mainFile } from './main-file.ts';
import { nodeProgram } from './node-program.ts';
import { artifactFiles, judgeFiles, judgeFolder, type Runtime } from './python.ts';

const program = '/runtime/node';

/** The Node that the judge itself runs on. A launcher in Python narrows the system calls, which Node cannot. */
export async function javascriptRuntime(artifact: Artifact, limits: Limits): Promise<Runtime> {
  const main =
    'source' in artifact ? 'solution.js' : (mainFile('javascript', artifact.files) ?? 'solution.js');
  return {
    files: [
      ...(await judgeFiles(['exec.py', 'launch.py', 'worker.mjs'])),
      ...artifactFiles(artifact, 'solution.js'),
    ],
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
      `${judgeFolder}/worker.mjs`,
      main.slice('solution.'.length),
    ],
    environment: { PATH: '/usr/bin', HOME: '/box', TMPDIR: '/box', LC_ALL: 'C.UTF-8', UV_USE_IO_URING: '0' },
    programs: { [nodeProgram()]: program },
    becomes: true,
    reservesMemory: true,
  };
}
