import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { runCli } from '../src/index.ts';
import { buildProgram } from '../src/program.ts';
import { withProgress } from '../src/progress.ts';

const run = promisify(execFile);
const main = new URL('../src/main.ts', import.meta.url).pathname;
const silent = withProgress({ stdout: { write() {} }, stderr: { write() {} }, env: {} });

const leavesOf = (command: Command, path: readonly string[] = []): readonly (readonly string[])[] =>
  command.commands.length === 0
    ? [path]
    : command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));

const leaves = leavesOf(buildProgram(silent, () => {}));

describe('commands', () => {
  it('are registered in one way: each folder has a register.ts, and the program has its commands (CLI-1)', () => {
    const folder = new URL('../src/commands', import.meta.url).pathname;
    const folders = globSync('*', { cwd: folder }).sort();
    expect(folders.filter((name) => !globSync(`${name}/register.ts`, { cwd: folder }).length)).toEqual([]);
    const names = new Set(leaves.map(([name]) => name));
    expect(folders.filter((name) => !names.has(name))).toEqual([]);
  });

  it('are all there that an operator needs (CLI-1)', () => {
    const needed = [
      ...['list', 'show', 'summary', 'assess', 'export', 'prune'].map((name) => `ledger ${name}`),
      ...[
        'cortex beliefs',
        'cortex history',
        'discover',
        'job request',
        'provider run',
        'judge run',
        'doctor',
      ],
      ...['list', 'pin', 'deny', 'readmit'].map((name) => `routes ${name}`),
      ...['report', 'verify', 'audit', 'verify-factor'].map((name) => `trust ${name}`),
      ...['sla status', 'sla dispute', 'reviews list', 'backup', 'restore', 'failures'],
      ...['propose', 'rollback'].map((name) => `thresholds ${name}`),
      ...['list', 'show', 'cancel'].map((name) => `work ${name}`),
    ];
    const found = new Set(leaves.map((path) => path.join(' ')));
    expect(needed.filter((command) => !found.has(command))).toEqual([]);
  });

  it('end with 2 on an unknown option, --help with 0 (CLI-1)', async () => {
    expect(leaves.length).toBeGreaterThan(15);
    for (const path of leaves) {
      const words: string[] = [];
      const write = (text: string) => words.push(text);
      const io = { stdout: { write }, stderr: { write }, env: {} };
      expect(await runCli([...path, '--no-such-option'], io), path.join(' ')).toBe(2);
      expect(await runCli([...path, '--help'], io), path.join(' ')).toBe(0);
      expect(words.join(''), path.join(' ')).toMatch(/Examples:/);
    }
  });
});

describe('every command (CLI-1)', () => {
  it('has --json and examples; groups of commands have examples too', () => {
    const lacking: string[] = [];
    const look = (command: Command, path: readonly string[]) => {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      if (!help.includes('Examples:')) lacking.push(`${path.join(' ')}: examples`);
      const isLeaf = command.commands.length === 0 && path[0] !== 'complete';
      if (isLeaf && !command.options.some(({ long }) => long === '--json'))
        lacking.push(`${path.join(' ')}: --json`);
      for (const child of command.commands) look(child, [...path, child.name()]);
    };
    look(
      buildProgram(silent, () => {}),
      [],
    );
    expect(lacking).toEqual([]);
  });

  it('suggests what was probably meant', async () => {
    const said = async (...argv: readonly string[]) => {
      let err = '';
      const io = { stdout: { write() {} }, stderr: { write: (text: string) => (err += text) }, env: {} };
      expect(await runCli(argv, io)).toBe(2);
      return err;
    };
    expect(await said('legder')).toContain('Did you mean ledger?');
    expect(await said('ledger', 'lst')).toContain('Did you mean list?');
    expect(await said('ledger', 'list', '--limt', '3')).toContain('Did you mean --limit?');
  });
});

describe('the README (CLI-1)', () => {
  it('names every command, and the exit codes', () => {
    const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const cells = [...text.matchAll(/^\| `bonafide (.+?)` \|(?: )/gmu)].map(([, cell = '']) => cell);
    const rows = text.split('\n').filter((line) => line.startsWith('| `bonafide '));
    expect(cells).toHaveLength(rows.length);
    const lacking = leaves.filter(([group = '', ...rest]) => {
      const name = rest.at(-1);
      return !rows.some(
        (row) =>
          row.includes(`bonafide ${group}`) &&
          (name === undefined || name === 'list' || new RegExp(`[\`| ]${name}\\b`, 'u').test(row)),
      );
    });
    expect(lacking.map((path) => path.join(' '))).toEqual([]);
    for (const code of ['0', '1', '2']) expect(text).toMatch(new RegExp(`^\\| ${code} \\|`, 'mu'));
  });
});

/** The script of a shell is loaded by the shell itself. */
describe('completion in a real shell (CLI-1)', () => {
  const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0;
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-shell-'));
  const command = join(folder, 'bonafide');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const shells = {
    // Loaded twice, as by a shell that reads its settings again, and without the package bash-completion.
    bash: `set -e; source <(bonafide complete bash); source <(bonafide complete bash)
      complete -p bonafide; COMP_WORDS=(bonafide ledger su); COMP_CWORD=2; _bonafide_complete
      printf '%s\\n' "\${COMPREPLY[@]}"`,
    fish: "bonafide complete fish | source; complete --do-complete 'bonafide ledger su'",
    zsh: `autoload -U compinit; compinit -u -D; source <(bonafide complete zsh)
      words=(bonafide ledger su); CURRENT=3; _describe() { print -l -- \${(P)2}; }
      $_comps[bonafide]`,
  };
  it.for(Object.entries(shells))('of %s, where it is installed', ([shell, script], { skip }) => {
    if (!isInstalled(shell)) return skip(`${shell} is not installed`);
    const { stdout, stderr } = spawnSync(shell, ['-c', script], { env, encoding: 'utf8' });
    expect(stdout, stderr).toMatch(/\bsummary\b/u);
  });
});

describe('completion (CLI-1)', () => {
  const complete = async (...words: readonly string[]) => {
    const { stdout } = await run(process.execPath, [main, 'complete', '--', ...words]);
    return stdout.split('\n').map((line) => line.split('\t')[0]);
  };

  it('prints a script per shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { stdout } = await run(process.execPath, [main, 'complete', shell]);
      expect(stdout).toContain('bonafide');
      expect(stdout, shell).toMatch(/complete ['"]?--/u);
    }
  });

  it('suggests commands, subcommands, options and their values', async () => {
    expect(await complete('')).toEqual(expect.arrayContaining(['doctor', 'ledger', 'judge', 'backup']));
    expect(await complete('ledger', '')).toEqual(expect.arrayContaining(['list', 'show', 'summary']));
    expect(await complete('ledger', 'list', '--')).toEqual(
      expect.arrayContaining(['--limit', '--workspace']),
    );
    expect(await complete('doctor', '--backend', '')).toEqual(
      expect.arrayContaining(['bubblewrap', 'container']),
    );
  });
});
