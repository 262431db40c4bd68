import type { Check } from '../../checks/check.ts';
import { checkDatabases } from '../../checks/database.ts';
import { checkNode, checkNodeSqlite } from '../../checks/node.ts';
import type { Printer } from '../../print.ts';
import { type CommandIo, whileSaying } from '../../progress.ts';
import { databasePath } from '../../workspace.ts';
import type { BackendOptions } from '../judge/backend.ts';

/** Options of `bonafide doctor`. */
export interface DoctorOptions extends BackendOptions {
  readonly workspace?: string;
  readonly db?: string;
  readonly agent: string;
  readonly relay: readonly string[];
  readonly sandbox: boolean;
  readonly json: boolean;
}

/** Loaded on demand: judge and transport are large, and other commands do not need them. */
const checkSandbox = async (options: BackendOptions) =>
  (await import('../../checks/sandbox.ts')).checkSandbox(options);
const checkToolchains = async () => (await import('../../checks/toolchains.ts')).checkToolchains();
const checkRelay = async (url: string) => [await (await import('../../checks/relay.ts')).checkRelay(url)];

type Group = () => Promise<readonly Check[]> | readonly Check[];

const marks = { ok: ['green', '✓'], warn: ['yellow', '!'], fail: ['red', '✗'] } as const;

function printCheck(check: Check, print: Printer): void {
  const [style, mark] = marks[check.status];
  print.line(`${print.paint(style, mark)} ${print.paint('bold', check.name)}: ${check.detail}`);
  if (check.remedy !== null) print.line(`  ${print.paint('cyan', '→')} ${check.remedy}`);
}

/**
 * `bonafide doctor`: what this machine has and lacks, and the command that mends it. Returns whether everything
 * that must work does.
 */
export async function doctor(options: DoctorOptions, io: CommandIo, print: Printer): Promise<boolean> {
  const groups: readonly (readonly [string, Group])[] = [
    ['Looking at Node', () => [checkNode(), checkNodeSqlite()]],
    ...(options.sandbox ? [['Making a sandbox', () => checkSandbox(options)] as const] : []),
    // Container images hold Python only.
    ...(options.sandbox && options.backend === 'bubblewrap'
      ? [['Looking at toolchains', checkToolchains] as const]
      : []),
    [
      'Looking at the databases',
      () =>
        checkDatabases(databasePath(options, io.env), options.agent, { workspace: options.db === undefined }),
    ],
    ...options.relay.map((url) => [`Asking ${url}`, () => checkRelay(url)] as const),
  ];
  const checks: Check[] = [];
  for (const [saying, group] of groups) {
    const found = await whileSaying(io, saying, group);
    checks.push(...found);
    if (!options.json) for (const check of found) printCheck(check, print);
  }
  const failed = checks.filter((check) => check.status === 'fail').length;
  const warned = checks.filter((check) => check.status === 'warn').length;
  if (options.json) print.json({ ok: failed === 0, checks });
  else if (failed > 0) print.line(`\n${print.paint('red', `${failed} to mend`)}, ${warned} to know about.`);
  else
    print.line(
      `\n${print.paint('green', 'All is well')}${warned === 0 ? '.' : `, ${warned} to know about.`}`,
    );
  return failed === 0;
}
