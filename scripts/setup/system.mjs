import { accessSync, constants } from 'node:fs';
import { run } from './process.mjs';

/** Requirements of the sandbox: a file that shows the presence, and Debian's package. */
const forSandbox = [
  { path: '/usr/bin/bwrap', debian: 'bubblewrap' },
  { path: '/usr/bin/python3', debian: 'python3' },
];

/** Further requirements of the tests: some suites are files of pytest. */
const forTests = [{ path: '/usr/bin/pytest-3', debian: 'python3-pytest' }];

/** Tools for the judge's metrics. Optional. */
const forMetrics = [
  { path: '/usr/bin/pylint', debian: 'pylint' },
  { path: '/usr/bin/bandit', debian: 'bandit' },
  { path: '/usr/bin/mypy', debian: 'mypy' },
  { path: '/usr/bin/python3-coverage', debian: 'python3-coverage' },
];

/**
 * Requirements of the judge's container backend. Its tests are reported as skipped where they are missing.
 */
const forContainers = [
  { path: '/usr/bin/podman', debian: 'podman' },
  { path: '/usr/sbin/runc', debian: 'runc' },
];

/** gVisor's runtime, for containers with a separate kernel. */
const forGvisor = [{ path: '/usr/bin/runsc', debian: 'runsc' }];

/** Optional packages, and the consequence of not having them. */
const optional = [
  { packages: forMetrics, without: 'not measured' },
  { packages: forContainers, without: 'tests of containers are skipped' },
  { packages: forGvisor, without: 'tests of containers with gVisor are skipped' },
];

function exists(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const missingOf = (list, present) => list.filter(({ path }) => !present(path)).map(({ debian }) => debian);

/** The Debian packages that are missing here, for the sandbox or for the tests too. */
export function missingPackages({ tests = false, present = exists } = {}) {
  return missingOf(tests ? [...forSandbox, ...forTests] : forSandbox, present);
}

const mayInstall = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && exists('/usr/bin/apt-get');

/** Installs packages; a fresh image has no package lists yet. */
function install(packages) {
  const args = ['install', '-y', '--no-install-recommends', ...packages];
  const quiet = { show: false, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  const once = () => run('apt-get', args, quiet) === 0;
  return once() || (run('apt-get', ['update'], quiet) === 0 && once());
}

/** Installs what is needed, for the sandbox or for the tests too, when it may; otherwise throws with the one command to type. */
export function prepareSystem({ tests = false } = {}) {
  const missing = missingPackages({ tests });
  if (missing.length > 0) {
    const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
    if (process.platform !== 'linux') {
      throw new Error(
        `The sandbox needs Linux (here: ${process.platform}). Run this in a Linux machine or container.`,
      );
    }
    if (!mayInstall())
      throw new Error(`Missing on this machine: ${missing.join(', ')}. Type:\n\n  sudo ${command}\n`);
    console.error(`Installing ${missing.join(' and ')} …`);
    if (!install(missing) || missingPackages({ tests }).length > 0)
      throw new Error(`Could not install: ${command}`);
  }
  if (!tests || !mayInstall()) return;
  for (const { packages, without } of optional) {
    const wanted = missingOf(packages, exists);
    if (wanted.length === 0) continue;
    console.error(`Installing ${wanted.join(', ')} …`);
    if (!install(wanted)) console.error(`Not installed, and ${without}: ${wanted.join(', ')}`);
  }
}
