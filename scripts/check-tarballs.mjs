// Each package must install and run from its packed tarball in an empty project, alone: with nothing beside it but the
// packages that it depends on at run time. And the agent that the packed starter creates must run with them (AGT-1).
// `npm run tarballs`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tryStarter } from './consumers/starter.mjs';
import { neededBy, pack, readManifests } from './pack.mjs';
import { cleanEnvironment } from './setup/process.mjs';

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, env: cleanEnvironment(), encoding: 'utf8', stdio: 'pipe' });
}

function installAlone(name, manifests, tarballs, project) {
  mkdirSync(project);
  const local = (each) => [each, `file:${tarballs.get(each)}`];
  const manifest = { private: true, type: 'module', dependencies: Object.fromEntries([local(name)]) };
  const overrides = Object.fromEntries([...neededBy(name, manifests)].map(local));
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  // JSON is YAML.
  writeFileSync(
    join(project, 'pnpm-workspace.yaml'),
    JSON.stringify({ overrides, autoInstallPeers: false, pmOnFail: 'ignore' }),
  );
  run('pnpm', ['install', '--prefer-offline', '--ignore-scripts', '--reporter=silent'], project);
  run(process.execPath, ['--input-type=module', '--eval', `await import('${name}')`], project);
  const bin = manifests.get(name)?.bin;
  for (const command of Object.keys(bin ?? {}))
    run(join(project, 'node_modules/.bin', command), ['--help'], project);
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-tarballs-'));
  let failed = 0;
  try {
    const manifests = readManifests();
    const tarballs = new Map([...manifests].map(([name, manifest]) => [name, pack(manifest, folder)]));
    for (const name of manifests.keys()) {
      try {
        installAlone(name, manifests, tarballs, join(folder, name.replace('@bonafide/', '')));
      } catch (error) {
        failed += 1;
        const { stdout = '', stderr = '', message } = /** @type {any} */ (error);
        console.error(`${name} does not run alone:\n${stdout}${stderr || message}`);
      }
    }
    try {
      await tryStarter(tarballs, join(folder, 'starter'));
    } catch (error) {
      failed += 1;
      console.error(`The agent of the starter does not run: ${/** @type {Error} */ (error).message}`);
    }
    if (failed === 0)
      console.log(
        `Each package installs and runs alone from its tarball (${manifests.size} packages); so does a new agent.`,
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = failed === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
