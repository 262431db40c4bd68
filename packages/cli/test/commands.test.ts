import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { runCli } from '../src/index.ts';
import { buildProgram } from '../src/program.ts';

const run = promisify(execFile);
const main = new URL('../src/main.ts', import.meta.url).pathname;
const silent = { stdout: { write() {} }, stderr: { write() {} }, env: {} };

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
