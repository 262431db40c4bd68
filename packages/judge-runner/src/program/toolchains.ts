import { JudgeError } from '../errors.ts';
import { installCommand } from '../isolation/diagnosis.ts';
import { findExecutable, output, readText, systemPaths } from '../isolation/machine.ts';
import type { ProgramSuite } from '../suite.ts';

/** A toolchain with which programs are judged. */
export interface Toolchain {
  /** As in `language` of a suite. */
  readonly language: string;
  /** The first version number that its compiler or interpreter prints; null when it is not installed. */
  readonly version: string | null;
  /** One line that installs it; null when it is installed. */
  readonly remedy: string | null;
}

/** Programs of the languages that are tested, the arguments that print a version, and the package of Debian. */
const known: readonly (readonly [language: string, program: string, version: string, debian: string])[] = [
  ['python', 'python3', '--version', 'python3'],
  ['shell', 'sh', '', 'dash'],
  ['c', 'gcc', '--version', 'gcc libc6-dev'],
  ['cpp', 'g++', '--version', 'g++'],
  ['go', 'go', 'version', 'golang-go'],
  ['rust', 'rustc', '--version', 'rustc'],
  ['java', 'javac', '-version', 'default-jdk-headless'],
];

/** Returns a sentence that says how to install a command. */
async function installedBy(command: string): Promise<string> {
  const toolchain = known.find(([, program]) => program === command);
  if (toolchain === undefined) return `Install ${command}.`;
  return `${installCommand(await readText('/etc/os-release'), toolchain[3])}.`;
}

/** Creates the error of a suite that starts a command which its boxes lack. */
export async function lackingCommand(suite: ProgramSuite, command: string): Promise<JudgeError> {
  return new JudgeError(
    'SUITE_UNSUPPORTED',
    `The suite '${suite.id}' starts ${command}, which this machine lacks in /usr/bin. Boxes see no home folder, so that one in ~/.cargo/bin or ~/.local/bin does not count.`,
    {
      remedy: `${await installedBy(command)} A program of the artifact is started by its path, such as ./${command}.`,
    },
  );
}

/**
 * Makes sure that boxes made of this machine's programs have the commands of a suite. A path, such as `./main`, is the artifact's.
 * @throws JudgeError `SUITE_UNSUPPORTED`.
 */
export async function requireInstalled(suite: ProgramSuite): Promise<void> {
  for (const [command = ''] of [suite.build ?? [], suite.run]) {
    // Node is the judge's own.
    if (command === '' || command === 'node' || command.includes('/')) continue;
    if ((await findExecutable([`/usr/bin/${command}`])) === null) throw await lackingCommand(suite, command);
  }
}

/** Lists the languages whose programs can be judged on this machine, JavaScript by the judge's own Node. Never throws. */
export async function probeToolchains(): Promise<readonly Toolchain[]> {
  const osRelease = await readText('/etc/os-release');
  const found = await Promise.all(
    known.map(async ([language, program, argument, debian]): Promise<Toolchain> => {
      const path = await findExecutable(systemPaths(program));
      if (path === null) return { language, version: null, remedy: installCommand(osRelease, debian) };
      const told = argument === '' ? '' : await output(path, [argument]).catch(() => '');
      return { language, version: /\d+(?:\.\d+)+/.exec(told)?.[0] ?? '', remedy: null };
    }),
  );
  return [{ language: 'javascript', version: process.versions.node, remedy: null }, ...found];
}
