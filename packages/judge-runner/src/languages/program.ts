import { readdir } from 'node:fs/promises';
import { judgeFiles, judgeFolder, type Runtime } from './python.ts';

/** Name of the single file of an artifact that is given as text, by language. */
const mainFiles: Readonly<Record<string, string>> = {
  python: 'solution.py',
  javascript: 'solution.mjs',
  shell: 'main.sh',
  c: 'main.c',
  cpp: 'main.cpp',
  go: 'main.go',
  rust: 'main.rs',
  java: 'Main.java',
};

/** Returns the file name that a program's text gets in its language; `main` in any other. Pure. */
export const programFile = (language: string | undefined): string => mainFiles[language ?? ''] ?? 'main';

/** Symbolic links by which programs find others. */
export const programLinks = [
  ['usr/bin', '/bin'],
  ['usr/sbin', '/sbin'],
] as const;

/** A box with this machine's programs, read-only, in which a launcher builds and starts what it is sent. */
export async function programRuntime(node: string): Promise<Runtime> {
  return {
    files: await judgeFiles(['program.py', 'launch.py', 'lines.py']),
    command: (interpreter) => [interpreter, '-s', '-S', '-B', `${judgeFolder}/program.py`],
    environment: {
      PATH: '/runtime:/usr/bin:/bin',
      HOME: '/box/home',
      TMPDIR: '/box/tmp',
      LC_ALL: 'C.UTF-8',
      PYTHONHASHSEED: '0',
      PYTHONDONTWRITEBYTECODE: '1',
      UV_USE_IO_URING: '0',
      GO111MODULE: 'off',
      GOFLAGS: '-p=2',
      GOTOOLCHAIN: 'local',
      JDK_JAVA_OPTIONS: '-XX:-UsePerfData -XX:+UseSerialGC -XX:TieredStopAtLevel=1',
    },
    programs: { '/usr': '/usr', [node]: '/runtime/node' },
    // Where Debian keeps which compiler is meant, and the settings of Java.
    optional: Object.fromEntries(
      (await readdir('/etc').catch(() => []))
        .filter((name) => name === 'alternatives' || /^java-\d/.test(name))
        .map((name) => [`/etc/${name}`, `/etc/${name}`]),
    ),
    links: programLinks,
    reservesMemory: true,
    executesOwnFiles: true,
  };
}
