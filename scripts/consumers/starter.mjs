// The packed starter as a newcomer uses it: it creates an agent, which is installed from the packed packages and meets the
// demo's relay and providers.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStrangers } from '../../examples/strangers/src/index.ts';
import { exec } from './exec.mjs';

/**
 * Creates an agent, installs it, and runs its three commands.
 * @param {ReadonlyMap<string, string>} tarballs path of each package, by name
 * @param {string} folder a new one
 */
export async function tryStarter(tarballs, folder) {
  mkdirSync(folder);
  const strangers = await startStrangers({ folder: join(folder, 'strangers'), seed: 1 });
  try {
    // `npm create` runs the same from the registry.
    const starter = [
      'exec',
      '--yes',
      `--package=${tarballs.get('create-bonafide')}`,
      '--',
      'create-bonafide',
    ];
    const created = await exec('npm', [...starter, 'my-agent', '--relay', strangers.relay], { cwd: folder });
    requireText('create-bonafide', created, /npm run start/);
    const agent = join(folder, 'my-agent');
    const mode = statSync(join(agent, 'agent.key')).mode & 0o777;
    if (mode !== 0o600) throw new Error(`agent.key has mode ${mode.toString(8)}`);

    const { dependencies } = JSON.parse(readFileSync(join(agent, 'package.json'), 'utf8'));
    const unknown = Object.keys(dependencies).filter((name) => !tarballs.has(name));
    if (unknown.length > 0) throw new Error(`It depends on ${unknown.join(', ')}`);
    const overrides = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
    // JSON is YAML.
    const settings = JSON.stringify({ overrides, pmOnFail: 'ignore' });
    writeFileSync(join(agent, 'pnpm-workspace.yaml'), settings);
    await exec('pnpm', ['install', '--prefer-offline', '--ignore-scripts', '--reporter=silent'], {
      cwd: agent,
    });

    const run = (script) => exec('npm', ['run', '--silent', script], { cwd: agent });
    await run('types');
    await run('start');
    requireText('npm run hire', await run('hire'), /def largest_prime_factor/);
    const report = await run('report');
    requireText('npm run report', report, /excellent .*ACTIVE/);
    requireText('npm run report', report, /cheater .*BLACKLISTED/);
    requireText('npm run report', report, /^HumanEval\/59 .*delivered/m);
  } finally {
    await strangers[Symbol.asyncDispose]();
  }
}

function requireText(command, text, expected) {
  if (!expected.test(text)) throw new Error(`${command} does not print ${expected}:\n${text}`);
}
