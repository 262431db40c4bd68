import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../src/command-line.ts';

const main = resolve(import.meta.dirname, '../src/main.ts');
const home = mkdtempSync(join(tmpdir(), 'create-bonafide-'));
afterAll(() => rmSync(home, { recursive: true }));
const temporary = () => mkdtempSync(join(home, 'project-'));

/** Runs the command in a folder, as a package manager does. */
function run(args: readonly string[], { cwd = temporary(), userAgent = '' } = {}) {
  const env = { ...process.env, npm_config_user_agent: userAgent };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    ...{ cwd, env, encoding: 'utf8' },
  });
  return { status, stdout, stderr, cwd };
}

describe('create-bonafide', () => {
  it('asks nothing: without arguments it creates my-agent and prints the next steps', () => {
    const { status, stdout, stderr, cwd } = run([]);
    expect([status, stderr]).toEqual([0, '']);
    expect(existsSync(join(cwd, 'my-agent/agent.ts'))).toBe(true);
    expect(stdout).toMatch(/npub1[a-z0-9]{58}/);
    expect(stdout).not.toContain(readFileSync(join(cwd, 'my-agent/agent.key'), 'utf8').trim());
    const steps = ['cd my-agent', 'npm install', 'npm run start', 'npm run hire', 'npm run report'];
    expect([...stdout.matchAll(/^ {2}(\S+ \S+(?: \S+)?)/gm)].map(([, step]) => step)).toEqual(steps);
  });

  it.each([
    ['npm/11.2.0 node/v24.0.0 linux x64', 'npm install'],
    ['pnpm/12.21.0 npm/? node/v24.0.0 linux x64', 'pnpm install'],
    ['yarn/1.22.22 npm/? node/v24.0.0 linux x64', 'yarn install'],
    ['bun/1.3.0 npm/? node/v24.0.0 linux x64', 'bun install'],
    ['other/1.0.0', 'npm install'],
  ])('prints the commands of the package manager that started it: %s', (userAgent, install) => {
    const { stdout } = run(['agent'], { userAgent });
    expect(stdout).toContain(`\n  ${install}\n`);
    expect(stdout).toContain(`\n  ${install.split(' ')[0]} run start `);
  });

  it('creates in the current folder, and in one that a shell needs quotes for', () => {
    expect(run(['.']).stdout).not.toContain('cd ');
    expect(run(['my agent']).stdout).toContain("\n  cd 'my agent'\n");
  });

  it('passes relays on', () => {
    const { cwd } = run(['a', '--relay', 'ws://127.0.0.1:1', '--relay', 'wss://relay.example']);
    const { relays } = JSON.parse(readFileSync(join(cwd, 'a/agent.config.json'), 'utf8'));
    expect(relays).toEqual(['ws://127.0.0.1:1', 'wss://relay.example']);
  });

  it.each(['v20.20.2', 'v22.17.1', 'v23.5.0'])(
    'refuses a Node that the agent does not run on: %s',
    (version) => {
      const said: string[] = [];
      const output = { write: (text: string) => said.push(text) };
      expect(runCommand(['agent'], { stdout: output, stderr: output, env: {}, version })).toBe(1);
      expect(said).toEqual([
        `create-bonafide: The agent needs Node 22.18, 23.6 or newer, and this is ${version}. (see --help)\n`,
      ]);
    },
  );

  it.each(['v22.18.0', 'v23.6.0', 'v24.0.0'])(
    'its package and its agents allow what it accepts: %s',
    (version) => {
      const said: string[] = [];
      const output = { write: (text: string) => said.push(text) };
      const folder = join(temporary(), 'agent');
      expect(runCommand([folder], { stdout: output, stderr: output, env: {}, version })).toBe(0);
      const range = { node: '^22.18 || >=23.6' };
      for (const manifest of [resolve(import.meta.dirname, '../package.json'), join(folder, 'package.json')])
        expect(JSON.parse(readFileSync(manifest, 'utf8')).engines, manifest).toEqual(range);
    },
  );

  it('accepts the -- that some package managers pass on', () => {
    const { cwd } = run(['a', '--', '--relay', 'ws://127.0.0.1:1']);
    const { relays } = JSON.parse(readFileSync(join(cwd, 'a/agent.config.json'), 'utf8'));
    expect(relays).toEqual(['ws://127.0.0.1:1']);
  });

  it('prints its help', () => {
    for (const flag of ['--help', '-h']) {
      const { status, stdout, cwd } = run([flag]);
      expect([status, existsSync(join(cwd, 'my-agent'))]).toEqual([0, false]);
      expect(stdout).toContain('Usage: npm create bonafide@latest');
    }
  });

  it.each([
    [['one', 'two'], 2],
    [['--unknown'], 2],
    [['--relay'], 2],
    [['agent', '--relay', 'http://relay.example'], 2],
    [['---'], 2],
    [['full'], 1],
    [['full/notes.txt'], 1],
  ])('exits with 2 for a wrong command line, else with 1, and one sentence: %j', (args, code) => {
    const cwd = temporary();
    mkdirSync(join(cwd, 'full'));
    writeFileSync(join(cwd, 'full/notes.txt'), 'mine');
    const { status, stdout, stderr } = run(args, { cwd });
    expect([status, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(/^create-bonafide: .+\. \(see --help\)\n$/);
    expect(existsSync(join(cwd, 'agent'))).toBe(false);
    expect(readFileSync(join(cwd, 'full/notes.txt'), 'utf8')).toBe('mine');
  });
});
