import { layerFolders } from '../environment/store.ts';
import { JudgeError } from '../errors.ts';
import { javascriptRuntime, nodeTestRuntime } from '../languages/javascript.ts';
import { nodeProgram } from '../languages/node-program.ts';
import { programRuntime } from '../languages/program.ts';
import {
  pytestRuntime,
  pythonRuntime,
  qualityRuntime,
  type Runtime,
  suiteFiles,
  unpackRuntime,
} from '../languages/python.ts';
import type { BoxSpec } from '../sandbox.ts';
import type { PolicyName } from '../seccomp/policy.ts';
import { installCommand } from './diagnosis.ts';
import { type PythonHost, readText } from './machine.ts';

/** The user of an artifact's box: inside and, when the judge is root, outside as well. */
export const nobody = 65_534;
/** The same for testers, which share no user with an artifact. */
export const tester = 65_533;

/** The program of a box, independent of the backend. */
export interface BoxPlan {
  readonly runtime: Runtime;
  /** True when nothing that is judged runs there. */
  readonly trusted: boolean;
  /** The user inside. */
  readonly user: number;
  /** The filter that the backend loads. */
  readonly launch: PolicyName;
  /** The filter that the launcher then narrows it to. */
  readonly profile: PolicyName;
}

/**
 * Selects the program, user and filters for a spec.
 * @param supervised - True when a supervisor of system calls watches artifacts' boxes.
 * @throws JudgeError `SANDBOX_UNAVAILABLE` without pytest, where it is needed; `SUITE_UNSUPPORTED` for the
 * profile `PROCESSES` without a supervisor.
 */
export async function planBox(python: PythonHost, spec: BoxSpec, supervised: boolean): Promise<BoxPlan> {
  if (spec.program !== undefined)
    return {
      runtime: withLayers(await programRuntime(nodeProgram()), spec),
      trusted: false,
      user: nobody,
      launch: spec.programLanguage === 'java' ? 'LAUNCH_OFFLINE' : 'LAUNCH_PROGRAM',
      profile: spec.programLanguage === 'java' ? 'PROGRAM_OFFLINE' : 'PROGRAM',
    };
  if (spec.archive !== undefined)
    return {
      runtime: await unpackRuntime(spec.archive),
      ...{ trusted: false, user: nobody, launch: 'LAUNCH', profile: spec.profile },
    };
  const trusted = spec.artifact === null || spec.tools === true || spec.oracle === true;
  if (spec.profile === 'PROCESSES' && !supervised && !trusted)
    throw new JudgeError(
      'SUITE_UNSUPPORTED',
      'The profile PROCESSES needs the supervisor of system calls, which sees child processes',
      { remedy: 'Use Linux 5.6 or newer' },
    );
  const runtime = withLayers(await runtimeOf(python, spec), spec);
  return {
    runtime,
    trusted,
    user: trusted ? tester : nobody,
    // An engine with threads of its own needs more than a program that only computes.
    launch: runtime.becomes ? 'LAUNCH_NODE' : 'LAUNCH',
    profile: runtime.becomes && (trusted || spec.profile !== 'PROCESSES') ? 'NODE' : spec.profile,
  };
}

/** Shows the packages that a suite declares. Programs find those of Python by their environment. */
function withLayers(runtime: Runtime, { layers, program }: BoxSpec): Runtime {
  if (layers === undefined) return runtime;
  const environment = {
    ...runtime.environment,
    LD_LIBRARY_PATH: `${layerFolders.python}/.lib`,
    // Of the programs, and not of their launcher: no package takes the place of a module of the library there.
    ...(program === undefined ? {} : { JUDGE_PACKAGES: layerFolders.python }),
  };
  return { ...runtime, environment, programs: { ...runtime.programs, ...layers } };
}

async function runtimeOf(
  python: PythonHost,
  { artifact, tests, tools, language, limits, shared }: BoxSpec,
): Promise<Runtime> {
  if (tests === undefined) {
    if (artifact === null) throw new JudgeError('INFRA', 'A box for nothing was asked for');
    if (tools) return qualityRuntime(artifact, python.tools);
    const runtime = await (artifact.language === 'javascript'
      ? javascriptRuntime(artifact, limits)
      : pythonRuntime(artifact, python.tools));
    return { ...runtime, files: [...runtime.files, ...suiteFiles(shared ?? {})] };
  }
  if (language === 'javascript') return nodeTestRuntime(tests, limits);
  if (python.packages === null)
    throw new JudgeError('SANDBOX_UNAVAILABLE', 'Suites of pytest need pytest, and it is not installed.', {
      remedy: installCommand(await readText('/etc/os-release'), 'python3-pytest'),
    });
  return pytestRuntime(tests, artifact, python.packages);
}
