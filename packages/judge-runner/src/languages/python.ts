import { readAsset } from '../assets.ts';
import type { Artifact } from '../suite.ts';
import { contentOf, type SuiteFiles } from '../suite-files.ts';

/** A file that is shown, read-only, in a box. */
export interface BoxFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** A program and its environment in a box. Every launcher speaks the same lines on fds 3 and 4. */
export interface Runtime {
  /** Everything the box needs beside the language itself. */
  readonly files: readonly BoxFile[];
  /** Returns the command line, given the interpreter's path. */
  command(interpreter: string): readonly string[];
  /** The environment, and all of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Programs and folders of the machine that are shown besides Python: host path → path in the box. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Folders of the machine that are shown where they exist: host path → path in the box. */
  readonly optional?: Readonly<Record<string, string>>;
  /** Symbolic links in the box beside those of the machine's top folder. */
  readonly links?: readonly (readonly [target: string, path: string])[];
  /** True when the launcher waits for a request before it becomes the program, and confirms it. */
  readonly becomes?: boolean;
  /** True when address space says nothing about memory, as with engines that reserve it in advance. */
  readonly reservesMemory?: boolean;
  /** True when it starts programs that were written below /box. */
  readonly executesOwnFiles?: boolean;
}

/** Folder of the artifact's files in its box. */
export const artifactFolder = '/artifact';
export const judgeFolder = '/judge';
/** Folder in which a box begins, and where it may write. */
export const writableFolder = '/box';
const workerFiles = [
  'worker.py',
  'launch.py',
  'lines.py',
  'codec.py',
  'analysis.py',
  'objects.py',
  'containers.py',
  'described.py',
  'operations.py',
  'own_loop.py',
  'printed.py',
  'received.py',
  'received_errors.py',
  'known_errors.py',
  'received_attributes.py',
  'received_called.py',
  'received_classes.py',
  'received_enums.py',
  'received_hints.py',
  'told.py',
  'read_copies.py',
  'enum_roots.py',
  'executors.py',
  'exported.py',
  'extended.py',
  'keeping.py',
  'library_methods.py',
  'making.py',
  'lasting.py',
  'loops.py',
  'inner.py',
  'interrupts.py',
  'noticed.py',
  'parts.py',
  'repeats.py',
  'replaced.py',
  'shared.py',
  'originals.py',
  'function_marks.py',
  'outlets.py',
  'packing.py',
  'surroundings.py',
  'library_state.py',
  'thread_marks.py',
  'standard.py',
  'weakly_held.py',
];
const testerFiles = [
  'tester.py',
  'thread_marks.py',
  'acting.py',
  'acting_containers.py',
  'agreement.py',
  'answer_paths.py',
  'answer_places.py',
  'answers.py',
  'base_calls.py',
  'base_types.py',
  'borrowing.py',
  'class_checks.py',
  'codec.py',
  'comparing_members.py',
  'comparison.py',
  'container_places.py',
  'crossing_errors.py',
  'denied.py',
  'descriptors.py',
  'enum_roots.py',
  'equality.py',
  'error_operators.py',
  'expecting.py',
  'exported.py',
  'expressions.py',
  'extending.py',
  'fields.py',
  'given.py',
  'given_attributes.py',
  'given_called.py',
  'given_classes.py',
  'given_enums.py',
  'given_hints.py',
  'given_views.py',
  'guard.py',
  'generated_code.py',
  'incoming.py',
  'inert.py',
  'inner.py',
  'inner_tests.py',
  'interrupts.py',
  'kept.py',
  'known_errors.py',
  'lasting.py',
  'lifetimes.py',
  'listening.py',
  'launch.py',
  'learning.py',
  'loops.py',
  'members.py',
  'method_names.py',
  'mocks.py',
  'modules.py',
  'named_tuples.py',
  'names.py',
  'naming.py',
  'noticed.py',
  'outgoing.py',
  'own_operators.py',
  'patching.py',
  'pickling.py',
  'properties.py',
  'proxy.py',
  'reached.py',
  'refusals.py',
  'remote.py',
  'remote_errors.py',
  'reports.py',
  'repeats.py',
  'replaced.py',
  'shared.py',
  'originals.py',
  'deciding.py',
  'function_marks.py',
  'outlets.py',
  'surroundings.py',
  'library_state.py',
  'stand_in.py',
  'standard.py',
  'stubs.py',
  'suite_calls.py',
  'suite_expressions.py',
  'suite_makers.py',
  'suite_names.py',
  'suite_measures.py',
  'suite_places.py',
  'suite_statements.py',
  'suite_syntax.py',
  'suite_tests.py',
  'suite_texts.py',
  'suite_uses.py',
  'suite_values.py',
  'texts.py',
  'tool_packages.py',
  'turns.py',
  'unpickling.py',
  'visits.py',
  'analysis.py',
];

/** Programs of ours as they are shown in a box. */
export const judgeFiles = (names: readonly string[]): Promise<BoxFile[]> =>
  Promise.all(
    names.map(async (name) => ({ path: `${judgeFolder}/${name}`, content: await readAsset(name) })),
  );

/** An artifact's files as they are shown in a box. */
export function artifactFiles(artifact: Artifact, main: string): BoxFile[] {
  const own = 'source' in artifact ? { [main]: artifact.source } : artifact.files;
  return Object.entries(own).map(([name, content]) => ({ path: `${artifactFolder}/${name}`, content }));
}

/** Folder of a tester's files in its box. */
export const suiteFolder = '/suite';

/** Files of a suite as they are shown in a box. */
export const suiteFiles = (files: SuiteFiles): BoxFile[] =>
  Object.entries(files).map(([name, file]) => ({ path: `${suiteFolder}/${name}`, content: contentOf(file) }));

const environment = {
  PATH: '/usr/bin',
  HOME: writableFolder,
  TMPDIR: writableFolder,
  LC_ALL: 'C.UTF-8',
  // Sets have the same order in every run. (`-I` would ignore this; the environment is ours anyway.)
  PYTHONHASHSEED: '0',
} as const;

const pythonCommand = (program: string) => (interpreter: string) => [
  interpreter,
  '-s',
  '-S',
  '-B',
  `${judgeFolder}/${program}`,
];

/** Tools that read an artifact's text and never run it. */
export async function qualityRuntime(artifact: Artifact, packages: string): Promise<Runtime> {
  return {
    files: [...(await judgeFiles(['quality.py', 'launch.py'])), ...artifactFiles(artifact, 'solution.py')],
    command: pythonCommand('quality.py'),
    environment: { ...environment, JUDGE_PACKAGES: packages },
  };
}

/**
 * Python 3.9 or newer, with the standard library only.
 * @param packages - Where coverage is found when it is asked for.
 */
export async function pythonRuntime(artifact: Artifact, packages: string): Promise<Runtime> {
  return {
    files: [...(await judgeFiles(workerFiles)), ...artifactFiles(artifact, 'solution.py')],
    command: pythonCommand('worker.py'),
    environment: { ...environment, JUDGE_PACKAGES: packages },
  };
}

/** A box in which an archive of a package is unpacked. Nothing of it is run. */
export async function unpackRuntime(archive: Uint8Array): Promise<Runtime> {
  return {
    files: [
      ...(await judgeFiles(['unpack.py', 'launch.py'])),
      { path: '/archive/package', content: archive },
    ],
    command: pythonCommand('unpack.py'),
    environment,
  };
}

/** pytest over a suite's files, with the artifact in the same box only when there is one. */
export async function pytestRuntime(
  suite: SuiteFiles,
  artifact: Artifact | null,
  packages: string,
): Promise<Runtime> {
  return {
    files: [
      ...(await judgeFiles(testerFiles)),
      ...suiteFiles(suite),
      ...(artifact === null ? [] : artifactFiles(artifact, 'solution.py')),
    ],
    command: pythonCommand('tester.py'),
    environment: { ...environment, JUDGE_PACKAGES: packages },
  };
}
